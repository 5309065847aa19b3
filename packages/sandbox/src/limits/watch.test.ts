import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { Limits } from "../types.ts";
import type { StopKind } from "./limits.ts";
import { measureGrowth, processTree, watchJob } from "./watch.ts";

const roomy: Limits = {
  wallMs: 60_000,
  cpuMs: 60_000,
  memoryBytes: 2 ** 33,
  processes: 1_000,
  fileBytes: 2 ** 30,
  outputChars: 1_000,
};

const folder = mkdtempSync(join(tmpdir(), "loopwright-watch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Watches a harmless program, and tells what stopped it; undefined where nothing did before it ended by itself. */
async function watch(script: string, limits: Partial<Limits>): Promise<StopKind | undefined> {
  const child = spawn("sh", ["-c", script], { cwd: folder, detached: true, stdio: "ignore" });
  let stopped: StopKind | undefined;
  const watching = watchJob({ root: () => child.pid, folders: [folder], limits: { ...roomy, ...limits } }, (kind) => {
    stopped = kind;
    process.kill(-child.pid!, "SIGKILL");
  });
  await once(child, "exit");
  watching.close();
  return stopped;
}

describe.skipIf(process.platform !== "linux")("The watch over a job (on Linux)", () => {
  it("finds a process and all below it", async () => {
    const child = spawn("sh", ["-c", "sh -c 'sleep 5 & sleep 5' & sleep 5; true"], { detached: true, stdio: "ignore" });
    await wait(200);
    const pids = [...processTree(child.pid!)];
    process.kill(-child.pid!, "SIGKILL");
    expect(pids[0]).toBe(child.pid);
    expect(new Set(pids).size).toBe(5);
  });

  it("looks at no more processes than it takes to know that there are too many", async () => {
    const child = spawn("sh", ["-c", "for i in 1 2 3 4 5 6 7 8; do sleep 5 & done; wait"], {
      detached: true,
      stdio: "ignore",
    });
    await wait(200);
    const pids = [...processTree(child.pid!, 3)];
    process.kill(-child.pid!, "SIGKILL");
    expect(pids).toHaveLength(4);
  });

  it("sees CPU, also that of children which have ended", async () => {
    expect(await watch("while :; do :; done", { cpuMs: 150 })).toBe("cpu");
    expect(
      await watch("while :; do sh -c 'i=0; while [ $i -lt 9999 ]; do i=$((i+1)); done'; done", { cpuMs: 150 }),
    ).toBe("cpu");
  });

  it("sees memory and processes", async () => {
    expect(
      await watch("python3 -c 'x = bytearray(300 << 20); import time; time.sleep(9)'", { memoryBytes: 200 * 2 ** 20 }),
    ).toBe("memory");
    expect(await watch("for i in 1 2 3 4 5 6; do sleep 5 & done; wait", { processes: 4 })).toBe("processes");
  });

  it("does not count pages more than once that forked processes share", async () => {
    const program = "import os, time; x = bytearray(120 << 20); [os.fork() for _ in range(2)]; time.sleep(0.4)";
    expect(await watch(`python3 -c '${program}'; wait; sleep 0.1`, { memoryBytes: 250 * 2 ** 20 })).toBeUndefined();
  });

  it("lets a modest program be", async () => {
    expect(await watch("echo x > small; sleep 0.2", {})).toBeUndefined();
  });

  it("sees what a folder grows by", async () => {
    expect(await watch("head -c 40000000 /dev/urandom > large; sync large; sleep 5", { diskBytes: 20 * 2 ** 20 })).toBe(
      "disk",
    );
  });

  it("counts as grown what changed since, in any folder below, and nothing older", async () => {
    const place = join(folder, "measured");
    mkdirSync(join(place, "deep/deeper"), { recursive: true });
    writeFileSync(join(place, "old"), "x".repeat(100_000));
    utimesSync(join(place, "old"), 0, 0);
    const since = Date.now() + 60_000;
    expect(await measureGrowth([place], since, [])).toEqual({ bytes: 0, files: 0 });
    writeFileSync(join(place, "deep/deeper/new"), "x".repeat(100_000));
    const { bytes, files } = await measureGrowth([join(place, "deep/deeper")], 0, []);
    expect(files).toBe(1);
    expect(bytes).toBeGreaterThanOrEqual(100_000);
  });
});
