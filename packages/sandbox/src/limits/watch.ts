// The watch over a running job: what its processes use together, and how much it has made its folders grow. Where there
// are control groups, they stop it sooner; this holds everywhere, and says which limit it was.

import { readdirSync, type Stats, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isCode, lookAt, takeTurns } from "../folder.ts";
import { namesIn, readText, statOf } from "../proc.ts";
import type { Limits } from "../types.ts";
import { DISK_BYTES, DISK_FILES, type StopKind } from "./limits.ts";

const INTERVAL_MS = 20;
const TICKS_PER_MS = 100 / 1000;
const BLOCK = 512;

export interface Watched {
  /** The process that all others descend from, once it is known. */
  root(): number | undefined;
  /** The folders that the job can write. */
  folders: readonly string[];
  limits: Limits;
  intervalMs?: number | undefined;
  isOutOfMemory?: (() => boolean) | undefined;
}

/** Watches a job's processes and folders until it is closed; calls back once when a limit is passed. */
export function watchJob(
  { root, folders, limits, intervalMs = INTERVAL_MS, isOutOfMemory }: Watched,
  onStop: (kind: StopKind) => void,
): { close(): void } {
  const disk = watchDisk(folders, limits);
  let isClosed = false;
  let isMeasuring = false;
  const close = () => {
    isClosed = true;
    clearInterval(timer);
  };
  const stop = (kind: StopKind | undefined) => {
    if (kind === undefined || isClosed) return;
    close();
    onStop(kind);
  };
  const timer = setInterval(() => {
    const pid = root();
    if (pid === undefined) return;
    const pids = [...processTree(pid, limits.processes)];
    stop(isOutOfMemory?.() ? "memory" : overUse(pids, limits));
    if (isClosed || isMeasuring) return;
    isMeasuring = true;
    const done = () => {
      isMeasuring = false;
    };
    void disk(pids).then(stop).finally(done);
  }, intervalMs);
  return { close };
}

function overUse(pids: readonly number[], limits: Limits): StopKind | undefined {
  const uses = pids.map(readUse);
  if (sum(uses.map(({ threads }) => threads)) > limits.processes) return "processes";
  if (sum(uses.map(({ ticks }) => ticks)) > limits.cpuMs * TICKS_PER_MS) return "cpu";
  // Pages that forked processes share are counted more than once here; a share is slower to read, and exact.
  const most = limits.memoryBytes - sum(uses.map(({ tables }) => tables));
  if (sum(uses.map(({ memory }) => memory)) > most && sum(pids.map(readShare)) > most) return "memory";
  return undefined;
}

/** A process and all below it, by pid; no more than a limit has any use for. */
export function* processTree(root: number, limit = Number.POSITIVE_INFINITY): Generator<number> {
  const open = [root];
  for (let count = 0; open.length > 0 && count <= limit; count++) {
    const pid = open.pop()!;
    yield pid;
    for (const thread of namesIn(`/proc/${pid}/task`))
      for (const child of readText(`/proc/${pid}/task/${thread}/children`).split(" "))
        if (child !== "") open.push(Number(child));
  }
}

/** What a process uses; the tables of its pages are the kernel's, and its alone. */
function readUse(pid: number): { threads: number; memory: number; tables: number; ticks: number } {
  const status = readText(`/proc/${pid}/status`);
  return {
    threads: fieldOf(status, "Threads"),
    memory: (fieldOf(status, "RssAnon") + fieldOf(status, "RssShmem")) * 1024,
    tables: fieldOf(status, "VmPTE") * 1024,
    // Children that were waited for are counted with their parent.
    ticks: sum(statOf(pid).slice(11, 15).map(Number)),
  };
}

/** A process's share of memory: pages that several have are divided among them. */
function readShare(pid: number): number {
  const rollup = readText(`/proc/${pid}/smaps_rollup`);
  return (fieldOf(rollup, "Pss_Anon") + fieldOf(rollup, "Pss_Shmem")) * 1024;
}

function fieldOf(text: string, name: string): number {
  return Number(text.match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1] ?? 0);
}

type Room = Record<"bytes" | "files", number>;

/** Asks the filesystem, which is cheap, and looks for what has grown only when that much space is gone. */
function watchDisk(
  folders: readonly string[],
  { diskBytes = DISK_BYTES }: Limits,
): (pids: readonly number[]) => Promise<StopKind | undefined> {
  const startedAt = Date.now();
  const floors = folders.map((folder) => {
    const { bytes, files } = readFree(folder);
    return { folder, bytes: bytes - diskBytes, files: files - DISK_FILES };
  });
  return async (pids) => {
    for (const floor of floors) {
      const free = readFree(floor.folder);
      if (free.bytes >= floor.bytes && free.files >= floor.files) continue;
      const grown = await measureGrowth(folders, startedAt, pids);
      if (grown.bytes > diskBytes) return "disk";
      if (grown.files > DISK_FILES) return "files";
      // Someone else's files: ask again when the rest is gone too.
      floor.bytes = free.bytes - Math.max(diskBytes - grown.bytes, diskBytes / 8);
      floor.files = free.files - Math.max(DISK_FILES - grown.files, DISK_FILES / 8);
    }
    return undefined;
  };
}

/** What is new in folders since a time, and what processes hold open that has no name. The job runs on meanwhile. */
export async function measureGrowth(folders: readonly string[], since: number, pids: readonly number[]): Promise<Room> {
  const grown: Room = { bytes: 0, files: 0 };
  const turn = takeTurns();
  const add = (found: Stats | undefined) => {
    if (!found || found.ctimeMs < since) return;
    grown.bytes += found.blocks * BLOCK;
    grown.files += 1;
  };
  const measure = async (folder: string): Promise<void> => {
    let names: string[] = [];
    try {
      names = readdirSync(folder);
    } catch (error) {
      // Whoever nests folders past all paths has grown without end.
      if (isCode(error, "ENAMETOOLONG")) grown.bytes = Number.POSITIVE_INFINITY;
    }
    for (const name of names) {
      await turn();
      const path = join(folder, name);
      const found = quietly(() => lookAt(path));
      add(found);
      if (found?.isDirectory()) await measure(path);
    }
  };
  for (const folder of folders) await measure(folder);
  for (const pid of pids)
    for (const name of namesIn(`/proc/${pid}/fd`)) {
      const held = quietly(() => statSync(`/proc/${pid}/fd/${name}`));
      if (held?.isFile() && held.nlink === 0) add(held);
    }
  return grown;
}

/** What is free; a folder that has gone takes no space. */
function readFree(folder: string): Room {
  const found = quietly(() => statfsSync(folder));
  const endless = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };
  return found ? { bytes: found.bfree * found.bsize, files: found.ffree } : endless;
}

function quietly<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
