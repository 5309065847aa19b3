// node --test, driven through Node's own test API, each file in a process of its own. A file counts only when its process has summed up
// its tests at its end: one that was left early has not.

import { run } from "node:test";
import { inspect } from "node:util";
import { facts, plain, runFiles } from "./common.mjs";

const MOST_ERRORS = 20_000;
const execArgv = ["--import", `${facts.guards}/guard.mjs`];

async function runFile(file) {
  const [tests, path, groups] = [[], [], new Set()];
  let [seen, ended, errors] = [0, 0, ""];
  for await (const { type, data } of run({ files: [file], concurrency: 1, isolation: "process", execArgv })) {
    if (type === "test:stderr") errors = (errors + data.message).slice(-MOST_ERRORS);
    if (type === "test:summary" && data.file) ended = data.counts.topLevel;
    const isEnd = type === "test:pass" || type === "test:fail";
    if ((type !== "test:start" && !isEnd) || (data.nesting === 0 && data.name === file)) continue;
    path.splice(data.nesting, path.length, data.name);
    const name = path.join(" > ");
    if (type === "test:start") groups.add(path.slice(0, -1).join(" > "));
    if (!isEnd) continue;
    if (data.nesting === 0) seen += 1;
    // A group fails by its tests, or by itself.
    const isGroup = groups.has(name) || data.details.type === "suite";
    if (isGroup && (type === "test:pass" || data.details.error?.failureType === "subtestsFailed")) continue;
    tests.push({ name, ...resultOf(data, type === "test:fail") });
  }
  if (ended > 0 && ended === seen && tests.length > 0) return { tests };
  const why = seen === 0 || tests.some(({ state }) => state === "failed") ? NOT_RUN : LEFT;
  return { fault: `${file} ${why}`, output: plain(errors).replace(/\n{3,}/g, "\n\n") };
}

const NOT_RUN = "could not be run to its end: it does not load, or its process was left";
const LEFT = "ended before its tests had: its process was left";

function resultOf({ skip, todo, details }, isFailed) {
  const failure = isFailed ? causeOf(details.error) : "";
  if (todo !== undefined) return { state: "xfailed", failure };
  if (skip !== undefined) return { state: isFailed ? "failed" : "skipped", failure };
  return { state: isFailed ? "failed" : "passed", failure };
}

/** A failure's cause without the runner's own frames around it. */
function causeOf(error) {
  const lines = inspect(error, { colors: false, breakLength: Number.POSITIVE_INFINITY }).split("\n");
  const at = lines.findIndex((line) => /^\s*cause: /.test(line));
  const inner = plain(lines.slice(Math.max(at, 0)).join("\n"));
  return inner.trim().replace(/^cause: /, "") || error.message;
}

await runFiles(facts.files, runFile);
