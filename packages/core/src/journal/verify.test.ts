import { memoryEngine, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { climb, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { pass } from "../outcomes.ts";
import type { Row } from "../ports.ts";
import { loadRun } from "../record/load.ts";
import { releaseRuns } from "./release.ts";
import { verifyRun } from "./verify.ts";

const large = "a large value ".repeat(200);

/** A run with two large values and two files. */
async function wholeRun(text = large): Promise<{ test: TestEngine; run: string; rows: Row[] }> {
  const test = memoryEngine();
  const loop = singlePhase(async (ctx) => {
    const made = await ctx.effect("make", {
      run: async ({ save }) => {
        await save("made.txt", `${text} made`);
        return `${text} one`;
      },
    });
    await ctx.save("kept.txt", `${text} kept`);
    return passed(ctx, { result: `${made} two` });
  });
  const { run } = await test.engine.start(loop, null);
  return { test, run, rows: await test.journal.read(run) };
}

describe("L10: verify", () => {
  it("finds nothing wrong with a good run, and says what it has looked at", async () => {
    const { test, run, rows } = await wholeRun();
    const head = { seq: rows.length, link: rows.at(-1)!.link };
    expect(await verifyRun(test.journal, test.ports.store, run, head)).toEqual({
      run,
      ok: true,
      events: rows.length,
      values: 2,
      artifacts: 2,
      released: 0,
      problems: [],
    });
    const early = { seq: 2, link: rows[1]!.link };
    expect(await verifyRun(test.journal, test.ports.store, run, early)).toMatchObject({ ok: true });
  });

  it("holds for runs that were stopped, resumed, forked and that have children", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const child = await ctx.spawn("child", climb(), { top: 3 });
      return passed(ctx, { result: { ...child.state } });
    });
    const { run } = await test.engine.start(loop, null);
    const stopped = await test.engine.start(climb(), { top: 3 }, { ceilings: { iterations: 1 } });
    await test.engine.resume(climb(), stopped.run, { ceilings: { iterations: 3 } });
    await test.engine.fork(stopped.run, 2);
    const runs = await test.journal.runs();
    expect(runs).toHaveLength(4);
    expect(runs).toContain(run);
    for (const id of runs) expect(await verifyRun(test.journal, test.ports.store, id)).toMatchObject({ ok: true });
  });

  it.each<[string, unknown]>([
    ["a digest", { $blob: "f".repeat(64) }],
    ["a number", { $blob: 7 }],
    ["an object", { $blob: {} }],
  ])("is not fooled by a critic whose verdict poses as the name of a value: %s", async (_what, posing) => {
    const test = memoryEngine();
    const loop = singlePhase((ctx) => {
      ctx.verdict({ ...pass(1, "fine"), ...(posing as object) });
      return ctx.end("done");
    });
    const { run } = await test.engine.start(loop, null);
    expect(await verifyRun(test.journal, test.ports.store, run)).toMatchObject({ ok: true, values: 0 });
  });
});

describe("releasing what a run has stored", () => {
  it("keeps the chain and counts what was released, instead of calling it damage", async () => {
    const { test, run } = await wholeRun();
    expect(await releaseRuns(test.ports, [run])).toEqual({ contents: 4 });
    expect(await verifyRun(test.journal, test.ports.store, run)).toMatchObject({
      ok: true,
      values: 2,
      artifacts: 2,
      released: 4,
    });
    await expect(loadRun(test.journal, run)).rejects.toMatchObject({ code: "VALUE_RELEASED" });
  });

  it("keeps what another run still names", async () => {
    const { test, run } = await wholeRun();
    const fork = await test.engine.fork(run, 1);
    const again = singlePhase(async (ctx) => {
      await ctx.save("same.txt", `${large} kept`);
      return passed(ctx, { result: `${large} one two` });
    });
    const other = await test.engine.start(again, null);
    await releaseRuns(test.ports, [run]);
    expect(await verifyRun(test.journal, test.ports.store, other.run)).toMatchObject({ ok: true, released: 0 });
    expect(await verifyRun(test.journal, test.ports.store, fork)).toMatchObject({ ok: true, released: 0 });
    expect((await loadRun(test.journal, other.run)).state).toEqual(other.state);
  });

  it("refuses a child of a run that can go on and may ask for it again, and takes both once that one has ended", async () => {
    const test = memoryEngine();
    const parent = singlePhase(async (ctx) => {
      const child = await ctx.spawn("child", climb(), { top: 3 });
      await ctx.ask({ name: "g", question: "?", choices: ["y"], default: "y" });
      return passed(ctx, { result: { ...child.state } });
    });
    const { run } = await test.engine.start(parent, null);
    const child = (await test.journal.runs(`${run}.`))[0]!;
    const refused = { code: "RUN_OPEN", message: expect.stringContaining(`belongs to ${run}`) };
    await expect(releaseRuns(test.ports, [child])).rejects.toMatchObject(refused);
    await test.engine.answer(run, "y");
    await test.engine.resume(parent, run);
    await releaseRuns(test.ports, [child]);
    await releaseRuns(test.ports, [child, run]);
  });

  it("asks the events whether a run has ended, and not its kept fold", async () => {
    const test = memoryEngine();
    const stopped = await test.engine.start(
      climb(),
      { top: 9 },
      { ceilings: { iterations: 1 }, signal: AbortSignal.abort() },
    );
    expect(stopped.outcome).toBe("interrupted");
    const fold = (await test.journal.fold(stopped.run))!;
    const lease = await test.journal.acquire(stopped.run, test.ports.process);
    await test.journal.yield(lease, 0, { ...fold, body: fold.body.replace('"interrupted"', '"done"') });
    expect((await test.record(stopped.run)).ended?.outcome).toBe("done");
    await expect(releaseRuns(test.ports, [stopped.run])).rejects.toMatchObject({ code: "RUN_OPEN" });
  });

  it("refuses a run that has not ended, and then releases nothing of the others either", async () => {
    const { test, run } = await wholeRun();
    const asking = singlePhase(async (ctx) => {
      await ctx.ask({ name: "g", question: "?", choices: ["y"], default: "y" });
      return passed(ctx);
    });
    const waiting = await test.engine.start(asking, null);
    await expect(releaseRuns(test.ports, [run, waiting.run])).rejects.toMatchObject({ code: "RUN_OPEN" });
    expect(await verifyRun(test.journal, test.ports.store, run)).toMatchObject({ ok: true, released: 0 });
  });
});
