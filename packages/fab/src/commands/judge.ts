// `loopwright fab judge`: one asset, one gate, one verdict; and a verdict in words.

import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import {
  type CommandContext,
  type Configuration,
  type RunResult,
  requireKeys,
  type Style,
  UsageError,
  usage,
} from "@loopwright/core";
import { plainLine, showScore } from "@loopwright/terminal";
import { configuredGate, gateIds } from "../gate/load.ts";
import type { GateConfig } from "../gate/schema.ts";
import type { FabState } from "../task.ts";
import { modelCritics } from "../verdict/answers.ts";
import type { GateVerdict } from "../verdict/gate-verdict.ts";

export async function runJudge(context: CommandContext): Promise<number> {
  const [, given] = context.arguments;
  const file = resolve(given!);
  if (!existsSync(file))
    throw new UsageError("IMPORT_FILE_NOT_FOUND", `there is no file ${file}: name a binary glTF (.glb)`);
  const name = context.text("gate");
  if (name === undefined)
    throw usage("--gate is missing: which gate shall it pass?", `known are ${gateIds(context.dir).join(", ")}`);
  const gate = await configuredGate(context, name);
  const prompt = context.text("prompt")?.trim();
  const { exitCode } = await context.driver.start(
    { file, gate, profile: context.text("profile") ?? "standard", ...(prompt && { prompt }) },
    {
      prepare: async () => requireModels(gate, prompt, (await context.configuration()).modelOf),
      slug: `judge-${basename(file)}`,
      opening: [`${basename(file)} at the gate ${gate.gate_config_id}`],
      closing: (result) => closing(context, result),
    },
  );
  return exitCode;
}

export function requireModels(gate: GateConfig, prompt: string | undefined, modelOf: Configuration["modelOf"]): void {
  const asked = modelCritics(gate, prompt ? [{ words: prompt }] : []);
  if (asked.length === 0) return;
  const roles = gate.uncertainty_band > 0 ? ["critic", "tiebreaker"] : ["critic"];
  const missing = roles.find((role) => !modelOf(role));
  if (missing)
    throw usage(
      `the gate has ${asked.join(", ")} judged by a model, and none is configured for the ${missing}`,
      `name one: --model ${missing}=lmstudio:NAME, or under 'models' in loopwright.yaml`,
    );
  requireKeys(roles, modelOf);
}

/** What is said at the end of a run; one that waits for a person says itself what to type. */
export function closing({ terminal }: CommandContext, { state, outcome }: RunResult): string[] | undefined {
  const { verdict } = state as FabState;
  if (outcome === "escalated") return undefined;
  return verdict && verdictToLines(verdict, (style, text) => terminal.style(style, text));
}

type Paint = (style: Style, text: string) => string;

const colors = { pass: "green", fail: "red", escalate: "magenta" } as const;

const marks = { met: "green", unmet: "red", unjudged: "magenta" } as const;

/** The lines of a verdict. */
export function verdictToLines(verdict: GateVerdict, paint: Paint): string[] {
  const { scores, floor_violations: below, next_actions: actions } = verdict;
  const head = `${paint(["bold", colors[verdict.verdict]], verdict.verdict.toUpperCase())}  ${plainLine(verdict.verdict_reason)}`;
  const overall = row("overall", scores.overall, `needs ${scores.threshold.toFixed(2)}`);
  const critics = Object.entries(scores.by_critic).map(([name, score]) => {
    const under = below.find(({ critic }) => critic === name);
    if (score === null) return row(name, undefined, paint("dim", "not judged"));
    const told = verdict.opinions[name] ?? [];
    const forms = told.map(({ by, score: own }) => `${by} ${showScore(own, 2)}`).join(", ");
    const low = under ? paint("red", `below its floor of ${under.floor.toFixed(2)}, `) : "";
    return row(name, score, `${low}${paint("dim", forms)}`);
  });
  const asked = verdict.requirements.flatMap(({ words, result, answers }) => [
    `  ${paint(marks[result], result.padEnd(8))}  ${plainLine(words)}`,
    ...answers.map(({ by, says, reason }) => paint("dim", `            ${by}: ${says}, ${plainLine(reason)}`)),
  ]);
  const notes = verdict.notes.map((note) => paint("dim", `  ${plainLine(note)}`));
  const todo = actions.flatMap(({ action, priority, instructions, code }) => {
    const [first, ...rest] = instructions.split("\n").map(plainLine);
    return [
      "",
      `  ${priority}  ${paint("bold", code ?? action.replaceAll("_", " "))}  ${first}`,
      ...rest.map((line) => `     ${line}`),
    ];
  });
  return ["", head, overall, ...critics, ...(asked.length > 0 ? ["", ...asked] : []), ...notes, ...todo];
}

function row(name: string, score: number | undefined, words: string): string {
  return `  ${name.padEnd(11)}${score === undefined ? "   –" : showScore(score, 2)}  ${words}`.trimEnd();
}
