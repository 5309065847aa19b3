// A run through the whole ladder, killed before and after every one of its commits: the same end, the same workspace, the
// same task file, and no request whose answer is on record is sent again (L1, L2).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { killAtEveryCommit, memoryEngine, scriptedModels, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { amendmentOf, begin, planFor, program, scriptOf, taskText, testsFor } from "../../../test/fakes/code-runs.ts";
import { fakeProject } from "../../../test/fakes/project-cell.ts";
import { type CodeState, CodeTask, code } from "./index.ts";

/** Fast retry at three phases, corrected tests, a refused block, fixing, hint, consultant, amendment, re-plan, done. */
const script = scriptOf({
  plan: ["no plan yet", { json: planFor("alpha", "beta") }, { json: planFor("alpha", "gamma", "delta") }],
  implement: [
    program("SYNTAX ERROR"),
    "nothing of use",
    `${program("alpha")}\n===FILE: test_calc.py===\nx\n===END FILE===\n===CMD===\nls\n===END CMD===\n`,
    program("alpha"),
    program("alpha"),
    program("alpha"),
    program("alpha"),
    program("alpha gamma delta"),
  ],
  mend: [program("alpha fixed")],
  audit: [
    { json: { tests_correct: false, issues: [], tests: { filename: "", content: testsFor("alpha", "gamma") } } },
    "?",
    { json: { tests_correct: true, issues: [] } },
  ],
  amend: [amendmentOf("The words are gamma and delta.")],
});

function world(folder: string) {
  const task_file = join(folder, "task.md");
  writeFileSync(task_file, taskText);
  const project = fakeProject({ "AGENTS.md": "be kind" });
  const scripted = scriptedModels(script);
  return { task_file, project, scripted, ports: { models: scripted.models, workcells: { project: project.cells } } };
}

/** An end without the time that its proof took, which stands in two files of the bundle too. */
function untimed<End extends { state: CodeState; files: Record<string, string> }>(at: End): End {
  const { proof } = at.state;
  const files = Object.fromEntries(
    Object.entries(at.files).filter(([path]) => !/proof\/proof\.(?:json|md)$/.test(path)),
  );
  return { ...at, files, state: { ...at.state, ...(proof && { proof: { ...proof, suite_ms: 0, spent_ms: 0 } }) } };
}

describe("a run that is killed", () => {
  it("before or after any of its commits ends the same, and sends no recorded request again", {
    timeout: 600_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "code-crash-"));
    const asked = new Set<string>();
    const { points, end } = await killAtEveryCommit({
      loop: code,
      input: ({ task_file }) => CodeTask.parse({ task: taskText, task_file, philosophy: "Be brief." }),
      world: () => world(folder),
      observe: ({ task_file, project, scripted }) => {
        for (const { id } of scripted.sent) asked.add(id);
        const calls = new Set(scripted.sent.map(({ key }) => key)).size;
        return { task: readFileSync(task_file, "utf8"), workspace: project.files, calls };
      },
      comparable: untimed,
      between: ({ scripted }, test) => scripted.sentOnce(test),
    });
    expect(end).toMatchObject({ outcome: "done", state: { plan_generation: 2, original_test_count: 3 } });
    expect(end.seen).toMatchObject({ task: expect.stringContaining("[Auto-DK iteration") });
    expect(asked.size).toBe(6);
    expect(points).toBeGreaterThan(350);
    console.log(`kill points tried: ${points}`);
    rmSync(folder, { recursive: true });
  });
});

/** Looking by lists, by blocks and by calls of tools, past the bound, and between re-tries; tests are run on the way. */
const looking = scriptOf({
  "plan-change": [
    { json: { look: ["READ old.py", "GREP ."], plan: [] } },
    { answer: { text: "", toolCalls: [{ name: "list", input: { folder: "." } }], finishReason: "tool-calls" } },
    { json: { look: ["READ no/such.py"], plan: [] } },
    { json: { target_tests: [], ...planFor("alpha", "beta") } },
  ],
  "implement-change": [
    "===LOOK===\nRUN test_calc.py\nREAD old.py:1-1\n===END LOOK===\n",
    "nothing of use",
    "===LOOK===\nRUN all\n===END LOOK===\n",
    program("alpha"),
    program("alpha beta"),
  ],
});

/** Requests that were carried out again although their answers were on record. */
async function lookedAgain({ chain }: TestEngine, run: string): Promise<string[]> {
  const [answered, again] = [new Set<string>(), [] as string[]];
  for (const event of await chain(run)) {
    if (!("key" in event && "visit" in event && /look-\d+-\d+$/.test(event.key ?? ""))) continue;
    const place = `${event.visit} ${event.key}`;
    if (event.type === "effect-finished") answered.add(place);
    if (event.type === "effect-started" && answered.has(place)) again.push(place);
  }
  expect(answered.size).toBe(6);
  return again;
}

describe("a run that is killed while it looks", () => {
  it("before or after any of its commits ends the same; nothing is asked again, and no answered request is run again", {
    timeout: 600_000,
  }, async () => {
    const { points, end } = await killAtEveryCommit({
      loop: code,
      input: () => CodeTask.parse({ task: taskText, looks: 2 }),
      world: () => {
        const project = fakeProject({ "old.py": "def kept():\n    return 1\n" });
        const scripted = scriptedModels(looking);
        return { project, scripted, ports: { models: scripted.models, workcells: { project: project.cells } } };
      },
      observe: async ({ project, scripted }, test, run) => ({
        workspace: project.files,
        calls: new Set(scripted.sent.map(({ key }) => key)).size,
        again: await lookedAgain(test, run),
      }),
      comparable: (at) => untimed({ ...at, state: { ...at.state, baseline: { ...at.state.baseline!, ms: 0 } } }),
      between: ({ scripted }, test) => scripted.sentOnce(test),
    });
    expect(end).toMatchObject({ outcome: "done", iterations: 2, seen: { calls: 11, again: [] } });
    expect(points).toBeGreaterThan(100);
    console.log(`kill points tried while looking: ${points}`);
  });

  it("again and again gets further each time", { timeout: 600_000 }, async () => {
    const { points, end } = await killAtEveryCommit({
      loop: code,
      input: () => CodeTask.parse({ task: taskText, looks: 2 }),
      inOneRun: true,
      world: () => {
        const project = fakeProject({ "old.py": "def kept():\n    return 1\n" });
        return { ports: { models: scriptedModels(looking).models, workcells: { project: project.cells } } };
      },
      comparable: ({ outcome, iterations }) => ({ outcome, iterations }),
    });
    expect(end.outcome).toBe("done");
    console.log(`deaths in one run: ${points}`);
  });
});

describe("a workcell that is lost", () => {
  it("is restarted from the snapshot, and no model hears of it (E0)", async () => {
    const at = world(mkdtempSync(join(tmpdir(), "code-lost-")));
    const test = memoryEngine(at.ports);
    let lost = 0;
    at.project.beforeTests = () => {
      if (++lost === 3) throw new InfrastructureError("SANDBOX_GONE", "the sandbox does not answer");
    };
    const { outcome, run } = await begin(test, { task_file: at.task_file });
    expect(outcome).toBe("done");
    expect(await test.types(run)).toContain("workcell-restarted");
    for (const { text } of at.scripted.sent) expect(text).not.toContain("does not answer");
  });
});
