// The warm worker for node --test: one Node, which starts a thread for each version and file of tests.
//
//   W1  Nothing of the workspace is ever loaded in the worker's own thread.
//   W2  When a version has been tried no thread and no process of it is left, and the copy and the temporary folders are as
//       they were.
//   W3  An answer begins with the question's id, which no thread knows. Questions and answers are not on standard input and
//       output, which tested code may use.

import { createReadStream, fstatSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { Copy } from "./copy.mjs";
import { facts } from "./facts.mjs";
import { chains, exactly, fileOf, learn, patternOf, patternsFor, sourcesWith, stripped } from "./known.mjs";
import { Profile } from "./profile.mjs";
import { runThread, wear } from "./run.mjs";

const [ANSWERS, QUESTIONS] = [3, 4];
const [HEARTBEAT_MS, MOST_CUTS, MOST_RSS] = [500, 3, 2 ** 30];
const copy = new Copy(facts);
let plan;

/** Every test of the program as it stands; one that takes too long is cut, and the others go on. */
async function baseline({ limits }) {
  const [tests, modules] = [new Map(), []];
  let [load, end] = [0, undefined];
  for (const file of facts.files) {
    const skip = [];
    for (;;) {
      const told = await runThread(file, { sources: sourcesWith([]), limits, skip, learns: true });
      modules.push(...told.modules);
      load = Math.max(load, told.load);
      for (const [name, state] of told.states) {
        const names = told.chains.get(name);
        const isSuite = (end) => told.suites.has([file.path, ...names.slice(0, end)].join(" > "));
        chains.set(
          name,
          names.map((each, index) => [each, isSuite(index + 1)]),
        );
        if (!tests.has(name)) tests.set(name, { name, state, ...told.costs.get(name) });
      }
      copy.restore();
      const cut = told.end === "limit" ? told.current : undefined;
      if (cut === undefined || tests.has(cut)) {
        end ??= told.end;
        break;
      }
      skip.push(
        exactly(
          cut
            .slice(file.path.length + 3)
            .replace(/ \(\d+\)$/, "")
            .split(" > "),
        ),
      );
      tests.set(cut, { name: cut, state: "failed", cpu: 0, ms: limits.cpu["*"] * 1000, cut: true });
    }
  }
  return { tests: [...tests.values()], load, modules, chains: [...chains], ...(end ? { end } : {}) };
}

/** What each test executes, each run alone: the ranges of each own script, and the text that they are in. */
async function coverage({ limits, names }) {
  const answer = { tests: [], sources: {} };
  for (const name of names) {
    const file = fileOf(name);
    if (!file) continue;
    const told = await runThread(file, {
      sources: sourcesWith([]),
      limits,
      patterns: patternsFor([name]),
      profile: new Profile(),
    });
    const ranges = {};
    for (const { url, functions } of told.coverage ?? []) {
      const path = ownPath(url);
      if (path === undefined) continue;
      const all = functions.flatMap((each) => each.ranges);
      ranges[path] = all.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count > 0 ? 1 : 0]);
      answer.sources[path] ??= stripped.get(url)?.source ?? readFileSync(new URL(url), "utf8");
    }
    answer.tests.push({ name, ranges });
    copy.restore();
  }
  return answer;
}

/** The path of a script of the workspace's own, tests and installed packages left out. */
function ownPath(url) {
  const base = `${pathToFileURL(facts.workspace).href}/`;
  if (!url.startsWith(base)) return undefined;
  const path = decodeURIComponent(url.slice(base.length));
  const isTest = facts.files.some(({ inside }) => inside === join(facts.workspace, path));
  return isTest || /(?:^|\/)(?:node_modules|\.venv)\//.test(path) ? undefined : path;
}

/** Tries tests of their files; one that is cut fails, and the rest of its file goes on without it. */
async function runNames(names, more, mostCuts) {
  const [states, ends] = [new Map(), []];
  for (const file of facts.files) {
    let rest = names.filter((name) => fileOf(name) === file);
    while (rest.length > 0) {
      const told = await runThread(file, { ...more, patterns: patternsFor(rest) });
      for (const [name, state] of told.states) states.set(name, state);
      if (told.end) ends.push(told.end);
      const isWrong = more.isWrong && rest.some((name) => more.isWrong(name, states.get(name)));
      if (isWrong) return { states, ends };
      const left = rest.filter((name) => !told.states.has(name) && name !== told.current);
      if (!told.end || told.end === "unloadable" || left.length === rest.length || ends.length > mostCuts) break;
      rest = left;
    }
  }
  return { states, ends };
}

/** A test's state; those of its parts, where it was named by its source and only they are reported. */
function leavesOf(name, states) {
  if (states.has(name)) return [states.get(name)];
  const parts = [...states].filter(([each]) => each.startsWith(`${name} > `));
  return parts.length > 0 ? parts.map(([, state]) => state) : [undefined];
}

/** A version: the failing tests first, and where one is fixed the passing ones, up to the first that fails. */
async function attempt({ files }) {
  const { failing, passing, limits } = plan;
  if (!copy.write(files)) return { fixed: [], passes: false, stopped: "unloadable" };
  const sources = sourcesWith(files);
  const { states, ends } = await runNames(failing, { sources, limits }, MOST_CUTS);
  const isWrong = (name, state) => !(plan.right[name] ?? plan.rest).includes(state);
  const isRight = (name) => leavesOf(name, states).every((state) => !isWrong(name, state));
  const fixed = failing.filter(isRight);
  const answer = { fixed, passes: false };
  if (fixed.length > 0 && passing.length > 0 && !ends.includes("unloadable")) {
    const known = new Set(passing);
    const skip = failing
      .filter((name) => !isRight(name))
      .map(patternOf)
      .filter(Boolean);
    const stops = (name, state) => known.has(name) && isWrong(name, state);
    const more = await runNames(passing, { sources, limits, skip, isWrong: stops }, 0);
    for (const [name, state] of more.states) if (known.has(name)) states.set(name, state);
    ends.push(...more.ends);
    const broke = passing.find((name) => !isRight(name));
    if (broke !== undefined) answer.broke = broke;
  }
  if (ends.length > 0) answer.stopped = ends[0];
  answer.passes = fixed.length === failing.length && answer.broke === undefined && ends.length === 0;
  return answer;
}

function say(id, answer) {
  let data = Buffer.from(`\n${id} ${JSON.stringify(answer)}\n`);
  while (data.length > 0) data = data.subarray(writeSync(ANSWERS, data));
}

/** The channel's descriptors, which tested code could close or replace. */
const channelNow = () => [ANSWERS, QUESTIONS].map((descriptor) => fstatSync(descriptor).ino).join();

const handlers = {
  learn,
  baseline,
  coverage,
  try: attempt,
  plan(question) {
    plan = question.plan;
    return {};
  },
};
// A question that is still being read would keep the process from leaving by itself.
process.on("uncaughtException", (error) => {
  writeSync(2, String(error?.stack ?? error));
  process.kill(process.pid, "SIGKILL");
});
const channel = channelNow();
setInterval(() => writeSync(ANSWERS, "\n.\n"), HEARTBEAT_MS).unref();
say(facts.hello, {});
for await (const line of createInterface({ input: createReadStream("", { fd: QUESTIONS }) })) {
  const question = JSON.parse(line);
  const answer = await handlers[question.do](question);
  copy.restore();
  if (channelNow() !== channel) process.kill(process.pid, "SIGKILL");
  say(question.id, answer);
  if (wear.isWorn || process.memoryUsage.rss() > MOST_RSS) process.kill(process.pid, "SIGKILL");
}
