// A control group for each job that root runs: the kernel counts no process limit against root, so that only a group
// can keep a fork bomb from bogging the machine down before the watch sees it.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A group of processes that can be no more than so many. */
export interface ProcessGroup {
  add(pid: number): void;
  remove(): void;
}

let made = 0;

/** Makes a group in a folder of groups. */
export function makeGroup(folder: string, processes: number): ProcessGroup {
  const path = join(folder, `loopwright-${process.pid}-${made++}`);
  mkdirSync(path);
  try {
    writeFileSync(join(path, "pids.max"), String(processes));
  } catch (error) {
    remove(path);
    throw error;
  }
  return {
    add: (pid) => writeFileSync(join(path, "cgroup.procs"), String(pid)),
    remove() {
      try {
        rmdirSync(path);
      } catch {
        // Its last process is not yet buried.
        setTimeout(() => remove(path), 100).unref();
      }
    },
  };
}

/** The folder in which groups that count processes can be made; undefined where there is none, or for other users. */
export function findGroups(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return foldersOf(read("/proc/self/mountinfo")).find((path) => {
    try {
      makeGroup(path, 1).remove();
      removeStale(path);
      return true;
    } catch {
      return false;
    }
  });
}

/** Removes the groups of processes that were killed; one that is in use cannot be removed. */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.match(/^loopwright-(\d+)-\d+$/)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(join(folder, name));
  }
}

/** Where the process counter is mounted, in the older form and the newer one. */
function foldersOf(mounts: string): string[] {
  return mounts.split("\n").flatMap((line) => {
    const [place, source] = line.split(" - ");
    const [kind, , options] = (source ?? "").split(" ");
    const isCounter = kind === "cgroup2" || (kind === "cgroup" && options?.split(",").includes("pids"));
    return isCounter ? [place!.split(" ")[4]!] : [];
  });
}

function remove(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // An empty group that stays costs nothing.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
