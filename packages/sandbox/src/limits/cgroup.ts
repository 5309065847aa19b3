// Control groups for each job that root runs. The kernel counts no process limit against root, so that only a group can keep
// a fork bomb from bogging the machine down before the watch sees it; and what a job makes the kernel hold for it (buffers of
// sockets and pipes, files in memory) no process's own figures show.
//
// Both forms of groups are known: one folder for each counter (v1), and one for all (v2).

import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText } from "../proc.ts";

/** A group of processes that is held to its limits. */
export interface ProcessGroup {
  add(pid: number): void;
  /** Whether the kernel had to kill for want of memory. */
  isOutOfMemory(): boolean;
  remove(): void;
}

/** What all processes of a job may be and use together. */
export type GroupLimits = Record<"processes" | "memory", number>;
type Counter = keyof GroupLimits;
/** Where groups can be made, by what they count. */
export type Groups = Partial<Record<Counter, string>>;

const COUNTERS: Readonly<Record<Counter, { v1: string; files: readonly string[] }>> = {
  processes: { v1: "pids", files: ["pids.max"] },
  memory: { v1: "memory", files: ["memory.max", "memory.limit_in_bytes"] },
};

let made = 0;

/** Makes a group in each of the folders. */
export function makeGroup(groups: Groups, limits: GroupLimits): ProcessGroup {
  const name = `loopwright-${process.pid}-${made++}`;
  const paths = [...new Set(Object.values(groups))].map((folder) => join(folder, name));
  try {
    for (const path of paths) mkdirSync(path);
    for (const [counter, folder] of Object.entries(groups) as [Counter, string][])
      setLimit(join(folder, name), counter, limits[counter]);
  } catch (error) {
    for (const path of paths) remove(path);
    throw error;
  }
  const memory = groups.memory && join(groups.memory, name);
  return {
    add: (pid) => {
      for (const path of paths) writeFileSync(join(path, "cgroup.procs"), String(pid));
    },
    isOutOfMemory: () => {
      if (memory === undefined) return false;
      const told = readText(join(memory, "memory.events")) || readText(join(memory, "memory.oom_control"));
      return /^oom_kill [1-9]/m.test(told);
    },
    remove() {
      const left = paths.filter((path) => !remove(path));
      // Its last process is not yet buried.
      if (left.length > 0) setTimeout(() => left.forEach(remove), 100).unref();
    },
  };
}

function setLimit(path: string, counter: Counter, most: number): void {
  const file = COUNTERS[counter].files.find((each) => existsSync(join(path, each)));
  if (file === undefined) throw new Error(`${path} does not count ${counter}`);
  writeFileSync(join(path, file), String(most));
  if (counter === "processes") return;
  // What is swapped out counts too, where the kernel keeps count of it.
  if (existsSync(join(path, "memory.swap.max"))) writeFileSync(join(path, "memory.swap.max"), "0");
  const swapped = join(path, "memory.memsw.limit_in_bytes");
  if (existsSync(swapped)) writeFileSync(swapped, String(most));
}

/** The folders in which groups can be made; none for other users than root, or where none can. */
export function findGroups(): Groups {
  if (process.getuid?.() !== 0) return {};
  const found: Groups = {};
  for (const counter of ["processes", "memory"] as const) {
    const folder = foldersOf(counter).find((path) => canMake({ [counter]: path }));
    if (folder === undefined) continue;
    found[counter] = folder;
    removeStale(folder);
  }
  return found;
}

function canMake(groups: Groups): boolean {
  try {
    makeGroup(groups, { processes: 1, memory: 2 ** 26 }).remove();
    return true;
  } catch {
    return false;
  }
}

/** Removes the groups of processes that were killed; one that is in use cannot be removed. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.match(/^loopwright-(\d+)-\d+$/)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(folder, name));
  }
}

/** Where a counter may be had: below our own group first, whose limits hold for jobs too then, else at the top. */
function foldersOf(counter: Counter): string[] {
  const own = readText("/proc/self/cgroup").split("\n");
  const { v1 } = COUNTERS[counter];
  return readText("/proc/self/mountinfo")
    .split("\n")
    .flatMap((line) => {
      const [place, source] = line.split(" - ");
      const [kind, , options] = (source ?? "").split(" ");
      if (kind !== "cgroup2" && !(kind === "cgroup" && options?.split(",").includes(v1))) return [];
      const mount = place!.split(" ")[4]!;
      const prefix = kind === "cgroup2" ? /^0::/ : new RegExp(`^\\d+:(?:[^:]*,)?${v1}(?:,[^:]*)?:`);
      const ours = own.find((each) => prefix.test(each))?.replace(prefix, "") ?? "/";
      return [join(mount, ours), mount].map((each) => each.replace(/(?<=.)\/$/, ""));
    });
}

function remove(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    // An empty group that stays costs nothing.
    return !existsSync(path);
  }
}
