// The ladder from end to end, with scripted answers and a workspace in memory. Words in quotes are the seed's.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  amendmentOf,
  artifactOf,
  codeRun,
  notesOf,
  phasesOf,
  planFor,
  program,
  reviewOf,
  taskText,
  testsFor,
  warningsOf,
} from "../../../test/fakes/code-runs.ts";
import { fakeProject } from "../../../test/fakes/project-cell.ts";
import { code } from "./index.ts";
import { revertAmendment } from "./task-file.ts";

const round = ["implement", "test", "audit", "review"];
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe("a run whose tests pass", () => {
  it("is done once they do and the floor is reached, through every phase in its order", async () => {
    const { test, start, project, scripted } = codeRun({
      script: { implement: [program("alpha"), program("alpha beta")] },
    });
    const { outcome, exitCode, iterations, score, reason, run } = await start();
    expect({ outcome, exitCode, iterations, score }).toEqual({ outcome: "done", exitCode: 0, iterations: 2, score: 1 });
    expect(reason).toBe("all 2 tests pass after 2 iterations (plan 1)");
    expect(await phasesOf(test, run)).toEqual([
      "summarize",
      "plan",
      ...round,
      "implement",
      "test",
      "prove",
      "finalize",
    ]);
    expect([...project.files.keys()].sort()).toEqual(["calc.py", "test_calc.py"]);
    expect(scripted.sent.map(({ role, id }) => `${role} ${id}`)).toEqual([
      "consultant plan",
      "implementer implement",
      "reviewer audit",
      "reviewer review",
      "implementer implement",
    ]);
  });

  it('goes on "as if tests failed" under the floor: "minimum not reached, continuing"', async () => {
    const { test, start, scripted } = codeRun({ script: { implement: [program("alpha beta")] } });
    const { outcome, iterations, run, state } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 2 });
    expect(await notesOf(test, run, "floor-not-reached")).toEqual([{ iteration: 1, min_iterations: 2 }]);
    expect((await phasesOf(test, run)).slice(2)).toEqual([
      "implement",
      "test",
      "prove",
      "audit",
      "review",
      "implement",
      "test",
      "prove",
      "finalize",
    ]);
    expect(scripted.asked("review")[0]!.text).toContain("All tests pass. The run goes on for at least 2 iterations");
    expect(state.approaches).toEqual([]);
  });

  it("never counts green iterations under the floor as stuck: no hint, no consultant, no amendment", async () => {
    const { test, start, scripted } = codeRun({
      script: { implement: [program("alpha beta")] },
      task: { min_iterations: 8 },
    });
    const { outcome, iterations, run, state } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 8 });
    expect(state).toMatchObject({ history: [], impl_stable_count: 8, amendments: [] });
    expect(await notesOf(test, run, "stuck-detected")).toEqual([]);
    expect(scripted.sent.filter(({ role }) => role === "consultant")).toHaveLength(1);
    expect(scripted.asked("implement").some(({ text }) => text.includes("You are stuck"))).toBe(false);
  });

  it("may be done at once where the floor is 1", async () => {
    const { start } = codeRun({ script: { implement: [program("alpha beta")] }, task: { min_iterations: 1 } });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 1 });
  });
});

