// The watch over a running job: what its processes use together, which no limit of the kernel's counts without cgroups.

import { readdirSync, readFileSync, readlinkSync, statfsSync } from "node:fs";
import type { Limits } from "../types.ts";
import { measureGrowth } from "./disk.ts";
import { DISK_BYTES, DISK_FILES, type StopKind } from "./limits.ts";

const INTERVAL_MS = 20;
/** Of so many looks, one is at descriptors too. */
const CLOSE_LOOKS = 5;
const TICKS_PER_MS = 100 / 1000;

/** Watches a job's processes and folders until it is closed; calls back once when a limit is passed. */
export function watchJob(
  root: () => number | undefined,
  folders: readonly string[],
  limits: Limits,
  onStop: (kind: StopKind) => void,
  intervalMs = INTERVAL_MS,
  isOutOfMemory: () => boolean = () => false,
): { close(): void } {
  const disk = watchDisk(folders, limits);
  let isClosed = false;
  let count = 0;
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
    const looksClosely = count++ % CLOSE_LOOKS === 0;
    stop(isOutOfMemory() ? "memory" : (overUse(pids, limits) ?? (looksClosely ? overHeld(pids, limits) : undefined)));
    if (isClosed || isMeasuring) return;
    isMeasuring = true;
    void disk(pids)
      .then(stop)
      .finally(() => {
        isMeasuring = false;
      });
  }, intervalMs);
  return { close };
}

function overUse(pids: readonly number[], limits: Limits): StopKind | undefined {
  let [threads, memory, tables, ticks] = [0, 0, 0, 0];
  for (const pid of pids) {
    const use = readUse(pid);
    threads += use.threads;
    memory += use.memory;
    tables += use.tables;
    ticks += use.ticks;
  }
  if (threads > limits.processes) return "processes";
  if (ticks > limits.cpuMs * TICKS_PER_MS) return "cpu";
  // Pages that forked processes share are counted more than once above; this is slower and exact.
  const most = limits.memoryBytes - tables;
  if (memory > most && sum(pids.map(readShare)) > most) return "memory";
  return undefined;
}

/** A process and all below it, by pid; no more than a limit has any use for. */
export function* processTree(root: number, limit = Number.POSITIVE_INFINITY): Generator<number> {
  const open = [root];
  for (let count = 0; open.length > 0 && count <= limit; count++) {
    const pid = open.pop()!;
    yield pid;
    for (const thread of readEntries(`/proc/${pid}/task`))
      for (const child of readText(`/proc/${pid}/task/${thread}/children`).split(" "))
        if (child !== "") open.push(Number(child));
  }
}

/** What a process uses; the tables of its pages are the kernel's, and its alone. */
function readUse(pid: number): { threads: number; memory: number; tables: number; ticks: number } {
  const status = readText(`/proc/${pid}/status`);
  const number = (name: string) => Number(status.match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1] ?? 0);
  // A program chooses its own name, which stands in brackets; fields are counted after it. Children that were waited for
  // are counted with their parent.
  const stat = readText(`/proc/${pid}/stat`);
  const ticks = sum(
    stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number),
  );
  const memory = (number("RssAnon") + number("RssShmem")) * 1024;
  return { threads: number("Threads"), memory, tables: number("VmPTE") * 1024, ticks };
}

/** A process's share of memory: pages that several have are divided among them. */
function readShare(pid: number): number {
  const rollup = readText(`/proc/${pid}/smaps_rollup`);
  const kilobytes = (name: string) => Number(rollup.match(new RegExp(`^${name}:\\s+(\\d+)`, "m"))?.[1] ?? 0);
  return (kilobytes("Pss_Anon") + kilobytes("Pss_Shmem")) * 1024;
}

const PIPE_BYTES = 65_536;

/** What a socket's buffer can hold at most: no figure that an ordinary user may read says what it does hold. */
function socketBytes(): number {
  return 2 * (Number(readText("/proc/sys/net/core/wmem_max")) || 212_992);
}

/** Whether the buffers behind the processes' descriptors can hold more than the job may use; one that several have is counted
 * once. */
function overHeld(pids: readonly number[], { memoryBytes }: Limits): StopKind | undefined {
  const seen = new Set<string>();
  for (const pid of pids) {
    for (const name of readEntries(`/proc/${pid}/fd`)) seen.add(readLink(`/proc/${pid}/fd/${name}`));
  }
  const count = (kind: string) => [...seen].filter((each) => each.startsWith(`${kind}:`)).length;
  return count("socket") * socketBytes() + count("pipe") * PIPE_BYTES > memoryBytes ? "sockets" : undefined;
}

/** Asks the filesystem, which is cheap, and looks for what has grown only when that much space is gone. */
function watchDisk(
  folders: readonly string[],
  limits: Limits,
): (pids: readonly number[]) => Promise<StopKind | undefined> {
  const { diskBytes = DISK_BYTES } = limits;
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

/** What is free; a folder that has gone takes no space. */
function readFree(folder: string): { bytes: number; files: number } {
  try {
    const { bfree, bsize, ffree } = statfsSync(folder);
    return { bytes: bfree * bsize, files: ffree };
  } catch {
    return { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };
  }
}

/** A file of /proc, or nothing where its process is gone. */
function readText(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function readEntries(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
