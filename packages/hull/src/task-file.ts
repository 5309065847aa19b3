// A task as a file: YAML beside its reference pictures. Everything is read before a run starts, and what is wrong is
// said with the file, the line and the key.

import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { UsageError } from "@loopwright/core";
import { extentOf } from "@loopwright/mesh";
import { type Document, LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import { applyBaseline } from "./baseline.ts";
import { pngToMask } from "./measure/references.ts";
import { type ReferenceView, referenceViews } from "./measure/score.ts";
import { HullTask, taskShape } from "./task.ts";

const path = z.string().min(1);
const TaskFile = z.strictObject({
  ...taskShape,
  baseline: z.union([path, z.record(z.string(), z.number())]).optional(),
  references: z.strictObject({ front: path, side: path, top: path }),
});

/** What the command line says of a task: `given` holds over the file, `usual` where the file says nothing. */
export interface Choices {
  given?: Readonly<Record<string, unknown>>;
  usual?: Readonly<Record<string, unknown>>;
}

/** Reads a task file and the pictures that it names, relative to it. */
export async function loadTask(file: string, { given: typed, usual }: Choices = {}): Promise<HullTask> {
  const text = await readText(file);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const place = (keys: readonly PropertyKey[]) => `${file}:${lineOf(document, lines, keys)}`;
  const fault = document.errors[0];
  if (fault) {
    const line = lines.linePos(fault.pos[0]).line;
    throw new UsageError("TASK_INVALID", `${file}:${line}: ${fault.message.split("\n", 1)[0]}`, { cause: fault });
  }
  const read: unknown = document.toJS() ?? {};
  const isMap = typeof read === "object" && !Array.isArray(read);
  const given = check(TaskFile, isMap ? { ...usual, ...read, ...typed } : read, place);
  const baseline = await readBaseline(file, given.baseline, place);
  const references = {} as Record<ReferenceView, string>;
  for (const view of referenceViews) {
    const from = resolve(dirname(file), given.references[view]);
    const bytes = await readReference(from, `${place(["references", view])}: references.${view}`);
    references[view] = Buffer.from(bytes).toString("base64");
  }
  return check(HullTask, { ...given, references, ...(baseline && { baseline }) }, place);
}

/** A .blend beside the task, or parameters, which are tried. */
async function readBaseline(
  file: string,
  baseline: string | Record<string, number> | undefined,
  place: (keys: readonly PropertyKey[]) => string,
): Promise<HullTask["baseline"]> {
  try {
    if (typeof baseline === "string")
      return { blend: (await readFile(resolve(dirname(file), baseline))).toString("base64") };
    if (baseline) applyBaseline(baseline);
    return baseline;
  } catch (cause) {
    throw new UsageError("TASK_INVALID", `${place(["baseline"])}: baseline: ${(cause as Error).message}`, { cause });
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new UsageError("TASK_MISSING", `the task file ${file} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
}

async function readReference(file: string, where: string): Promise<Uint8Array> {
  const refuse = (why: string, cause?: unknown) => new UsageError("REFERENCE_INVALID", `${where}: ${why}`, { cause });
  const bytes = await readFile(file).catch((cause: Error) => {
    throw refuse(`the picture ${file} cannot be read: ${cause.message}`, cause);
  });
  let isEmpty: boolean;
  try {
    isEmpty = extentOf(pngToMask(bytes)) === undefined;
  } catch (cause) {
    throw refuse(`${file}: ${(cause as Error).message}`, cause);
  }
  if (isEmpty) throw refuse(`${file} shows nothing: draw the object opaque on transparent, or dark on light`);
  return bytes;
}

function check<T>(schema: z.ZodType<T>, value: unknown, place: (keys: readonly PropertyKey[]) => string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const keys = unknown === undefined ? issue.path : [...issue.path, unknown];
  throw new UsageError("TASK_INVALID", `${place(keys)}: ${keys.map(String).join(".") || "the task"}: ${issue.message}`);
}

/** The line of a key, or of the nearest thing above it that is there. */
function lineOf(document: Document, lines: LineCounter, keys: readonly PropertyKey[]): number {
  for (let length = keys.length; length > 0; length--) {
    const node: unknown = document.getIn(keys.slice(0, length), true);
    const range = (node as { range?: [number, number, number] } | undefined)?.range;
    if (range) return lines.linePos(range[0]).line;
  }
  return 1;
}