describe("a run that is stuck", () => {
  it('"Stuck 3-4": the consultant takes over the review, and the hint is in the next prompt of the implementer', async () => {
    const { test, start, scripted } = codeRun({
      script: { implement: [...times(4, program("alpha")), program("alpha beta")] },
    });
    const { outcome, iterations, run } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 5 });
    expect(scripted.asked("audit").map(({ role }) => role)).toEqual([
      "reviewer",
      "reviewer",
      "consultant",
      "consultant",
    ]);
    expect(scripted.asked("review").map(({ role }) => role)).toEqual([
      "reviewer",
      "reviewer",
      "consultant",
      "consultant",
    ]);
    const profiles = scripted
      .asked("review")
      .map(({ request: { temperature, topP, maxTokens } }) => [temperature, topP, maxTokens]);
    expect(profiles[0]!.slice(0, 2)).toEqual([0.6, 0.95]);
    expect(profiles[2]).toEqual([0.3, 0.9, 8192]);
    const hinted = scripted.asked("implement").map(({ text }) => text.includes("take a completely different one"));
    expect(hinted).toEqual([false, false, false, true, true]);
    expect(scripted.asked("implement")[3]!.text).toContain("the very same 3 times");
    expect(await notesOf(test, run, "stuck-detected")).toMatchObject([
      { effective_stuck: 3, count: 3, since: 1, plan_generation: 1 },
      { effective_stuck: 4, count: 4, since: 1, plan_generation: 1 },
    ]);
  });

  it("tells of a program that swings between two failures, and climbs no ladder for it", async () => {
    const { test, start, scripted } = codeRun({
      script: { implement: [...times(2, [program("alpha"), program("beta")]).flat(), program("alpha beta")] },
    });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "stuck-detected")).toEqual([
      {
        ...{ failing: ["test_alpha"], failing_count: 1 },
        ...{ detector: "oscillation", count: 4, since: 1, plan_generation: 1 },
        reason: "it swings between 2 states",
      },
    ]);
    expect(scripted.asked("audit").some(({ role }) => role === "consultant")).toBe(false);
    expect(scripted.asked("implement").some(({ text }) => text.includes("You are stuck"))).toBe(false);
  });

  it('"Stuck 5": the task is amended, the counters are reset, the plan is made again as generation 2', async () => {
    const folder = mkdtempSync(join(tmpdir(), "code-loop-"));
    const task_file = join(folder, "task.md");
    writeFileSync(task_file, taskText);
    const { test, start, scripted } = codeRun({
      script: {
        implement: [...times(5, program("alpha")), program("alpha beta")],
        amend: [amendmentOf("The second word is beta.")],
      },
      task: { task_file },
    });
    const { outcome, iterations, run, state } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 6 });
    expect((await phasesOf(test, run)).slice(-9)).toEqual([
      ...["implement", "test", "amend", "summarize", "plan"],
      ...["implement", "test", "prove", "finalize"],
    ]);
    const written = readFileSync(task_file, "utf8");
    expect(written).toBe(
      taskText.replace("Words matter.", "Words matter.\n[Auto-DK iteration 5] The second word is beta."),
    );
    expect(state).toMatchObject({ plan_generation: 2, task: written, history: [] });
    expect(scripted.asked("plan")[1]!.text).toContain("[Auto-DK iteration 5] The second word is beta.");
    expect(scripted.asked("implement")[5]!.text).not.toContain("You are stuck");
    expect(await notesOf(test, run, "iteration-began")).toContainEqual({ iteration: 6, plan_generation: 2 });
    const ledger = JSON.parse(await artifactOf(test, run, "amendments.json"));
    expect(ledger).toEqual(state.amendments);
    expect(ledger).toMatchObject([{ iteration: 5, plan_generation: 1, confidence: "high", made_section: false }]);
    expect(revertAmendment(written, ledger[0])).toBe(taskText);
  });

  it('may be amended twice: "Second DK amendment. plan_generation = 3", and the floor stays a global one', async () => {
    const { start, scripted } = codeRun({
      script: {
        plan: [{ json: planFor("alpha", "beta", "gamma") }],
        implement: [...times(5, program("alpha")), ...times(5, program("alpha beta")), program("alpha beta gamma")],
        amend: [amendmentOf("beta"), amendmentOf("gamma")],
      },
      task: { min_iterations: 12 },
    });
    const { outcome, iterations, state } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 12 });
    expect(state.plan_generation).toBe(3);
    expect(state.amendments.map(({ iteration, addition }) => [iteration, addition])).toEqual([
      [5, "beta"],
      [10, "gamma"],
    ]);
    expect(state.task).toContain("[Auto-DK iteration 5] beta\n[Auto-DK iteration 10] gamma\n");
    expect(scripted.asked("amend")[1]!.text).toContain("[Auto-DK iteration 5] beta");
  });

  it("amends on the set of failing tests alone, while the hint goes by the sequence", async () => {
    const more = (count: number) => testsFor("alpha", "beta", ...Array.from({ length: count }, (_, n) => `w${n}`));
    const { start, scripted } = codeRun({
      script: {
        implement: [program("alpha w0 w1 w2 w3 w4 w5 w6")],
        audit: [1, 2, 3, 4, 5, 6].map((n) => ({
          json: { tests_correct: false, issues: [], tests: { filename: "test_calc.py", content: more(n) } },
        })),
      },
    });
    const { outcome } = await start({ ceilings: { iterations: 5 } });
    expect(outcome).toBe("ceiling");
    expect(scripted.asked("audit").map(({ role }) => role)).toEqual([
      "reviewer",
      "reviewer",
      "consultant",
      "consultant",
    ]);
    expect(scripted.asked("implement").some(({ text }) => text.includes("You are stuck"))).toBe(false);
  });

  it("is handed to a person where the consultant has little confidence, and goes on from the task when told to", async () => {
    const folder = mkdtempSync(join(tmpdir(), "code-loop-"));
    const task_file = join(folder, "task.md");
    writeFileSync(task_file, taskText);
    const { test, start, scripted, project } = codeRun({
      script: {
        implement: [...times(5, program("alpha")), program("alpha beta")],
        amend: [amendmentOf("maybe", "low")],
      },
      task: { task_file },
    });
    const { outcome, exitCode, reason, gate, run, state } = await start();
    expect({ outcome, exitCode }).toEqual({ outcome: "escalated", exitCode: 5 });
    expect(reason).toBe("the consultant has little confidence in an amendment: the task does not say it");
    expect(gate).toMatchObject({ name: "escalation", choices: ["resume", "stay"], default: "stay" });
    expect(await notesOf(test, run, "bell")).toEqual([{ times: 3, why: reason }]);
    expect(state.amendments).toEqual([]);
    expect(readFileSync(task_file, "utf8")).toBe(taskText);
    const note = await artifactOf(test, run, "attempt-000/hand-off.md");
    expect(note).toContain("# escalated");
    expect(note).toContain("- test_beta");
    expect(await test.engine.resume(code, run)).toMatchObject({ outcome: "escalated", advanced: false });

    const edited = taskText.replace("Words matter.", `Words matter.\nThe second word is beta. ${"x".repeat(2_500)}`);
    writeFileSync(task_file, edited);
    project.files.set("notes.txt", "a person's own file\n");
    await test.engine.answer(run, "resume");
    const later = test.other({ models: scripted.models, workcells: { project: project.cells } });
    const resumed = await later.engine.resume(code, run);
    expect(resumed).toMatchObject({ outcome: "done", iterations: 6 });
    expect(resumed.state).toMatchObject({ plan_generation: 2, task: edited, original_size: edited.length });
    expect(scripted.asked("plan")[1]!.text).toContain("The second word is beta.");
    expect(project.files.get("notes.txt")).toBe("a person's own file\n");
  });

  it("puts the tests back that a person has deleted meanwhile, where the re-plan brings no others", async () => {
    const { test, start, scripted, project } = codeRun({
      script: {
        plan: [{ json: planFor("alpha", "beta") }, "no plan"],
        implement: [...times(5, program("alpha")), program("alpha beta")],
        amend: [amendmentOf("", "low")],
      },
    });
    const { run } = await start();
    project.files.delete("test_calc.py");
    await test.engine.answer(run, "resume");
    const later = test.other({ models: scripted.models, workcells: { project: project.cells } });
    expect(await later.engine.resume(code, run)).toMatchObject({ outcome: "done", iterations: 6 });
    expect(project.files.get("test_calc.py")).toBe(testsFor("alpha", "beta"));
  });

  it("is handed to a person when one more amendment would pass the cap", async () => {
    const { start } = codeRun({ script: { amend: [amendmentOf("long ".repeat(200))] } });
    const { outcome, reason, state, iterations } = await start({ ceilings: { iterations: 99 } });
    expect(outcome).toBe("escalated");
    expect(reason).toMatch(/^one more amendment would make the task file longer than amendments may make it/);
    expect(state.amendments).toHaveLength(3);
    expect(iterations).toBe(20);
    expect(state.task.length).toBeLessThanOrEqual(taskText.length + 2_000);
  });
});

