import { memoryEngine, runOf } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { singlePhase } from "../../../../test/fakes/loops.ts";
import { defineLoop } from "../define.ts";
import { fail, pass } from "../outcomes.ts";
import type { Finding, Verdict } from "../record/events.ts";
import { readVerdict } from "./critics.ts";

const good = { verdict: "pass", score: 1, findings: [], reason: "all is well" };
const soft: Finding = { code: "DULL", severity: "soft", priority: 3, message: "a bit dull", fix: "polish it" };

const malformed: [string, unknown][] = [
  ["nothing", undefined],
  ["null", null],
  ["an empty text", ""],
  ["the word pass", "pass"],
  ["true", true],
  ["a list", [good]],
  ["an empty object", {}],
  ["a promise of one", Promise.resolve(good)],
  ["no verdict", { ...good, verdict: undefined }],
  ["a verdict in capitals", { ...good, verdict: "PASS" }],
  ["a verdict with a blank", { ...good, verdict: "pass " }],
  ["a verdict as a list", { ...good, verdict: ["pass"] }],
  ["a verdict in other words", { ...good, verdict: "approved" }],
  ["a verdict that is true", { ...good, verdict: true }],
  ["no score", { ...good, score: undefined }],
  ["a score as text", { ...good, score: "1" }],
  ["a score that is NaN", { ...good, score: Number.NaN }],
  ["a score over 1", { ...good, score: 1.01 }],
  ["a score of 95", { ...good, score: 95 }],
  ["a score under 0", { ...good, score: -0.1 }],
  ["an infinite score", { ...good, score: Number.POSITIVE_INFINITY }],
  ["no reason", { ...good, reason: undefined }],
  ["an empty reason", { ...good, reason: "" }],
  ["a blank reason", { ...good, reason: " \n\t" }],
  ["a reason that is no text", { ...good, reason: 7 }],
  ["no findings", { ...good, findings: undefined }],
  ["findings that are no list", { ...good, findings: {} }],
  ["a finding that is null", { ...good, findings: [null] }],
  ["a finding that is text", { ...good, findings: ["DULL"] }],
  ["a finding without a code", { ...good, findings: [{ ...soft, code: undefined }] }],
  ["a finding with an empty code", { ...good, findings: [{ ...soft, code: "" }] }],
  ["a finding of unknown severity", { ...good, findings: [{ ...soft, severity: "medium" }] }],
  ["a finding of priority 0", { ...good, findings: [{ ...soft, priority: 0 }] }],
  ["a finding of priority 5", { ...good, findings: [{ ...soft, priority: 5 }] }],
  ["a finding of priority '1'", { ...good, findings: [{ ...soft, priority: "1" }] }],
  ["a finding without a message", { ...good, findings: [{ ...soft, message: undefined }] }],
  ["a finding whose fix is no text", { ...good, findings: [{ ...soft, fix: 1 }] }],
  ["one good and one bad finding", { ...good, findings: [soft, {}] }],
  ["a pass in spite of a hard finding", { ...good, findings: [{ ...soft, severity: "hard" }] }],
];

describe("L9: a critic's answer", () => {
  it.each(malformed)("never passes where it is %s", (_what, answer) => {
    const verdict = readVerdict(answer);
    expect(verdict).toMatchObject({ verdict: "fail", score: 0 });
    expect(verdict.reason).toMatch(/\S/);
    expect(verdict.findings).toEqual([
      { code: "VERDICT_MALFORMED", severity: "hard", priority: 1, message: expect.stringMatching(/\S/) },
    ]);
  });

  it.each(malformed)("ends no run as done where it is %s", async (_what, answer) => {
    const test = memoryEngine();
    const loop = singlePhase((ctx) => {
      ctx.verdict(answer);
      return ctx.end("done");
    });
    await expect(test.engine.start(loop, null)).rejects.toMatchObject({ code: "DONE_UNPROVEN" });
    expect(await test.types(await runOf(test))).not.toContain("run-ended");
  });

  it.each([
    ["a pass", pass(1, "good")],
    ["a pass with soft findings", pass(0.8, "good enough", [soft])],
    ["a fail", fail(0, "bad")],
    ["a fail with hard findings", fail(0.9, "nearly", [{ ...soft, severity: "hard" }])],
    ["an escalation", { verdict: "escalate", score: 0.5, findings: [], reason: "look at it" }],
  ])("is taken as it is where it is %s", (_what, verdict) => {
    expect(readVerdict(verdict)).toEqual(verdict);
  });

  it("cannot be changed afterwards", () => {
    const answer = { ...good, findings: [{ ...soft }] };
    const verdict = readVerdict(answer) as Verdict & { score: number };
    answer.score = 0;
    expect(verdict.score).toBe(1);
    expect(() => Object.assign(verdict, { verdict: "fail" })).toThrow(TypeError);
  });
});

