// Drives node --test through Node's own test API, each file in a process of its own, and seals the report with a nonce that
// the tested processes are never told.

import { createHmac } from "node:crypto";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { junit } from "node:test/reporters";

const nonce = readFileSync(0, "utf8").trim();
const { files, reports, guard } = JSON.parse(process.argv[2]);
const report = `${reports}/report.xml`;
const ended = {};
const seen = {};
let failed = false;
const tests = run({ files, concurrency: 2, isolation: "process", execArgv: ["--import", guard] });
tests.on("test:summary", ({ file, counts }) => {
  if (file) ended[file] = counts.topLevel;
});
const note = ({ nesting, file, name }) => {
  if (nesting === 0 && file && name !== file) seen[file] = (seen[file] ?? 0) + 1;
};
tests.on("test:pass", note);
tests.on("test:fail", (event) => {
  if (!event.todo) failed = true;
  note(event);
});
tests.on("test:stderr", ({ message }) => process.stderr.write(message));
const out = createWriteStream(report);
tests.compose(junit).pipe(out);
await finished(out);
const facts = JSON.stringify({ ended, seen, failed });
const seal = createHmac("sha256", nonce).update(facts).update("\n").update(readFileSync(report)).digest("hex");
writeFileSync(`${reports}/statement.json`, JSON.stringify({ facts, seal }));
process.exit(failed ? 1 : 0);