describe("an audit", () => {
  const wrong = (content: string) => ({
    json: {
      tests_correct: false,
      issues: [{ test_name: "test_beta", problem: "no such word", fix: "gamma" }],
      tests: { filename: "test_calc.py", content },
    },
  });

  it("that corrects the tests replaces them, skips the review, and the best state begins anew", async () => {
    const { test, start, project, scripted } = codeRun({
      script: {
        audit: [wrong(testsFor("alpha", "gamma", "delta"))],
        implement: [program("alpha"), program("alpha gamma delta")],
      },
    });
    const { outcome, iterations, run, state } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 2 });
    expect((await phasesOf(test, run)).slice(2)).toEqual([
      "implement",
      "test",
      "audit",
      "implement",
      "test",
      "prove",
      "finalize",
    ]);
    expect(project.files.get("test_calc.py")).toBe(testsFor("alpha", "gamma", "delta"));
    expect(state).toMatchObject({ original_test_count: 3, known_tests: ["test_alpha", "test_gamma", "test_delta"] });
    expect(await notesOf(test, run, "tests-replaced")).toEqual([{ iteration: 1, tests: 3, by: "the audit" }]);
    expect(scripted.asked("implement")[1]!.text).toContain('assert has("gamma")');
    expect(scripted.asked("implement")[1]!.text).toContain("1 of 3 tests pass.");
  });

  it("that corrects the tests makes what stands the best state, as the new tests see it", async () => {
    const script = {
      audit: [wrong(testsFor("alpha", "gamma", "delta"))],
      implement: [program("alpha gamma"), program("delta")],
    };
    const { start, project } = codeRun({ script });
    const { outcome, state } = await start({ ceilings: { iterations: 2 } });
    expect(outcome).toBe("ceiling");
    expect(state.best).toMatchObject({ iteration: 1, passed: 2 });
    expect(project.files.get("calc.py")).toBe("alpha gamma\n");
    const other = codeRun({ script });
    expect(await other.start({ ceilings: { tokens: 5 } })).toMatchObject({ outcome: "ceiling" });
    expect(other.project.files.get("calc.py")).toBe("alpha gamma\n");
  });

  it.each([
    ["fewer tests", testsFor("alpha"), /1 tests would run, and 2 did before/],
    [
      "a skip",
      `${testsFor("alpha", "gamma")}\n@pytest.mark.skip\ndef test_beta():\n    assert has("beta")\n`,
      /skipped/,
    ],
    [
      "an expected failure",
      `${testsFor("alpha", "gamma")}\n@pytest.mark.xfail\ndef test_beta():\n    assert has("beta")\n`,
      /expected to fail/,
    ],
    [
      "fewer assertions",
      `${testsFor("alpha")}\ndef test_beta():\n    pass\n`,
      /1 assertions that say something, and there were 2/,
    ],
    ["an assertion about nothing", `${testsFor("alpha")}\ndef test_beta():\n    assert True\n`, /1 assertions/],
    ["no tests at all", "x = 1\n", /0 tests would run/],
  ])(
    'that proposes %s is refused: "proposed test count < original → rejected, keeps original tests"',
    async (_what, content, why) => {
      const { test, start, project } = codeRun({
        script: { audit: [wrong(content)], implement: [program("alpha"), program("alpha beta")] },
      });
      const { outcome, run, state } = await start();
      expect(outcome).toBe("done");
      expect(project.files.get("test_calc.py")).toBe(testsFor("alpha", "beta"));
      expect(state.audit_issues).toEqual([
        "test_beta: no such word: it must read: gamma",
        expect.stringMatching(/^the proposed tests were refused/),
      ]);
      expect(await warningsOf(test, run)).toEqual(["TESTS_REFUSED"]);
      expect(await notesOf(test, run, "warning")).toMatchObject([{ message: expect.stringMatching(why) }]);
      expect((await phasesOf(test, run)).slice(2, 6)).toEqual(round);
    },
  );

  it("keeps the name of the test file, whatever the audit calls it", async () => {
    const corrected = {
      tests_correct: false,
      issues: [],
      tests: { filename: "test_other.py", content: testsFor("alpha", "gamma") },
    };
    const { start, project } = codeRun({
      script: { audit: [{ json: corrected }], implement: [program("alpha gamma")] },
    });
    expect(await start()).toMatchObject({ outcome: "done" });
    expect([...project.files.keys()].sort()).toEqual(["calc.py", "test_calc.py"]);
  });

  it("that finds the tests wrong but gives none goes on to the review, which is told", async () => {
    const { json } = wrong("");
    const { start, scripted } = codeRun({
      script: { audit: [{ json }], implement: [program("alpha"), program("alpha beta")] },
    });
    expect(await start()).toMatchObject({ outcome: "done" });
    expect(scripted.asked("review")[0]!.text).toContain("test_beta: no such word: it must read: gamma");
  });
});