describe("L6: a phase that says done", () => {
  const saying = (...answers: unknown[]) =>
    singlePhase((ctx) => {
      for (const answer of answers) ctx.verdict(answer);
      return ctx.end("done", { reason: "the worker says so" });
    });

  it.each([
    ["no verdict at all", []],
    ["a fail", [fail(0.9, "no")]],
    ["an escalation", [{ verdict: "escalate", score: 1, findings: [], reason: "look" }]],
    ["a pass and then a fail", [pass(1, "yes"), fail(0.9, "no")]],
    ["a fail and then a pass", [fail(0.9, "no"), pass(1, "yes")]],
  ])("is refused on %s, and the run can go on", async (_what, answers) => {
    const test = memoryEngine();
    const loop = saying(...answers);
    await expect(test.engine.start(loop, null)).rejects.toMatchObject({ code: "DONE_UNPROVEN" });
    const run = await runOf(test);
    expect(await test.types(run)).toEqual(["run-started", "visit-failed"]);
    expect(await test.engine.resume(saying(pass(1, "now it is")), run)).toMatchObject({ outcome: "done" });
  });

  it("is believed where all verdicts of the visit are passes", async () => {
    const { engine } = memoryEngine();
    expect(await engine.start(saying(pass(0.8, "yes"), pass(1, "yes")), null)).toMatchObject({
      outcome: "done",
      score: 0.8,
      reason: "the worker says so",
    });
  });

  it("is believed where a person accepts the result after the worst of verdicts", async () => {
    const test = memoryEngine({ answers: () => ({ choice: "yes", by: "flag" }) });
    const loop = singlePhase(async (ctx) => {
      ctx.verdict(pass(1, "yes"));
      ctx.verdict(fail(0.2, "no"));
      await ctx.ask({
        name: "accept",
        question: "Take it?",
        choices: ["yes", "no"],
        default: "no",
        accepting: ["yes"],
      });
      return ctx.end("done");
    });
    expect(await test.engine.start(loop, null)).toMatchObject({ outcome: "done", score: 0.2 });
  });

  it("has the worst verdict on record, whatever their order", async () => {
    const [no, yes, perhaps] = [fail(0.4, "no"), pass(1, "yes"), pass(0.9, "perhaps")];
    for (const order of [
      [no, yes, perhaps],
      [yes, no, perhaps],
      [perhaps, yes, no],
    ]) {
      const test = memoryEngine();
      const loop = singlePhase((ctx) => {
        for (const verdict of order) ctx.verdict(verdict);
        return ctx.end("stagnant");
      });
      const { run, score, reason } = await test.engine.start(loop, null);
      expect({ score, reason }).toEqual({ score: 0.4, reason: "no" });
      expect((await test.record(run)).verdict).toEqual(no);
    }
  });

  it("is judged by the last verdict of the whole run, whatever phase gave it", async () => {
    const judging = (verdicts: Verdict[]) =>
      defineLoop({
        name: "judging",
        version: 1,
        input: z.null(),
        state: z.object({ turn: z.number() }),
        initial: () => ({ turn: 0 }),
        start: "judge",
        iteration: "judge",
        phases: {
          judge: {
            to: ["judge", "close"],
            run: (state, ctx) => {
              ctx.verdict(verdicts[state.turn]);
              const patch = { turn: state.turn + 1 };
              return patch.turn < verdicts.length ? ctx.to("judge", patch) : ctx.to("close", patch);
            },
          },
          close: { to: [], run: (_state, ctx) => ctx.end("done") },
        },
      });
    const { engine } = memoryEngine();
    expect(await engine.start(judging([fail(0, "no"), pass(1, "yes")]), null)).toMatchObject({ outcome: "done" });
    await expect(engine.start(judging([pass(1, "yes"), fail(0, "no")]), null)).rejects.toMatchObject({
      code: "DONE_UNPROVEN",
    });
  });

  it("takes the verdict's reason where it gives none of its own", async () => {
    const { engine } = memoryEngine();
    const loop = singlePhase((ctx) => {
      ctx.verdict(pass(0.9, "every test passes"));
      return ctx.end("done");
    });
    expect(await engine.start(loop, null)).toMatchObject({ reason: "every test passes", score: 0.9 });
  });
});

describe("a verdict in the record", () => {
  it("gives one score for each iteration it was given in", async () => {
    const test = memoryEngine();
    const loop = singlePhase((ctx) => {
      ctx.verdict(fail(0.25, "no"));
      return ctx.end("stagnant");
    });
    const { run } = await test.engine.start(loop, null);
    await test.engine.resume(loop, run);
    expect((await test.record(run)).scores).toEqual([
      { iteration: 1, score: 0.25 },
      { iteration: 2, score: 0.25 },
    ]);
  });
});
