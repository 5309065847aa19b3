// Every edge case that the seed writes down, by its own words, where the ladder's tests do not have it already. Fast retry
// comes first: an edge is what happens when its re-tries are spent.

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InfrastructureError, UsageError } from "@loopwright/core";
import type { Scripted } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  amendmentOf,
  artifactOf,
  codeRun,
  notesOf,
  phasesOf,
  planEntry,
  planFor,
  program,
  rightTests,
  testsFor,
  warningsOf,
} from "../../../test/fakes/code-runs.ts";
import { fakeProject } from "../../../test/fakes/project-cell.ts";
import { code } from "./index.ts";

const prose = "I would rather talk about the weather.";
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const green = [program("alpha"), program("alpha beta")];
const stuck = times(5, program("alpha"));

describe("SUMMARIZE", () => {
  it('"workspace empty → returns (empty workspace)"', async () => {
    const { test, start, scripted } = codeRun({ script: { implement: green } });
    const { run } = await start();
    expect(scripted.asked("plan")[0]!.text).toContain("(empty workspace)");
    expect(await artifactOf(test, run, "attempt-000/iterations/iter-000/summary.txt")).toBe("(empty workspace)\n");
  });

  it("tells signatures of what is there, and a broken file is noted, not fatal", async () => {
    const files = { "old.py": "def kept(a: int) -> int:\n    return a\n", "broken.py": "def broken(:\n" };
    const { start, scripted } = codeRun({ project: fakeProject(files), script: { "implement-change": green } });
    expect(await start()).toMatchObject({ outcome: "done" });
    expect(scripted.asked("plan-change")[0]!.text).toContain("def kept(a: int) -> int");
    expect(scripted.asked("plan-change")[0]!.text).toContain("does not parse: line 1");
  });
});

describe("PLAN", () => {
  it("strips thought before it reads: `<think>` CoT → stripped", async () => {
    const answer = `<think>{"plan": []} no, better:</think>\n${JSON.stringify(planFor("alpha", "beta"))}`;
    const { start, scripted } = codeRun({ script: { plan: [answer], implement: green } });
    expect(await start()).toMatchObject({ outcome: "done", state: { plan_generation: 1, original_test_count: 2 } });
    expect(scripted.asked("plan")).toHaveLength(1);
  });

  it.each<[string, Scripted]>([
    ['"JSON parse fails → fatal(), halt with beep"', prose],
    ['"missing `tests` keys → fatal()"', { json: { plan: [planEntry] } }],
    ['"missing `plan` keys → fatal()"', { json: { tests: planFor("alpha").tests } }],
    [
      '"empty test content → fatal()"',
      { json: { ...planFor("alpha"), tests: { filename: "test_a.py", content: " \n" } } },
    ],
    ['"empty plan → fatal()"', { json: { ...planFor("alpha"), plan: [] } }],
    [
      "a plan of nothing but test files",
      { json: { ...planFor("alpha"), plan: [{ file: "test_calc.py", action: "x" }] } },
    ],
    [
      "a test file that no runner finds",
      { json: { ...planFor("alpha"), tests: { filename: "calc.txt", content: "x" } } },
    ],
    [
      "a test file outside the workspace",
      { json: { ...planFor("alpha"), tests: { filename: "../test_a.py", content: "x" } } },
    ],
    [
      "a test file where the workspace keeps none",
      { json: { ...planFor("alpha"), tests: { filename: "node_modules/test_a.py", content: "x" } } },
    ],
    ["an answer that was cut off", { answer: { text: JSON.stringify(planFor("alpha")), finishReason: "length" } }],
  ])("%s: failed after three re-tries, and a resume plans again", async (_edge, answer) => {
    const { test, start, scripted } = codeRun({
      script: { plan: [...times(4, answer), { json: planFor("alpha", "beta") }], implement: green },
    });
    const { outcome, exitCode, reason, run } = await start();
    expect({ outcome, exitCode }).toEqual({ outcome: "failed", exitCode: 7 });
    expect(reason).toMatch(/^there is no usable plan: The /);
    expect(scripted.asked("plan")).toHaveLength(4);
    expect(await notesOf(test, run, "bell")).toEqual([{ times: 1, why: "there is no usable plan" }]);
    expect(await artifactOf(test, run, "attempt-000/hand-off.md")).toContain("None has been run.");
    const resumed = await test.engine.resume(code, run);
    expect(resumed).toMatchObject({ outcome: "done", iterations: 2, state: { plan_generation: 1 } });
  });

  it("is fixed by fast retry where it can be: the second answer counts, and no iteration is spent", async () => {
    const { start, scripted } = codeRun({
      script: { plan: [prose, { json: planFor("alpha", "beta") }], implement: green },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 2 });
    expect(scripted.asked("plan")[1]!.text).toContain("did not have the form that was asked for");
  });

  it('"Writes test file to workspace, records original_test_count" as the runner collects it, once it can', async () => {
    const { start, project } = codeRun({ script: { implement: green } });
    const { state } = await start();
    expect(project.files.get("test_calc.py")).toBe(testsFor("alpha", "beta"));
    expect(state.original_test_count).toBe(2);
  });
});

