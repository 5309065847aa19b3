// Verifying a run: the chain, what is kept of it beside its events, every blob, every artifact, and the head that the run's
// folder remembers (L10).

import type { Journal, KeptFold, Row, Store } from "../ports.ts";
import { blobsOf } from "../record/chain.ts";
import type { StampedEvent } from "../record/events.ts";
import { emptyRecord, type RunRecord } from "../record/fold.ts";
import { canonicalJson, sha256 } from "../record/json.ts";
import { brokenLink, chainOf, refuseKeyless, unseal } from "../record/links.ts";
import { NO_SUMMARY, recordToFold, takeRow } from "../record/load.ts";

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

/** Checks all that is stored of a run. `head` is what `run.json` says the chain reached. Throws where the key is not the run's. */
export async function verifyRun(
  journal: Journal,
  store: Store,
  run: string,
  head?: { seq: number; link: string },
): Promise<Verification> {
  // The fold before the rows: a run may go on meanwhile, and the rows must reach at least as far.
  const fold = await journal.fold(run);
  const rows = await journal.read(run);
  const report: Verification = {
    run,
    ok: false,
    events: rows.length,
    values: 0,
    artifacts: 0,
    released: 0,
    problems: [],
  };
  refuseKeyless(run, chainOf(run, rows[0]).chain, journal.key);
  const broken =
    rows.length === 0 ? "the run has no events" : (brokenLink(run, rows, journal.key) ?? cutEnd(rows, head));
  if (broken) report.problems.push(broken);
  const bodies = rows.flatMap(({ body }) => parse(body));
  if (!broken) checkRecord(fold, rows, journal.key, report);
  await checkValues(journal, bodies, report);
  await checkArtifacts(journal, store, bodies, report);
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

/** The events must amount to something, and to this run; and what is kept of them must be what they amount to. */
function checkRecord(
  fold: KeptFold | undefined,
  rows: readonly Row[],
  key: string | undefined,
  report: Verification,
): void {
  const record = emptyRecord(report.run);
  let atFold: KeptFold | undefined;
  try {
    for (const row of rows) {
      takeRow(record, row);
      if (row.seq === fold?.seq) atFold = recordToFold(record, key);
    }
  } catch (error) {
    report.problems.push((error as Error).message);
    return;
  }
  checkOwner(record, report);
  if (fold) checkFold(fold, atFold, key, report);
}

/** A run's folder has its name, a child's id begins with its parent's: this tells rows from before the chain did. */
function checkOwner({ run, folder, parent }: RunRecord, report: Verification): void {
  if (parent ? run.startsWith(`${parent.run}.`) : run === folder) return;
  report.problems.push(`its events are those of ${parent ? `a child of run ${parent.run}` : `run ${folder}`}`);
}

/** A resume believes the kept fold, and a list its summary. */
function checkFold(fold: KeptFold, right: KeptFold | undefined, key: string | undefined, report: Verification): void {
  const body = (kept: KeptFold) => canonical(unseal(kept.body, key) ?? "");
  if (fold.link !== right?.link || body(fold) !== body(right))
    report.problems.push("the kept fold is not what the events amount to");
  else if (fold.summary !== NO_SUMMARY && canonical(fold.summary) !== canonical(right.summary))
    report.problems.push("the kept summary is not what the events amount to");
}

function canonical(text: string): string | undefined {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function checkValues(journal: Journal, bodies: readonly StampedEvent[], report: Verification): Promise<void> {
  const digests = bodies.flatMap((body) => [...blobsOf(body)]);
  for (const digest of new Set(digests)) {
    const blob = await journal.blob(digest).catch(() => ({ state: "unreadable" as const }));
    report.values += 1;
    if (blob.state === "released") report.released += 1;
    else if (blob.state !== "here") report.problems.push(`value ${digest.slice(0, 12)} is ${blob.state}`);
    else if (sha256(blob.text) !== digest) report.problems.push(`value ${digest.slice(0, 12)} was changed`);
  }
}

async function checkArtifacts(
  journal: Journal,
  store: Store,
  bodies: readonly StampedEvent[],
  report: Verification,
): Promise<void> {
  for (const body of bodies) {
    if (body.type !== "artifact-saved") continue;
    const { path, digest } = body.artifact;
    report.artifacts += 1;
    if (await journal.isFileReleased(digest)) report.released += 1;
    else await store.get(digest).catch((error: Error) => report.problems.push(`${path}: ${error.message}`));
  }
}

/** The event of a body; none where the body is truncated, which the chain has told already. */
function parse(body: string): StampedEvent[] {
  try {
    return [JSON.parse(body) as StampedEvent];
  } catch {
    return [];
  }
}
