// Looking at runs in a folder that cannot be written: a read-only mount, whoever looks.

import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { BIN, type Folder, fixtureProject, runIn, STATE_HOME } from "../../fakes/cli.ts";

/** Runs the program where the folder is mounted read-only. */
async function look(at: Folder, args: string, dir = at.dir): Promise<{ code: number; stdout: string; stderr: string }> {
  const mounts = ["--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc", "--ro-bind", dir, dir];
  const typed = [...mounts, process.execPath, BIN, ...args.split(" ")];
  const env = { PATH: process.env.PATH, HOME: join(at.dir, "no-home"), XDG_STATE_HOME: STATE_HOME };
  const ended = promisify(execFile)("bwrap", typed, { cwd: at.dir, env });
  return ended.then(
    (seen) => ({ code: 0, ...seen }),
    (error) => error as { code: number; stdout: string; stderr: string },
  );
}

async function expectLooks(at: Folder, run: string, state: string): Promise<void> {
  const before = at.listing();
  expect(await look(at, "runs")).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining(state) });
  expect(await look(at, `show ${run}`)).toMatchObject({ code: 0, stdout: expect.stringContaining("iteration 1") });
  expect(await look(at, `verify ${run}`)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whole/) });
  expect(await look(at, "explain")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`the newest run: ${run}`),
  });
  expect(at.listing()).toEqual(before);
}

describe("a folder that cannot be written", () => {
  it("has its runs listed, shown, verified and explained; what would write says that it cannot", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }, "--max-iterations 2"));
    await expectLooks(at, run, "ceiling");
    for (const words of [
      `fork ${run} --at 1`,
      `resume ${run} --max-iterations 3 --trust`,
      "prune --older-than 0h --stopped",
    ])
      expect(await look(at, words)).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot be written") });
    expect((await at.cli("runs --quiet")).lines).toEqual([run]);
  });

  it("says so where it is the runs' own that is to be pruned", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const folder = join(at.dir, "runs", run);
    expect(await look(at, "prune --older-than 0h", join(at.dir, "runs"))).toMatchObject({
      code: 1,
      stderr: `loopwright: ${folder} cannot be deleted (EROFS); check its permissions, and that it is not mounted read-only\n`,
    });
    expect((await at.cli("prune --older-than 0h")).stdout).toContain("1 run pruned");
  });

  it("has them where a killed process left its log, with and without the index beside it", async () => {
    using at = fixtureProject();
    const started = at.startSteer({ way: "slow", rounds: 3, seconds: 5 });
    await started.line("iteration 1");
    started.send("SIGKILL");
    const run = runIn(await started.ended);
    expect(at.has(".loopwright/journal.db-wal")).toBe(true);
    await expectLooks(at, run, "cut off");
    rmSync(join(at.dir, ".loopwright/journal.db-shm"));
    await expectLooks(at, run, "cut off");
  });
});
