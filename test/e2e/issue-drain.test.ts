// A queue of issues for several loops, worked through by two workers, of which one is killed.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openProject } from "@loopwright/core";
import { openTracker } from "@loopwright/tracker";
import { expect, it } from "vitest";
import { workersOf } from "../crash/fab-drain.ts";
import { createIssue, fabProject } from "../fakes/fab-project.ts";

const demo = (name: string) => join(import.meta.dirname, "../../packages", name);
const TASK = "A boat that arrives on the day on which another one leaves is told that the berth is taken.";

it("ends each of two code, one hull and two fab issues once, though a worker is killed", {
  timeout: 600_000,
}, async () => {
  using at = await fabProject();
  const create = async (title: string, ...words: string[]) => {
    const ended = await at.cli(["issue", "create", "--title", title, ...words]);
    if (ended.code !== 0) throw new Error(ended.stderr);
    return ended.stdout.trim();
  };
  for (const name of ["one", "two"]) cpSync(demo("code/demo/harbor"), join(at.dir, name), { recursive: true });
  cpSync(demo("hull/demo"), join(at.dir, "boat"), { recursive: true });
  const issues = [
    await create(TASK, "--loop", "code", "--set", "workspace=one"),
    await create(TASK, "--loop", "code", "--set", "workspace=two"),
    await create("a hull", "--loop", "hull", "--set", "task=boat/task.yaml"),
    await createIssue(at, { from: "start.glb" }),
    await createIssue(at, { from: "start.glb", title: "another sedan" }),
  ];
  // Models are recorded answers for the roles of the code loop; nobody else has one.
  const models = ["consultant", "implementer", "reviewer"].flatMap((role) => ["--model", `${role}=recorded`]);
  const cassette = ["--cassette", demo("code/demo/cassette.json"), "--cassette-mode", "replay"];
  const words = ["--workers", "2", "--json", "--url", "http://127.0.0.1:9/v1", ...models, ...cassette];
  const draining = at.start(["issue", "drain", ...words]);
  while (draining.child.exitCode === null && at.runs().length < 2) await setTimeout(50);
  process.kill(workersOf(at.dir)[0]!, "SIGKILL");
  const ended = await draining.ended;
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(ended.stderr).toContain("its worker died (SIGKILL)");
  expect(JSON.parse(ended.stdout)).toMatchObject({ done: 5, escalated: 0 });

  const tracker = await openTracker({ dir: at.dir });
  const all = await tracker.list();
  await tracker.close();
  expect(all.map(({ id, status }) => ({ id, status }))).toEqual(issues.map((id) => ({ id, status: "closed" })));
  await using project = await openProject({ dir: at.dir });
  const runs = await project.list();
  expect(runs.map(({ run }) => run).sort()).toEqual(all.flatMap((issue) => issue.runs).sort());
  for (const { run } of runs) {
    expect((await project.verify(run)).problems).toEqual([]);
    expect((await project.record(run)).ended?.outcome).toBe("done");
  }
  for (const id of issues.slice(3)) expect(at.has(`library/${id}/asset.glb`)).toBe(true);
  expect(at.read("one/src/berths.js")).toBe(at.read("two/src/berths.js"));
});
