import { Crash, dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type NoteContext, passed, singlePhase } from "../../../test/fakes/loops.ts";
import { defineLoop, type End } from "./define.ts";
import type { GateSpec } from "./gates.ts";
import { fail, pass } from "./outcomes.ts";
import type { Json } from "./record/json.ts";

const gate: GateSpec<"yes" | "no"> = {
  name: "accept",
  question: "is it good?",
  choices: ["yes", "no"],
  default: "no",
};

/** A loop that asks once and ends as done with what was answered. */
const asking = (more: Partial<GateSpec<"yes" | "no">> = {}) =>
  singlePhase(async (ctx) => passed(ctx, { result: { ...(await ctx.ask({ ...gate, ...more })) } }));

describe("a gate", () => {
  it("finds what was saved for it on record and in the folder while the run waits", async () => {
    const shown: string[] = [];
    const view = {
      saved: async (_folder: string, { path }: { path: string }) => void shown.push(path),
      show: async () => {},
    };
    const test = memoryEngine({ view });
    const loop = singlePhase(async (ctx) => {
      await ctx.save("look.txt", "at this");
      const { choice } = await ctx.ask(gate);
      return passed(ctx, { result: choice });
    });
    const { run } = await test.engine.start(loop, null);
    expect(await test.types(run)).toEqual(["run-started", "artifact-saved", "gate-opened"]);
    expect(shown).toEqual(["attempt-000/iterations/iter-001/look.txt"]);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
  });

  it("comes after what was judged in the same phase, which is on record once and for all", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      ctx.verdict(fail(0.4, "not yet"));
      ctx.verdict(pass(0.9, "well"));
      const first = await ctx.ask({ ...gate, name: "first" });
      const { choice } = await ctx.ask({ ...gate, accepting: ["yes"] });
      return ctx.end("done", { patch: { result: [first.choice, choice] } });
    });
    const { run, score } = await test.engine.start(loop, null);
    expect(await test.types(run)).toEqual(["run-started", "verdict-recorded", "verdict-recorded", "gate-opened"]);
    expect(score, "the worst holds").toBe(0.4);
    await test.engine.answer(run, "no");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "waiting", score: 0.4 });
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", reason: "not yet" });
    expect((await test.record(run)).scores.map((each) => each.score)).toEqual([0.9, 0.4]);
  });

  it("lets the run wait, with its question in the result, until it is answered and resumed", async () => {
    const test = memoryEngine();
    const { run, ...waiting } = await test.engine.start(asking(), null);
    expect(waiting).toMatchObject({
      outcome: "waiting",
      exitCode: 6,
      reason: "is it good?",
      advanced: true,
      gate: { name: "accept", question: "is it good?", choices: ["yes", "no"], default: "no", run },
    });
    expect(await test.types(run)).toEqual(["run-started", "gate-opened"]);
    test.clock.set(test.clock.now() + 9 * 86_400_000);
    expect(await test.engine.answer(run, "yes", "well made")).toMatchObject({ run, counted: true });
    const result = await test.engine.resume(asking(), run);
    expect(result).toMatchObject({ outcome: "done", state: { result: { choice: "yes", note: "well made" } } });
    expect((await test.chain(run)).find((event) => event.type === "gate-answered")).toMatchObject({
      key: "accept",
      id: waiting.gate!.id,
      answer: { choice: "yes", note: "well made", by: "person", at: test.clock.now() },
    });
  });

  it("is not asked again by a resume without an answer: nothing is written", async () => {
    const test = memoryEngine();
    const { run, gate: first } = await test.engine.start(asking(), null);
    const before = await test.chain(run);
    const again = await test.engine.resume(asking(), run);
    expect(again).toMatchObject({ outcome: "waiting", advanced: false, gate: { id: first!.id } });
    expect(await test.chain(run)).toEqual(before);
  });

  it("can be answered and gone on with by another process", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    const elsewhere = { ...test.ports.process, host: "elsewhere", boot: "other" };
    await test.other({ process: elsewhere }).engine.answer(run, "no");
    expect(await test.other().engine.resume(asking(), run)).toMatchObject({ state: { result: { choice: "no" } } });
  });

  it("L4: takes the first of two answers; the second does not count", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    expect((await test.engine.answer(run, "no")).counted).toBe(true);
    expect((await test.other().engine.answer(run, "yes")).counted).toBe(false);
    expect(await test.engine.resume(asking(), run)).toMatchObject({ state: { result: { choice: "no" } } });
    expect((await test.types(run)).filter((type) => type === "gate-answered")).toHaveLength(1);
  });

  it("refuses a choice that it does not offer, and says which it does", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    await expect(test.engine.answer(run, "maybe")).rejects.toMatchObject({
      code: "CHOICE_UNKNOWN",
      message: "the gate 'accept' does not offer 'maybe'; it offers 'yes', 'no'",
    });
    expect(await test.engine.resume(asking(), run)).toMatchObject({ advanced: false });
  });

  it.each([
    ["default", { ...gate, default: "maybe" }],
    ["accepting choice", { ...gate, accepting: ["maybe"] }],
  ])("refuses to be opened with a %s that it does not offer", async (_what, spec) => {
    const { engine } = memoryEngine();
    const loop = singlePhase(async (ctx) => passed(ctx, { result: { ...(await ctx.ask(spec as GateSpec)) } }));
    await expect(engine.start(loop, null)).rejects.toMatchObject({ code: "CHOICE_UNKNOWN" });
  });

  it("cannot be answered where there is none: before, after, in a run that ended for good, in no run", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    await test.engine.answer(run, "yes");
    await test.engine.resume(asking(), run);
    await expect(test.engine.answer(run, "yes")).rejects.toMatchObject({ code: "NO_OPEN_GATE" });
    const { run: plain } = await test.engine.start(
      singlePhase((ctx) => passed(ctx)),
      null,
    );
    await expect(test.engine.answer(plain, "yes")).rejects.toMatchObject({ code: "NO_OPEN_GATE" });
    await expect(test.engine.answer("no such run", "yes")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });

  it("cannot be answered once its run was cancelled", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    await test.engine.cancel(run);
    expect(await test.engine.resume(asking(), run)).toMatchObject({ outcome: "cancelled" });
    await expect(test.engine.answer(run, "yes")).rejects.toMatchObject({ code: "NO_OPEN_GATE" });
  });

  it("keeps its answer in the chain: after a crash the phase gets it again without asking", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const { choice } = await ctx.ask(gate);
      await ctx.effect("then", { run: () => 0 });
      return passed(ctx, { result: choice });
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    const { engine } = doomed(test, dieAt("effect-started", "before"));
    await expect(engine.resume(loop, run)).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "yes" } });
    expect((await test.types(run)).filter((type) => type === "gate-opened")).toHaveLength(1);
  });

  it("keeps an answer that was left while the process was dead before it could take it up", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    await test.engine.answer(run, "yes");
    const { engine } = doomed(test, dieAt("gate-answered", "before"));
    await expect(engine.resume(asking(), run)).rejects.toThrow(Crash);
    expect(await test.engine.resume(asking(), run)).toMatchObject({ state: { result: { choice: "yes" } } });
  });

  it("goes on after an interrupt that came between its answer and its phase", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    await test.engine.answer(run, "yes");
    const stopped = await test.engine.resume(asking(), run, { signal: AbortSignal.abort() });
    expect(stopped.outcome).toBe("interrupted");
    expect(await test.engine.resume(asking(), run)).toMatchObject({
      outcome: "done",
      state: { result: { choice: "yes" } },
    });
  });

  it("can be answered after a ceiling stopped the run beside it, once that is raised", async () => {
    const test = memoryEngine();
    const loop = singlePhase(
      async (ctx) => {
        const { a } = await ctx.all({
          a: (side) => side.ask(gate),
          b: (side) => side.effect("dear", { estimate: { tokens: 100 }, run: () => 0 }),
        });
        return passed(ctx, { result: a.choice });
      },
      { ceilings: { tokens: 50 } },
    );
    const { run } = await test.engine.start(loop, null);
    expect(await test.types(run)).toContain("gate-opened");
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run, { ceilings: { tokens: 200 } })).toMatchObject({
      outcome: "done",
      state: { result: "yes" },
    });
  });

  it("asks one question after another in one visit, each once", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const first = await ctx.ask({ ...gate, name: "first" });
      const second = await ctx.ask({ ...gate, name: "second" });
      return passed(ctx, { result: [first.choice, second.choice] });
    });
    const { run, gate: one } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    const two = await test.engine.resume(loop, run);
    expect([one!.name, two.gate!.name, two.outcome]).toEqual(["first", "second", "waiting"]);
    await test.engine.answer(run, "no");
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: ["yes", "no"] } });
  });

  it("can stand open beside another one; both are answered, one after the other", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const { a, b } = await ctx.all({ a: (side) => side.ask(gate), b: (side) => side.ask(gate) });
      return passed(ctx, { result: [a.choice, b.choice] });
    });
    const { run } = await test.engine.start(loop, null);
    const asked = [];
    for (const choice of ["yes", "no"]) {
      asked.push((await test.engine.answer(run, choice)).gate.id);
      await test.engine.resume(loop, run);
    }
    expect(new Set(asked).size).toBe(2);
    expect(await test.record(run)).toMatchObject({ ended: { outcome: "done" }, state: { result: ["yes", "no"] } });
  });

  it("has another id in another visit, so that an old answer never counts there", async () => {
    const test = memoryEngine();
    const loop = defineLoop({
      name: "twice",
      version: 1,
      input: z.null(),
      state: z.object({ answers: z.array(z.string()) }),
      initial: () => ({ answers: [] }),
      start: "ask",
      iteration: "ask",
      phases: {
        ask: {
          to: ["ask"],
          run: async (state, ctx) => {
            const { choice } = await ctx.ask(gate);
            const answers = [...state.answers, choice];
            return answers.length === 2 ? ctx.end("superseded", { patch: { answers } }) : ctx.to("ask", { answers });
          },
        },
      },
    });
    const { run, gate: first } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    const second = await test.engine.resume(loop, run);
    expect(second).toMatchObject({ outcome: "waiting", advanced: true, state: { answers: ["yes"] } });
    expect(second.gate!.id).not.toBe(first!.id);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "waiting", advanced: false });
  });

  it("L7: gives the phase the time of the answer", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.ask(gate);
      return passed(ctx, { result: ctx.clock.now() });
    });
    const { run } = await test.engine.start(loop, null);
    test.clock.advance(5000);
    await test.engine.answer(run, "yes");
    const answered = test.clock.now();
    test.clock.advance(5000);
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: answered } });
  });

  it.each(["constructor", "__proto__", "toString"])("may be called '%s'", async (name) => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking({ name }), null);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(asking({ name }), run)).toMatchObject({ state: { result: { choice: "yes" } } });
  });
});

