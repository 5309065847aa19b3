// What a run comes to where no program can pass, where nothing was tried, and where an answer needs room.

import { describe, expect, it } from "vitest";
import { codeRun, planFor, program, testsFor } from "../../../test/fakes/code-runs.ts";
import { fakeProject } from "../../../test/fakes/project-cell.ts";

const given = { tests: [{ path: "test_calc.py", content: testsFor("alpha", "beta") }] };

describe("a reviewer", () => {
  it.each([
    ["tests_contradict", "tests contradict the task or one another (test_beta)"],
    ["environment", "tests need what is not there (test_beta)"],
  ])("who says %s brings it before a person at once, with the tests named", async (obstacle, words) => {
    const review = { diagnosis: "beta cannot be said", plan: [], obstacle, obstacle_tests: ["test_beta"] };
    const project = fakeProject({});
    project.given.push(given.tests[0]!.content);
    const { start, scripted } = codeRun({ project, task: given, script: { review: [{ json: review }] } });
    const ended = await start();
    expect(ended).toMatchObject({ outcome: "escalated", iterations: 1 });
    expect(ended.reason).toContain(`the reviewer says that ${words}: beta cannot be said`);
    expect(scripted.asked("review")[0]!.text).toContain("`obstacle_tests`");
  });

  it("cannot give up on tests that the run has written itself: they are audited", async () => {
    const review = { json: { diagnosis: "no", plan: [], obstacle: "environment", obstacle_tests: [] } };
    const { start, scripted } = codeRun({
      script: { review: [review], implement: [program("alpha"), program("alpha beta")] },
    });
    expect(await start()).toMatchObject({ outcome: "done" });
    expect(scripted.asked("review")[0]!.text).not.toContain("obstacle");
  });
});

it("an approach whose files were refused is none that failed", async () => {
  const refused = "APPROACH: into the tests\n===FILE: test_calc.py===\nx\n===END FILE===\n";
  const answers = [refused, program("alpha", "say alpha"), program("alpha beta")];
  const { start, scripted } = codeRun({ script: { implement: answers } });
  expect(await start()).toMatchObject({ outcome: "done", iterations: 3 });
  expect(scripted.asked("implement")[2]!.text).toContain("iteration 2: say alpha");
  expect(scripted.asked("implement")[2]!.text).not.toContain("into the tests");
});

it("approaches that failed by a test which was then corrected are forgotten", async () => {
  const audit = {
    json: { tests_correct: false, issues: ["gamma is no word"], tests: planFor("alpha", "beta", "delta").tests },
  };
  const script = {
    plan: [{ json: planFor("alpha", "gamma", "beta") }],
    implement: [program("alpha beta", "both words"), program("alpha", "one word"), program("alpha beta delta")],
    audit: [audit, { json: { tests_correct: true, issues: [] } }],
  };
  const { start, scripted } = codeRun({ script });
  expect(await start()).toMatchObject({ outcome: "done" });
  expect(scripted.asked("implement")[1]!.text).not.toContain("both words");
});

it("there is room to give back whole what has to be given whole, and edits are asked for where that is too much", async () => {
  const long = `${"# words and words\n".repeat(1_200)}alpha`;
  const longer = `${"# words and words\n".repeat(1_500)}alpha`;
  const { start, scripted } = codeRun({ script: { implement: [program("alpha"), program(long), program(longer)] } });
  await start({ ceilings: { iterations: 4 } });
  const [first, , third] = scripted.asked("implement");
  expect(first!.request.maxTokens).toBe(4096);
  expect(third!.request.maxTokens).toBeGreaterThan(long.length / 3);
  expect(scripted.asked("implement-change")[0]!.text).toContain("These are too long to be shown whole");
});
