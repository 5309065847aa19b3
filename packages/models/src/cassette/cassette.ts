// Cassettes: a wire around a wire that records answers, and gives them back without a call.
//
// An answer belongs to the whole request and to the ordinal, which tells votes and re-tries apart; tries over the network
// never differ by it. No secret enters a cassette: request and answer are redacted first, and what a recording run sees
// is what a replay will see.

import { type Redact, redactTexts, UsageError } from "@loopwright/core";
import { type Wire, type WireAnswer, type WireCall, WireError, type WireRequest } from "../wire/wire.ts";
import { addToCassette, type Entries, type Entry, readCassette } from "./file.ts";
import { cassetteMiss } from "./miss.ts";
import { type KeptRequest, keepRequest, keyOf } from "./request.ts";

/** `record` always calls; `replay` never does; `auto` calls for what is not recorded yet. */
export type CassetteMode = "record" | "replay" | "auto";

/** A wire that records to a file, or replays from it; without a wire inside, it can only replay. */
export function cassetteWire(file: string, mode: CassetteMode, inner: Wire | undefined, redact: Redact): Wire {
  if (mode === "record" && inner === undefined)
    throw new UsageError("CASSETTE_ALONE", `there is nothing to record to ${file} from: no endpoint is configured`);
  let held: Promise<Entries | undefined> | undefined;

  /** What the file holds; it is read again after it could not be. */
  const load = () => {
    held ??= readCassette(file).catch((error) => {
      held = undefined;
      throw error;
    });
    return held;
  };
  let added: Promise<unknown> = Promise.resolve();
  const add = (key: string, entry: Entry) => {
    const adding = added.then(async () => {
      held = Promise.resolve(await addToCassette(file, new Map([[key, entry]])));
    });
    added = adding.catch(() => {});
    return adding;
  };

  return async (request, call) => {
    call.signal.throwIfAborted();
    const plain = keepRequest(request, call.ordinal);
    const kept = redactTexts(plain, redact);
    const key = keyOf(kept);
    // It is read before a call in any mode: a file that cannot be recorded to must not cost anything.
    const entries = await load();
    // A word that is a secret here may have been none where it was recorded.
    const entry = entries?.get(key) ?? entries?.get(keyOf(plain));
    if (entry?.answer && mode !== "record") return replayAnswer(entry.answer, call);
    if (mode !== "replay" && inner !== undefined)
      return record(inner, request, call, kept, redact, (made) => add(key, made));
    if (entry?.failure) throw new WireError(entry.failure.message, { ...entry.failure, isRetryable: true });
    throw await cassetteMiss(file, entries, kept);
  };
}

function replayAnswer(answer: WireAnswer, { onText }: WireCall): WireAnswer {
  onText(answer.text);
  return { ...answer };
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
    if (error instanceof WireError && error.isRetryable)
      await add({ request: kept, failure: toFailure(error, redact) });
    throw error;
  }
}

function toFailure(
  { message, status, retryAfter, received }: WireError,
  redact: Redact,
): NonNullable<Entry["failure"]> {
  return {
    message: redact(message),
    ...(status !== undefined && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(received !== undefined && { received }),
  };
}
