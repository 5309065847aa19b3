import { attemptsOf } from "@loopwright/core/attempts";
import { memoryEngine, scriptedModels } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { planFor, program, scriptOf, taskText } from "../../../../test/fakes/code-runs.ts";
import { type FakeProject, fakeProject } from "../../../../test/fakes/project-cell.ts";
import { CodeTask, code } from "../index.ts";
import { attempts, groupByBehavior } from "./attempts.ts";

/** Attempts that each write these tests and this program. */
function race(given: readonly { tests: readonly string[]; text: string }[]) {
  const scripts = given.map(({ tests, text }) =>
    scriptedModels(scriptOf({ plan: [{ json: planFor(...tests) }], implement: [program(text)], review: [] })),
  );
  const snapshots = new Map<string, ReadonlyMap<string, string>>();
  const projects = new Map<string, FakeProject>();
  const test = memoryEngine({
    models: (role, attempt = 1) => scripts[attempt - 1]!.models(role),
    workcells: {
      project: async (options) => {
        const project = projects.get(options.run) ?? fakeProject({}, "", snapshots);
        projects.set(options.run, project);
        return project.cells(options);
      },
    },
  });
  const loop = attemptsOf(code, attempts as never);
  const task = CodeTask.parse({ task: taskText, proof_budget: 0, min_iterations: 1 });
  return {
    test,
    loop,
    projects,
    start: () => test.engine.start(loop, { attempts: given.length, input: task as never }),
  };
}

describe("attempts at one task", () => {
  it("are tried with each other's tests, and of those that behave alike the one that most agree with is applied", async () => {
    const { start, projects } = race([
      { tests: ["alpha", "gamma"], text: "alpha gamma" },
      { tests: ["alpha", "beta"], text: "alpha beta\n\n" },
      { tests: ["beta"], text: "alpha beta" },
    ]);
    const result = await start();
    expect(result.outcome, result.reason).toBe("done");
    expect(result.reason).toMatch(/^attempt [23] of 3: 4 of 5 tests of all attempts agree with it/);
    expect(projects.get(result.run)!.files.get("calc.py")).toContain("alpha beta");
    const applied = [...projects].filter(([, { log }]) => log.includes("apply")).map(([run]) => run);
    expect(applied).toEqual([result.run]);
  });

  it("of which as many tests agree with two are a person's to choose between, by what tells them apart", async () => {
    const { start, test, loop, projects } = race([
      { tests: ["alpha", "gamma"], text: "alpha gamma" },
      { tests: ["alpha", "beta"], text: "alpha beta" },
    ]);
    const waits = await start();
    expect(waits).toMatchObject({ outcome: "waiting", gate: { choices: ["1", "2", "none"] } });
    expect(waits.gate!.question).toMatch(/do different things.*test_(beta|gamma) fails on attempt [12]/s);
    await test.engine.answer(waits.run, "2");
    const result = await test.engine.resume(loop, waits.run);
    expect(result).toMatchObject({ outcome: "done" });
    expect(projects.get(result.run)!.files.get("calc.py")).toContain("alpha beta");
  });
});

it("Groups are what the tests say alike, the best shown first and then the smallest", () => {
  const candidate = (attempt: number, word: string, lines: number, passed: readonly boolean[]) => ({
    ...{ attempt, word, lines },
    results: new Map(passed.map((each, at) => [`${at}`, { passed: each, failure: "" }])),
  });
  const groups = groupByBehavior([
    candidate(1, "shown", 9, [true, false, false]),
    candidate(2, "partly shown", 3, [true, true, false]),
    candidate(3, "shown", 8, [true, true, false]),
    candidate(4, "shown", 5, [true, true, false]),
  ]);
  expect(groups.map((group) => group.map(({ attempt }) => attempt))).toEqual([[4, 3, 2], [1]]);
});
