// The warm worker for node --test: one Node, which starts a thread for each version and file of tests.
//
//   W1  Nothing of the workspace is ever loaded in the worker's own thread.
//   W2  When a version has been tried no thread and no process of it is left, and the copy and the temporary folders are as
//       they were.
//   W3  An answer begins with the question's id, which no thread knows. Questions and answers are not on standard input and
//       output, which tested code may use.

import { NODE_COPY } from "./trials-node-copy.ts";
import { ENTRY, THREAD } from "./trials-node-thread.ts";

const WORKER = String.raw`
import { createReadStream, fstatSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { Copy } from "./trials-copy.mjs";

const facts = JSON.parse(process.argv[2]);
const [ANSWERS, QUESTIONS] = [3, 4];
const [TICK_MS, BEAT_MS, MOST_CUTS, MOST_RSS] = [20, 500, 3, 2 ** 30];
const channel = [ANSWERS, QUESTIONS].map((descriptor) => fstatSync(descriptor).ino).join();
const program = readFileSync(new URL("trials-thread.cjs", import.meta.url), "utf8");
const entry = new URL("trials-entry.mjs", import.meta.url).pathname;
const copy = new Copy(facts);
const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Formats of the modules that the tests load, by address, and what is left of them without types. */
const formats = new Map();
const stripped = new Map();
/** Of each test the tests and suites around it, by name. */
const chains = new Map();

function strip(source, format) {
  try {
    return { format, source: stripTypeScriptTypes(source, { mode: "strip" }) };
  } catch (error) {
    return { fault: String(error?.message ?? error) };
  }
}

/** What threads need not strip: the modules known, and those that a version changes. */
function sourcesWith(files) {
  const sources = Object.fromEntries(stripped);
  for (const [path, content] of files) {
    const url = pathToFileURL(join(facts.workspace, path)).href;
    if (formats.has(url)) sources[url] = strip(content, formats.get(url));
  }
  return sources;
}

function learn(modules) {
  for (const [url, format] of modules) {
    if (!TYPESCRIPT.test(url) || !/^(?:module|commonjs)-typescript$/.test(format ?? "")) continue;
    const plain = format.replace("-typescript", "");
    formats.set(url, plain);
    try {
      stripped.set(url, strip(readFileSync(new URL(url), "utf8"), plain));
    } catch {}
  }
}

/** Whether any thread but this one, or any other process, does anything. */
function isBusy() {
  const others = facts.isolated ? listOf("/proc").filter((id) => /^\d+$/.test(id) && id !== "1" && Number(id) !== process.pid) : [];
  const threads = listOf("/proc/self/task").filter((id) => Number(id) !== process.pid);
  const paths = [...others.map((id) => "/proc/" + id), ...threads.map((id) => "/proc/self/task/" + id)];
  return paths.some((path) => "RD".includes(stateOf(path)));
}

function listOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The kernel's letter for what a process or thread does; S where it is gone. */
function stateOf(path) {
  try {
    const stat = readFileSync(path + "/stat", "latin1");
    return stat[stat.lastIndexOf(")") + 2];
  } catch {
    return "S";
  }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Tries tests of one file in a thread of their own; tells what became of each, and how it ended. */
async function runThread(file, { sources, limits, patterns, skip, learns, isWrong, profile }) {
  const found = { states: new Map(), costs: new Map(), modules: [], current: undefined, end: undefined, isLoaded: false };
  const thread = new Worker(program, {
    eval: true,
    stdin: false,
    stdout: true,
    stderr: true,
    env: { ...environment },
    workerData: { file: file.inside, path: file.path, sources, patterns, skip, learns, entry, isHeld: profile !== undefined },
    resourceLimits: { maxOldGenerationSizeMb: Math.floor(limits.memory / 2 ** 21), maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
  });
  const { promise, resolve } = Promise.withResolvers();
  let [heardAt, heardCpu, idleSince] = [performance.now(), cpuMs(), performance.now()];
  const mark = () => {
    [heardAt, heardCpu] = [performance.now(), cpuMs()];
    idleSince = heardAt;
  };
  thread.on("message", ([kind, ...more]) => {
    if (kind === "start") found.current = more[0];
    else if (kind === "end") {
      const [name, state, ms, chain] = more;
      found.states.set(name, state);
      found.costs.set(name, { cpu: (cpuMs() - heardCpu) / 1000, ms });
      if (learns) chains.set(name, chain);
      if (found.current === name) found.current = undefined;
      if (isWrong?.(name, state)) resolve();
    } else if (kind === "module") found.modules.push(more);
    else if (kind === "loaded") {
      found.isLoaded = true;
      found.load = (cpuMs() - found.begunCpu) / 1000;
      return;
    } else if (kind === "unloadable") {
      found.end = "unloadable";
      resolve();
    } else if (kind === "held") return void profile.begin(thread).then(() => thread.postMessage("go"), resolve);
    else if (kind === "done") resolve();
    mark();
  });
  found.begunCpu = cpuMs();
  thread.on("error", () => {
    found.end ??= "died";
    resolve();
  });
  thread.on("exit", () => {
    found.hasExited = true;
    if (!found.isOver) found.end ??= "died";
    resolve();
  });
  const watch = setInterval(() => {
    const [now, cpu] = [performance.now(), cpuMs()];
    const most = found.current === undefined && !found.isLoaded ? limits.load : (limits.cpu[found.current] ?? limits.cpu["*"]);
    if (isBusy()) idleSince = now;
    if (cpu - heardCpu > most * 1000 || now - heardAt > limits.wall * 1000 || now - idleSince > limits.idle * 1000) {
      found.end ??= "limit";
      resolve();
    }
  }, TICK_MS);
  await promise;
  clearInterval(watch);
  found.isOver = true;
  if (profile && !found.hasExited) found.coverage = await profile.take();
  await endThread(thread);
  return found;
}

/** Ends a thread and every process that it has started; one that waits for a process ends only after that. */
async function endThread(thread) {
  let isGone = false;
  const ended = thread.terminate().finally(() => {
    isGone = true;
  });
  for (const until = performance.now() + 10_000; !isGone || hasOthers(); ) {
    endOthers();
    await Promise.race([ended, wait(2)]);
    if (isGone) await wait(1);
    if (performance.now() > until) process.kill(process.pid, "SIGKILL");
  }
}

function endOthers() {
  if (!facts.isolated) return false;
  try {
    return process.kill(-1, "SIGKILL");
  } catch {
    return false;
  }
}

/** Whether other processes live. One whose thread has ended is never buried: a worker with such is worn. */
function hasOthers() {
  if (!endOthers()) return false;
  const ids = listOf("/proc").filter((id) => /^\d+$/.test(id) && id !== "1" && Number(id) !== process.pid);
  isWorn ||= ids.length > 0;
  return ids.some((id) => !"ZX".includes(stateOf("/proc/" + id)));
}

const escape = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
const exactly = (names) => "^" + escape(names.join(" ")) + "$";

/** Patterns that run a test: its own name, and those of the tests that it is a part of. */
function patternsFor(names) {
  const patterns = new Set();
  for (const name of names) {
    const chain = chains.get(name);
    if (!chain) return undefined;
    chain.forEach(([, type], index) => {
      const isLast = index === chain.length - 1;
      if (isLast || type !== "suite") patterns.add(exactly(chain.slice(0, index + 1).map(([each]) => each)));
    });
  }
  return [...patterns];
}

const own = (name) => chains.get(name) && exactly(chains.get(name).map(([each]) => each));
const fileOf = (name) => facts.files.find(({ path }) => name === path || name.startsWith(path + " > "));

/** Tries tests of their files; one that is cut fails, and the rest of its file goes on without it. */
async function runNames(names, { sources, limits, mostCuts, isWrong, avoid = [] }) {
  const [states, ends] = [new Map(), []];
  for (const file of facts.files) {
    let rest = names.filter((name) => fileOf(name) === file);
    while (rest.length > 0) {
      const patterns = isWrong ? undefined : patternsFor(rest);
      const skip = avoid.map(own).filter(Boolean);
      const run = await runThread(file, { sources, limits, patterns, skip, isWrong });
      for (const [name, state] of run.states) states.set(name, state);
      if (run.end) ends.push(run.end);
      const left = rest.filter((name) => !run.states.has(name) && name !== run.current);
      if (isWrong && rest.some((name) => !states.has(name) || isWrong(name, states.get(name)))) return { states, ends };
      if (run.end === "unloadable") break;
      if (!run.end || left.length === rest.length || ends.length > mostCuts || !patterns) break;
      rest = left;
    }
  }
  return { states, ends };
}

/** Every test of the program as it stands; one that takes too long is cut, and the others go on. */
async function baseline({ limits, modules: isKnown }) {
  const [tests, modules] = [new Map(), []];
  let [load, end] = [0, undefined];
  for (const file of facts.files) {
    const cut = [];
    for (;;) {
      const run = await runThread(file, { sources: isKnown ? sourcesWith([]) : {}, limits, skip: cut.map(({ pattern }) => pattern), learns: true });
      modules.push(...run.modules);
      load = Math.max(load, run.load ?? 0);
      for (const [name, state] of run.states) if (!tests.has(name)) tests.set(name, { name, state, ...run.costs.get(name) });
      if (run.end === undefined) break;
      const name = run.current;
      if (run.end !== "limit" || name === undefined || cut.some((each) => each.name === name)) {
        end = run.end;
        break;
      }
      const chain = name.slice(file.path.length + 3).replace(/ \(\d+\)$/, "").split(" > ");
      cut.push({ name, pattern: exactly(chain) });
      tests.set(name, { name, state: "failed", cpu: 0, ms: limits.cpu["*"] * 1000, cut: true });
    }
  }
  learn(modules);
  return { tests: [...tests.values()], load, modules, chains: [...chains], ...(end ? { end } : {}) };
}

/** What each test executes, each run alone: the ranges of each own script, and the text that they are in. */
async function coverage({ limits, names }) {
  const answer = { tests: [], sources: {} };
  for (const name of names) {
    const file = fileOf(name);
    if (!file) continue;
    const profile = new Profile();
    const run = await runThread(file, { sources: sourcesWith([]), limits, patterns: patternsFor([name]), profile });
    const ranges = {};
    for (const { url, functions } of run.coverage ?? []) {
      const path = ownPath(url);
      if (path === undefined) continue;
      ranges[path] = functions.flatMap(({ ranges }) => ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count > 0 ? 1 : 0]));
      answer.sources[path] ??= stripped.get(url)?.source ?? readFileSync(new URL(url), "utf8");
    }
    answer.tests.push({ name, ranges });
    copy.restore();
  }
  return answer;
}

function ownPath(url) {
  const base = pathToFileURL(facts.workspace).href + "/";
  if (!url.startsWith(base)) return undefined;
  const path = decodeURIComponent(url.slice(base.length));
  const isLeft = /(?:^|\/)(?:node_modules|\.venv)\//.test(path) || facts.files.some(({ inside }) => inside === join(facts.workspace, path));
  return isLeft ? undefined : path;
}

/** The coverage that V8 counts in a thread, asked for from here: also of one that never ends. */
class Profile {
  static #session;
  static #waiting = new Map();
  static #attached = [];
  static #next = 1;
  #id;

  static async #connect() {
    if (Profile.#session) return;
    const session = (Profile.#session = new Session());
    session.connect();
    session.on("NodeWorker.attachedToWorker", ({ params }) => Profile.#attached.push(params.sessionId));
    session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
      const { id, result } = JSON.parse(params.message);
      Profile.#waiting.get(id)?.(result);
      Profile.#waiting.delete(id);
    });
    await session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  }

  async begin() {
    await Profile.#connect();
    while (Profile.#attached.length === 0) await wait(1);
    this.#id = Profile.#attached.at(-1);
    Profile.#attached.length = 0;
    await this.#ask("Profiler.enable");
    await this.#ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  async take() {
    return (await Promise.race([this.#ask("Profiler.takePreciseCoverage"), wait(5_000)]))?.result ?? [];
  }

  #ask(method, params) {
    const id = Profile.#next++;
    const { promise, resolve } = Promise.withResolvers();
    Profile.#waiting.set(id, resolve);
    Profile.#session.post("NodeWorker.sendMessageToWorker", { sessionId: this.#id, message: JSON.stringify({ id, method, params }) });
    return promise;
  }
}

/** A version: the failing tests first, and where one is fixed the passing ones, up to the first that fails. */
async function attempt({ files, plan: { failing, passing, limits, right } }) {
  if (!copy.write(files)) return { fixed: [], passes: false, stopped: "unloadable" };
  const sources = sourcesWith(files);
  const { states, ends } = await runNames(failing, { sources, limits, mostCuts: MOST_CUTS });
  const isRight = (name) => states.get(name) === (right[name] ?? "passed");
  const fixed = failing.filter(isRight);
  const answer = { fixed, passes: false };
  if (fixed.length > 0 && passing.length > 0 && !ends.includes("unloadable")) {
    const known = new Set(passing);
    const isWrong = (name, state) => known.has(name) && state !== (right[name] ?? "passed");
    const avoid = failing.filter((name) => !isRight(name));
    const more = await runNames(passing, { sources, limits, mostCuts: 0, isWrong, avoid });
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
  let data = Buffer.from("\n" + id + " " + JSON.stringify(answer) + "\n");
  while (data.length > 0) data = data.subarray(writeSync(ANSWERS, data));
}

const environment = { ...process.env };
const handlers = { baseline, coverage, try: attempt };
let [plan, isWorn] = [undefined, false];
setInterval(() => writeSync(ANSWERS, "\n.\n"), BEAT_MS).unref();
say(facts.hello, {});
for await (const line of createInterface({ input: createReadStream("", { fd: QUESTIONS }) })) {
  const question = JSON.parse(line);
  const answer = await handlers[question.do](question);
  copy.restore();
  say(question.id, answer);
    const isWhole = [ANSWERS, QUESTIONS].map((descriptor) => fstatSync(descriptor).ino).join() === channel;
    if (isWorn || !isWhole || process.memoryUsage.rss() > MOST_RSS) process.exit(0);
  }
}
`;

/** The worker's programs, by file name. */
export const NODE_PROGRAMS: Readonly<Record<string, string>> = {
  "trials-worker.mjs": WORKER,
  "trials-copy.mjs": NODE_COPY,
  "trials-thread.cjs": THREAD,
  "trials-entry.mjs": ENTRY,
};
