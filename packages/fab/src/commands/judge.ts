// `loopwright fab judge`: one asset, one gate, one verdict.

import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import {
  type CommandContext,
  type Configuration,
  type RunResult,
  requireKeys,
  UsageError,
  usage,
} from "@loopwright/core";
import { configuredGate } from "../configuration.ts";
import { modelCritics } from "../critics/by-model.ts";
import { gateIds } from "../gate/load.ts";
import type { GateConfig } from "../gate/schema.ts";
import type { FabState } from "../task.ts";
import { verdictToLines } from "./words.ts";

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
  const asked = modelCritics(gate, Boolean(prompt));
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

function closing({ terminal }: CommandContext, { state }: RunResult): string[] | undefined {
  const { verdict } = state as FabState;
  return verdict && verdictToLines(verdict, (style, text) => terminal.style(style, text));
}