describe("a gate about something", () => {
  it("refuses an answer to what has changed since, and asks again under a new id", async () => {
    const test = memoryEngine();
    let draft = "one";
    const loop = asking({ about: () => ({ draft }) });
    const { run, gate: old } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    draft = "two";
    const again = await test.engine.resume(loop, run);
    expect(again).toMatchObject({ outcome: "waiting", advanced: true });
    expect(again.gate!.id).not.toBe(old!.id);
    expect((await test.chain(run)).find((event) => event.type === "answer-refused")).toMatchObject({
      id: old!.id,
      choice: "yes",
      reason: expect.stringMatching(/./),
    });
    expect(await test.types(run)).not.toContain("gate-answered");

    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "waiting", advanced: false });
    expect((await test.engine.answer(run, "no")).counted).toBe(true);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: { choice: "no" } } });
  });

  it("never counts an old answer, not even when what it was about comes back", async () => {
    const test = memoryEngine();
    let draft = "one";
    const loop = asking({ about: () => draft });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    draft = "two";
    await test.engine.resume(loop, run);
    await test.engine.answer(run, "no");
    draft = "one";
    const third = await test.engine.resume(loop, run);
    expect(third).toMatchObject({ outcome: "waiting", advanced: true });
    expect((await test.types(run)).filter((type) => type === "answer-refused")).toHaveLength(2);
    expect(await test.types(run)).not.toContain("gate-answered");
  });

  it("has a new id each time it is asked again, whatever its name", async () => {
    const test = memoryEngine();
    let draft = 0;
    const loop = asking({ name: "issue #7", about: () => draft });
    const { run, gate: first } = await test.engine.start(loop, null);
    const ids = [first!.id];
    for (draft = 1; draft <= 3; draft++) {
      expect((await test.engine.answer(run, "yes")).counted).toBe(true);
      ids.push((await test.engine.resume(loop, run)).gate!.id);
    }
    expect(new Set(ids).size).toBe(4);
    draft = 3;
    await test.engine.answer(run, "no");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: { choice: "no" } } });
  });

  it("keeps an answer that is in the chain, whatever changes afterwards", async () => {
    const test = memoryEngine();
    let draft = "one";
    const about = vi.fn(() => draft);
    const loop = singlePhase(async (ctx) => {
      const { choice } = await ctx.ask({ ...gate, about });
      await ctx.effect("change", {
        run: () => {
          draft = "two";
        },
      });
      await ctx.effect("then", { run: () => 0 });
      return passed(ctx, { result: choice });
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    const { engine } = doomed(test, dieAt("effect-started", "before", 2));
    await expect(engine.resume(loop, run)).rejects.toThrow(Crash);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "yes" } });
    expect(await test.types(run)).not.toContain("answer-refused");
  });

  it("takes the answer where nothing has changed, whatever the order of keys", async () => {
    const test = memoryEngine();
    let about: Json = { a: 1, b: 2 };
    const loop = asking({ about: async () => about });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    about = { b: 2, a: 1 };
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
  });
});

