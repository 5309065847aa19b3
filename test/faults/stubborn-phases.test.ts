// Phases that never settle, ignore their signal, swallow errors or return garbage: nothing hangs, and the word is clear.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Context, defineLoop, type Loop, LoopwrightError, openProject } from "loopwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, openTemp, start } from "./harness.ts";
import { phases } from "./programs/stubborn.ts";

type Ctx = Context<object, { count: number }>;

/** A loop whose phase 'work' is given, whatever it does. */
function loopOf(run: (ctx: Ctx) => unknown, ceilings = {}): Loop<object, { count: number }> {
  return defineLoop({
    name: "stubborn",
    version: 1,
    input: z.object({}),
    state: z.object({ count: z.number() }),
    initial: () => ({ count: 0 }),
    start: "work",
    iteration: "work",
    phases: {
      work: { to: ["listed"], run: (_state: unknown, ctx: Ctx) => run(ctx) },
      listed: { to: [], run: (_state: unknown, ctx: Ctx) => ctx.end("declined", { reason: "it got there" }) },
      unlisted: { to: [], run: (_state: unknown, ctx: Ctx) => ctx.end("declined", { reason: "it should not" }) },
    },
    ceilings,
  } as never) as unknown as Loop<object, { count: number }>;
}

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "loopwright-stubborn-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe("a phase that does not stop", () => {
  const endings: Record<string, object> = {
    "catches every error and asks for the same key again": { error: { isOwn: true, code: "KEY_REUSED" } },
    "catches the halt of a gate and asks another": { result: { outcome: "waiting", gate: { name: "gate 0" } } },
  };

  it.concurrent.each(Object.keys(phases))(
    "because it %s is stopped by its ceiling or its halt, and its process ends by itself",
    { timeout: 60_000 },
    async (name) => {
      const program = start("stubborn", [await mkdtemp(join(dir, "project-")), name]);
      const said = JSON.parse(await program.line());
      expect(said).toMatchObject(
        endings[name] ?? { result: { outcome: "ceiling", reason: expect.stringContaining("'phaseMinutes'") } },
      );
      const over = new Promise<"still there">((resolve) => setTimeout(() => resolve("still there"), 3_000).unref());
      const end = await Promise.race([program.ended, over]);
      if (end === "still there") await program.kill();
      expect(end, "the process did not end").toMatchObject({ code: 0, signal: null });
    },
  );

  it("can be resumed once it is fixed and its ceiling is raised", { timeout: 30_000 }, async () => {
    const project = await openTemp();
    let isDeaf = true;
    const loop = loopOf(
      async (ctx) => {
        await ctx.effect("one", { run: () => null });
        await ctx.effect("two", { run: () => (isDeaf ? new Promise(() => {}) : null) });
        return ctx.to("listed");
      },
      { phaseMinutes: 0.002 },
    );
    const stopped = await project.start(loop, {});
    expect(stopped).toMatchObject({ outcome: "ceiling", advanced: true });
    expect(await project.resume(loop, stopped.run)).toMatchObject({ outcome: "ceiling", advanced: false });
    isDeaf = false;
    const ended = await project.resume(loop, stopped.run, { ceilings: { phaseMinutes: 1 } });
    expect(ended).toMatchObject({ outcome: "declined", reason: "it got there" });
    expect(await project.verify(stopped.run)).toMatchObject({ ok: true });
  });

  it.concurrent("records nothing more once its run has stopped", { timeout: 60_000 }, async () => {
    const project = await openProject({ dir: await mkdtemp(join(dir, "project-")) });
    let settle = (_value: string) => {};
    const late = new Promise<string>((resolve) => {
      settle = resolve;
    });
    const told: unknown[] = [];
    const loop = loopOf(
      async (ctx) => {
        try {
          await late;
          await ctx.effect("after", { run: () => "made" });
        } catch (error) {
          told.push(error);
        }
        for (const act of [
          () => ctx.save("late.txt", "text"),
          () => ctx.ask({ name: "late", question: "Late?", choices: ["yes"], default: "yes" }),
          () => ctx.all({ a: async () => 1 }),
        ])
          await act().catch((error: unknown) => told.push(error));
        return ctx.to("listed");
      },
      { phaseMinutes: 0.002 },
    );
    const { run } = await project.start(loop, {});
    const rows = await project.ports.journal.read(run);
    settle("now");
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await project.ports.journal.read(run)).toEqual(rows);
    expect(told.every((error) => error instanceof Error && error.name === "Halt")).toBe(true);
    await project.close();
  });
});

