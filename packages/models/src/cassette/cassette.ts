// Cassettes: a wire around a wire that records answers, and gives them back without a call.
//
// An answer belongs to the whole request and to the ordinal, which tells votes and re-tries apart; tries over the network
// never differ by it. No secret enters a cassette: request and answer are redacted first, and what a recording run sees
// is what a replay will see.

import { InfrastructureError, type Redact, redactTexts, UsageError } from "@loopwright/core";
import type { ModelsConfiguration } from "../configuration/configuration.ts";
import { type Wire, type WireAnswer, type WireCall, WireError, type WireRequest } from "../wire/wire.ts";
import { addToCassette, type Entries, type Entry, type KeptRequest, keepRequest, keyOf, readCassette } from "./file.ts";

type Mode = NonNullable<ModelsConfiguration["cassette"]>["mode"];

/** A wire that records to a file, or replays from it; without a wire inside, it can only replay. `record` always calls, `replay`
 * never does, `auto` calls for what is not recorded yet. */
export function cassetteWire(file: string, mode: Mode, inner: Wire | undefined, redact: Redact): Wire {
  if (mode === "record" && inner === undefined)
    throw new UsageError("CASSETTE_ALONE", `there is nothing to record to ${file} from: no endpoint is configured`);
  let held: Promise<Entries | undefined> | undefined;
  const add = async (key: string, entry: Entry) => {
    const entries = await addToCassette(file, new Map([[key, entry]]));
    held = Promise.resolve(entries);
  };

  return async (request, call) => {
    call.signal.throwIfAborted();
    const plain = await keepRequest(request, call.ordinal);
    const kept = redactTexts(plain, redact);
    const key = keyOf(kept);
    // It is read before a call in any mode: a file that cannot be recorded to must not cost anything.
    held ??= readCassette(file);
    const entries = await held.catch((error) => {
      held = undefined;
      throw error;
    });
    // A word that is a secret here may have been none where it was recorded.
    const entry = entries?.get(key) ?? entries?.get(keyOf(plain));
    if (entry?.answer && mode !== "record") {
      call.onText(entry.answer.text);
      return { ...entry.answer };
    }
    if (mode !== "replay" && inner !== undefined)
      return record(inner, request, call, kept, redact, (made) => add(key, made));
    if (entry?.failure) throw new WireError(entry.failure.message, { ...entry.failure, isRetryable: true });
    throw await cassetteMiss(file, entries, kept);
  };
}

/** Calls, and records what comes of it before anyone sees it. */
async function record(
  inner: Wire,
  request: WireRequest,
  call: WireCall,
  kept: KeptRequest,
  redact: Redact,
  add: (entry: Entry) => Promise<unknown>,
): Promise<WireAnswer> {
  try {
    const answer = redactTexts(await inner(request, call), redact);
    await add({ request: kept, answer }).catch((error: Error) => {
      // The answer is lost, and was paid for.
      throw Object.assign(error, { received: answer.outputTokens ?? 0 });
    });
    return answer;
  } catch (error) {
    // Where a fallback answers in the end, a replay must fail here as the recording did.
    if (error instanceof WireError && error.isRetryable) {
      const { message, status, retryAfter, received } = error;
      await add({ request: kept, failure: { message: redact(message), status, retryAfter, received } });
    }
    throw error;
  }
}

const MAX_LINES = 40;
const MAX_LENGTH = 160;

/** The error for a request that is not recorded: the nearest that is, as a line diff. The request must hold no secret. */
async function cassetteMiss(
  file: string,
  entries: Entries | undefined,
  request: KeptRequest,
): Promise<InfrastructureError> {
  const remedy = "Record it with --cassette-mode record or auto, then resume the run.";
  const asked = `${request.model}, ordinal ${request.ordinal}`;
  const error = (words: string) =>
    new InfrastructureError("CASSETTE_MISS", words, { data: { ordinal: request.ordinal } });
  if (entries === undefined) return error(`there is no cassette ${file} to replay (${asked}). ${remedy}`);
  const recorded = [...entries.values()].map((entry) => entry.request);
  const nearest = findNearest(recorded, request);
  if (nearest === undefined) return error(`the cassette ${file} is empty (${asked}). ${remedy}`);
  const difference = await diffLines(toLines(nearest), toLines(request));
  const none = `the cassette ${file} has no answer to this request (${asked}). ${remedy}`;
  return error(`${none} The nearest request in it differs so (- recorded, + asked):\n${difference}`);
}

/** The recorded request that has the most lines in common; of those, one with the same ordinal. */
function findNearest(recorded: readonly KeptRequest[], request: KeptRequest): KeptRequest | undefined {
  const wanted = new Set(toLines(request));
  const scored = recorded.map((candidate) => {
    const lines = new Set(toLines(candidate));
    const common = [...lines].filter((line) => wanted.has(line)).length;
    const likeness = common / (wanted.size + lines.size - common);
    return { candidate, score: likeness + (candidate.ordinal === request.ordinal ? 0.2 : 0) };
  });
  return scored.toSorted((a, b) => b.score - a.score)[0]?.candidate;
}

/** A request as lines that a person can read. */
function toLines({ system, prompt, images = [], schema, tools = [], ...rest }: KeptRequest): string[] {
  const named = Object.entries(rest).map(([name, value]) => `${name}: ${value}`);
  const pictures = images.map((image) => `image: ${Object.values(image).join(" ")}`);
  const structure = schema === undefined ? [] : ["schema:", ...JSON.stringify(schema, null, 1).split("\n")];
  const offered = tools.map(({ name }) => `tool: ${name}`);
  const spoken = system === undefined ? [] : ["system:", ...system.split("\n")];
  return [...named, ...pictures, ...structure, ...offered, ...spoken, "prompt:", ...prompt.split("\n")];
}

async function diffLines(before: readonly string[], after: readonly string[]): Promise<string> {
  const { structuredPatch } = await import("diff");
  const whole = (lines: readonly string[]) => `${lines.join("\n")}\n`;
  const options = { context: 2, timeout: 1_000 };
  const patch = structuredPatch("", "", whole(before), whole(after), undefined, undefined, options);
  if (patch === undefined) return "(the two are too different to compare)";
  const lines = patch.hunks.flatMap((hunk, index) => (index > 0 ? ["…", ...hunk.lines] : hunk.lines));
  const shown = lines
    .slice(0, MAX_LINES)
    .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line));
  const left = lines.length - shown.length;
  return [...shown, ...(left > 0 ? [`… ${left} more lines`] : [])].join("\n");
}
