// Snapshots of a large workspace: how long the first, the next and a restore take, and how long anything else waits meanwhile.

import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Snapshots } from "../packages/workspace/src/snapshots/snapshots.ts";
import { round } from "./cli.ts";

export const aims = {
  second_snapshot_ratio: 0.1,
  blocked_ms_max: 200,
  blocked_cpu_ms_max: 200,
};

const TICK_MS = 5;
/** Longer than the clocks of file systems are coarse: what is younger is read again. */
const SETTLE_MS = 300;

/** Makes a tree, and takes it through a run's work. */
export async function run({ quick }: { quick: boolean }) {
  const base = mkdtempSync(join(tmpdir(), "loopwright-bench-"));
  try {
    const place = { folder: join(base, "workspace"), gitDir: join(base, "own.git") };
    const [files, bytes] = quick ? [2_000, 40e6] : [20_000, 400e6];
    fill(place.folder, files, bytes / files);
    await pause(SETTLE_MS);
    const late: Late[] = [];
    const timed = <Result>(work: () => Promise<Result>) => watched(late, () => time(work));
    const snapshots = new Snapshots(place);
    const first = await timed(() => snapshots.take("first"));
    writeFileSync(join(place.folder, "d0", "f0.txt"), "changed");
    await pause(SETTLE_MS);
    const second = await timed(() => snapshots.take("second"));
    for (let at = 1; at < files; at += 2) rmSync(join(place.folder, `d${at % 100}`, `f${at}.txt`));
    const restored = await timed(() => snapshots.restore(first.result));
    await timed(() => snapshots.take("first"));
    return {
      files,
      megabytes: bytes / 1e6,
      snapshot_ms: round(first.ms),
      second_snapshot_ms: round(second.ms),
      second_snapshot_ratio: round(second.ms / first.ms),
      restore_ms: round(restored.ms),
      blocked_ms_max: round(Math.max(...late.map(({ wall }) => wall))),
      blocked_cpu_ms_max: round(Math.max(...late.map(({ cpu }) => cpu))),
    };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Files of text that is the same each time and is hard to compress. */
function fill(folder: string, files: number, size: number): void {
  for (let at = 0; at < 100; at++) mkdirSync(join(folder, `d${at}`), { recursive: true });
  for (let at = 0; at < files; at++) {
    const seed = createHash("shake256", { outputLength: Math.ceil(size / 2) }).update(`loopwright ${at}`);
    writeFileSync(join(folder, `d${at % 100}`, `f${at}.txt`), seed.digest("hex"));
  }
}

/** How late the event loop is at each tick, by the clock and by what this thread has worked meanwhile: on a busy machine the
 * clock counts others too. */
async function watched<Result>(late: Late[], work: () => Promise<Result>): Promise<Result> {
  let [last, worked] = [performance.now(), cpuMs()];
  const look = () => {
    const [now, cpu] = [performance.now(), cpuMs()];
    late.push({ wall: now - last - TICK_MS, cpu: cpu - worked });
    [last, worked] = [now, cpu];
  };
  const timer = setInterval(look, TICK_MS);
  try {
    return await work();
  } finally {
    look();
    clearInterval(timer);
  }
}

interface Late {
  wall: number;
  cpu: number;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function time<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