describe("the review", () => {
  it("hands its diagnosis and its code to the implementer, and its plan replaces the old one", async () => {
    const review = {
      diagnosis: "beta is not said. Really.",
      plan: [{ path: "more.py", description: "say beta", corrected_code: "beta" }],
    };
    const { start, scripted, state } = await reviewed({ json: review });
    expect(start).toMatchObject({ outcome: "done" });
    expect(state.plan).toEqual([{ file: "more.py", action: "say beta", functions: [] }]);
    const next = scripted.asked("implement")[1]!.text;
    expect(next).toContain("beta is not said. Really.");
    expect(next).toMatch(/A reviewer proposes this code[\s\S]*more\.py[\s\S]*beta/);
    expect(next).toContain('"file": "more.py"');
  });

  it('normalizes the plan "with fallback_file from current plan"', async () => {
    const { state } = await reviewed({ json: { diagnosis: "d", plan: ["say beta too"] } });
    expect(state.plan).toEqual([{ file: "calc.py", action: "say beta too", functions: [] }]);
  });

  async function reviewed(answer: { json: unknown }) {
    const { start, scripted } = codeRun({
      script: { review: [answer], implement: [program("alpha"), program("alpha beta")] },
    });
    const result = await start();
    return { start: result, scripted, state: result.state };
  }
});

