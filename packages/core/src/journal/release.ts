// Releasing: giving up the values and files that only ended runs name, while other processes start, fork and continue runs.
//
// What only these runs name is worked out first. It is given up in one transaction, and only if no run was created, taken
// or given back since: a run under way may have stored what it has not yet named. Else all of it is looked at again.

import { UsageError } from "../errors.ts";
import { isFinal } from "../outcomes.ts";
import type { Journal, Store } from "../ports.ts";
import { blobsOf } from "../record/chain.ts";
import type { ProcessId } from "../record/events.ts";
import { foldRows, parseRow } from "../record/load.ts";

const TRIES = 10;

type ReleasePorts = { journal: Journal; store: Store; process: ProcessId };

/** Releases the values and files that only these runs name. The chain stays, and `verify` can say "released". */
export async function releaseRuns(ports: ReleasePorts, runs: readonly string[]): Promise<{ contents: number }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const contents = await tryRelease(ports, new Set(runs));
    if (contents !== undefined) return { contents };
  }
  throw refusal("other runs come and go, so nothing is released now; try again when they have stopped");
}

/** How many contents were released; undefined where runs were started or taken up meanwhile, and nothing was. */
async function tryRelease({ journal, store, process }: ReleasePorts, going: ReadonlySet<string>) {
  const tokens = await journal.tokens();
  for (const run of going) await refuseIfOpen(journal, run, going);
  const given = { values: new Set<string>(), files: new Set<string>() };
  const kept = { values: new Set<string>(), files: new Set<string>() };
  for (const run of await journal.runs()) {
    if ((await journal.holder(run, process))?.alive)
      throw refusal(`run ${run} is under way, so nothing is released now; try again when it has stopped`);
    const { values, files } = going.has(run) ? given : kept;
    for (const row of await journal.read(run)) {
      const event = parseRow(run, row);
      for (const digest of blobsOf(event)) values.add(digest);
      if (event.type === "artifact-saved") files.add(event.artifact.digest);
    }
  }
  const values = [...given.values].filter((digest) => !kept.values.has(digest));
  const files = [...given.files].filter((digest) => !kept.files.has(digest));
  const drop = () => {
    for (const digest of files) store.delete(digest);
  };
  const isDone = await journal.release(values, files, { tokens, drop });
  return isDone ? values.length + files.length : undefined;
}

/** Only a run that has ended is released, and a child only when the run that it belongs to will not ask for it again.
 * Its events tell, not its kept fold: what is given up does not come back. */
async function refuseIfOpen(journal: Journal, run: string, going: ReadonlySet<string>): Promise<void> {
  const { ended, parent } = foldRows(run, await journal.read(run));
  if (!ended || ended.outcome === "interrupted" || ended.outcome === "escalated")
    throw refusal(`run ${run} is still open, so nothing of it is released`);
  if (!parent || going.has(parent.run)) return;
  const above = foldRows(parent.run, await journal.read(parent.run)).ended;
  if (!above || !isFinal(above.outcome))
    throw refusal(`run ${run} belongs to ${parent.run}, which can go on, so nothing of it is released`);
}

function refusal(message: string): UsageError {
  return new UsageError("RUN_OPEN", message);
}
