// A hull run on the real Blender, killed with SIGKILL: Loopwright, its Blender, or both, at moments all through it.

import { appendFileSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import { command, resultOf, startCommand } from "./demos.ts";

const MINUTES = 60_000;
type Victim = "loopwright" | "blender" | "both";

/** A new project with a small task. */
async function newProject(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-hull-kill-"));
  const { code, stderr } = await command(["init", dir, "--loop", "hull"]);
  if (code !== 0) throw new Error(stderr);
  appendFileSync(join(dir, "task.yaml"), "search: { evaluations: 15, size: 128 }\n");
  return dir;
}

/** The processes under one, Blenders among them. */
function descendants(pid: number): { pid: number; name: string }[] {
  const all = globSync("/proc/[0-9]*/stat").flatMap((file) => {
    try {
      const [, id, name, parent] = /^(\d+) \((.*)\) \S+ (\d+)/.exec(readFileSync(file, "utf8"))!;
      return [{ pid: Number(id), name: name!, parent: Number(parent) }];
    } catch {
      return [];
    }
  });
  const under = (of: number): typeof all =>
    all.filter(({ parent }) => parent === of).flatMap((each) => [each, ...under(each.pid)]);
  return under(pid);
}

/** A Blender at work, and not one that is only asked for its version. */
function isWorker({ pid, name }: { pid: number; name: string }): boolean {
  try {
    return name === "blender" && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("worker.py");
  } catch {
    return false;
  }
}

async function runHull(dir: string, kills: readonly { after: number; victim: Victim }[]) {
  let killed = 0;
  for (const kill of [...kills, undefined]) {
    const isBegun = globSync(join(dir, "runs/*/run.json")).length > 0;
    const start = ["hull", "--builder", "search", "--seed", "5", "--max-iterations", "4"];
    const words = isBegun ? ["resume", "--continue"] : [...start, "-c", "ceilings.minutes=30"];
    const running = startCommand([...words, "--dir", dir, "--quiet"]);
    if (kill) {
      await Promise.race([setTimeout(kill.after), running.ended]);
      const blendersOf = () => descendants(running.child.pid!).filter(isWorker);
      if (kill.victim !== "loopwright")
        while (running.child.exitCode === null && blendersOf().length === 0) await setTimeout(20);
      const blenders = blendersOf();
      if (kill.victim !== "loopwright") for (const { pid } of blenders) process.kill(pid, "SIGKILL");
      if (kill.victim !== "blender") running.child.kill("SIGKILL");
      if (kill.victim !== "blender" || blenders.length > 0) killed += 1;
    }
    const { code, signal, stderr } = await running.ended;
    if (signal === "SIGKILL") continue;
    if (code !== 0 && code !== 3)
      throw new Error(`exit ${code}: ${stderr}${(await command(["explain", "--dir", dir])).stdout}`);
    break;
  }
  const [run, ...others] = readdirSync(join(dir, "runs")).filter((name) => !name.startsWith("."));
  expect(others).toEqual([]);
  expect((await command(["verify", run!, "--dir", dir])).code).toBe(0);
  const { files, ...result } = resultOf(join(dir, "runs", run!));
  // A .blend holds addresses of its process; what it shows is in the .glb.
  return {
    killed,
    result: {
      ...result,
      files: Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith(".blend"))),
    },
  };
}

describe.skipIf(!hasBlender)("a hull run on Blender that is killed", { timeout: 10 * MINUTES }, () => {
  it("test_checkpoint_resume: ends as the unbroken one, whoever was killed", async () => {
    const dirs = [await newProject(), await newProject()];
    try {
      const unbroken = await runHull(dirs[0]!, []);
      expect(unbroken.result.iterations).toBeGreaterThan(2);
      const random = randomStream("hull kills in CI");
      // Loopwright goes on without its Blender, so that one is the last.
      const victims: Victim[] = ["loopwright", "both", "loopwright", "both", "blender"];
      const kills = victims.map((victim) => ({ victim, after: 600 + random() * 900 }));
      const broken = await runHull(dirs[1]!, kills);
      expect(broken.killed).toBeGreaterThan(2);
      expect(broken.result).toEqual(unbroken.result);
    } finally {
      for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
    }
  });
});
