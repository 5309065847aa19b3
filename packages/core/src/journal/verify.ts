// Verifying a run: the chain, what is kept of it beside its events, every blob, every artifact, and the head that the run's
// folder remembers (L10).

import type { Journal, KeptFold, Row, Store } from "../ports.ts";
import { blobsOf, brokenLink } from "../record/chain.ts";
import type { StampedEvent } from "../record/events.ts";
import { emptyRecord } from "../record/fold.ts";
import { canonicalJson } from "../record/json.ts";
import { recordToFold, takeRow } from "../record/load.ts";

/** What came of checking a run against its chain and its files. */
export interface Verification {
  run: string;
  ok: boolean;
  events: number;
  values: number;
  artifacts: number;
  /** Contents that were released to free disk: gone for good, and known to be. */
  released: number;
  problems: string[];
}

/** Checks all that is stored of a run. `head` is what `run.json` says the chain reached. */
export async function verifyRun(
  journal: Journal,
  store: Store,
  run: string,
  head?: { seq: number; link: string },
): Promise<Verification> {
  // The fold before the rows: a run may go on meanwhile, and the rows must reach at least as far.
  const fold = await journal.fold(run);
  const rows = await journal.read(run);
  const nothing = { values: 0, artifacts: 0, released: 0 };
  const report: Verification = { run, ok: false, events: rows.length, ...nothing, problems: [] };
  const broken = rows.length === 0 ? "the run has no events" : (brokenLink(run, rows) ?? cutEnd(rows, head));
  const events = broken ? [] : checkRecord(fold, rows, report);
  if (broken) report.problems.push(broken);
  for (const digest of new Set(events.flatMap((event) => [...blobsOf(event)]))) {
    const { state } = await journal.blob(digest).catch(() => ({ state: "unreadable" as const }));
    const is = state === "changed" ? "was changed" : `is ${state}`;
    report.values += 1;
    if (state === "released") report.released += 1;
    else if (state !== "here") report.problems.push(`value ${digest.slice(0, 12)} ${is}`);
  }
  for (const event of events) {
    if (event.type !== "artifact-saved") continue;
    const { path, digest } = event.artifact;
    report.artifacts += 1;
    if (await journal.isFileReleased(digest)) report.released += 1;
    else await store.get(digest).catch((error: Error) => report.problems.push(`${path}: ${error.message}`));
  }
  report.ok = report.problems.length === 0;
  return report;
}

function cutEnd(rows: readonly Row[], head: { seq: number; link: string } | undefined): string | undefined {
  if (!head) return undefined;
  if (head.seq > rows.length)
    return `the journal ends at event ${rows.length}, but the run had reached event ${head.seq}: its end was cut off`;
  return rows[head.seq - 1]?.link === head.link
    ? undefined
    : `event ${head.seq} is not the one that run.json remembers`;
}

/** The events, which must amount to something; and what is kept of them, which a resume believes, must be what they amount to. */
function checkRecord(fold: KeptFold | undefined, rows: readonly Row[], report: Verification): StampedEvent[] {
  const record = emptyRecord(report.run);
  const events: StampedEvent[] = [];
  let right: KeptFold | undefined;
  try {
    for (const row of rows) {
      events.push(takeRow(record, row));
      if (row.seq === fold?.seq) right = recordToFold(record);
    }
    const isRight =
      fold?.link === right?.link && isSame(fold?.body, right?.body) && isSame(fold?.summary, right?.summary);
    if (!isRight) report.problems.push("the kept fold is not what the events amount to");
  } catch (error) {
    report.problems.push((error as Error).message);
  }
  return events;
}

function isSame(kept = "null", right = "null"): boolean {
  try {
    return canonicalJson(JSON.parse(kept)) === canonicalJson(JSON.parse(right));
  } catch {
    return false;
  }
}
