// How the warm worker for node --test runs tests in a thread, holds it to its limits, and ends whatever it has started.

import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { facts } from "./facts.mjs";

const TICK_MS = 20;
const program = readFileSync(new URL("thread.cjs", import.meta.url), "utf8");
const entry = new URL("entry.mjs", import.meta.url).pathname;
const environment = { ...process.env };

/** What later versions could feel: processes whose thread ended before them are never buried. */
export const wear = { isWorn: false };

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** What a thread has told, and since when it has been quiet. */
class Told {
  states = new Map();
  costs = new Map();
  chains = new Map();
  suites = new Set();
  modules = [];
  current;
  end;
  isLoaded = false;
  queued = 0;
  reported = 0;
  isSettled = false;
  load = 0;
  begunCpu = cpuMs();

  constructor() {
    this.mark();
  }

  mark() {
    [this.heardAt, this.heardCpu] = [performance.now(), cpuMs()];
    this.idleSince = this.heardAt;
  }

  hear([kind, ...more]) {
    if (kind === "start") this.current = more[0];
    else if (kind === "queued") this.queued += 1;
    else if (kind === "reported") this.reported += 1;
    else if (kind === "group") more[1] === "suite" && this.suites.add(more[0]);
    else if (kind === "settled") this.isSettled = true;
    else if (kind === "module") this.modules.push(more);
    else if (kind === "unloadable") this.end = "unloadable";
    else if (kind === "end") {
      const [name, state, ms, chain] = more;
      this.states.set(name, state);
      this.costs.set(name, { cpu: (cpuMs() - this.heardCpu) / 1000, ms });
      this.chains.set(name, chain);
      if (this.current === name) this.current = undefined;
    } else if (kind === "loaded") {
      this.isLoaded = true;
      this.load = (cpuMs() - this.begunCpu) / 1000;
      return;
    }
    this.mark();
  }

  /** Whether the file is loaded and every test that it has queued has been reported. */
  get isDone() {
    return this.isLoaded && (this.queued > 0 ? this.reported === this.queued : this.isSettled);
  }

  isOver(limits) {
    const now = performance.now();
    const isLoading = this.current === undefined && !this.isLoaded;
    const most = isLoading ? limits.load : (limits.cpu[this.current] ?? limits.cpu["*"]);
    if (isBusy()) this.idleSince = now;
    if (cpuMs() - this.heardCpu > most * 1000) return true;
    return now - this.heardAt > limits.wall * 1000 || now - this.idleSince > limits.idle * 1000;
  }
}

/** Tries tests of one file in a thread of their own; tells what became of each, and how it ended. */
export async function runThread(file, { sources, limits, patterns, skip, learns, isWrong, profile }) {
  const told = new Told();
  const isHeld = profile !== undefined;
  const thread = new Worker(program, {
    eval: true,
    stdin: false,
    stdout: true,
    stderr: true,
    env: { ...environment },
    workerData: { file: file.inside, path: file.path, sources, patterns, skip, learns, entry, isHeld },
    resourceLimits: { maxOldGenerationSizeMb: Math.floor(limits.memory / 2 ** 21), maxYoungGenerationSizeMb: 64 },
  });
  const { promise, resolve } = Promise.withResolvers();
  const stop = (end) => {
    told.end ??= end;
    resolve();
  };
  thread.on("message", (message) => {
    told.hear(message);
    const [kind, name, state] = message;
    if (kind === "held")
      profile.begin().then(
        () => thread.postMessage("go"),
        () => stop("died"),
      );
    else if (told.isDone || told.end || (kind === "end" && isWrong?.(name, state))) resolve();
  });
  let isGone = false;
  thread.on("error", () => stop("died"));
  thread.on("exit", () => {
    isGone = true;
    stop("died");
  });
  const watch = setInterval(() => told.isOver(limits) && stop("limit"), TICK_MS);
  await promise;
  clearInterval(watch);
  const end = told.end;
  if (profile && !isGone) told.coverage = await profile.take();
  await endThread(thread);
  told.end = end;
  return told;
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
    if (isGone && hasOthers()) await wait(1);
    if (performance.now() > until) process.kill(process.pid, "SIGKILL");
  }
}

/** Ends all other processes; false where there are none, or where they may be anyone's. */
function endOthers() {
  if (!facts.isolated) return false;
  try {
    return process.kill(-1, "SIGKILL");
  } catch {
    return false;
  }
}

function hasOthers() {
  if (!endOthers()) return false;
  const ids = others();
  wear.isWorn ||= ids.length > 0;
  return ids.some((id) => !"ZX".includes(stateOf(`/proc/${id}`)));
}

/** Whether any thread but this one, or any other process, does anything. */
function isBusy() {
  const threads = listOf("/proc/self/task").filter((id) => Number(id) !== process.pid);
  const paths = [...others().map((id) => `/proc/${id}`), ...threads.map((id) => `/proc/self/task/${id}`)];
  return paths.length === 0 || paths.some((path) => "RD".includes(stateOf(path)));
}

function others() {
  if (!facts.isolated) return [];
  return listOf("/proc").filter((id) => /^\d+$/.test(id) && id !== "1" && Number(id) !== process.pid);
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
    const stat = readFileSync(`${path}/stat`, "latin1");
    return stat[stat.lastIndexOf(")") + 2];
  } catch {
    return "S";
  }
}