describe("a phase that throws", () => {
  it.each<[string, unknown, string]>([
    ["a text", "just a text", "just a text"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
    ["a number", 42, "42"],
    ["a plain object", { code: "X" }, ""],
    ["an object without a prototype", Object.create(null), ""],
    ["an object that says nothing as JSON", { toJSON: () => undefined }, ""],
    ["an error whose message is no text", Object.assign(new Error("x"), { message: 5 }), "5"],
    ["an error of 100 MB", new Error("m".repeat(100 * 1024 * 1024)), "characters left out"],
  ])("%s rejects with an error, records it, and can be resumed", async (_what, thrown, message) => {
    const project = await openTemp();
    let isBroken = true;
    const loop = loopOf((ctx) => {
      if (isBroken) throw thrown;
      return ctx.to("listed");
    });
    const error = await project.start(loop, {}).then(
      () => "no rejection",
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    const [run] = await project.ports.journal.runs();
    const last = JSON.parse((await project.ports.journal.read(run!)).at(-1)!.body);
    expect(last.type).toBe("visit-failed");
    expect(last.error.message).toContain(message);
    expect(await project.ports.journal.holder(run!, project.ports.process)).toBeUndefined();
    isBroken = false;
    expect(await project.resume(loop, run!)).toMatchObject({ outcome: "declined", reason: "it got there" });
  });

  it.each<[string, unknown]>([
    ["a text", "just a text"],
    ["nothing", undefined],
    ["an object without a prototype", Object.create(null)],
    ["an error whose message is no text", Object.assign(new Error("x"), { message: 5 })],
  ])("%s in an effect gets it back as an error", async (_what, thrown) => {
    const project = await openTemp();
    let caught: unknown;
    const loop = loopOf(async (ctx) => {
      const run = () => {
        throw thrown;
      };
      await ctx.effect("odd", { run }).catch((error: unknown) => {
        caught = error;
      });
      return ctx.to("listed");
    });
    expect(await project.start(loop, {})).toMatchObject({ outcome: "declined" });
    expect(caught).toBeInstanceOf(LoopwrightError);
  });
});

describe("a phase that returns", () => {
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a text", "listed"],
    ["a number", 7],
    ["a function", () => {}],
    ["an object of its own making", { next: "listed" }],
    ["a kind that there is not", { kind: "jump", to: "listed", patch: {} }],
    ["an outcome that there is not", { kind: "end", outcome: "splendid", patch: {} }],
    ["an outcome that is an object's own", { kind: "end", outcome: "constructor", patch: {} }],
    ["an outcome that only the engine gives", { kind: "end", outcome: "cancelled", patch: {} }],
    ["a transition without a patch", { kind: "goto", to: "listed" }],
  ])("%s is told what to return, and can be resumed", async (_what, returned) => {
    const project = await openTemp();
    let isBroken = true;
    const loop = loopOf((ctx) => (isBroken ? returned : ctx.to("listed")));
    const error = await failure(project.start(loop, {}));
    expect(error.message).toContain("'work'");
    expect(error.message).toMatch(/ctx\.to|ctx\.end/);
    const [run] = await project.ports.journal.runs();
    isBroken = false;
    expect(await project.resume(loop, run!)).toMatchObject({ outcome: "declined", reason: "it got there" });
  });

  it.each<[string, (ctx: Ctx) => unknown]>([
    ["goes to", (ctx) => ctx.to("unlisted" as never)],
    ["names for a resume", (ctx) => ctx.end("stagnant", { next: "unlisted" } as never)],
    [
      "lets a gate's choice lead to",
      (ctx) =>
        ctx.end("escalated", {
          gate: { name: "g", question: "Go?", choices: { yes: "unlisted", no: null }, default: "no" },
        } as never),
    ],
  ])("a transition that %s a phase which it does not list is refused by name", async (_what, returned) => {
    const project = await openTemp();
    const error = await failure(project.start(loopOf(returned), {}));
    expect(error).toMatchObject({ code: "PHASE_UNLISTED" });
    expect(error.message).toMatch(/'work'.*'unlisted'/);
    const [run] = await project.ports.journal.runs();
    expect(
      await project.resume(
        loopOf((ctx) => ctx.to("listed")),
        run!,
      ),
    ).toMatchObject({ reason: "it got there" });
  });

  it("a transition to nowhere is refused by name", async () => {
    for (const nowhere of ["nowhere", "constructor", "__proto__", ""]) {
      const project = await openTemp();
      const error = await failure(
        project.start(
          loopOf((ctx) => ctx.to(nowhere as never)),
          {},
        ),
      );
      expect(error).toMatchObject({ code: "PHASE_UNLISTED" });
    }
  });

  it("done without a verdict is refused, and so is one after a failed verdict (L6)", async () => {
    const project = await openTemp();
    expect(
      await failure(
        project.start(
          loopOf((ctx) => ctx.end("done")),
          {},
        ),
      ),
    ).toMatchObject({ code: "DONE_UNPROVEN" });
    const claiming = loopOf((ctx) => {
      ctx.verdict({ verdict: "pass", score: 2, reason: "trust me", findings: [] });
      return ctx.end("done");
    });
    expect(await failure(project.start(claiming, {}))).toMatchObject({ code: "DONE_UNPROVEN" });
  });
});