describe("IMPLEMENT", () => {
  it('"no file blocks in output → logs warning, continues (no files written)"', async () => {
    const { test, start, scripted, project } = codeRun({
      script: { implement: [...times(4, prose), program("alpha beta")] },
    });
    const { outcome, iterations, run } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 2 });
    expect(await warningsOf(test, run)).toEqual(["NO_FILE_BLOCKS"]);
    expect(scripted.asked("implement")).toHaveLength(5);
    expect(scripted.asked("implement")[1]!.text).toContain("The answer holds no block");
    expect(scripted.asked("implement")[4]!.text).toContain("The answer holds no block");
    expect(scripted.asked("mend")).toEqual([]);
    expect(project.files.get("calc.py")).toBe("alpha beta\n");
  });

  it("writes what of a truncated answer is whole once the re-tries are spent, and says the rest back", async () => {
    const truncated = `${program("alpha")}\n===FILE: more.py===\nhalf of it`;
    const { start, scripted, project } = codeRun({
      script: { implement: [...times(4, truncated), program("alpha beta")] },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 2 });
    expect(project.files.has("more.py")).toBe(false);
    expect(scripted.asked("implement")[4]!.text).toMatch(/more\.py[\s\S]*nothing of it was used/);
    expect(scripted.asked("review")[0]!.text).toContain("1 of 2 tests pass.");
  });

  it('"CMD blocked by sandbox → beep, block reason fed back as stderr"', async () => {
    const refused = `${program("alpha")}\n===CMD===\nsudo rm -rf x\n===END CMD===\n`;
    const { test, start, scripted } = codeRun({ script: { implement: [refused, program("alpha beta")] } });
    const { run } = await start();
    expect(await notesOf(test, run, "bell")).toEqual([{ times: 1, why: "a command was refused" }]);
    expect(scripted.asked("implement")[1]!.text).toContain("$ sudo rm -rf x\nstderr: refused: sudo is not allowed");
  });

  it('"CMD times out → returns timeout error"', async () => {
    const slow = `${program("alpha")}\n===CMD===\nsleep 900\n===END CMD===\n`;
    const { start, scripted } = codeRun({ script: { implement: [slow, program("alpha beta")] } });
    await start();
    expect(scripted.asked("implement")[1]!.text).toContain("$ sleep 900\nit was stopped after 60 s");
  });

  it("says back a file block that names a test file or leaves the workspace, and writes the others", async () => {
    const greedy = `${program("alpha")}\n===FILE: test_calc.py===\npass\n===END FILE===\n===FILE: ../out.py===\nx\n===END FILE===\n`;
    const { start, scripted, project } = codeRun({ script: { implement: [greedy, program("alpha beta")] } });
    expect(await start()).toMatchObject({ outcome: "done" });
    const told = scripted.asked("implement")[1]!.text;
    expect(told).toContain("The file test_calc.py was refused: it is a test file");
    expect(project.files.get("test_calc.py")).toBe(testsFor("alpha", "beta"));
    expect([...project.files.keys()].some((path) => path.includes("out.py"))).toBe(false);
  });

  it('"impl_stable_count increments if identical code produced", and begins again with other code', async () => {
    const { start } = codeRun({ script: { implement: [program("a"), program("a"), program("a"), program("b")] } });
    expect((await start({ ceilings: { iterations: 3 } })).state.impl_stable_count).toBe(3);
    const other = codeRun({ script: { implement: [program("a"), program("a"), program("b")] } });
    expect((await other.start({ ceilings: { iterations: 3 } })).state.impl_stable_count).toBe(1);
  });
});

