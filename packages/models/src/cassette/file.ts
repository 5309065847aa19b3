// The file of a cassette: one JSON document, sorted, with texts as lists of lines, so that a change can be read in a diff.
//
// It is replaced by rename, so it is there whole or not at all. A writer reads it again and merges under a lock, so that
// two processes lose nothing of each other's. A file that is no cassette is never written over.

import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { InfrastructureError, type Json, whileLocked } from "@loopwright/core";
import { z } from "zod";
import type { WireAnswer } from "../wire/wire.ts";
import { type KeptRequest, keyOf } from "./request.ts";

/** The version of the file; another one is refused. */
export const CASSETTE_VERSION = 1;

/** A failure that another try might have fixed; it is kept only where no answer ever came. */
export interface KeptFailure {
  message: string;
  status?: number | undefined;
  retryAfter?: number | undefined;
  received?: number | undefined;
}

/** What is recorded of one request. */
export interface Entry {
  request: KeptRequest;
  answer?: WireAnswer;
  failure?: KeptFailure;
}

/** Entries by key. */
export type Entries = Map<string, Entry>;

/** A text, or its lines. */
const text = z
  .union([z.string(), z.array(z.string())])
  .transform((kept) => (Array.isArray(kept) ? kept.join("\n") : kept));
const json = z.custom<Json>((value) => value !== undefined);
const count = z.number().nonnegative();

const fileSchema = z.object({
  cassette: z.literal("loopwright"),
  version: z.literal(CASSETTE_VERSION),
  entries: z.array(
    z.object({
      request: z.strictObject({
        ordinal: z.string(),
        model: z.string(),
        system: text.optional(),
        prompt: text,
        images: z.array(z.record(z.string(), z.union([z.string(), z.number()]))).optional(),
        schema: json.optional(),
        tools: z.array(z.strictObject({ name: z.string(), description: z.string(), parameters: json })).optional(),
        temperature: z.number().optional(),
        topP: z.number().optional(),
        maxTokens: z.number(),
      }),
      answer: z
        .object({
          text,
          reasoning: text.optional(),
          toolCalls: z.array(z.strictObject({ name: z.string(), input: json })).optional(),
          toolsRefused: z.string().optional(),
          model: z.string(),
          finishReason: z.string(),
          inputTokens: count.optional(),
          outputTokens: count.optional(),
          firstMs: count,
          ms: count,
          structured: z.enum(["json_schema", "json_object", "prompt"]).optional(),
        })
        .optional(),
      failure: z
        .object({
          message: text,
          status: z.number().optional(),
          retryAfter: z.number().optional(),
          received: count.optional(),
        })
        .optional(),
    }),
  ),
});

/** The entries of a cassette; undefined where there is no file. */
export async function readCassette(file: string): Promise<Entries | undefined> {
  const content = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw unreadable(file, `it cannot be read (${cause.code ?? cause.message})`, cause);
  });
  if (content === undefined) return undefined;
  const { entries } = parseCassette(file, content);
  // Keys are made again, so that a request that was changed by hand counts as changed.
  return new Map(entries.map((entry) => [keyOf(entry.request), entry]));
}

function parseCassette(file: string, content: string): { entries: Entry[] } {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw unreadable(file, "it is truncated or no JSON", cause);
  }
  const { cassette, version } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (cassette !== "loopwright") throw unreadable(file, "it is some other file");
  if (version !== CASSETTE_VERSION)
    throw unreadable(file, `it has version ${JSON.stringify(version)}, and this Loopwright reads ${CASSETTE_VERSION}`);
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(file, `${issue?.path.join(".")}: ${issue?.message}`, parsed.error);
  }
  return parsed.data as unknown as { entries: Entry[] };
}

function unreadable(file: string, why: string, cause?: unknown): InfrastructureError {
  return new InfrastructureError(
    "CASSETTE_UNREADABLE",
    `the cassette ${file} is not usable: ${why}. It is left as it is: fix it, or name another file with --cassette.`,
    { cause },
  );
}

/** Adds entries to a cassette, beside what others have written to it since; gives back what it holds then. */
export async function addToCassette(file: string, added: Entries): Promise<Entries> {
  try {
    await mkdir(dirname(file), { recursive: true });
    return await whileLocked(`${file}.lock`, async () => {
      const entries = (await readCassette(file)) ?? new Map<string, Entry>();
      for (const [key, entry] of added) {
        const isWorse = entry.answer === undefined && entries.get(key)?.answer !== undefined;
        if (!isWorse) entries.set(key, entry);
      }
      await replaceFile(file, toText(entries));
      return entries;
    });
  } catch (error) {
    if (error instanceof InfrastructureError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const why = `the cassette ${file} cannot be written (${code ?? message}); fix that, then resume the run`;
    throw new InfrastructureError("CASSETTE_UNWRITABLE", why, { cause: error });
  }
}

const inOrder = new Intl.Collator("en", { numeric: true });

function toText(entries: Entries): string {
  const sorted = [...entries].sort(
    ([aKey, a], [bKey, b]) => inOrder.compare(a.request.ordinal, b.request.ordinal) || (aKey < bKey ? -1 : 1),
  );
  const kept = sorted.map(([key, { request, answer, failure }]) => ({
    key,
    request: { ...request, ...linesOf(request, "system"), ...linesOf(request, "prompt") },
    ...(answer && { answer: { ...answer, ...linesOf(answer, "text"), ...linesOf(answer, "reasoning") } }),
    ...(failure && { failure: { ...failure, ...linesOf(failure, "message") } }),
  }));
  return `${JSON.stringify({ cassette: "loopwright", version: CASSETTE_VERSION, entries: kept }, null, 2)}\n`;
}

/** A field as the list of its lines, where it has more than one. */
function linesOf<Name extends string>(of: { [name in Name]?: string }, name: Name): { [name in Name]?: string[] } {
  const value: string | undefined = of[name];
  return (value?.includes("\n") ? { [name]: value.split("\n") } : {}) as { [name in Name]?: string[] };
}

async function replaceFile(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(draft, "wx");
    await handle
      .writeFile(content)
      .then(() => handle.sync())
      .finally(() => handle.close());
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
