import {
  type CeilingName,
  defaultCeilings,
  emptyRecord,
  fail,
  type GateRecord,
  type Outcome,
  outcomes,
  pass,
  type RunRecord,
  slot,
} from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { climb, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { showCeilings, showFigures } from "./figures.ts";
import { higherLimit, nextSteps, whyItStopped } from "./standing.ts";

/** A run of five iterations whose third was the best. */
function record(more: Partial<RunRecord> = {}): RunRecord {
  const scores = [0.4, 0.6, 0.9, 0.8, 0.85].map((score, index) => ({ iteration: index + 1, score }));
  const facts = { loop: "hull", folder: "r1", attempt: "attempt-000", ceilings: { ...defaultCeilings } };
  return { ...emptyRecord("r1"), ...facts, iterations: 5, visits: 15, scores, verdict: fail(0.85, "close"), ...more };
}

function ended(outcome: Outcome, reason = "the reason given", more: Partial<RunRecord> = {}): RunRecord {
  return record({ ended: { outcome, reason }, ...more });
}

function stoppedAt(ceiling: CeilingName, limit: number, used: number, run = "r1"): RunRecord {
  return record({ ended: { outcome: "ceiling", reason: "it is reached", hit: { ceiling, limit, used, run } } });
}

const gate: GateRecord = {
  id: "approve@4#1",
  name: "approve",
  question: "Is it good?",
  choices: ["yes", "give up"],
  default: "give up",
  accepting: ["yes"],
  about: "",
  openedAt: 0,
};

const commands = (of: RunRecord) => nextSteps(of).map(({ command }) => command);

describe("what to type next", () => {
  const fork = "loopwright fork r1 --at 3";

  it.each<[Outcome, string[]]>([
    ["done", ["loopwright show r1", "loopwright verify r1"]],
    ["stagnant", ["loopwright resume r1", fork]],
    ["escalated", ["loopwright resume r1", fork]],
    ["failed", ["loopwright resume r1", fork]],
    ["declined", [fork, "loopwright show r1"]],
    ["cancelled", [fork, "loopwright show r1"]],
    ["superseded", ["loopwright runs", "loopwright show r1"]],
    ["interrupted", ["loopwright resume r1"]],
  ])("after %s is %j", (outcome, expected) => {
    expect(commands(ended(outcome))).toEqual(expected);
  });

  it.each<[CeilingName, number, number, string]>([
    ["iterations", 20, 21, "loopwright resume r1 --max-iterations 30"],
    ["iterations", 1, 2, "loopwright resume r1 --max-iterations 3"],
    ["iterations", 0, 1, "loopwright resume r1 --max-iterations 2"],
    ["minutes", 720, 720, "loopwright resume r1 --max-minutes 1100"],
    ["minutes", 0.5, 0.51, "loopwright resume r1 --max-minutes 0.75"],
    ["tokens", 2_000_000, 2_000_512, "loopwright resume r1 --max-tokens 3000000"],
    ["usd", 5, 5.01, "loopwright resume r1 --max-usd 7.5"],
    ["usd", 0, 0.42, "loopwright resume r1 --max-usd 0.51"],
    ["phaseMinutes", 120, 120, "loopwright resume r1 -c ceilings.phaseMinutes=180"],
  ])("after the ceiling %s of %d with %d used is %s", (ceiling, limit, used, command) => {
    expect(commands(stoppedAt(ceiling, limit, used))).toEqual([command, fork]);
  });

  it("raises a ceiling beyond what the next act needs, whatever the figures", () => {
    for (const ceiling of Object.keys(defaultCeilings) as CeilingName[]) {
      for (const limit of [0, 1e-6, 0.3, 1, 7, 99, 100, 12_345, 1e9]) {
        for (const used of [limit, limit * 1.01 + 1e-9, limit * 40 + 3]) {
          const higher = higherLimit({ ceiling, limit, used });
          expect(higher).toBeGreaterThan(used);
          expect(higher).toBeGreaterThan(limit);
          if (ceiling === "iterations" || ceiling === "tokens") expect(Number.isInteger(higher)).toBe(true);
        }
      }
    }
  });

  it("lists each choice of the gate that a run waits at, then the resume", () => {
    const waiting = record({ gates: { [slot("approve")]: gate } });
    expect(nextSteps(waiting)).toEqual([
      { command: "loopwright answer r1 yes", does: "answers 'yes': accepts the result" },
      { command: "loopwright answer r1 'give up'", does: "answers 'give up': the default" },
      { command: "loopwright resume r1", does: "goes on with the answer" },
    ]);
  });

  it("lists no choice that its loop offers in no list", () => {
    const waiting = record({ gates: { [slot("approve")]: gate } });
    const gates = { approve: { unlisted: ["yes"] } };
    expect(nextSteps(waiting, { gates }).map(({ command }) => command)[0]).toBe("loopwright answer r1 'give up'");
    expect(whyItStopped(waiting, { gates })).toContain("It can be answered with 'give up'.");
  });

  it("is the resume alone once the gate was answered, and nobody is waited for", () => {
    const waiting = record({ gates: { [slot("approve")]: gate } });
    expect(nextSteps(waiting, { answer: "yes" }).map(({ command }) => command)).toEqual(["loopwright resume r1"]);
    expect(whyItStopped(waiting, { answer: "yes" })).toContain("It was answered 'yes', and goes on with that");
  });

  it("says where each choice of an escalated run leads", () => {
    const leading = { ...gate, accepting: [], leadsTo: { yes: "build", "give up": null } };
    const steps = nextSteps(ended("escalated", "hard fail twice", { gates: { [slot("approve")]: leading } }));
    expect(steps.map(({ does }) => does)).toEqual([
      "answers 'yes': leads to 'build'",
      "answers 'give up': leaves the run as it is, the default",
      "goes on with the answer",
    ]);
  });

  it("answers a child's gate through the run that waits for it", () => {
    expect(commands(record({ waitingOn: { child: "r1.4-try", gate } }))[0]).toBe("loopwright answer r1 yes");
  });

  it("quotes a choice so that the shell gives it back and runs nothing", () => {
    const hostile = { ...gate, choices: ["$(rm -rf ~)", "--take"], accepting: [] };
    expect(commands(record({ gates: { [slot("approve")]: hostile } })).slice(0, 2)).toEqual([
      "loopwright answer r1 '$(rm -rf ~)'",
      "loopwright answer r1 -- --take",
    ]);
  });

  it("resumes a run that has not ended and waits at nothing", () => {
    expect(commands(record({ entry: { phase: "build", visit: 4, iteration: 2 } }))).toEqual(["loopwright resume r1"]);
  });

  it("offers no fork where no iteration was begun, and the first where only the start was judged", () => {
    expect(commands(ended("declined", "no", { iterations: 0, scores: [] }))).toEqual(["loopwright show r1"]);
    const start = { iterations: 2, scores: [{ iteration: 0, score: 0.7 }] };
    expect(commands(ended("stagnant", "flat", start))).toContain("loopwright fork r1 --at 1");
  });

  const child = { run: "r1.4-try.2-deep", parent: { run: "r1.4-try", key: "deep" } };

  it("resumes the run above a child run that was interrupted, with that run's ceiling raised where it was hit", () => {
    expect(commands(ended("interrupted", "paused", child))).toEqual(["loopwright resume r1"]);
    const hit = { ceiling: "tokens", limit: 100, used: 101, run: "r1" } as const;
    const above = record({ ...child, ended: { outcome: "interrupted", reason: "ceiling above", hit } });
    expect(commands(above)).toEqual(["loopwright resume r1 --max-tokens 150"]);
  });

  it("looks at the run above where a child run has ended, for its result was given there", () => {
    for (const outcome of ["ceiling", "failed", "stagnant"] as const) {
      expect(commands(ended(outcome, "over", child))[0]).toBe("loopwright explain r1");
    }
  });

  it("takes a fork of a child run for a run of its own", () => {
    const forked = { run: "r1-fork", parent: { run: "r0", key: "deep" } };
    expect(commands(ended("interrupted", "paused", forked))).toEqual(["loopwright resume r1-fork"]);
  });

  it("raises what a real run needs to go on", async () => {
    const { engine, record: load } = memoryEngine();
    const loop = climb({ ceilings: { iterations: 2 } });
    const { run } = await engine.start(loop, { top: 3 });
    const command = commands(await load(run))[0]!;
    expect(command).toBe(`loopwright resume ${run} --max-iterations 4`);
    const after = await engine.resume(loop, run, { ceilings: { iterations: Number(command.split(" ").at(-1)) } });
    expect(after.outcome).toBe("done");
  });
});

describe("why it stopped", () => {
  const stands = "It has had 5 iterations; the last score is 0.850, the best was 0.900 in iteration 3.";

  it.each<[Outcome, string]>([
    ["ceiling", "A ceiling ended it: the reason given."],
    ["stagnant", "It stopped improving: the reason given."],
    ["escalated", "It stopped so that a person can look: the reason given."],
    ["failed", "It failed: the reason given."],
    ["declined", "A person said no to the result: the reason given."],
    ["superseded", "Another run took over: the reason given."],
    ["interrupted", "It was interrupted, and can go on: the reason given."],
    ["cancelled", "It was ended for good by a person: the reason given."],
  ])("for %s is said with the reason and where the run stands", (outcome, first) => {
    expect(whyItStopped(ended(outcome))).toBe(`${first} ${stands}`);
  });

  it("tells a run that passed from one that a person accepted", () => {
    expect(whyItStopped(ended("done", "all good", { verdict: pass(1, "ok") }))).toMatch(/^It is done: all good\. /);
    expect(whyItStopped(ended("done", "she is called Heron"))).toMatch(/^It is done, accepted by a person: she is/);
  });

  it("says once that a person cancelled it", () => {
    expect(whyItStopped(ended("cancelled", "a person cancelled it"))).toBe(
      `It was ended for good by a person. ${stands}`,
    );
  });

  it.each(Object.keys(outcomes) as Outcome[])("for %s without a reason of its own says it once", (outcome) => {
    const text = whyItStopped(ended(outcome, outcomes[outcome].meaning, { verdict: pass(1, "ok") }));
    expect(text).not.toContain(":");
    expect(text.endsWith(stands)).toBe(true);
  });

  it("asks what the gate asks, with its choices and its time", () => {
    const timed = { ...gate, expiresAt: Date.UTC(2026, 0, 6) };
    expect(whyItStopped(record({ gates: { [slot("approve")]: timed } }))).toBe(
      `It waits for a person: Is it good? It can be answered with 'yes', 'give up'. After 2026-01-06 00:00:00 UTC it takes 'give up'. ${stands}`,
    );
    const escalated = ended("escalated", "twice the same", { gates: { [slot("approve")]: gate } });
    expect(whyItStopped(escalated)).toContain("twice the same. The question is: Is it good? It can be answered");
  });

  it("says what cut off a run that has not ended", () => {
    const entry = { phase: "build", visit: 4, iteration: 2 };
    expect(whyItStopped(record({ entry }))).toContain(
      "it is under way in the phase 'build', or its process was killed",
    );
    expect(whyItStopped(record({ entry }), { isHeld: true })).toContain("it is under way in the phase 'build'. It has");
    expect(whyItStopped(record({ entry }), { isHeld: false })).toContain(
      "its process was killed in the phase 'build', or could write no more there (a full disk).",
    );
    const error = { name: "TypeError", code: "THROWN", message: "x is not a function" };
    expect(whyItStopped(record({ entry, error }))).toContain(
      "a fault stopped it in the phase 'build', THROWN: x is not a function.",
    );
    const lost = { name: "Error", code: "ENOENT", message: "ENOENT: no such file or directory, open 'a'" };
    expect(whyItStopped(record({ entry, error: lost }))).toContain(
      "a fault stopped it in the phase 'build', ENOENT: no such file or directory, open 'a'.",
    );
    const ending = { outcome: "stagnant", reason: "flat" } as const;
    expect(whyItStopped(record({ ending }))).toContain("about to end as stagnant when it was cut off: flat.");
  });

  it("does not call a fork that nobody has resumed cut off", () => {
    const entry = { phase: "build", visit: 4, iteration: 2 };
    const forked = record({ forked: { run: "boat", iteration: 2 }, entry, iterations: 2 });
    expect(whyItStopped(forked, { isHeld: false })).toMatch(
      /^It was forked from boat at iteration 2, and has not gone on yet\. It has had 1 iteration;/,
    );
    expect(showFigures(forked).text).toContain("<dt>Iterations</dt><dd>1 ");
    expect(showCeilings(forked, 0).text).toMatch(/Iterations<\/th><td class="n">1</);
    expect(nextSteps(forked, { isHeld: false })[0]!.does).toBe("begins iteration 2 again");
  });

  it("says where the run stands with one score, with none, and when the last is the best", () => {
    expect(whyItStopped(ended("failed", "x", { scores: [], iterations: 1 }))).toContain(
      "It has had 1 iteration and no verdict yet.",
    );
    const scores = [
      { iteration: 0, score: 0.5 },
      { iteration: 1, score: 0.7 },
    ];
    expect(whyItStopped(ended("failed", "x", { scores }))).toContain("the last score, 0.700, is its best.");
    expect(
      whyItStopped(ended("failed", "x", { scores: scores.toReversed().map((s, i) => ({ ...s, iteration: i })) })),
    ).toContain("the best was 0.700 at the start.");
  });

  it("says of a real run what its verdict said", async () => {
    const { engine, record: load } = memoryEngine();
    const { run } = await engine.start(
      singlePhase((ctx) => passed(ctx)),
      null,
    );
    expect(whyItStopped(await load(run))).toBe(
      "It is done: it is good. It has had 1 iteration; the last score, 1.000, is its best.",
    );
  });
});
