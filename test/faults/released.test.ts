// Values and files that are released while other processes start, fork and continue runs: none takes what a run needs.

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Project } from "loopwright";
import { describe, expect, it } from "vitest";
import { failure, lineThat, openTemp, start } from "./harness.ts";
import { fill } from "./programs/loops.ts";

const values = { rounds: 3, bytes: 2_000 };
const files = { ...values, files: true };

/** Lets something happen in the middle of a journal's act: before it, or when it is done. */
function meanwhile(
  project: Project,
  name: "release" | "create",
  when: "before" | "after",
  act: () => Promise<unknown>,
) {
  const { journal } = project.ports;
  let isOver = false;
  const through = journal[name].bind(journal) as (...args: unknown[]) => Promise<unknown>;
  const once = async () => {
    if (isOver) return;
    isOver = true;
    await act();
  };
  Object.assign(journal, {
    [name]: async (...args: unknown[]) => {
      if (when === "before") await once();
      const result = await through(...args);
      if (when === "after") await once();
      return result;
    },
  });
}

/** Drives `fill` to its end in another process. */
async function fillElsewhere(dir: string, input: object): Promise<string> {
  const { code, lines, stderr } = await start("run", [JSON.stringify({ dir, input })]).ended;
  expect(code, stderr).toBe(0);
  return JSON.parse(lines.at(-1)!).result.run;
}

describe("what is released", () => {
  it.each([
    ["values", "before", values],
    ["values", "after", values],
    ["files", "before", files],
    ["files", "after", files],
  ] as const)(
    "are never %s that a run of another process has named %s they were given up",
    async (_what, when, input) => {
      const project = await openTemp();
      const { run: old } = await project.start(fill, input, { slug: "old" });
      let other = "";
      meanwhile(project, "release", when, async () => {
        other = await fillElsewhere(project.dir, input);
      });
      await project.release([old]);
      expect(await project.verify(other)).toMatchObject({ ok: true, released: 0, problems: [] });
    },
  );

  it.each([
    ["values", values],
    ["files", files],
  ])("is stored anew by a process that had stored the same %s before", async (_what, input) => {
    const project = await openTemp();
    const go = join(project.dir, "go");
    const other = start("run-twice", [JSON.stringify({ dir: project.dir, go, input })]);
    await project.release([await other.line()]);
    await writeFile(go, "");
    expect(await project.verify(await other.line())).toMatchObject({ ok: true, released: 0, problems: [] });
    await other.ended;
  });

  it("is nothing of a run that another process takes up meanwhile", async () => {
    const project = await openTemp();
    const input = { rounds: 100_000, bytes: 2_000, idle: 100 };
    const { run } = await project.start(fill, input, { ceilings: { iterations: 2 } });
    await project.raise(run, { iterations: 100_000 });
    const other = start("run", [JSON.stringify({ dir: project.dir, run })]);
    meanwhile(project, "release", "before", () => lineThat(other, (line) => line.includes("run-resumed")));
    expect(await failure(project.release([run]))).toMatchObject({ code: "RUN_OPEN" });
    await lineThat(other, (line) => line.includes("phase-finished"));
    await other.kill();
    expect(await project.verify(run)).toMatchObject({ ok: true, released: 0, problems: [] });
  });
});
