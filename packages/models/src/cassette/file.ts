// The file of a cassette: one JSON document, sorted, with texts as lists of lines, so that a change can be read in a diff.
//
// A request is kept as plain JSON that says all that decides the answer, and nothing of where it was sent. Its key is the SHA-256 of
// that, with the ordinal.
//
// It is replaced by rename, so it is there whole or not at all. A writer reads it again and merges under a lock, so that
// two processes lose nothing of each other's. A file that is no cassette is never written over.

import { randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { digestOf, InfrastructureError, plainJson, whileLocked } from "@loopwright/core";
import { z } from "zod";
import type { WireAnswer, WireError, WireRequest } from "../wire/wire.ts";
import type { PictureName } from "./pictures.ts";

/** The version of the file; another one is refused. */
export const CASSETTE_VERSION = 1;

/** What a recorded answer is an answer to. */
export interface KeptRequest extends Omit<WireRequest, "endpoint" | "images"> {
  ordinal: string;
  images?: readonly ({ mediaType: string } & PictureName)[];
}

/** The request as it is kept: pictures by what they show, and no endpoint, so that it replays without one. */
export async function keepRequest(request: WireRequest, ordinal: string): Promise<KeptRequest> {
  const { model, system, prompt, schema, tools, temperature, topP, maxTokens } = request;
  const images = request.images.length > 0 ? await namePictures(request.images) : undefined;
  const kept: KeptRequest = { ordinal, model, system, prompt, images, schema, tools, temperature, topP, maxTokens };
  return plainJson(kept, "a recorded request") as unknown as KeptRequest;
}

async function namePictures(images: WireRequest["images"]): Promise<KeptRequest["images"]> {
  const { namePicture } = await import("./pictures.ts");
  return images.map(({ bytes, mediaType }) => ({ mediaType, ...namePicture(bytes) }));
}

/** The key of a request: whatever may change the answer changes it. */
export function keyOf(request: KeptRequest): string {
  return digestOf(plainJson(request, "a recorded request"));
}

/** What is recorded of one request; a failure that another try might have fixed only where no answer ever came. */
export interface Entry {
  request: KeptRequest;
  answer?: WireAnswer;
  failure?: Pick<WireError, "message" | "status" | "retryAfter" | "received">;
}

/** Entries by key. */
export type Entries = Map<string, Entry>;

/** A text, or its lines. */
const text = z
  .union([z.string(), z.array(z.string())])
  .transform((kept) => (Array.isArray(kept) ? kept.join("\n") : kept));

/** What is read of an entry; the rest is kept as it stands, and counts for the key. */
const entriesSchema = z.array(
  z.object({
    request: z.looseObject({ ordinal: z.string(), model: z.string(), system: text.optional(), prompt: text }),
    answer: z.looseObject({ text, reasoning: text.optional(), model: z.string(), finishReason: z.string() }).optional(),
    failure: z.looseObject({ message: text }).optional(),
  }),
);

/** The entries of a cassette; undefined where there is no file. */
export async function readCassette(file: string): Promise<Entries | undefined> {
  const content = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw unreadable(file, `it cannot be read (${cause.code ?? cause.message})`, cause);
  });
  if (content === undefined) return undefined;
  // Keys are made again, so that a request that was changed by hand counts as changed.
  return new Map(parseCassette(file, content).map((entry) => [keyOf(entry.request), entry]));
}

function parseCassette(file: string, content: string): Entry[] {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (cause) {
    throw unreadable(file, "it is truncated or no JSON", cause);
  }
  const { cassette, version, entries } = (value ?? {}) as Record<string, unknown>;
  if (cassette !== "loopwright") throw unreadable(file, "it is some other file");
  if (version !== CASSETTE_VERSION)
    throw unreadable(file, `it has version ${JSON.stringify(version)}, and this Loopwright reads ${CASSETTE_VERSION}`);
  const parsed = entriesSchema.safeParse(entries);
  if (parsed.success) return parsed.data as unknown as Entry[];
  const [issue] = parsed.error.issues;
  throw unreadable(file, `${["entries", ...issue!.path].join(".")}: ${issue!.message}`, parsed.error);
}

function unreadable(file: string, why: string, cause?: unknown): InfrastructureError {
  const message = `the cassette ${file} is not usable: ${why}. It is left as it is: fix it, or name another file with --cassette.`;
  return new InfrastructureError("CASSETTE_UNREADABLE", message, { cause });
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
    request: { ...request, system: linesOf(request.system), prompt: linesOf(request.prompt) },
    answer: answer && { ...answer, text: linesOf(answer.text), reasoning: linesOf(answer.reasoning) },
    failure: failure && { ...failure, message: linesOf(failure.message) },
  }));
  return `${JSON.stringify({ cassette: "loopwright", version: CASSETTE_VERSION, entries: kept }, null, 2)}\n`;
}

/** A text, as the list of its lines where it has more than one. */
function linesOf(text: string | undefined): string | string[] | undefined {
  return text?.includes("\n") ? text.split("\n") : text;
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
