// Drives node --test through Node's own test API, each file in a process of its own with tests of ours at its end, and writes what
// they reported once all of them are dead. This process never loads a line of the workspace.

import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { run } from "node:test";
import { junit } from "node:test/reporters";
import { writeReport } from "./report.mjs";

const facts = JSON.parse(process.argv[2]);
const told = {};
const MOST_ERRORS = 20_000;
const waiting = [...facts.files];

/** One file: whatever its process says of other files, it is said of this one. */
async function runFile(file) {
  const [seen, ended] = [{ count: 0 }, {}];
  let errors = "";
  const execArgv = ["--import", `${facts.guards}/guard.mjs`, "--import", `${facts.guards}/canaries.mjs`];
  const tests = run({ files: [file], concurrency: 1, isolation: "process", execArgv });
  const note = ({ nesting, name }) => {
    if (nesting === 0 && name !== file) seen.count += 1;
  };
  tests.on("test:pass", note).on("test:fail", note);
  tests.on("test:summary", ({ file: of, counts }) => {
    if (of) ended.count = counts.topLevel;
  });
  tests.on("test:stderr", ({ message }) => {
    errors = (errors + message).slice(-MOST_ERRORS);
  });
  const xml = await text(tests.compose(junit));
  told[file] = { xml, seen: seen.count, ended: ended.count ?? 0, errors };
}

async function work() {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) await runFile(file);
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
writeReport(facts, told);
