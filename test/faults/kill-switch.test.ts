// The kill switch: a STOP file stops every run of the project at its next effect and keeps new ones from starting.

import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { append, defineLoop, pass } from "loopwright";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, lineThat, openTemp, start, tempFolder } from "./harness.ts";
import { fill, roomy } from "./programs/loops.ts";

/** Three effects in one phase; the first one calls `during`. */
function steps(during: () => void, made: string[]) {
  return defineLoop({
    name: "steps",
    version: 1,
    input: z.object({}),
    state: z.object({ done: z.array(z.string()) }),
    initial: () => ({ done: [] }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: [],
        run: async (_state, ctx) => {
          for (const key of ["one", "two", "three"]) {
            await ctx.effect(key, {
              run: () => {
                made.push(key);
                if (key === "one") during();
                return key;
              },
            });
          }
          ctx.verdict(pass(1, "all made"));
          return ctx.end("done", { patch: { done: append("one", "two", "three") } });
        },
      },
    },
  });
}

describe("the kill switch", () => {
  it("stops a running run at its next effect, keeps others from starting, and loses nothing", async () => {
    const dir = await tempFolder();
    const stop = join(dir, ".loopwright", "STOP");
    const project = await openTemp({ dir });
    const made: string[] = [];
    const loop = steps(() => writeFileSync(stop, ""), made);
    const stopped = await project.start(loop, {});
    expect(stopped).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(stopped.reason).toContain(stop);
    expect(made).toEqual(["one"]);

    for (const act of [project.start(loop, {}), project.resume(loop, stopped.run)]) {
      const error = await failure(act);
      expect(error).toMatchObject({ code: "STOPPED", message: expect.stringContaining(stop) });
      expect(error.message).toContain("delete it to go on");
    }
    expect(await project.ports.journal.runs()).toEqual([stopped.run]);

    rmSync(stop);
    expect(await project.resume(loop, stopped.run)).toMatchObject({ outcome: "done" });
    expect(made).toEqual(["one", "two", "three"]);
    expect(await project.verify(stopped.run)).toMatchObject({ ok: true });
  });

  it("stops a run in another process", async () => {
    const dir = await tempFolder();
    const program = start("run", [JSON.stringify({ dir, input: { rounds: 100_000, bytes: 10 } })]);
    const { run } = JSON.parse(await lineThat(program, (line) => line.includes("effect-finished")));
    writeFileSync(join(dir, ".loopwright", "STOP"), "");
    const { code, lines } = await program.ended;
    expect(code).toBe(0);
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ result: { run, outcome: "interrupted" } });
  });

  it("stops a parent when its child meets it, and both go on afterwards", async () => {
    const dir = await tempFolder();
    const stop = join(dir, ".loopwright", "STOP");
    const project = await openTemp({ dir });
    const made: string[] = [];
    const child = steps(() => writeFileSync(stop, ""), made);
    const parent = defineLoop({
      name: "parent",
      version: 1,
      input: z.object({}),
      state: z.object({ outcome: z.string() }),
      initial: () => ({ outcome: "" }),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: [],
          run: async (_state, ctx) => {
            const { outcome } = await ctx.spawn("child", child, {});
            return ctx.end("declined", { patch: { outcome } });
          },
        },
      },
    });
    const stopped = await project.start(parent, {});
    expect(stopped).toMatchObject({ outcome: "interrupted" });
    rmSync(stop);
    expect(await project.resume(parent, stopped.run)).toMatchObject({
      outcome: "declined",
      state: { outcome: "done" },
    });
    expect(made).toEqual(["one", "two", "three"]);
    for (const run of await project.ports.journal.runs()) expect(await project.verify(run)).toMatchObject({ ok: true });
  });

  it("is also LOOPWRIGHT_STOP=1, for the process that has it", async () => {
    const dir = await tempFolder();
    const args = [JSON.stringify({ dir, input: { rounds: 2, bytes: 10 } })];
    const stopped = await start("run", args, { env: { ...process.env, LOOPWRIGHT_STOP: "1" } }).ended;
    expect(stopped.code).toBe(1);
    expect(JSON.parse(stopped.lines.at(-1)!)).toMatchObject({
      error: { isOwn: true, code: "STOPPED", message: expect.stringContaining("LOOPWRIGHT_STOP is set") },
    });
    const project = await openTemp({ dir });
    expect(await project.ports.journal.runs()).toEqual([]);
    expect(await project.start(fill, { rounds: 2, bytes: 10 }, { ceilings: roomy })).toMatchObject({ outcome: "done" });
  });
});
