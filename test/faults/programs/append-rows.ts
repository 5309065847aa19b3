// Appends numbered rows to a run as fast as it can, each with a blob, and prints each sequence number once it is stored.
//
//   node append-rows.ts <journal> <run> [count]
//
// Without a count it goes on until it is killed.

import { writeSync } from "node:fs";
import { type Commit, type Row, SqliteJournal, sha256, thisProcess } from "@loopwright/core";
import { firstLink, linkOf } from "../../../packages/core/src/record/chain.ts";

const [path, run, count] = process.argv.slice(2) as [string, string, string | undefined];
const journal = await SqliteJournal.open(path);
let last: Row | undefined;

const lease =
  (await journal.create(run, thisProcess(), commit(nextRow()))) || (await journal.acquire(run, thisProcess()));
last = (await journal.read(run)).at(-1)!;
const end = count === undefined ? Number.POSITIVE_INFINITY : last.seq + Number(count);
say(last.seq);
// Should its test be gone, it goes too.
while (last.seq < end && performance.now() < 60_000) {
  const row = nextRow();
  await journal.append(lease, commit(row));
  last = row;
  say(row.seq);
}
await journal.yield(lease, 0);
await journal.close();

function nextRow(): Row {
  const seq = (last?.seq ?? 0) + 1;
  const body = JSON.stringify({
    run,
    loop: "rows",
    seq,
    blob: sha256(textOf(seq)),
    fill: "x".repeat((seq * 37) % 900),
  });
  return { seq, body, link: linkOf(last?.link ?? firstLink(run), body) };
}

function commit(row: Row): Commit {
  return { rows: [row], blobs: new Map([[sha256(textOf(row.seq)), textOf(row.seq)]]) };
}

/** Incompressible, so that it fills pages. */
function textOf(seq: number): string {
  return Array.from({ length: 1 + ((seq * 13) % 120) }, (_, n) => sha256(`${run} ${seq} ${n}`)).join("");
}

/** Written at once, so that a kill right after it does not lose the line. */
function say(seq: number): void {
  writeSync(1, `${seq}\n`);
}
