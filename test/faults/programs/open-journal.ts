// Opens a journal that may not be there yet as soon as a file appears, and makes a run in it.
//
//   node open-journal.ts <journal> <run> <file>

import { existsSync } from "node:fs";
import { SqliteJournal, thisProcess } from "@loopwright/core";
import { linkOf } from "../../../packages/core/src/record/chain.ts";

const [path, run, file] = process.argv.slice(2) as [string, string, string];
console.log("ready");
while (!existsSync(file) && performance.now() < 60_000) await new Promise((resolve) => setImmediate(resolve));
const journal = await SqliteJournal.open(path);
const body = JSON.stringify({ run });
const row = { seq: 1, body, link: linkOf("", body) };
const lease = await journal.create(run, thisProcess(), { rows: [row], blobs: new Map() });
if (!lease) throw new Error("the id is taken");
await journal.yield(lease, 0);
await journal.close();
