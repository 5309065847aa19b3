// `--dry-run` of a command that would drive a run: what it would be given, and its first prompt. For that the loop runs on a journal in memory, in a folder of its own which goes afterwards, until
// the first request would be sent, and is stopped there. What is shown is that request, fitted to the model's window. Only a loop whose
// package says how it gets there without effects outside is run at all.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import {
  type Ceilings,
  checkCeilings,
  Engine,
  FileStore,
  type FirstPrompt,
  type Json,
  type Loop,
  LoopwrightError,
  type Model,
  machineClock,
  type RunResult,
  resolveCeilings,
  SqliteJournal,
  stopReason,
  thisProcess,
  type WorkcellStart,
} from "@loopwright/core";
import type { Wire, WireRequest } from "@loopwright/models";
import {
  type ModelsConfiguration,
  nameToText,
  profileOf,
  resolveModels,
  withRoleDefaults,
} from "@loopwright/models/configuration";
import { plainLine, printPrompt, promptHead } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { recordRedactor, workspaceSecretsOf } from "../configuration/configuration.ts";
import { ceilingWords } from "../display/words.ts";
import { type FoundPackage, reachedPhases } from "../loops/find-package.ts";
import { watchInterrupts } from "./notices.ts";

export interface Plan {
  ceilings: Partial<Ceilings>;
  config: Json;
  input: Json;
  seed?: number;
}

type Workcells = Readonly<Record<string, WorkcellStart>>;

/** Prints the plan of a run, with its first prompt or why there is none. */
export async function showPlan(
  cli: Cli,
  loop: Loop,
  { ceilings, config, input, seed }: Plan,
  first: FirstPrompt | { reason: string },
): Promise<number> {
  const limits = resolveCeilings(loop.ceilings, checkCeilings(ceilings));
  const { files } = await cli.configuration();
  const { terminal } = cli;
  const plan = { loop: loop.name, version: loop.version, phases: reachedPhases(loop), start: loop.start };
  if (terminal.isJson) {
    const prompt = "reason" in first ? { prompt: null, promptReason: first.reason } : { prompt: first };
    terminal.document("plan", {
      ...{ ...plan, ceilings: limits, config, input, seed: seed ?? null, files, dir: cli.dir },
      ...prompt,
    });
    return 0;
  }
  const rows = [
    ["loop", `${loop.name} (version ${loop.version})`],
    ["phases", plan.phases.join(", ")],
    ["first", loop.start],
    ["ceilings", ceilingWords(limits)],
    ["seed", seed === undefined ? "chosen when it starts" : String(seed)],
    ["configuration", files.length > 0 ? files.join(", ") : "no file"],
    ["settings", JSON.stringify(config)],
    ["input", shorten(JSON.stringify(input))],
    ["folder", cli.dir],
    ["first prompt", "reason" in first ? `not shown: ${plainLine(first.reason)}` : promptHead(first)],
  ];
  for (const [name, value] of rows) terminal.print(`${terminal.style("dim", name!.padEnd(14))}${value}`);
  if (!("reason" in first)) printPrompt(terminal, first);
  terminal.print(
    "reason" in first
      ? "Nothing was called and nothing was written."
      : "No model was called, and nothing of it is left on the disk.",
  );
  return 0;
}

function shorten(text: string): string {
  return text.length > 400 ? `${text.slice(0, 400)}…` : text;
}

