// Runs of older versions of the loop: they go on, or say why not.

import { signTests } from "@loopwright/core";
import { expect, it } from "vitest";
import { z } from "zod";
import { codeRun, phasesOf, planFor, program, taskText } from "../../../test/fakes/code-runs.ts";
import { fakeProject } from "../../../test/fakes/project-cell.ts";
import { code } from "./index.ts";
import { onStep } from "./stuck.ts";
import { type CodeContext, CodeState, CodeTask, initialState, migrate } from "./task.ts";

const counters = z.object({
  ...{ stuck_count: z.number(), failing_set_count: z.number() },
  ...{ last_test_hash: z.string().optional(), last_failing_set: z.string().optional() },
});
/** A state as version 1 kept it: with counts in place of the history. */
const stateOf1 = (counts: z.infer<typeof counters>, approaches: CodeState["approaches"] = []) => {
  const { history: _, ...rest } = initialState(CodeTask.parse({ task: taskText }));
  return { ...rest, tested_files: [], approaches, ...counts };
};

it("a run of version 1 goes on from its ceiling, its state as it was", async () => {
  const script = { implement: [program("alpha"), program("alpha beta")] };
  const { test } = codeRun({ script });
  const seen = signTests({ "test test_alpha": "passed", "test test_beta": "failed" });
  const { migrate: _, ...first } = {
    ...code,
    version: 1,
    state: CodeState.extend(counters.shape),
    initial: (task: CodeTask) => ({
      ...{ ...initialState(task), stuck_count: 1, failing_set_count: 1 },
      ...{ last_test_hash: seen.sequence, last_failing_set: seen.failing },
    }),
  };
  const task = CodeTask.parse({ task: taskText });
  const { run, outcome, state } = await test.engine.start(first as typeof code, task, { ceilings: { iterations: 1 } });
  expect(outcome).toBe("ceiling");
  const { history, ...rest } = migrate(state);
  expect(state).toMatchObject(rest);
  expect(history).toEqual([{ iteration: 1, ...seen }]);
  expect(await test.engine.resume(code, run, { ceilings: { iterations: 2 } })).toMatchObject({ outcome: "done" });
  expect(await test.types(run)).toContain("run-migrated");
});

it("what version 1 had counted is counted on, for each signal", () => {
  const counted = { stuck_count: 2, failing_set_count: 4, last_test_hash: "s", last_failing_set: "f" };
  const { history } = migrate(stateOf1(counted, [{ iteration: 9, approach: "a", result: "fails" }]));
  expect(history.map(({ iteration }) => iteration)).toEqual([6, 7, 8, 9]);
  const next = { history: [...history, { iteration: 10, sequence: "s", failing: "f" }] };
  expect(onStep(next, "hint")).toMatchObject({ count: 3, since: 8 });
  expect(onStep(next, "amendment")).toMatchObject({ detector: "failing", count: 5, since: 6 });
  expect(migrate(stateOf1({ stuck_count: 0, failing_set_count: 0 })).history).toEqual([]);
});

it("a run of version 1 that repaired by search is refused", () => {
  expect(() => migrate({ search: {} })).toThrow("repaired by search");
});

it("a run of version 2 whose planner had asked for more plans on, and may look", async () => {
  const old = { "old.py": "def kept():\n    return 1\n" };
  const script = {
    "plan-change": [
      { json: { look: ["READ old.py"], plan: [] } },
      { json: { target_tests: [], ...planFor("alpha", "beta") } },
    ],
    "implement-change": [program("alpha beta")],
  };
  const { test, scripted } = codeRun({ project: fakeProject(old), script });
  const wanting = async (_: CodeState, ctx: CodeContext) => ctx.end("escalated", { next: "plan", reason: "stopped" });
  const second = {
    ...code,
    version: 2,
    state: CodeState.extend({ wanted: z.array(z.string()).optional() }),
    initial: (task: CodeTask) => ({ ...initialState(task), wanted: ["old.py"] }),
    phases: { ...code.phases, plan: { run: wanting, to: ["plan", "implement", "finalize"] } },
  } as unknown as typeof code;
  const { looks: _, ...task } = CodeTask.parse({ task: taskText });
  const { run, state } = await test.engine.start(second, task as CodeTask);
  expect(state).toMatchObject({ wanted: ["old.py"] });
  const ended = await test.engine.resume(code, run);
  expect(ended).toMatchObject({ outcome: "done" });
  expect(ended.state).not.toHaveProperty("wanted");
  expect(scripted.asked("plan-change")[1]!.text).toContain("3 of 4 rounds are left");
});

it("a run of version 3 tells the implementer what version 3 had kept for it under another name", async () => {
  const script = { implement: [program("alpha beta")] };
  const { test, scripted } = codeRun({ script });
  const stopping = async (_: CodeState, ctx: CodeContext) => ctx.end("escalated", { next: "plan", reason: "stopped" });
  const third = {
    ...code,
    version: 3,
    state: CodeState.omit({ feedback: true }).extend({ said_back: z.array(z.string()) }),
    initial: (task: CodeTask) => {
      const { feedback: _, ...rest } = initialState(task);
      return { ...rest, said_back: ["the command 'make' was refused"] };
    },
    phases: { ...code.phases, plan: { run: stopping, to: ["plan", "implement", "finalize"] } },
  } as unknown as typeof code;
  const { run, state } = await test.engine.start(third, CodeTask.parse({ task: taskText }));
  expect(state).toMatchObject({ said_back: ["the command 'make' was refused"] });
  const ended = await test.engine.resume(code, run);
  expect(ended).toMatchObject({ outcome: "done", state: { feedback: [] } });
  expect(ended.state).not.toHaveProperty("said_back");
  expect(scripted.asked("implement")[0]!.text).toContain("the command 'make' was refused");
});

it("a run of version 4 whose question leads to a phase of then goes on", async () => {
  const script = { implement: [program("alpha beta")] };
  const { test } = codeRun({ script });
  const gate = {
    name: "escalation",
    question: "Go on?",
    choices: { resume: "summarise", stay: null },
    default: "stay",
  };
  const asking = async (_: CodeState, ctx: CodeContext) =>
    ctx.end("escalated", { reason: "stopped", gate: gate as never });
  const fourth = {
    ...code,
    version: 4,
    phases: { ...code.phases, plan: { run: asking, to: ["summarise"] } },
  } as unknown as typeof code;
  const { run } = await test.engine.start(fourth, CodeTask.parse({ task: taskText }));
  await test.answer(run, "resume");
  const ended = await test.engine.resume(code, run);
  expect(ended).toMatchObject({ outcome: "done" });
  expect((await phasesOf(test, run)).slice(0, 4)).toEqual(["summarize", "plan", "summarise", "plan"]);
});
