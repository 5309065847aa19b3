// The shape of `--json`, as schemas: what is shipped in docs/json-v1.schema.json and told in docs/json.md is made from
// them, and tests hold every line that the program prints to them.

import { type LoopEvent, outcomes } from "@loopwright/core";
import { JSON_VERSION } from "@loopwright/terminal";
import { z } from "zod";
import { defaultPackages } from "../loops/find-command.ts";
import { artifact, count, error, files, gate, json, limits, outcome, score, time, verdict } from "./json-shapes.ts";

const event = <Shape extends z.ZodRawShape>(type: LoopEvent["type"], words: string, shape: Shape) =>
  z
    .strictObject({ v: z.literal(JSON_VERSION), type: z.literal(type), run: z.string(), at: time, ...shape })
    .describe(words);

/** Each event of `--json`, with what it means. */
export const events = {
  "run-started": event("run-started", "A run has begun.", {
    loop: z.string(),
    version: z.int(),
    seed: z.number(),
    ceilings: limits,
    config: json,
    folder: z.string(),
    parent: z.string().optional(),
    after: z.string().describe("the run that it took over from").optional(),
    phase: z.string(),
  }),
  "run-resumed": event("run-resumed", "A run goes on; it enters a phase anew where one is named.", {
    phase: z.string().optional(),
    iteration: count.optional(),
    given: z
      .strictObject({ path: z.string(), digest: z.string(), size: count })
      .describe("what a person has made, for that phase")
      .optional(),
  }),
  "run-migrated": event("run-migrated", "A run was carried over to a newer version of its loop.", { version: z.int() }),
  "run-forked": event("run-forked", "A run begins as a copy of another one.", {
    from: z.string(),
    iteration: count,
    seed: z.number(),
    folder: z.string(),
  }),
  "phase-started": event("phase-started", "A phase was entered. Not kept in the journal.", {
    phase: z.string(),
    visit: count,
    iteration: count,
  }),
  "phase-finished": event("phase-finished", "A phase has ended, and its state is committed: a checkpoint.", {
    phase: z.string(),
    visit: count,
    next: z.string().nullable(),
    outcome: outcome.optional(),
  }),
  "visit-failed": event("visit-failed", "A phase ended by throwing.", {
    phase: z.string(),
    visit: count,
    error,
    effect: z.string().optional(),
  }),
  "effect-started": event("effect-started", "A call to the outside is about to be made.", {
    visit: count,
    key: z.string(),
    tries: count,
  }),
  "effect-charged": event(
    "effect-charged",
    "A call to the outside is charged for before its end, or without one: by its estimate where that is all that is known.",
    { visit: count, key: z.string(), tokens: z.number(), usd: z.number() },
  ),
  "effect-finished": event("effect-finished", "A call to the outside has its result; it is never made again.", {
    visit: count,
    key: z.string(),
    tokens: z.number().optional(),
    usd: z.number().optional(),
  }),
  "effect-failed": event("effect-failed", "A call to the outside has failed.", {
    visit: count,
    key: z.string(),
    error,
    tokens: z.number().optional(),
    usd: z.number().optional(),
  }),
  "artifact-saved": event("artifact-saved", "A file was saved.", artifact),
  "verdict-recorded": event("verdict-recorded", "A critic has judged the result.", {
    iteration: count,
    ...verdict.shape,
  }),
  "workcell-restarted": event("workcell-restarted", "A workcell was lost and started again.", {
    kind: z.string(),
    reason: z.string(),
  }),
  "gate-opened": event("gate-opened", "A person is asked. The last line of a command whose run waits.", {
    ...gate,
    folder: z.string().optional(),
  }),
  "gate-answered": event("gate-answered", "A gate has its answer.", {
    gate: z.string(),
    name: z.string().optional().describe("the gate's name"),
    choice: z.string(),
    note: z.string().optional(),
    by: z.enum(["person", "flag", "default", "expiry"]),
  }),
  "answer-refused": event("answer-refused", "An answer came for something that is no longer asked.", {
    gate: z.string(),
    choice: z.string(),
    reason: z.string(),
  }),
  "child-waiting": event("child-waiting", "A child run waits at a gate.", { child: z.string(), ...gate }),
  "ceilings-changed": event("ceilings-changed", "A person changed the limits.", { ceilings: limits.partial() }),
  "ceiling-reached": event("ceiling-reached", "A limit stops the run.", {
    ceiling: z.string(),
    limit: z.number(),
    used: z.number(),
  }),
  "loop-noted": event("loop-noted", "A note of the loop's own.", { name: z.string(), data: json }),
  progress: event("progress", "How far an effect is. Not kept in the journal.", { key: z.string(), data: json }),
  "run-ended": event("run-ended", "A run has ended. The last line of a command that drives one.", {
    outcome,
    reason: z.string(),
    iterations: count,
    score: score.nullable(),
    folder: z.string().optional(),
    by: z.string().describe("the run that takes over").optional(),
  }),
} satisfies Record<LoopEvent["type"], z.ZodType>;

