// What an event tells outside: messages that wait in the journal's outbox from the commit of their event on.

import { errorToRecord } from "./errors.ts";
import type { Message } from "./ports.ts";
import type { StampedEvent } from "./record/events.ts";
import type { RunRecord } from "./record/fold.ts";
import { sha256 } from "./record/json.ts";

/** What an event tells outside, before it is part of the record. */
export type DraftMessages = (event: StampedEvent, record: RunRecord) => readonly Pick<Message, "to" | "body">[];

/** The messages of an event that is about to be committed. */
export function messagesOf(
  draft: DraftMessages | undefined,
  record: RunRecord,
  { full, link }: { full: StampedEvent; link: string },
): Omit<Message, "tries">[] {
  try {
    const drafts = draft?.(full, record) ?? [];
    const id = (to: string) => sha256(`${link} ${to}`).slice(0, 32);
    return drafts.map(({ to, body }) => ({ id: id(to), run: record.run, at: full.at, to, body }));
  } catch (error) {
    process.emitWarning(`nobody will be told of ${full.type}: ${errorToRecord(error).message}`);
    return [];
  }
}