describe("TEST", () => {
  it("that could not be run is fixed inside the iteration, with the conservative profile", async () => {
    const { test, start, scripted, project } = codeRun({
      script: {
        implement: [program("SYNTAX ERROR"), program("alpha beta")],
        mend: [program("SYNTAX ERROR 2"), prose, program("alpha")],
      },
    });
    const { outcome, iterations, run } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 2 });
    const [first, second, third] = scripted.asked("mend");
    expect(first!.role).toBe("implementer");
    expect(first!.request).toMatchObject({ temperature: 0.2, topP: 0.85, maxTokens: 4096 });
    expect(first!.text).toContain("ImportError: SyntaxError in calc.py");
    expect(second!.text).toContain("ImportError: SyntaxError in calc.py");
    expect(third!.text).toContain("Your last answer could not be used");
    expect(third!.text).toContain("ImportError: SyntaxError in calc.py");
    expect((await test.record(run)).retries).toBe(3);
    expect(project.files.get("calc.py")).toBe("alpha beta\n");
    expect(scripted.asked("review")[0]!.text).toContain("1 of 2 tests pass.");
  });

  it("that cannot be fixed is a verdict of zero, and the ladder goes on", async () => {
    const broken = program("SYNTAX ERROR");
    const { test, start, scripted } = codeRun({
      script: { implement: [broken, program("alpha beta")], mend: [broken] },
    });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    expect(scripted.asked("mend")).toHaveLength(3);
    const verdicts = (await test.chain(run)).flatMap((event) =>
      event.type === "verdict-recorded" ? [event.verdict] : [],
    );
    expect(verdicts[0]).toMatchObject({
      verdict: "fail",
      score: 0,
      findings: [{ code: "TESTS_NOT_RUN", severity: "hard" }],
    });
    expect(scripted.asked("implement")[1]!.text).toContain("ImportError: SyntaxError in calc.py");
  });

  it("names no regression where nothing could be run", async () => {
    const broken = program("SYNTAX ERROR");
    const { start, scripted } = codeRun({
      script: { implement: [program("alpha"), broken, program("alpha beta")], mend: [broken] },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 3 });
    expect(scripted.asked("implement")[2]!.text).not.toContain("passed in iteration");
  });

  it("is not fixed again where the last iteration could not fix the same", async () => {
    const broken = program("SYNTAX ERROR");
    const { start, scripted } = codeRun({
      script: { implement: [broken, broken, program("alpha beta")], mend: [broken] },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 3 });
    expect(scripted.asked("mend")).toHaveLength(3);
  });

  it("counts the same failure to run as stuck, up to the amendment", async () => {
    const { start } = codeRun({ script: { implement: times(5, prose), amend: [amendmentOf("", "low")] } });
    expect(await start()).toMatchObject({ outcome: "escalated", iterations: 5 });
  });

  it('"If fail → logs pass/fail ratio", with a finding for each failing test', async () => {
    const { test, start } = codeRun({ script: { implement: green } });
    const { run } = await start();
    const verdicts = (await test.chain(run)).flatMap((event) =>
      event.type === "verdict-recorded" ? [event.verdict] : [],
    );
    expect(verdicts[0]).toMatchObject({
      verdict: "fail",
      score: 0.5,
      reason: "1 of 2 tests pass; failing: test_beta",
      findings: [{ code: "TEST_FAILED", severity: "hard", message: "test_beta: FAILED test_beta" }],
    });
  });

  it("does not pass when a test that ran before is gone or skipped, although all others pass", async () => {
    const project = fakeProject({ "calc.py": "beta more", "test_more.py": testsFor("more") });
    project.beforeTests = () => {
      // The baseline is two runs, and the targets are tried once.
      if (project.log.filter((line) => line === "run tests").length >= 3)
        project.files.set("test_more.py", `@pytest.mark.skip\n${testsFor("more")}`);
    };
    const { test, start, scripted } = codeRun({
      project,
      script: { "implement-change": [program("alpha beta more")] },
    });
    const { outcome, run, state } = await start({ ceilings: { iterations: 3 } });
    expect(outcome).toBe("ceiling");
    expect(state.known_tests).toContain("test_more");
    const verdicts = (await test.chain(run)).flatMap((event) =>
      event.type === "verdict-recorded" ? [event.verdict] : [],
    );
    expect(verdicts[0]).toMatchObject({ verdict: "fail", findings: [{ code: "TEST_MISSING" }] });
    expect(scripted.asked("implement-change")[1]!.text).toContain(
      "Gone or skipped, which counts as failing: test_more.",
    );
  });
});

