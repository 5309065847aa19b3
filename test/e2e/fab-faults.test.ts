// GENERATE when something is wrong, through the real binary on the real Blender, as `issue show` then has it.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { findBlender } from "@loopwright/blender";
import { describe, expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import type { Folder } from "../fakes/cli.ts";
import { createIssue, fabProject, spoiledBlender } from "../fakes/fab-project.ts";
import { startFaultServer } from "../fakes/fault-server.ts";

const LONG = 300_000;

async function withBlender(at: Folder, spoiled: string) {
  mkdirSync(join(at.dir, "programs"), { recursive: true });
  return { env: { LOOPWRIGHT_BLENDER: spoiledBlender(join(at.dir, "programs"), (await findBlender()).path, spoiled) } };
}

const shown = async (at: Folder, issue: string) => (await at.cli(`issue show ${issue}`)).stdout;

describe.skipIf(!hasBlender)("an issue whose Blender", { timeout: LONG }, () => {
  it("has no numpy is not taken up, and what to install is said, by doctor too", async () => {
    using at = await fabProject();
    const issue = await createIssue(at);
    const options = await withBlender(at, 'import sys; sys.modules["numpy"] = None');
    const ended = await at.cli(`fab ${issue}`, options);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("apt-get install python3-numpy (Debian)") });
    expect(at.runs()).toEqual([]);
    expect(await shown(at, issue)).toMatch(/status +open/);
    expect((await at.cli("doctor", options)).stdout).toMatch(/missing +blender +Blender 3\.4\.1 lacks numpy: apt-get/);
  });

  it.each([
    ["does not start", "import os; os._exit(3)", /status: escalated\n {2}failed: Blender did not start/],
    [
      "dies in every act",
      'import builtins, os; real = compile; builtins.compile = lambda text, name, *more, **named: os.abort() if name == "<code>" else real(text, name, *more, **named)',
      /status: escalated\n {2}failed: Blender ended by itself: it was ended by SIGABRT/,
    ],
  ])("%s says so, and its run goes on once it is there", async (_, python, says) => {
    using at = await fabProject();
    const issue = await createIssue(at);
    const ended = await at.cli(`fab ${issue} --json`, await withBlender(at, python));
    expect(ended.code, ended.stderr).toBe(7);
    expect(ended.lines.filter((line) => line.includes('"workcell-restarted"'))).toHaveLength(3);
    const words = await shown(at, issue);
    expect(words).toMatch(says);
    rmSync(join(at.dir, "programs"), { recursive: true });
    expect((await at.cli(`fab ${issue}`)).code).toBe(0);
    expect(await shown(at, issue)).toMatch(/status +closed[\s\S]*attempts +1/);
    expect(at.runs()).toHaveLength(1);
  });
});

describe.skipIf(!hasBlender)("an issue whose model", { timeout: LONG }, () => {
  it.each([
    ["answers prose four times", "Imagine a fast red car.", /E2: /, 8],
    [
      "gives code that never runs",
      "PLAN: x\n```python\nimport bpy\nbpy.ops.no_such.thing()\n```",
      /E1: AttributeError/,
      8,
    ],
  ])("%s is judged, counted, repaired and then a person's", async (_, text, says, requests) => {
    await using server = await startFaultServer();
    server.otherwise = { text };
    using at = await fabProject();
    const root = await createIssue(at);
    const ended = await at.cli(`fab ${root} --builder model --url ${server.url} --model builder=fake`);
    expect(ended.code, ended.stdout + ended.stderr).toBe(5);
    expect(server.requests).toHaveLength(requests);
    const repair = (await at.cli("issue list --status escalated --quiet")).stdout.trim();
    const [first, second] = [await shown(at, root), await shown(at, repair)];
    for (const words of [first, second]) {
      expect(words).toMatch(/attempts +1\n/);
      expect(words).toMatch(/last fail codes +BUILD_NO_ASSET\n/);
    }
    expect(first).toMatch(/status +blocked/);
    expect(second).toMatch(/status +escalated[\s\S]*@escalate:repeated_hard_fail/);
    expect(second).toMatch(says);
    for (const run of at.runs()) expect(at.has(`runs/${run}/asset/build.py`)).toBe(true);
    expect((await at.cli("issue ready --quiet")).stdout).toBe("");
  });
});