const document = <Shape extends z.ZodRawShape>(type: string, words: string, shape: Shape) =>
  z.strictObject({ v: z.literal(JSON_VERSION), type: z.literal(type), ...shape }).describe(words);

const status = z.enum(["waiting", "running", "forked", "cut-off", "damaged", ...Object.keys(outcomes)]);
const steps = z.array(z.strictObject({ command: z.string(), does: z.string() }));

const call = {
  number: count,
  role: z.string(),
  visit: count,
  key: z.string(),
  model: z.string().nullable(),
  finishReason: z.string().nullable(),
  tokens: z.number(),
  usd: z.number(),
  details: json.describe("endpoint, asked, tries, what was cut, milliseconds"),
  error: error.nullable(),
};

const prompt = {
  loop: z.string(),
  id: z.string(),
  version: z.int(),
  role: z.string(),
  file: z.string(),
  isOverride: z.boolean(),
};

/** Each document of `--json`, by the command that prints it. */
export const documents = {
  runs: document("runs", "`loopwright runs`", {
    dir: z.string(),
    runs: z.array(
      z.strictObject({
        run: z.string(),
        status,
        running: z.boolean(),
        loop: z.string().optional(),
        iterations: count.optional(),
        ceiling: z.number().optional(),
        score: score.nullable().optional(),
        tokens: z.number().optional(),
        usd: z.number().optional(),
        startedAt: time.optional(),
        at: time.optional(),
        parent: z.string().optional(),
        after: z.string().optional(),
        answer: z
          .string()
          .describe("what was answered to the gate that it waits at; it goes on with a resume")
          .optional(),
        error: z.string().describe("the code of the error that stopped it").optional(),
        pruned: z.literal(true).describe("its folder is gone").optional(),
        fault: z.string().optional(),
      }),
    ),
  }),
  run: document("run", "`loopwright show`", {
    run: z.string(),
    loop: z.string(),
    version: z.int(),
    seed: z.number(),
    parent: z.string().optional(),
    folder: z.string(),
    pruned: z.literal(true).describe("its folder is gone").optional(),
    ceilings: limits,
    tokens: z.number(),
    usd: z.number(),
    seconds: z.number(),
    startedAt: time,
    ended: z.strictObject({ outcome, reason: z.string() }).nullable(),
    scores: z.array(z.strictObject({ iteration: count, score })),
    iterations: z.array(
      z.strictObject({
        iteration: count,
        verdicts: z.array(verdict),
        files,
        seconds: z.number(),
        tokens: z.number(),
        usd: z.number(),
      }),
    ),
    results: files,
    failures: z
      .array(
        z
          .strictObject({ at: time, visit: count, phase: z.string(), effect: z.string(), error })
          .partial({ phase: true, effect: true }),
      )
      .describe("effects and phases that failed"),
  }),
  explanation: document("explanation", "`loopwright explain`", {
    run: z.string(),
    outcome: outcome.nullable(),
    why: z.string(),
    next: steps,
  }),
  verification: document("verification", "`loopwright verify`", {
    run: z.string(),
    ok: z.boolean(),
    events: count,
    values: count,
    artifacts: count,
    released: count,
    problems: z.array(z.string()),
  }),
  answer: document("answer", "`loopwright answer`", {
    run: z.string(),
    gate: z.string(),
    name: z.string(),
    choice: z.string(),
    counted: z.boolean().describe("false where another answer came first"),
  }),
  pause: document("pause", "`loopwright pause`", { run: z.string() }),
  cancel: document("cancel", "`loopwright cancel`", {
    run: z.string(),
    outcome,
    underWay: z.boolean().describe("true where the process that holds the run will end it"),
  }),
  fork: document("fork", "`loopwright fork`", { run: z.string(), from: z.string(), iteration: count }),
  prune: document("prune", "`loopwright prune`", {
    runs: z.array(z.string()),
    freed: count.describe("bytes"),
    dryRun: z.boolean(),
  }),
  graph: document("graph", "`loopwright graph`", { loop: z.string(), version: z.int(), mermaid: z.string() }),
  doctor: document("doctor", "`loopwright doctor`", {
    findings: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(["ok", "missing", "fault"]),
        found: z.string(),
        enables: z.string(),
      }),
    ),
  }),
  prompts: document("prompts", "`loopwright prompts`", { prompts: z.array(z.strictObject(prompt)) }),
  prompt: document("prompt", "`loopwright prompts <loop> <id>`", { ...prompt, text: z.string() }),
  models: document("models", "`loopwright doctor --models`", {
    probes: z.array(
      z.strictObject({
        endpoint: z.string(),
        isReachable: z.boolean(),
        fault: z.string().optional(),
        models: z.array(z.string()),
        tried: z
          .strictObject({
            model: z.string(),
            answeredBy: z.string(),
            served: z.number().optional(),
            structured: z.string().optional(),
            tokensPerSecond: z.number().optional(),
          })
          .optional(),
      }),
    ),
  }),
  calls: document("calls", "`loopwright show --calls`", { run: z.string(), calls: z.array(z.strictObject(call)) }),
  call: document("call", "`loopwright show --call N`", {
    run: z.string(),
    ...call,
    request: json,
    answer: json,
  }),
  init: document("init", "`loopwright init`", {
    folder: z.string(),
    files: z.array(z.string()),
    next: z.array(z.string()),
    dryRun: z.boolean(),
  }),
  plan: document("plan", "`--dry-run` of a command that drives a run", {
    loop: z.string(),
    version: z.int(),
    phases: z.array(z.string()),
    start: z.string(),
    ceilings: limits,
    config: json,
    input: json,
    seed: z.number().nullable(),
    files: z.array(z.string()),
    dir: z.string(),
    prompt: z
      .object({
        role: z.string(),
        model: z.string().nullable(),
        id: z.string().optional(),
        system: z.string().optional(),
        user: z.string(),
        images: z.int(),
        tokens: z.int(),
        does: z.string().optional(),
      })
      .nullable()
      .describe("the first prompt: `does` says what was done on this machine to reach it"),
    promptReason: z.string().optional().describe("why no prompt is shown"),
  }),
};

/** Every document: Loopwright's own, and those that the packages that come with it print. */
export async function allDocuments(): Promise<Record<string, z.ZodObject>> {
  const all: Record<string, z.ZodObject> = { ...documents };
  for (const { package: found } of await defaultPackages())
    for (const [type, schema] of Object.entries((await found.documents?.()) ?? {}))
      all[type] = document(type, schema.description ?? "", (schema as z.ZodObject).shape);
  return all;
}

/** Everything that `--json` can print. */
export async function jsonOutput(): Promise<z.ZodType> {
  const all = [...Object.values(events), ...Object.values(await allDocuments())];
  return z.union(all as unknown as [z.ZodObject, z.ZodObject, ...z.ZodObject[]]);
}