describe("the expiry of a gate", () => {
  it("takes the default once the time is over, and never before", async () => {
    const test = memoryEngine();
    const loop = asking({ expiresIn: 60 });
    const { run } = await test.engine.start(loop, null);
    test.clock.set(test.clock.now() + 59_999);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "waiting", advanced: false });
    test.clock.set(test.clock.now() + 1);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: { choice: "no" } } });
    expect((await test.chain(run)).find((event) => event.type === "gate-answered")).toMatchObject({
      answer: { choice: "no", by: "expiry" },
    });
  });

  it("refuses an answer that comes too late, and says what a resume will do", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking({ expiresIn: 60 }), null);
    test.clock.set(test.clock.now() + 60_000);
    await expect(test.engine.answer(run, "yes")).rejects.toMatchObject({
      code: "GATE_EXPIRED",
      message: expect.stringContaining("'no'"),
    });
  });

  it("counts an answer that came in time, however late the resume", async () => {
    const test = memoryEngine();
    const loop = asking({ expiresIn: 60 });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    test.clock.set(test.clock.now() + 600_000);
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: { choice: "yes" } } });
  });

  it("never comes where none was configured", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    test.clock.set(test.clock.now() + 100 * 365 * 86_400_000);
    expect(await test.engine.resume(asking(), run)).toMatchObject({ outcome: "waiting", advanced: false });
    expect((await test.engine.answer(run, "yes")).counted).toBe(true);
  });
});

