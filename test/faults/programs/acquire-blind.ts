// Tries to take a run with no file descriptor left: /proc cannot be read then. Prints what came of it.
//
//   sh -c 'ulimit -n 64; exec "$@"' sh node acquire-blind.ts <journal> <run>

import { openSync } from "node:fs";
import { type LoopwrightError, SqliteJournal, thisProcess } from "@loopwright/core";

const [path, run] = process.argv.slice(2) as [string, string];
const journal = await SqliteJournal.open(path);
const self = thisProcess();
await journal.holder(run, self);
try {
  for (;;) openSync("/dev/null", "r");
} catch {
  // None is left.
}
const seen = await journal.holder(run, self);
const taken = await journal.acquire(run, self).catch((error: LoopwrightError) => error.code);
process.stdout.write(`${JSON.stringify({ alive: seen?.alive, taken })}\n`);