/** The first prompt of such a run, or why it cannot be shown. */
export async function seeFirstPrompt(
  cli: Cli,
  found: FoundPackage,
  loop: Loop,
  plan: Plan,
  workcells: Workcells = {},
): Promise<FirstPrompt | { reason: string }> {
  const { firstPrompt: setUp } = found.package;
  if (!setUp) return { reason: `the loop '${loop.name}' does not say how to reach it without doing anything` };
  const folder = mkdtempSync(join(tmpdir(), "loopwright-dry-run-"));
  try {
    const config = plan.config as Readonly<Record<string, Json>>;
    const ready = await setUp({ input: plan.input, settings: config[loop.name], project: cli.dir }, folder);
    if ("reason" in ready) return ready;
    const { models, secrets: own } = await cli.configuration();
    const secrets = [...own, ...workspaceSecretsOf(plan.config, loop.name)];
    const answers = new Map(Object.entries(ready.answers ?? {}));
    using interrupted = watchInterrupts(() => cli.terminal.say("stopping"));
    const stop = new AbortController();
    const listening = await listen(withRoleDefaults(models, found.package.roles), secrets, () => stop.abort());
    await using engine = new Engine({
      ...{ journal: SqliteJournal.inMemory(), store: new FileStore(join(folder, "files")) },
      ...{ clock: machineClock, process: thisProcess() },
      ...{ project: ready.project ?? cli.dir, models: listening.models, redact: recordRedactor(secrets) },
      answers: ({ name }) => (answers.has(name) ? { choice: answers.get(name)!, by: "default" } : undefined),
      workcells: inFolder(workcells, folder),
      killSwitch: () => stopReason(join(cli.dir, ".loopwright")),
    });
    const result = await engine.start({ ...loop, start: ready.start ?? loop.start }, plan.input as never, {
      ceilings: { ...plan.ceilings, iterations: 1 },
      config: { ...config, [loop.name]: ready.settings },
      ...(plan.seed !== undefined && { seed: plan.seed }),
      signal: AbortSignal.any([stop.signal, interrupted]),
    });
    const seen = listening.seen();
    return seen ? { ...seen, ...(ready.does !== undefined && { does: ready.does }) } : { reason: whyNone(result) };
  } catch (error) {
    // What keeps a run from its start keeps the plan from nobody.
    if (error instanceof LoopwrightError) return { reason: error.message };
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Workcells whose own folders lie in this one. */
function inFolder(workcells: Workcells, folder: string): Workcells {
  const moved = Object.entries(workcells).map(([kind, start]): [string, WorkcellStart] => [
    kind,
    ({ folder: own = kind, ...options }) =>
      start({ ...options, folder: join(folder, "workcells", basename(own)), scenes: join(folder, "scenes", "run") }),
  ]);
  return Object.fromEntries(moved);
}

/** Models of every role that send nothing: the first request that is to be sent is kept, and `heard` is called. */
async function listen(models: ModelsConfiguration, secrets: readonly string[], heard: () => void) {
  const [{ openModels }, { countTokens, IMAGE_TOKENS }] = await Promise.all([
    import("@loopwright/models/open"),
    import("@loopwright/models"),
  ]);
  let first: { role: string; id?: string; request: WireRequest } | undefined;
  const wireFor =
    (role: string, id?: string): Wire =>
    (request, { signal }) => {
      first ??= { role, ...(id !== undefined && { id }), request };
      heard();
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    };
  const open = (role: string, id?: string): Model => {
    const known = profileOf(models, role) ? models : noModel;
    return openModels(known, { wire: wireFor(role, id), secrets })(role);
  };
  const seen = (): FirstPrompt | undefined => {
    if (!first) return undefined;
    const { role, id, request } = first;
    const { system, prompt: user, images } = request;
    const profile = profileOf(models, role);
    const tokens = countTokens(system ?? "") + countTokens(user) + images.length * IMAGE_TOKENS;
    return {
      ...{ role, model: profile ? nameToText(profile) : null, ...(id !== undefined && { id }) },
      ...{ ...(system !== undefined && { system }), user, images: images.length, tokens },
    };
  };
  const model = (role: string): Model => ({
    estimate: () => ({ tokens: 0, usd: 0 }),
    call: (request, call) => open(role, request.id).call(request, call),
  });
  return { models: model, seen };
}

/** Stands where no model is configured: the prompt is fitted to the usual window. */
const noModel = resolveModels({ model: ["lmstudio:none"] }, {});

/** Why a run has come to its end without a prompt. */
function whyNone({ outcome, reason, gate }: RunResult<unknown>): string {
  if (gate) return `the run asks a person first: ${gate.question}`;
  return `the run comes to no prompt: ${outcome}${reason === "" ? "" : `, ${reason}`}`;
}