describe("a policy that answers gates", () => {
  it.each(["flag", "default"] as const)("answers at once, and is recorded as %s", async (by) => {
    const { engine, chain } = memoryEngine({ answers: () => ({ choice: "yes", by }) });
    const { run, ...result } = await engine.start(asking(), null);
    expect(result).toMatchObject({ outcome: "done", state: { result: { choice: "yes" } } });
    expect((await chain(run)).find((event) => event.type === "gate-answered")).toMatchObject({
      answer: { choice: "yes", by },
    });
  });

  it("may leave a gate to a person, by name", async () => {
    const { engine } = memoryEngine({
      answers: ({ name }) => (name === "other" ? { choice: "yes", by: "flag" } : undefined),
    });
    expect(await engine.start(asking(), null)).toMatchObject({ outcome: "waiting" });
    expect(await engine.start(asking({ name: "other" }), null)).toMatchObject({ outcome: "done" });
  });

  it("can answer a gate that a run has waited at for long", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    const { engine } = test.other({ answers: (asked) => ({ choice: asked.default, by: "default" }) });
    expect(await engine.resume(asking(), run)).toMatchObject({ outcome: "done", state: { result: { choice: "no" } } });
  });

  it("never goes before a person's answer", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(asking(), null);
    await test.engine.answer(run, "yes");
    const { engine } = test.other({ answers: () => ({ choice: "no", by: "default" }) });
    expect(await engine.resume(asking(), run)).toMatchObject({ state: { result: { choice: "yes" } } });
  });

  it("cannot give a choice that the gate does not offer", async () => {
    const { engine } = memoryEngine({ answers: () => ({ choice: "maybe", by: "flag" }) });
    await expect(engine.start(asking(), null)).rejects.toMatchObject({ code: "CHOICE_UNKNOWN" });
  });
});