describe("the amendment (DK PING)", () => {
  it.each<[string, Scripted[], RegExp]>([
    [
      '"unparseable output → halt with triple beep"',
      times(4, prose),
      /^the amendment could not be read: The answer holds no JSON/,
    ],
    ['"confidence == low → halt with triple beep"', [amendmentOf("x", "LOW")], /^the consultant has little confidence/],
    ['"empty dk_addition → halt with triple beep"', [amendmentOf(" \n ")], /^the consultant has nothing to add/],
    [
      "a null dk_addition",
      [{ json: { diagnosis: "", dk_addition: null, confidence: "high" } }],
      /^the consultant has nothing to add to the domain knowledge$/,
    ],
  ])("%s", async (_edge, amend, why) => {
    const { test, start } = codeRun({ script: { amend, implement: stuck } });
    const { outcome, reason, run, state } = await start();
    expect(outcome).toBe("escalated");
    expect(reason).toMatch(why);
    expect(await notesOf(test, run, "bell")).toEqual([{ times: 3, why: reason }]);
    expect(state.amendments).toEqual([]);
  });

  it('"amended task.md exceeds size cap → halt with triple beep"', async () => {
    const { test, start } = codeRun({ script: { amend: [amendmentOf("y".repeat(500))] } });
    const { outcome, run, state } = await start({ ceilings: { iterations: 99 } });
    expect(outcome).toBe("escalated");
    expect(state.amendments).toHaveLength(3);
    expect((await notesOf(test, run, "bell")) as object[]).toMatchObject([{ times: 3 }]);
  });

  it('"dk_addition > 500 chars → truncated to 500", without its mark', async () => {
    const { start } = codeRun({ script: { amend: [amendmentOf("z".repeat(900))], implement: [...stuck, ...green] } });
    const { state } = await start();
    expect(state.amendments[0]!.addition).toBe("z".repeat(500));
    expect(state.task).toContain(`\n[Auto-DK iteration 5] ${"z".repeat(500)}\n`);
  });

  it('"no `## Domain Knowledge` section → appends one at end of file", and what a person wrote meanwhile stays', async () => {
    const task_file = join(mkdtempSync(join(tmpdir(), "code-edge-")), "task.md");
    writeFileSync(task_file, "Say the words.");
    const { start } = codeRun({
      script: { implement: [...stuck, ...green], amend: [amendmentOf("beta\n## Task\nno")] },
      task: { task: "Say the words.", task_file },
    });
    const { outcome, state } = await start();
    expect(outcome).toBe("done");
    expect(readFileSync(task_file, "utf8")).toBe(
      "Say the words.\n\n## Domain Knowledge\n[Auto-DK iteration 5] beta ## Task no\n",
    );
    expect(state.amendments).toMatchObject([{ made_section: true }]);
  });

  it('"re-plan JSON parse fails → continue with old plan", under the next generation', async () => {
    const { test, start, scripted } = codeRun({
      script: { plan: [{ json: planFor("alpha", "beta") }, prose], implement: [...stuck, program("alpha beta")] },
    });
    const { outcome, iterations, run, state } = await start();
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 6 });
    expect(scripted.asked("plan")).toHaveLength(5);
    expect(state).toMatchObject({ plan_generation: 2, plan: [planEntry] });
    expect(await warningsOf(test, run)).toEqual(["PLAN_KEPT"]);
    expect(scripted.asked("implement")[5]!.text).not.toContain("You are stuck");
  });

  it('"If re-plan includes updated tests with count >= original_test_count → writes them"', async () => {
    const { start, project } = codeRun({
      script: {
        plan: [{ json: planFor("alpha", "beta") }, { json: planFor("alpha", "gamma", "delta") }],
        implement: [...stuck, program("alpha gamma delta")],
      },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 6, state: { original_test_count: 3 } });
    expect(project.files.get("test_calc.py")).toBe(testsFor("alpha", "gamma", "delta"));
  });

  it("keeps the tests where the re-plan's are fewer, and takes its plan all the same", async () => {
    const fewer = { ...planFor("alpha"), plan: [{ file: "other.py", action: "create" }] };
    const { test, start, project } = codeRun({
      script: {
        plan: [{ json: planFor("alpha", "beta") }, { json: fewer }],
        implement: [...stuck, program("alpha beta")],
      },
    });
    const { outcome, run, state } = await start();
    expect(outcome).toBe("done");
    expect(project.files.get("test_calc.py")).toBe(testsFor("alpha", "beta"));
    expect(state.plan).toEqual([{ file: "other.py", action: "create", functions: [] }]);
    expect(await warningsOf(test, run)).toEqual(["TESTS_REFUSED"]);
  });

  it('"the new plan can exit on its first successful test": the floor is global', async () => {
    const { start } = codeRun({
      script: { implement: [...stuck, program("alpha beta")] },
      task: { min_iterations: 4 },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 6 });
  });
});

