import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Crash, dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { type NoteContext, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { type FakeWorkcell, fakeBench, lost } from "../../../../test/fakes/workcell.ts";
import type { FinishContext } from "../context.ts";
import { ExecutionError } from "../errors.ts";
import type { WorkcellOptions } from "../ports.ts";
import type { Json } from "../record/json.ts";
import { fastRetry } from "../rules/fast-retry.ts";

/** An engine with benches, and what was done to them. */
function withBench() {
  const { bench, log, cells } = fakeBench();
  const workcells = { bench };
  const test = memoryEngine({ workcells });
  return { test, workcells, log, cells };
}

const work = (body: (ctx: NoteContext) => Promise<unknown>) =>
  singlePhase(async (ctx) => passed(ctx, { result: ((await body(ctx)) ?? null) as Json }));

const write = (ctx: NoteContext, key: string, snapshot: string | undefined, text: string) =>
  ctx.workcell<FakeWorkcell>("bench", snapshot).effect(key, { input: text, run: async (cell) => cell.write(text) });

describe("a workcell", () => {
  it("is not started before an effect needs it", async () => {
    const { test, log } = withBench();
    const loop = work(async (ctx) => {
      ctx.workcell("bench");
      await ctx.effect("other", { run: () => 0 });
      return [...log];
    });
    expect((await test.engine.start(loop, null)).state.result).toEqual([]);
    expect(log).toEqual([]);
  });

  it("is not started for an effect that is recorded", async () => {
    const { test, workcells, log } = withBench();
    const loop = work(async (ctx) => {
      const text = await write(ctx, "a", undefined, "made");
      await ctx.effect("then", { run: () => 0 });
      return text;
    });
    const { engine } = doomed(test, dieAt("effect-started", "after", 2), { workcells });
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    expect(log).toEqual(["start 1", "write 1"]);
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({ state: { result: "made" } });
    expect(log).toEqual(["start 1", "write 1"]);
  });

  it("is used again while it stands at the snapshot that is asked for", async () => {
    const { test, log } = withBench();
    const loop = work(async (ctx) => {
      const bench = (snapshot?: string) => ctx.workcell<FakeWorkcell>("bench", snapshot);
      const taken = await bench().effect("take", { run: (cell) => cell.snapshot() });
      await bench(taken).effect("look", { run: async (cell) => cell.text });
      await bench(taken).effect("look again", { run: async (cell) => cell.text });
      return null;
    });
    await test.engine.start(loop, null);
    expect(log).toEqual(["start 1", "snapshot 1", "check 1", "check 1", "stop 1"]);
  });

  it("is restored where it stands elsewhere, so that half-done work is never built on", async () => {
    const { test, log } = withBench();
    const loop = work(async (ctx) => {
      await write(ctx, "a", "base ", "one");
      return write(ctx, "b", "base ", "two");
    });
    expect((await test.engine.start(loop, null)).state.result).toBe("base two");
    expect(log).toEqual(["start 1", "write 1", "check 1", "restore 1", "write 1", "stop 1"]);
  });

  it("is stopped when its run has ended, and started from the snapshot when the run goes on", async () => {
    const { test, workcells, log } = withBench();
    const loop = singlePhase(async (ctx, state) => {
      const text = await write(ctx, "a", `base ${state.list.length} `, "x");
      return ctx.end("stagnant", { patch: { list: [...state.list, text] } });
    });
    const { run } = await test.engine.start(loop, null);
    expect(log).toEqual(["start 1", "write 1", "stop 1"]);
    await test.engine.resume(loop, run);
    const { state } = await test.other({ workcells }).engine.resume(loop, run);
    expect(state.list).toEqual(["base 0 x", "base 1 x", "base 2 x"]);
  });

  it("is told which run and attempt it serves, with what, and where its own folder is", async () => {
    const { bench } = fakeBench();
    const seen: WorkcellOptions[] = [];
    const watched = (options: WorkcellOptions) => {
      seen.push(options);
      return bench(options);
    };
    const test = memoryEngine({ workcells: { bench: watched }, project: "/a/project" });
    const loop = work((ctx) => write(ctx, "a", undefined, "x"));
    const { run } = await test.engine.start(loop, null, { config: { sandbox: "none" } });
    expect(seen).toMatchObject([{ run, attempt: "attempt-000", input: null, configuration: { sandbox: "none" } }]);
    expect(seen[0]!.folder).toBe(`/a/project/.loopwright/workcells/${run}/bench-${process.pid}-1`);
  });

  it("gets a configuration of any size whole, in a resumed run, a child and a run that takes over too", async () => {
    const { bench } = fakeBench();
    const seen: Json[] = [];
    const watched = (options: WorkcellOptions) => {
      seen.push(options.configuration);
      return bench(options);
    };
    const test = memoryEngine({ workcells: { bench: watched } });
    const config = { tests: Array.from({ length: 100 }, (_, at) => `tests/test_${at}_of_many.py`) };
    const child = work((ctx) => write(ctx, "a", undefined, "x"));
    const loop = singlePhase(
      async (ctx) => {
        if (ctx.input === null) return ctx.end("superseded", { reason: "handed on", by: "next" });
        await write(ctx, "a", undefined, "x");
        await ctx.spawn("child", child, null);
        return passed(ctx);
      },
      { name: "parent" },
    );
    const workcells = { bench: watched };
    const { engine } = doomed(test, dieAt("effect-started", "after", 2), { workcells });
    await expect(engine.start(loop, null, { config })).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({ outcome: "done" });
    expect(seen.length).toBeGreaterThan(1);
    for (const configuration of seen) expect(configuration).toEqual(config);
  });

  it("finds its folder empty, also after a crash, and leaves none behind when its run has ended", async () => {
    const project = mkdtempSync(join(tmpdir(), "loopwright-cells-"));
    const { bench } = fakeBench();
    const found: string[][] = [];
    const workcells = {
      bench: async (options: WorkcellOptions) => {
        found.push(existsSync(options.folder!) ? readdirSync(options.folder!) : []);
        mkdirSync(options.folder!, { recursive: true });
        writeFileSync(join(options.folder!, "scratch"), "");
        return bench(options);
      },
    };
    const test = memoryEngine({ workcells, project });
    const loop = work(async (ctx) => {
      await write(ctx, "a", undefined, "x");
      return write(ctx, "b", undefined, "y");
    });
    const dying = doomed(test, dieAt("effect-finished", "before"), { workcells, project });
    await expect(dying.engine.start(loop, null)).rejects.toThrow(Crash);
    await test.engine.resume(loop, await runOf(test));
    expect(found).toEqual([[], [], []]);
    expect(readdirSync(join(project, ".loopwright/workcells"))).toEqual([]);
    rmSync(project, { recursive: true });
  });

  it("is never shared by two attempts side by side, nor is its folder", async () => {
    const { bench } = fakeBench();
    const folders: (string | undefined)[] = [];
    const workcells = {
      bench: (options: WorkcellOptions) => {
        folders.push(options.folder);
        return bench(options);
      },
    };
    const test = memoryEngine({ workcells, project: "/a/project" });
    const child = work(async (ctx) => {
      const first = await write(ctx, "a", undefined, "one");
      return [first, await write(ctx, "b", "base ", "two")];
    });
    const parent = work((ctx) =>
      ctx.all({
        a: (side) => side.spawn("try-a", child, null, { attempt: 1 }),
        b: (side) => side.spawn("try-b", child, null, { attempt: 2 }),
      }),
    );
    expect(await test.engine.start(parent, null)).toMatchObject({ outcome: "done" });
    expect(new Set(folders).size).toBe(folders.length);
    const runs = new Set(folders.map((folder) => folder!.split("/").at(-2)));
    expect(runs.size).toBe(2);
  });

  it("can be used by the loop's last word at every ending, also at a ceiling on time, and that is on record", async () => {
    const { test, log } = withBench();
    const loop = {
      ...singlePhase(async (ctx) => {
        await ctx.effect("spend", { run: (effect) => effect.charge({ tokens: 10 }) });
        await ctx.effect("too much", { estimate: { tokens: 10 }, run: () => 0 });
        return passed(ctx);
      }),
      finish: async (_state: unknown, _ending: unknown, ctx: FinishContext<null>) => {
        await ctx
          .workcell<FakeWorkcell>("bench", "best ")
          .effect("restore", { run: async (cell) => cell.write("back") });
      },
    } as ReturnType<typeof singlePhase>;
    const { run, outcome } = await test.engine.start(loop, null, { ceilings: { tokens: 15 } });
    expect(outcome).toBe("ceiling");
    expect(log).toContain("write 1");
    const finished = (await test.chain(run)).filter((event) => event.type === "effect-finished" && event.visit === 0);
    expect(finished).toMatchObject([{ key: "restore", result: "best back" }]);
    // What the visit had recorded is untouched: with a higher ceiling it goes on where it was.
    const more = await test.engine.resume(loop, run, { ceilings: { tokens: 100 } });
    expect(more).toMatchObject({ outcome: "done" });
    const spent = (await test.chain(run)).filter((event) => event.type === "effect-started" && event.key === "spend");
    expect(spent).toHaveLength(1);
  });

  it("is stopped when its engine is closed", async () => {
    const { test, log, cells } = withBench();
    await test.engine.start(
      work((ctx) => write(ctx, "a", "base", "x")),
      null,
    );
    await test.engine.close();
    expect(log.at(-1)).toBe("stop 1");
    expect(cells.every((cell) => cell.isDead)).toBe(true);
  });

  it("is stopped when its engine is closed, even while work that ignores its abort still has it", async () => {
    const { test, cells } = withBench();
    const stop = new AbortController();
    const loop = work((ctx) =>
      ctx.workcell<FakeWorkcell>("bench", "base").effect("endless", {
        run: async () => {
          stop.abort();
          await new Promise(() => {});
        },
      }),
    );
    expect(await test.engine.start(loop, null, { signal: stop.signal })).toMatchObject({ outcome: "interrupted" });
    await test.engine.close();
    expect(cells.map((cell) => cell.isDead)).toEqual([true]);
  });

  it("is not left behind where each effect asks for a fresh one", async () => {
    const { test, cells } = withBench();
    const loop = work(async (ctx) => {
      for (const key of ["a", "b", "c", "d"]) await write(ctx, key, undefined, key);
      return cells.filter((cell) => !cell.isDead).length;
    });
    expect((await test.engine.start(loop, null)).state.result).toBe(1);
  });

  it("of an unknown kind is a fault of the configuration, said by name", async () => {
    const { test } = withBench();
    const loop = work((ctx) => ctx.workcell("blender").effect("a", { run: async () => 0 }));
    await expect(test.engine.start(loop, null)).rejects.toMatchObject({
      code: "WORKCELL_UNKNOWN",
      message: expect.stringContaining("'blender'"),
    });
  });

  it("is not shared by bodies side by side: each has its own snapshot until its effect is over", async () => {
    const { test, cells } = withBench();
    const body = (base: string) => (side: NoteContext) =>
      side.workcell<FakeWorkcell>("bench", base).effect("e", {
        run: async (cell) => {
          cell.write("1");
          await new Promise((resolve) => setTimeout(resolve, 5));
          return cell.write("2");
        },
      });
    const loop = work((ctx) => ctx.all({ a: body("a"), b: body("b"), c: body("c") }));
    expect((await test.engine.start(loop, null)).state.result).toEqual({ a: "a12", b: "b12", c: "c12" });
    await test.engine.close();
    expect(cells.filter((cell) => !cell.isDead)).toEqual([]);
  });

  it("is not taken from one run of an engine by another", async () => {
    const { test, cells } = withBench();
    const loop = singlePhase(async (ctx) => {
      const result = await ctx.workcell<FakeWorkcell>("bench", String(ctx.input)).effect("e", {
        run: async (cell) => {
          cell.write("1");
          await new Promise((resolve) => setTimeout(resolve, 5));
          return cell.write("2");
        },
      });
      return passed(ctx, { result });
    });
    const results = await Promise.all(["x", "y"].map((input) => test.engine.start(loop, input, { slug: input })));
    expect(results.map(({ state }) => state.result)).toEqual(["x12", "y12"]);
    await test.engine.close();
    expect(cells.filter((cell) => !cell.isDead)).toEqual([]);
  });
});

describe("E0 in a workcell", () => {
  /** A loop whose effect is lost so many times before it comes about. */
  const losing = (times: number, seen: () => void = () => {}) => {
    let left = times;
    return work((ctx) =>
      ctx.workcell<FakeWorkcell>("bench", "base ").effect("work", {
        input: "same",
        run: async (cell) => {
          seen();
          if (left-- > 0) {
            cell.write("half");
            throw lost(cell.id);
          }
          return cell.write("whole");
        },
      }),
    );
  };

  it.each([1, 2, 3])("restarts it from the snapshot and makes the same effect again, %i times", async (times) => {
    const { test, log } = withBench();
    const { run, ...result } = await test.engine.start(losing(times), null);
    expect(result).toMatchObject({ outcome: "done", state: { result: "base whole" } });
    expect(log.filter((word) => word.startsWith("start"))).toHaveLength(times + 1);
    expect(log.filter((word) => word.startsWith("stop"))).toHaveLength(times + 1);
    expect((await test.types(run)).filter((type) => type === "workcell-restarted")).toHaveLength(times);
    expect((await test.record(run)).restarts).toBe(times);
    const started = (await test.chain(run)).filter((event) => event.type === "effect-started");
    expect(started.map((event) => event.input)).toEqual(started.map(() => "same"));
  });

  it("ends the run as failed after three restarts in one run", async () => {
    const { test, log } = withBench();
    const { run, ...result } = await test.engine.start(losing(99), null);
    expect(result).toMatchObject({
      outcome: "failed",
      exitCode: 7,
      reason: expect.stringContaining("does not answer"),
    });
    expect(log.filter((word) => word.startsWith("start"))).toHaveLength(4);
    expect((await test.record(run)).restarts).toBe(3);
  });

  it("counts the restarts of all phases and visits of a run together", async () => {
    const { test } = withBench();
    const loop = work(async (ctx) => {
      for (const key of ["a", "b"]) {
        let left = 2;
        await ctx.workcell<FakeWorkcell>("bench", "base").effect(key, {
          run: async (cell) => {
            if (left-- > 0) throw lost(cell.id);
          },
        });
      }
      return null;
    });
    expect(await test.engine.start(loop, null)).toMatchObject({ outcome: "failed" });
  });

  it("is counted anew by a resume of the failed run, which makes the lost effect again", async () => {
    const { test, log } = withBench();
    const loop = losing(5);
    const { run, outcome } = await test.engine.start(loop, null);
    expect(outcome).toBe("failed");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "base whole" } });
    expect(log.filter((word) => word.startsWith("start"))).toHaveLength(6);
  });

  it("fails the run again where the workcell stays lost, and can be resumed as often as one likes", async () => {
    const { test } = withBench();
    const seen = vi.fn();
    const loop = losing(99, seen);
    const { run } = await test.engine.start(loop, null);
    for (let i = 0; i < 3; i++) {
      const before = seen.mock.calls.length;
      expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "failed", advanced: true });
      const tries = seen.mock.calls.length - before;
      expect(tries).toBeGreaterThanOrEqual(1);
      expect(tries).toBeLessThanOrEqual(4);
    }
  });

  it("counts no restart that only a crash of our own made necessary", async () => {
    const { test, workcells } = withBench();
    const loop = losing(1);
    const dying = () => doomed(test, dieAt("effect-finished", "before"), { workcells }).engine;
    await expect(dying().start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    for (let i = 0; i < 3; i++) await expect(dying().resume(loop, run)).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
    expect((await test.record(run)).restarts).toBe(1);
  });

  it("goes on after a crash between the loss and the restart, with nothing made twice that was recorded", async () => {
    const { test, workcells } = withBench();
    const seen = vi.fn();
    const loop = losing(2, seen);
    const { engine } = doomed(test, dieAt("workcell-restarted", "before", 2), { workcells });
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, await runOf(test))).toMatchObject({ state: { result: "base whole" } });
    expect(seen).toHaveBeenCalledTimes(3);
  });

  it("on a health check of a warm workcell restarts it too", async () => {
    const { test, cells } = withBench();
    const loop = work(async (ctx) => {
      await write(ctx, "a", "base ", "one");
      cells[0]!.isDead = true;
      return write(ctx, "b", "base ", "two");
    });
    const { run, state } = await test.engine.start(loop, null);
    expect(state.result).toBe("base two");
    expect((await test.record(run)).restarts).toBe(1);
  });

  it("while it is being started is tried again", async () => {
    const { bench } = fakeBench();
    let isDown = true;
    const test = memoryEngine({
      workcells: {
        bench: async (options) => {
          if (isDown) {
            isDown = false;
            throw lost(0);
          }
          return bench(options);
        },
      },
    });
    const loop = work((ctx) => write(ctx, "a", "base ", "x"));
    expect(await test.engine.start(loop, null)).toMatchObject({ outcome: "done", state: { result: "base x" } });
  });

  it("is never shown to the builder: fast retry does not see it", async () => {
    const { test } = withBench();
    const problems: unknown[] = [];
    let calls = 0;
    const loop = work((ctx) =>
      fastRetry(ctx, {
        propose: async (_scope, problem) => {
          problems.push(problem);
          return "code";
        },
        execute: (scope) =>
          scope.workcell<FakeWorkcell>("bench", "base ").effect("run", {
            run: async (cell) => {
              calls += 1;
              if (calls <= 2) throw lost(cell.id);
              if (calls === 3) throw new ExecutionError("RAISED", "NameError");
              return cell.write("made");
            },
          }),
      }),
    );
    const { state } = await test.engine.start(loop, null);
    expect(state.result).toMatchObject({ result: "base made", retry_count: 1, errors: ["E1 NameError"] });
    expect(problems).toEqual([undefined, { class: "E1", message: "NameError" }]);
  });

  it("is not what an E1 is: the work that raised is not made again beneath", async () => {
    const { test, log } = withBench();
    const body = vi.fn(async () => Promise.reject(new ExecutionError("RAISED", "NameError")));
    const loop = work((ctx) =>
      ctx
        .workcell("bench", "base")
        .effect("a", { run: body })
        .catch((e: Error) => e.message),
    );
    expect((await test.engine.start(loop, null)).state.result).toBe("NameError");
    expect(body).toHaveBeenCalledOnce();
    expect(log).toEqual(["start 1", "stop 1"]);
  });
});