describe("a phase that is suspended", () => {
  it("may catch what it is unwound with: what it returns does not count", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      const answered = await ctx.ask(gate).catch(() => ({ choice: "swallowed" }));
      return passed(ctx, { result: answered.choice });
    });
    const { run, ...result } = await test.engine.start(loop, null);
    expect(result).toMatchObject({ outcome: "waiting", state: {} });
    expect(await test.types(run)).toEqual(["run-started", "gate-opened"]);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "yes" } });
  });

  it("may throw something else: that does not count either", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      await ctx.ask(gate).catch(() => {
        throw new Error("wrapped");
      });
      return passed(ctx);
    });
    const { run, outcome } = await test.engine.start(loop, null);
    expect(outcome).toBe("waiting");
    expect(await test.types(run)).toEqual(["run-started", "gate-opened"]);
  });

  const child = singlePhase((ctx) => passed(ctx));
  const calls: Record<string, (ctx: NoteContext) => Promise<unknown>> = {
    effect: (ctx) => ctx.effect("late", { run: () => "ran" }),
    all: (ctx) => ctx.all({ a: async () => "ran" }),
    model: (ctx) => ctx.model("builder").call("late", { prompt: "" }),
    ask: (ctx) => ctx.ask({ ...gate, name: "late" }),
    spawn: (ctx) => ctx.spawn("late", child, null),
    workcell: (ctx) => ctx.workcell("bench").effect("late", { run: async () => "ran" }),
    save: (ctx) => ctx.save("late.txt", "ran"),
    load: (ctx) => ctx.load({ path: "x", digest: "x", size: 1 }),
  };
  it.each(Object.keys(calls))("finds that ctx.%s rejects, and does nothing", async (name) => {
    const model = { estimate: () => ({ tokens: 0, usd: 0 }), call: vi.fn() };
    const start = vi.fn();
    const test = memoryEngine({ models: () => model, workcells: { bench: start } });
    let late: unknown = "never called";
    const loop = singlePhase(async (ctx) => {
      await ctx.ask(gate).catch(() => {});
      late = await calls[name]!(ctx).catch((error: Error) => error.name);
      return passed(ctx);
    });
    const { run } = await test.engine.start(loop, null);
    expect(late).toBe("Halt");
    expect(await test.types(run)).toEqual(["run-started", "gate-opened"]);
    expect(await test.journal.runs()).toEqual([run]);
    expect([model.call.mock.calls, start.mock.calls]).toEqual([[], []]);
  });

  it("keeps what was judged and told before it, once, and nothing of what a stray catch goes on to", async () => {
    const test = memoryEngine();
    const loop = singlePhase(async (ctx) => {
      ctx.verdict(pass(1, "before"));
      await ctx.tell("before", 1);
      await ctx.ask(gate).catch(() => {});
      ctx.verdict(pass(1, "after"));
      await ctx.tell("after", 1);
      return ctx.end("done");
    });
    const { run } = await test.engine.start(loop, null);
    expect(await test.types(run)).toEqual(["run-started", "loop-noted", "verdict-recorded", "gate-opened"]);
    await test.engine.answer(run, "no");
    await test.engine.resume(loop, run);
    const chain = await test.chain(run);
    const verdicts = chain.flatMap((event) => (event.type === "verdict-recorded" ? event.verdict.reason : []));
    expect(verdicts).toEqual(["before", "after"]);
    expect(chain.filter((event) => event.type === "loop-noted").map(({ name }) => name)).toEqual(["before", "after"]);
  });

  it("lets effects beside the question come to their end, so that they are not made twice", async () => {
    const test = memoryEngine();
    const body = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return "made";
    });
    const loop = singlePhase(async (ctx) => {
      const { a, b } = await ctx.all({ a: (side) => side.effect("e", { run: body }), b: (side) => side.ask(gate) });
      return passed(ctx, { result: [a, b.choice] });
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ state: { result: ["made", "yes"] } });
    expect(body).toHaveBeenCalledOnce();
  });
});