describe("given tests", () => {
  it("are not planned, not audited and never replaced", async () => {
    const project = fakeProject();
    project.given.push(testsFor("alpha", "beta"));
    const { test, start, scripted } = codeRun({
      project,
      script: { plan: [{ json: planFor("other") }], implement: [program("alpha"), program("alpha beta")] },
      task: { tests: [{ path: "/elsewhere/test_given.py", content: testsFor("alpha", "beta") }] },
    });
    const { outcome, run, state } = await start();
    expect(outcome).toBe("done");
    expect(scripted.asked("audit")).toEqual([]);
    expect(project.files.has("test_calc.py")).toBe(false);
    expect(state.test_file).toBeUndefined();
    expect((await phasesOf(test, run)).slice(2)).toEqual([
      "implement",
      "test",
      "review",
      "implement",
      "test",
      "prove",
      "finalize",
    ]);
    expect(JSON.stringify(scripted.asked("plan")[0]!.request.schema)).not.toContain("filename");
    expect(scripted.asked("implement")[0]!.text).toContain("test_given.py");
    for (const { text } of scripted.sent) expect(text).not.toContain("/elsewhere");
  });

  it("are re-planned without touching them when the task is amended", async () => {
    const project = fakeProject();
    project.given.push(testsFor("alpha", "beta"));
    const { start, scripted } = codeRun({
      project,
      script: { implement: [...times(5, program("alpha")), program("alpha beta")] },
      task: { tests: [{ path: "test_given.py", content: testsFor("alpha", "beta") }] },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 6 });
    expect(scripted.asked("plan")).toHaveLength(2);
    expect(project.files.has("test_calc.py")).toBe(false);
  });
});