describe("AUDIT (5A)", () => {
  it('"audit output unparseable → defaults to {tests_correct: True, issues: []}", which passes nothing', async () => {
    const { test, start, scripted } = codeRun({ script: { audit: [prose], implement: green } });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    expect(scripted.asked("audit")).toHaveLength(4);
    expect(await warningsOf(test, run)).toEqual(["AUDIT_UNREADABLE"]);
    expect((await phasesOf(test, run)).slice(4, 6)).toEqual(["audit", "review"]);
  });

  it("strips the consultant's thought when it takes over", async () => {
    const audit = `<think>hm</think>{"tests_correct": true, "issues": []}`;
    const { start, scripted } = codeRun({
      script: {
        audit: [rightTests, rightTests, audit],
        implement: [...times(3, program("alpha")), program("alpha beta")],
      },
    });
    expect(await start()).toMatchObject({ outcome: "done", iterations: 4 });
    expect(scripted.asked("audit").at(-1)!.role).toBe("consultant");
  });
});

describe("REVIEW (5B)", () => {
  it('"review output unparseable → logs warning, continue with same plan"', async () => {
    const { test, start, scripted } = codeRun({ script: { review: [prose], implement: green } });
    const { outcome, run, state } = await start();
    expect(outcome).toBe("done");
    expect(scripted.asked("review")).toHaveLength(4);
    expect(await warningsOf(test, run)).toEqual(["REVIEW_UNREADABLE"]);
    expect(state).toMatchObject({ plan: [planEntry], last_diagnosis: "" });
  });

  it('"review plan has no valid entries after normalization → keeps previous plan", and its diagnosis counts', async () => {
    const review = { json: { diagnosis: "say beta", plan: [{ file: "test_calc.py", action: "weaken it" }, 7, null] } };
    const { test, start } = codeRun({ script: { review: [review], implement: green } });
    const { run, state } = await start();
    expect(state).toMatchObject({ plan: [planEntry], last_diagnosis: "say beta", last_review_code: [] });
    expect(await warningsOf(test, run)).toEqual(["PLAN_KEPT"]);
  });
});

describe("a model that cannot be had", () => {
  it('"All 4 attempts fail → fatal()": failed, to be resumed, with a hand-off note', async () => {
    const dead = new InfrastructureError("ENDPOINT_DEAD", "the endpoint stays dead after 4 tries");
    const { test, start } = codeRun({ script: { implement: [dead, program("alpha beta")] } });
    const { outcome, reason, run } = await start();
    expect({ outcome, reason }).toEqual({ outcome: "failed", reason: "the endpoint stays dead after 4 tries" });
    expect(await artifactOf(test, run, "attempt-000/hand-off.md")).toContain("# failed");
    expect(await phasesOf(test, run)).toEqual(["summarize", "plan"]);
  });

  it('"Other exception → fatal() immediately": nothing is tried again', async () => {
    const refused = new UsageError("MODEL_REFUSED", "401: the key is wrong");
    const { start, scripted } = codeRun({ script: { implement: [refused] } });
    await expect(start()).rejects.toThrow("401: the key is wrong");
    expect(scripted.asked("implement")).toHaveLength(1);
  });
});
