// The outbox: what runs tell outside is sent at least once each, by whichever process comes by.
//
// O1  a message is written in one commit with its event, and waits from then on
// O2  a try is claimed and counted before it is made; while its process lives nobody else makes one, for CLAIM_MS at most
// O3  a process that dies between sending and saying so leaves the message waiting: it is sent again, under the same id
// O4  after MOST_TRIES it is dead: kept, listed, and sent again when a person says so

import { errorToRecord } from "./errors.ts";
import { lifeOf } from "./journal/process-id.ts";
import type { Clock, Message, Outbox, Posted, ProcessId } from "./ports.ts";
import { randomStream } from "./random.ts";
import type { StampedEvent } from "./record/events.ts";
import type { RunRecord } from "./record/fold.ts";
import { sha256 } from "./record/json.ts";

/** A message before it is known which one it is. */
export type Draft = Pick<Message, "to" | "body" | "seal">;

/** What an event tells outside, before it is part of the record. */
export type DraftMessages = (event: StampedEvent, record: RunRecord) => readonly Draft[];

/** How a try went; `wait` is what the receiver asks for, in milliseconds. */
export type SendResult = { error?: undefined } | { error: string; wait?: number };

/** Who delivers the messages of an outbox, and how. */
export interface Sender {
  outbox: Outbox;
  clock: Pick<Clock, "now">;
  process: ProcessId;
  /** Makes a try; it ends soon after the signal is aborted. */
  send: (message: Message, signal: AbortSignal) => Promise<SendResult>;
  signal: AbortSignal;
}

/** A receiver has so many milliseconds for its answer. */
export const TRY_MS = 10_000;
/** How often a message is sent before it is a dead letter. */
export const MOST_TRIES = 20;
const CLAIM_MS = 3 * TRY_MS;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 3_600_000;
const AT_ONCE = 4;

/** Tries every message that is due, once; gives back how they stand. */
export async function sendDue(sender: Sender, fits: (posted: Posted) => boolean = () => true): Promise<Posted[]> {
  const now = sender.clock.now();
  const due = (await sender.outbox.list("waiting")).filter((posted) => isDue(posted, now) && fits(posted));
  const tried: Posted[] = [];
  const work = async () => {
    for (let next = due.shift(); next && !sender.signal.aborted; next = due.shift()) {
      const end = await trySend(sender, next);
      if (end) tried.push(end);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return tried;
}

/** Tries one message, whatever its state; undefined where another process is at it. */
export async function trySend(sender: Sender, posted: Posted): Promise<Posted | undefined> {
  const { outbox, clock, process, send, signal } = sender;
  const now = clock.now();
  if (!isFree(posted, now, process)) return undefined;
  if (!(await outbox.claim(posted.id, posted.tries, process, now + CLAIM_MS))) return undefined;
  const result = await send(posted, AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)]));
  const tries = posted.tries + 1;
  const end = endOf(posted.id, tries, result, clock.now());
  await outbox.settle(posted.id, tries, end);
  const { error: _, ...before } = posted;
  return { ...before, ...end, tries };
}

/** The messages of an event that is about to be committed. */
export function messagesOf(
  draft: DraftMessages | undefined,
  record: RunRecord,
  { full, link }: { full: StampedEvent; link: string },
): Message[] {
  try {
    const drafts = draft?.(full, record) ?? [];
    return drafts.map((each) => ({
      id: sha256(`${link} ${each.to}`).slice(0, 32),
      run: record.run,
      at: full.at,
      ...each,
    }));
  } catch (error) {
    process.emitWarning(`nobody will be told of ${full.type}: ${errorToRecord(error).message}`);
    return [];
  }
}

/** Milliseconds from a failed try to the next: twice as long each time, and other ones for each message. */
export function waitAfter(id: string, tries: number): number {
  const longest = Math.min(FIRST_WAIT_MS * 2 ** (tries - 1), LONGEST_WAIT_MS);
  return Math.round(longest * (0.5 + randomStream("outbox", id, tries)() / 2));
}

function endOf(id: string, tries: number, result: SendResult, now: number): Pick<Posted, "state" | "due" | "error"> {
  if (result.error === undefined) return { state: "sent", due: now };
  const wait = Math.max(waitAfter(id, tries), Math.min(result.wait ?? 0, LONGEST_WAIT_MS));
  return { state: tries < MOST_TRIES ? "waiting" : "dead", due: now + wait, error: result.error };
}

/** Whether its time has come; a time that is too far away was written before the clock was set back. */
function isDue({ due }: Posted, now: number): boolean {
  return due <= now || due > now + LONGEST_WAIT_MS;
}

function isFree({ holder, heldUntil }: Posted, now: number, self: ProcessId): boolean {
  if (!holder || heldUntil <= now || heldUntil > now + CLAIM_MS) return true;
  return lifeOf(holder, self) === "dead";
}