describe("held-out tests", () => {
  const hidden = 'def test_secret_name():\n    assert has("omega")\n';

  it("decide: visible green and held-out red is a fail that says only that hidden checks fail", async () => {
    const { test, start, scripted } = codeRun({
      project: fakeProject({}, hidden),
      script: { implement: [...times(3, program("alpha beta")), program("alpha beta omega")] },
      task: { held_out: true },
    });
    const { outcome, iterations, run, state } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 4 });
    const verdicts = (await test.chain(run)).flatMap((event) =>
      event.type === "verdict-recorded" ? [event.verdict] : [],
    );
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(["fail", "fail", "fail", "pass"]);
    expect(verdicts[0]!.reason).toBe("2 of 2 tests pass, but hidden checks fail");
    expect(scripted.asked("implement")[1]!.text).toContain("Hidden checks fail");
    expect(scripted.asked("review").map(({ role }) => role)).toEqual(["reviewer", "reviewer", "consultant"]);
    const everything = JSON.stringify([scripted.sent, state, await test.chain(run)]);
    expect(everything).not.toContain("secret_name");
  });

  it("count as stuck up to the amendment", async () => {
    const { start, scripted } = codeRun({
      project: fakeProject({}, hidden),
      script: { implement: [program("alpha beta")], amend: [amendmentOf("", "high")] },
      task: { held_out: true },
    });
    const { outcome, iterations } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "escalated", iterations: 5 });
    expect(scripted.asked("amend")[0]!.text).toContain("Hidden checks fail, although the tests below pass.");
  });

  it("that cannot be run never pass", async () => {
    const { start } = codeRun({
      project: fakeProject({}, ""),
      script: { implement: [program("alpha beta")] },
      task: { held_out: true },
    });
    expect(await start({ ceilings: { iterations: 3 } })).toMatchObject({ outcome: "ceiling", iterations: 3 });
  });

  it("are not run while other tests fail", async () => {
    const project = fakeProject({}, hidden);
    const { start } = codeRun({ project, task: { held_out: true } });
    await start({ ceilings: { iterations: 2 } });
    expect(project.log).not.toContain("run hidden");
  });
});

describe("the best state", () => {
  const words = planFor("alpha", "beta", "gamma");

  it("is in the workspace at the ceiling of iterations, although the last one was worse", async () => {
    const { test, start, project } = codeRun({
      script: { plan: [{ json: words }], implement: [program("alpha beta"), program("alpha"), program("gamma")] },
    });
    const { outcome, run, state } = await start({ ceilings: { iterations: 3 } });
    expect(outcome).toBe("ceiling");
    expect(project.files.get("calc.py")).toBe("alpha beta\n");
    expect(await notesOf(test, run, "best-restored")).toMatchObject([{ iteration: 1 }]);
    expect(state.best).toMatchObject({ iteration: 1, passed: 2 });
    expect(await artifactOf(test, run, "attempt-000/hand-off.md")).toContain(
      "`loopwright apply <run>` brings it into your files.",
    );
    const resumed = await test.engine.resume(code, run, { ceilings: { iterations: 4 } });
    expect(resumed).toMatchObject({ outcome: "ceiling", iterations: 4 });
  });

  it("asks no model for anything more at the ceiling of iterations", async () => {
    const { start, scripted } = codeRun();
    await start({ ceilings: { iterations: 2 } });
    expect(scripted.sent.map(({ id }) => id)).toEqual(["plan", "implement", "audit", "review", "implement"]);
  });

  it("is in the workspace when a person is asked", async () => {
    const { start, project } = codeRun({
      script: {
        plan: [{ json: words }],
        implement: [program("alpha beta"), ...times(5, program("alpha"))],
        amend: [amendmentOf("", "low")],
      },
    });
    expect(await start()).toMatchObject({ outcome: "escalated", iterations: 6 });
    expect(project.files.get("calc.py")).toBe("alpha beta\n");
  });

  it("is in the workspace when a ceiling on tokens ends the run in the middle of a phase", async () => {
    const { test, start, project } = codeRun({
      script: { plan: [{ json: words }], implement: [program("alpha beta"), program("alpha")] },
    });
    const { outcome, run } = await start({ ceilings: { tokens: 7 } });
    expect(outcome).toBe("ceiling");
    expect(project.files.get("calc.py")).toBe("alpha beta\n");
    expect(await artifactOf(test, run, "attempt-000/hand-off.md")).toContain(
      "`loopwright apply <run>` brings it into your files.",
    );
  });

  it("is the later of two that are alike, so that work goes on from what is newest", async () => {
    const { start, project } = codeRun({ script: { implement: [program("alpha 1"), program("alpha 2")] } });
    await start({ ceilings: { iterations: 2 } });
    expect(project.files.get("calc.py")).toBe("alpha 2\n");
  });
});