describe("L6: an answer and the end of a run", () => {
  const deciding = (accepting: ("yes" | "no")[], before: (ctx: NoteContext) => void = () => {}) =>
    singlePhase(async (ctx) => {
      before(ctx);
      const { choice } = await ctx.ask({ ...gate, accepting });
      return ctx.end("done", { patch: { result: choice } });
    });

  it("an accepting answer lets it end as done without a verdict", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(deciding(["yes"]), null);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(deciding(["yes"]), run)).toMatchObject({ outcome: "done" });
  });

  it.each([
    ["an answer that does not accept", ["yes"], "no"],
    ["an answer to a gate that accepts nothing", [], "yes"],
  ] as const)("%s does not", async (_what, accepting, choice) => {
    const test = memoryEngine();
    const loop = deciding([...accepting]);
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, choice);
    await expect(test.engine.resume(loop, run)).rejects.toMatchObject({ code: "DONE_UNPROVEN" });
    expect(await test.types(run)).not.toContain("run-ended");
  });

  it("an accepting answer counts against a verdict that failed before it, in the same visit", async () => {
    const test = memoryEngine();
    const loop = deciding(["yes"], (ctx) => void ctx.verdict(fail(0.4, "the judge says no")));
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: "yes" } });
  });

  it("a verdict that fails after an accepting answer takes it back", async () => {
    const test = memoryEngine({ answers: () => ({ choice: "yes", by: "flag" }) });
    const loop = singlePhase(async (ctx) => {
      await ctx.ask({ ...gate, accepting: ["yes"] });
      ctx.verdict(fail(0.2, "broken after all"));
      return ctx.end("done");
    });
    await expect(test.engine.start(loop, null)).rejects.toMatchObject({ code: "DONE_UNPROVEN" });
  });

  it.each([
    ["yes", "done"],
    ["no", "refused"],
  ])("the answer '%s' after a failing verdict still holds in the next phase: %s", async (choice, expected) => {
    const test = memoryEngine({ answers: () => ({ choice, by: "flag" }) });
    const loop = defineLoop({
      name: "accepting",
      version: 1,
      input: z.null(),
      state: z.object({}),
      initial: () => ({}),
      start: "judge",
      iteration: "judge",
      phases: {
        judge: {
          to: ["close"],
          run: async (_state, ctx) => {
            ctx.verdict(fail(0.4, "needs revision"));
            await ctx.ask({ ...gate, accepting: ["yes"] });
            return ctx.to("close");
          },
        },
        close: { to: [], run: (_state, ctx) => ctx.end("done") },
      },
    });
    const outcome = await test.engine.start(loop, null).then(
      (result) => result.outcome,
      (error: { code: string }) => (error.code === "DONE_UNPROVEN" ? "refused" : error.code),
    );
    expect(outcome).toBe(expected);
  });
});

