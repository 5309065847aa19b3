// The report in a project: it is there at every stop, and its links lead somewhere.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SimulatedClock } from "@loopwright/core/testing";
import { defineLoop, openProject, pass } from "loopwright";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { boatLoop } from "../fakes/boat-loop.ts";

describe("the report in a project", () => {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-report-project-"));
  const clock = new SimulatedClock();
  const boat = boatLoop(clock);

  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** Every file that a page in a run's folder links to, but is not there; and how many there are in all. */
  function deadLinks(folder: string): { dead: string[]; count: number } {
    const file = join(dir, "runs", folder, "report.html");
    const hrefs = [...readFileSync(file, "utf8").matchAll(/href="([^"#]+)"/g)].map((match) => match[1]!);
    const links = hrefs.filter((href) => !href.startsWith("data:"));
    return {
      dead: links.filter((href) => !existsSync(join(dirname(file), decodeURIComponent(href)))),
      count: links.length,
    };
  }

  it("is in the run's folder at every stop, and every link in it leads to a file", async () => {
    await using project = await openProject({ dir, clock });
    const { folder, run } = await project.start(
      boat,
      { task: "x", reach: 0.85 },
      { ceilings: { iterations: 2 }, seed: 1 },
    );
    expect(readFileSync(join(dir, "runs", folder, "report.html"), "utf8")).toContain(">ceiling</span></h1>");
    await project.resume(boat, run, { ceilings: { iterations: 9 } });
    expect(readFileSync(join(dir, "runs", folder, "report.html"), "utf8")).toContain(">done</span></h1>");
    expect(deadLinks(folder)).toEqual({ dead: [], count: 20 });
  });

  it("leads from a fork to the files and the report of its origin", async () => {
    await using project = await openProject({ dir, clock });
    const { run } = await project.start(boat, { task: "y", reach: 0.85 }, { slug: "origin", seed: 1 });
    const forked = await project.fork(run, 2);
    await project.resume(boat, forked);
    expect(deadLinks(forked)).toEqual({ dead: [], count: 21 });
  });

  it("leads from a run to those that it has started, and back", async () => {
    const parent = defineLoop({
      name: "tries",
      version: 1,
      input: z.null(),
      state: z.object({}),
      initial: () => ({}),
      start: "spawn",
      iteration: "spawn",
      phases: {
        spawn: {
          to: [],
          run: async (_, ctx) => {
            const task = { task: "z", reach: 0.6 };
            await ctx.spawn("one try", boat, task, { attempt: 1 });
            await ctx.spawn("aside", boat, task);
            ctx.verdict(pass(1, "both are there"));
            return ctx.end("done");
          },
        },
      },
    });
    await using project = await openProject({ dir, clock });
    const { folder } = await project.start(parent, null);
    expect(deadLinks(folder)).toEqual({ dead: [], count: 2 });
    expect(deadLinks(`${folder}/attempt-001`).dead).toEqual([]);
    expect(deadLinks(`${folder}/children/1-aside`).dead).toEqual([]);
  });
});
