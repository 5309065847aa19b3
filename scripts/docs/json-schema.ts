// The shape of `--json`, as schemas: what is shipped in docs/json-v1.schema.json and told in docs/json.md is made from
// them, and tests hold every line that the program prints to them. Events have the schemas of the core.

import { type LoopEvent, outcomes } from "@loopwright/core";
import {
  artifact,
  ceilings,
  count,
  durableEvents,
  error,
  json,
  outcome,
  transientEvents,
  verdict,
} from "@loopwright/core/events";
import { JSON_VERSION } from "@loopwright/terminal";
import { z } from "zod";
import { lineFields } from "../../packages/loopwright/src/display/json-lines.ts";
import { defaultPackages } from "../../packages/loopwright/src/loops/find-command.ts";

const text = z.string();
const texts = z.array(text);
const time = z.iso.datetime();
const files = z.array(artifact);
const { score } = verdict.shape;

/** Each event of `--json`: of the event's own schema, what its line shows. */
export const events = Object.fromEntries(
  Object.entries({ ...durableEvents, ...transientEvents }).map(([type, schema]) => [
    type,
    lineSchema(type as LoopEvent["type"], schema),
  ]),
) as Record<LoopEvent["type"], z.ZodObject>;

function lineSchema(type: LoopEvent["type"], schema: z.ZodObject): z.ZodObject {
  const fields = lineFields(type).map(({ name, path }) => {
    const field = schemaAt(schema, path);
    if (name === "expires") return [name, time.optional()];
    return [name, name === "next" ? text.nullable() : field];
  });
  // The last line of a command carries the folder too.
  if (type === "gate-opened" || type === "run-ended") fields.push(["folder", text.optional()]);
  return z
    .strictObject({
      ...{ v: z.literal(JSON_VERSION), type: z.literal(type), run: text, at: time },
      ...Object.fromEntries(fields),
    })
    .describe(schema.description!);
}

/** The schema at a path, optional where anything on the way is. */
function schemaAt(schema: z.ZodObject, [key, ...rest]: readonly string[]): z.ZodType {
  const field = schema.shape[key!] as z.ZodType;
  if (rest.length === 0) return field;
  if (!(field instanceof z.ZodOptional)) return schemaAt(field as z.ZodObject, rest);
  const inner = schemaAt(field.unwrap() as z.ZodObject, rest);
  return inner instanceof z.ZodOptional ? inner : inner.optional();
}

const document = <Shape extends z.ZodRawShape>(type: string, words: string, shape: Shape) =>
  z.strictObject({ v: z.literal(JSON_VERSION), type: z.literal(type), ...shape }).describe(words);

const number = z.number();
const used = { tokens: number, usd: number };
const pruned = z.literal(true).describe("its folder is gone");

const listed = z.strictObject({
  ...{ loop: text, iterations: count, ceiling: number, score: score.nullable(), ...used },
  ...{ startedAt: time, at: time, parent: text, after: text },
  answer: text.describe("what was answered to the gate that it waits at; it goes on with a resume"),
  error: text.describe("the code of the error that stopped it"),
  ...{ pruned, fault: text },
});

const iteration = z.strictObject({ iteration: count, verdicts: z.array(verdict), files, seconds: number, ...used });

const call = {
  ...{ number: count, role: text, visit: count, key: text, model: text.nullable(), finishReason: text.nullable() },
  ...used,
  details: json.describe("endpoint, asked, tries, what was cut, milliseconds"),
  error: error.nullable(),
};

const prompt = { loop: text, id: text, version: z.int(), role: text, file: text, isOverride: z.boolean() };

const tried = z
  .strictObject({ model: text, answeredBy: text, served: number, structured: text, tokensPerSecond: number })
  .partial({ served: true, structured: true, tokensPerSecond: true });

const firstPrompt = z
  .object({ role: text, model: text.nullable(), id: text, system: text, user: text, images: z.int(), tokens: z.int() })
  .extend({ does: text })
  .partial({ id: true, system: true, does: true });

/** Each document of `--json`, by the command that prints it. */
export const documents = {
  runs: document("runs", "`loopwright runs`", {
    dir: text,
    runs: z.array(
      z.strictObject({
        run: text,
        status: z.enum(["waiting", "running", "forked", "cut-off", "damaged", ...Object.keys(outcomes)]),
        running: z.boolean(),
        ...listed.partial().shape,
      }),
    ),
  }),
  run: document("run", "`loopwright show`", {
    ...{ run: text, loop: text, version: z.int(), seed: number, parent: text.optional(), folder: text },
    ...{ pruned: pruned.optional(), ceilings, ...used, seconds: number, startedAt: time },
    ended: z.strictObject({ outcome, reason: text }).nullable(),
    scores: z.array(z.strictObject({ iteration: count, score })),
    iterations: z.array(iteration),
    results: files,
    failures: z
      .array(z.strictObject({ at: time, visit: count, phase: text.optional(), effect: text.optional(), error }))
      .describe("effects and phases that failed"),
  }),
  explanation: document("explanation", "`loopwright explain`", {
    ...{ run: text, outcome: outcome.nullable(), why: text },
    next: z.array(z.strictObject({ command: text, does: text })),
  }),
  verification: document("verification", "`loopwright verify`", {
    ...{ run: text, ok: z.boolean(), events: count, values: count, artifacts: count, released: count },
    problems: texts,
  }),
  answer: document("answer", "`loopwright answer`", {
    ...{ run: text, gate: text, name: text, choice: text },
    counted: z.boolean().describe("false where another answer came first"),
  }),
  pause: document("pause", "`loopwright pause`", { run: text }),
  cancel: document("cancel", "`loopwright cancel`", {
    ...{ run: text, outcome },
    underWay: z.boolean().describe("true where the process that holds the run will end it"),
  }),
  fork: document("fork", "`loopwright fork`", { run: text, from: text, iteration: count }),
  prune: document("prune", "`loopwright prune`", { runs: texts, freed: count.describe("bytes"), dryRun: z.boolean() }),
  graph: document("graph", "`loopwright graph`", { loop: text, version: z.int(), mermaid: text }),
  doctor: document("doctor", "`loopwright doctor`", {
    findings: z.array(
      z.strictObject({ name: text, state: z.enum(["ok", "missing", "fault"]), found: text, enables: text }),
    ),
  }),
  prompts: document("prompts", "`loopwright prompts`", { prompts: z.array(z.strictObject(prompt)) }),
  prompt: document("prompt", "`loopwright prompts <loop> <id>`", { ...prompt, text }),
  models: document("models", "`loopwright doctor --models`", {
    probes: z.array(
      z
        .strictObject({ endpoint: text, isReachable: z.boolean(), fault: text, models: texts, tried })
        .partial({ fault: true, tried: true }),
    ),
  }),
  calls: document("calls", "`loopwright show --calls`", { run: text, calls: z.array(z.strictObject(call)) }),
  call: document("call", "`loopwright show --call N`", { run: text, ...call, request: json, answer: json }),
  init: document("init", "`loopwright init`", { folder: text, files: texts, next: texts, dryRun: z.boolean() }),
  plan: document("plan", "`--dry-run` of a command that drives a run", {
    ...{ loop: text, version: z.int(), phases: texts, start: text, ceilings, config: json, input: json },
    ...{ seed: number.nullable(), files: texts, dir: text },
    prompt: firstPrompt.nullable().describe("the first prompt: `does` says what was done on this machine to reach it"),
    promptReason: text.optional().describe("why no prompt is shown"),
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