describe("an ending that opens a gate", () => {
  const choices = { again: "work", close: "close", stay: null } as const;
  const escalating = (more: object = {}, onEnd: () => void = () => {}) =>
    defineLoop({
      name: "escalating",
      version: 1,
      input: z.null(),
      state: z.object({ visits: z.array(z.string()) }),
      initial: () => ({ visits: [] }),
      start: "work",
      iteration: "work",
      finish: onEnd,
      phases: {
        work: {
          to: ["work", "close"],
          run: (state, ctx) => {
            const visits = [...state.visits, "work"];
            const opened = { name: "look", question: "what now?", choices, default: "stay", ...more };
            const end: End<"work" | "close"> = ctx.end("escalated", {
              reason: "stuck",
              patch: { visits },
              gate: opened,
            });
            return end;
          },
        },
        close: {
          to: [],
          run: (state, ctx) => {
            const { choice, note } = ctx.answer ?? {};
            const said = choice && note ? [`${choice}: ${note}`] : [];
            return ctx.end("declined", { patch: { visits: [...state.visits, "close", ...said] } });
          },
        },
      },
    });

  it("ends the run as escalated and opens its gate in the same commit", async () => {
    const test = memoryEngine();
    const commits: string[][] = [];
    const { append } = test.journal;
    test.journal.append = (lease, commit) => {
      commits.push(commit.rows.map(({ body }) => JSON.parse(body).type));
      return append.call(test.journal, lease, commit);
    };
    const { run, ...result } = await test.engine.start(escalating(), null);
    expect(result).toMatchObject({
      outcome: "escalated",
      reason: "stuck",
      exitCode: 5,
      gate: { name: "look", choices: ["again", "close", "stay"], default: "stay", run },
    });
    expect(commits).toContainEqual(["phase-finished", "gate-opened"]);
  });

  it.each([
    ["again", { outcome: "escalated", state: { visits: ["work", "work"] }, iterations: 2 }],
    ["close", { outcome: "declined", state: { visits: ["work", "close"] }, iterations: 1 }],
  ])("enters the phase that the choice '%s' names", async (choice, expected) => {
    const test = memoryEngine();
    const { run, gate: first } = await test.engine.start(escalating(), null);
    await test.engine.answer(run, choice);
    const result = await test.engine.resume(escalating(), run);
    expect(result).toMatchObject({ ...expected, advanced: true });
    if (result.gate) expect(result.gate.id).not.toBe(first!.id);
  });

  it("tells that phase what was said, also when it is run again after a kill", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(escalating(), null);
    await test.engine.answer(run, "close", "not worth it");
    const { engine } = doomed(test, dieAt("phase-finished", "before"));
    await expect(engine.resume(escalating(), run)).rejects.toThrow(Crash);
    expect(await test.engine.resume(escalating(), run)).toMatchObject({
      outcome: "declined",
      state: { visits: ["work", "close", "close: not worth it"] },
    });
  });

  it("stays as it is on a choice that leads nowhere, and without an answer", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(escalating(), null);
    const before = await test.chain(run);
    expect(await test.engine.resume(escalating(), run)).toMatchObject({ outcome: "escalated", advanced: false });
    expect(await test.chain(run)).toEqual(before);
    await test.engine.answer(run, "stay");
    expect(await test.engine.resume(escalating(), run)).toMatchObject({
      outcome: "escalated",
      advanced: false,
      state: { visits: ["work"] },
    });
  });

  it("keeps an answer that leads nowhere in the chain, and can be answered otherwise later", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(escalating(), null);
    await test.engine.answer(run, "stay", "not today");
    expect(await test.engine.resume(escalating(), run)).toMatchObject({ outcome: "escalated" });
    expect((await test.chain(run)).find((event) => event.type === "gate-answered")).toMatchObject({
      answer: { choice: "stay", note: "not today", by: "person" },
    });
    expect((await test.engine.answer(run, "close")).counted).toBe(true);
    expect(await test.engine.resume(escalating(), run)).toMatchObject({ outcome: "declined" });
  });

  it("refuses a policy's choice that the gate does not offer", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(escalating(), null);
    const { engine } = test.other({ answers: () => ({ choice: "maybe", by: "flag" }) });
    await expect(engine.resume(escalating(), run)).rejects.toMatchObject({ code: "CHOICE_UNKNOWN" });
  });

  it("stays escalated under a policy that takes the default, and can be answered afterwards", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(escalating(), null);
    const { engine } = test.other({ answers: (asked) => ({ choice: asked.default, by: "default" }) });
    expect(await engine.resume(escalating(), run)).toMatchObject({ outcome: "escalated", advanced: false });
    expect((await test.engine.answer(run, "close")).counted).toBe(true);
    expect(await test.engine.resume(escalating(), run)).toMatchObject({ outcome: "declined" });
  });

  it("takes its default at expiry", async () => {
    const test = memoryEngine();
    const loop = escalating({ default: "close", expiresIn: 60 });
    const { run } = await test.engine.start(loop, null);
    expect(await test.engine.resume(loop, run)).toMatchObject({ advanced: false });
    test.clock.set(test.clock.now() + 60_000);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "declined", advanced: true });
  });

  it("comes to its end after a crash before it was written, without an answer", async () => {
    const test = memoryEngine();
    const finish = vi.fn();
    const loop = escalating({}, finish);
    const { engine } = doomed(test, dieAt("run-ended", "before"));
    await expect(engine.start(loop, null)).rejects.toThrow(Crash);
    const run = await runOf(test);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "escalated", gate: { name: "look" } });
    expect(finish).toHaveBeenCalledTimes(2);
    await test.engine.answer(run, "close");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "declined" });
  });

  it("can be answered where a gate of the same name was answered in the same visit, or is refused", async () => {
    const test = memoryEngine();
    const loop = defineLoop({
      name: "same-name",
      version: 1,
      input: z.null(),
      state: z.object({}),
      initial: () => ({}),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: ["close"],
          run: async (_state, ctx) => {
            await ctx.ask({ ...gate, name: "look" });
            const end: End<"close"> = ctx.end("escalated", {
              gate: { name: "look", question: "and now?", choices: { close: "close" }, default: "close" },
            });
            return end;
          },
        },
        close: { to: [], run: (_state, ctx) => ctx.end("declined") },
      },
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "yes");
    const outcome = await test.engine.resume(loop, run).then(
      async () => {
        await test.engine.answer(run, "close");
        return (await test.engine.resume(loop, run)).outcome;
      },
      (error: { code: string }) => error.code,
    );
    expect(["declined", "KEY_REUSED"]).toContain(outcome);
  });

  it("L6: lets the next phase end as done where the choice accepts", async () => {
    const closing = escalating({ accepting: ["close"] });
    const loop = {
      ...closing,
      phases: { ...closing.phases, close: { to: [], run: (_: never, ctx: never) => (ctx as NoteContext).end("done") } },
    } as unknown as typeof closing;
    const test = memoryEngine();
    const { run } = await test.engine.start(loop, null);
    await test.engine.answer(run, "close");
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done" });
  });
});
