// A project of the fab loop as `init` writes it, its settings, and the loop as it is drawn. Nothing is built here.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { createIssue, fabProject } from "../fakes/fab-project.ts";

describe("loopwright graph fab", () => {
  it("draws the seed's diagram, and a repair's new run dashed", async () => {
    using at = new Folder();
    const { stdout } = await at.cli("graph fab");
    const arrows = [...stdout.matchAll(/p_(\w+)\["\w+"\] (-->|-\. a new run \.->) p_(\w+)/g)].map(
      ([, from, arrow, to]) => `${from} ${arrow === "-->" ? "→" : "⇢"} ${to}`,
    );
    expect(arrows.filter((arrow) => !arrow.startsWith("escalate"))).toEqual([
      ...["init → generate", "generate → export", "export → render", "render → critic", "critic → verdict"],
      ...["verdict → done", "verdict → repair", "verdict → escalate", "repair ⇢ generate"],
    ]);
    // A person's answer leads on from there.
    expect(arrows.filter((arrow) => arrow.startsWith("escalate"))).toEqual([
      ...["escalate → done", "escalate → escalate", "escalate → repair"],
    ]);
  });
});

describe("a new project", () => {
  it("has a gate of its own, and its README's commands work", async () => {
    using at = new Folder();
    expect((await at.cli("init assets --loop fab")).code).toBe(0);
    const dir = join(at.dir, "assets");
    const [create, drain] = at.read("assets/README.md").match(/(?<=^loopwright ).*(?=$)/gm)!;
    const words = [...create!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
    const issue = (await at.cli(words, { cwd: dir })).stdout.trim();
    expect(issue).toMatch(/^lw-/);
    const planned = await at.cli(`${drain} --dry-run`, { cwd: dir });
    expect(planned).toMatchObject({ code: 0, stdout: `${issue}  fab  red sedan\n` });
    const shown = await at.cli(`fab ${issue} --dry-run --profile draft --builder search`, { cwd: dir });
    expect(shown.code, shown.stderr).toBe(0);
    // Nothing was done: it is as ready as before.
    expect((await at.cli("issue ready --quiet", { cwd: dir })).stdout.trim()).toBe(issue);
    expect((await at.cli(`fab ${issue} --profile best`, { cwd: dir })).stderr).toContain(
      "--profile is draft, standard",
    );
  });
});

describe("fab.iteration in loopwright.yaml", () => {
  it("holds over the gate's, key by key", async () => {
    using at = await fabProject({ ways: ["a wheel missing"] });
    const issue = await createIssue(at);
    await at.write("loopwright.yaml", "fab:\n  iteration:\n    max_iterations: 0\n");
    using repeated = new Folder();
    cpSync(at.dir, repeated.dir, { recursive: true });
    const ended = await at.cli(`fab ${issue} --from start.glb --json`);
    expect(ended.code, ended.stderr).toBe(5);
    expect(lastLine(ended)).toMatchObject({
      outcome: "escalated",
      reason: expect.stringMatching(/^max_iterations_exceeded/),
    });
    // The flag is over the file, and what neither names is the gate's.
    const other = await repeated.cli(
      `fab ${issue} --from start.glb --json --max-iterations 1 -c fab.iteration.max_iterations=7`,
    );
    expect(other.code, other.stderr).toBe(3);
    const [, repair] = ((await repeated.document("issue list")) as unknown as { issues: { description: string }[] })
      .issues;
    expect(repair!.description).toContain("### Iteration: 1 of 7");
  });

  it("is held to its schema, and what is wrong is told with its line", async () => {
    using at = await fabProject();
    const issue = await createIssue(at);
    await at.write("loopwright.yaml", "fab:\n  iteration:\n    max_iteration: 3\n");
    const ended = await at.cli(`fab ${issue}`);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/loopwright\.yaml:3.*max_iteration/s) });
  });
});