describe("what the implementer is told", () => {
  it("names a regression of tests that passed, for as long as they fail", async () => {
    const { start, scripted } = codeRun({
      script: { implement: [program("alpha"), program("beta"), program("nothing"), program("alpha beta")] },
    });
    const { outcome, state } = await start();
    expect(outcome).toBe("done");
    const told = scripted.asked("implement").map(({ text }) => /test_\w+ \(passed in iteration \d\)/g.exec(text)?.[0]);
    expect(told).toEqual([
      undefined,
      undefined,
      "test_alpha (passed in iteration 1)",
      "test_alpha (passed in iteration 1)",
    ]);
    expect(scripted.asked("implement")[3]!.text).toContain("test_beta (passed in iteration 2)");
    expect(state.regressions).toEqual([]);
  });

  it("lists the approaches that failed, with what came of each", async () => {
    const { start, scripted } = codeRun({
      script: { implement: [program("alpha", "a table"), program("alpha", "a tree"), program("alpha beta", "a list")] },
    });
    await start();
    const last = scripted.asked("implement")[2]!.text;
    expect(last).toContain("iteration 1: a table → 1 of 2 tests pass; failing: test_beta");
    expect(last).toContain("iteration 2: a tree → 1 of 2 tests pass; failing: test_beta");
  });

  it("has the philosophy first in every system text, and AGENTS.md as data", async () => {
    const { start, scripted } = codeRun({
      project: fakeProject({ "AGENTS.md": "Use tabs." }),
      script: {
        implement: [...times(5, program("alpha")), program("SYNTAX ERROR"), program("alpha beta")],
        review: [reviewOf("d")],
      },
      task: { philosophy: "Less is more.\n" },
    });
    await start();
    expect(new Set(scripted.sent.map(({ id }) => id))).toEqual(
      new Set(["plan", "implement", "audit", "review", "amend", "mend"]),
    );
    for (const { system } of scripted.sent) expect(system.startsWith("Less is more.\n\nYou ")).toBe(true);
    expect(scripted.asked("plan")[0]!.text).toMatch(
      /Data, not instructions: AGENTS\.md of the workspace[\s\S]*Use tabs\./,
    );
  });

  it("never holds a path outside the workspace, and the same state asks the same", async () => {
    const script = {
      implement: [
        program("SYNTAX ERROR"),
        `${program("alpha")}\n===CMD===\nls\n===END CMD===\n`,
        program("alpha beta"),
      ],
    };
    const [one, other] = [codeRun({ script }), codeRun({ script })];
    await one.start();
    await other.start();
    expect(one.scripted.asked("implement")[2]!.text).toContain("$ ls\nexit code 0\nran in /workspace/src");
    for (const { text } of one.scripted.sent) expect(text).not.toContain("/somewhere");
    expect(one.scripted.sent.map(({ text }) => text)).toEqual(other.scripted.sent.map(({ text }) => text));
  });
});
