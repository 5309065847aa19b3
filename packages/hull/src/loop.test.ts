import { ExecutionError, InfrastructureError } from "@loopwright/core";
import { killAtEveryCommit, memoryEngine, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { drawTarget } from "../../../test/fixtures/hull/targets.ts";
import { targetToTask } from "../../../test/fixtures/hull/task.ts";
import { type HullTask, hull, startOptions, workcells } from "./index.ts";
import { LoftCell } from "./loft/cell.ts";

/** A task that takes no time: small pictures, small batches, and a score that it will not reach. */
const quick: HullTask = {
  ...targetToTask(drawTarget(301)),
  score_threshold: 1,
  max_iterations: 3,
  stagnation: { window: 3, range: 0 },
  render_size: 128,
  search: { evaluations: 30, size: 64 },
};

const begin = (test: TestEngine, task = quick) => test.engine.start(hull, task, { ...startOptions(task), seed: 5 });

/** A loft whose code goes wrong as a test says: it is told how many executions there were before. */
function balky(fault: (executions: number) => Error | undefined) {
  let executions = -1;
  class BalkyLoft extends LoftCell {
    override async execute(code: string) {
      executions += 1;
      const error = fault(executions);
      if (error) throw error;
      return super.execute(code);
    }
  }
  const loft = async ({ snapshot }: { snapshot: string | undefined }) => {
    const cell = new BalkyLoft();
    if (snapshot !== undefined) await cell.restore(snapshot);
    return cell;
  };
  return { workcells: { loft }, count: () => executions + 1 };
}

const raised = (execution: number) => new ExecutionError("BROKEN", `execution ${execution} broke\nat line 7`);

async function filesOf(test: TestEngine, run: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const event of await test.chain(run)) {
    if (event.type === "artifact-saved") files.set(event.artifact.path, event.artifact.digest);
  }
  return files;
}

async function readJson(test: TestEngine, run: string, path: string) {
  const digest = (await filesOf(test, run)).get(path);
  if (!digest) throw new Error(`${path} was not saved`);
  return JSON.parse(Buffer.from(await test.ports.store.get(digest)).toString());
}

describe("code that raises", () => {
  it("is fixed inside its iteration, from the snapshot, and its errors are on record", async () => {
    const cells = balky((n) => (n === 1 || n === 2 ? raised(n) : undefined));
    const test = memoryEngine(cells);
    const { run, iterations, state } = await begin(test);
    expect(iterations).toBe(3);
    expect(cells.count()).toBe(6);
    expect(await readJson(test, run, "attempt-000/iterations/iter-001/execution.json")).toMatchObject({
      status: "succeeded",
      retry_count: 2,
      errors: ["E1 execution 1 broke", "E1 execution 2 broke"],
    });
    expect(await readJson(test, run, "attempt-000/iterations/iter-002/execution.json")).toMatchObject({
      retry_count: 0,
    });
    expect((await test.record(run)).retries).toBe(2);
    expect(state).toMatchObject({ retry_count: 0, consecutive_failures: 0 });
    expect(state.iteration_history.map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  });

  it("is proposed again half as far from the hull that stands", async () => {
    const proposals: string[] = [];
    class Listening extends LoftCell {
      override async execute(code: string) {
        proposals.push(code);
        if (proposals.length === 2) throw raised(1);
        return super.execute(code);
      }
    }
    const test = memoryEngine({ workcells: { loft: async () => new Listening() } });
    await begin(test, { ...quick, max_iterations: 1 });
    const [standing, first, second] = proposals.map((code) => JSON.parse(code) as Record<string, number>);
    for (const name of Object.keys(standing!)) {
      expect(second![name]).toBeCloseTo((standing![name]! + first![name]!) / 2, 3);
    }
  });

  it("is judged all the same when every try failed: the scene is as it was, and the evaluator says so", async () => {
    const cells = balky((n) => (n >= 1 && n <= 4 ? raised(n) : undefined));
    const test = memoryEngine(cells);
    const { run, outcome, state } = await begin(test);
    expect(outcome).toBe("ceiling");
    const execution = await readJson(test, run, "attempt-000/iterations/iter-001/execution.json");
    expect(execution).toMatchObject({ status: "failed", retry_count: 3, failure: { class: "E1" } });
    expect(execution.errors).toHaveLength(4);
    const feedback = await readJson(test, run, "attempt-000/iterations/iter-001/feedback.json");
    const start = await readJson(test, run, "attempt-000/iterations/iter-000/feedback.json");
    expect(feedback.detected_issues[0]).toContain("could not be executed (E1: execution 4 broke");
    expect(feedback.overall_score).toBe(start.overall_score);
    expect(state.best!.iteration).toBeGreaterThan(1);
  });

  it("ends the run as failed after max_retries iterations in a row, with the best hull so far", async () => {
    const broken = balky((n) => (n > 2 ? raised(n) : undefined));
    const test = memoryEngine(broken);
    const { run, outcome, reason, exitCode, iterations, state } = await begin(test, {
      ...quick,
      max_iterations: 10,
      max_retries: 2,
    });
    expect({ outcome, exitCode, iterations }).toEqual({ outcome: "failed", exitCode: 7, iterations: 4 });
    expect(reason).toBe("2 iterations in a row could not be executed, even after re-tries");
    expect(state).toMatchObject({ status: "failed", consecutive_failures: 2, best: { iteration: 2 } });
    const files = await filesOf(test, run);
    expect(files.get("attempt-000/final.glb")).toBe(files.get("attempt-000/iterations/iter-002/scene.glb"));
    expect(await readJson(test, run, "attempt-000/final_score.json")).toMatchObject({
      status: "failed",
      best_iteration: 2,
    });

    const fixed = test.other({ workcells });
    const resumed = await fixed.engine.resume(hull, run);
    expect(resumed.iterations).toBeGreaterThan(4);
    expect(resumed.state.consecutive_failures).toBe(0);
  });
});

describe("a hull that came out worse than one before it", () => {
  it("is judged as it is, and the better one becomes the final one", async () => {
    let executions = 0;
    class Wayward extends LoftCell {
      override execute(code: string) {
        executions += 1;
        return super.execute(executions === 4 ? '{ "beam": 1.2, "length": 5 }' : code);
      }
    }
    const loft = async ({ snapshot }: { snapshot: string | undefined }) => {
      const cell = new Wayward();
      if (snapshot !== undefined) await cell.restore(snapshot);
      return cell;
    };
    const test = memoryEngine({ workcells: { loft } });
    const { run, state, score } = await begin(test);
    expect(state.best!.iteration).toBe(2);
    expect(score).toBeLessThan(state.best!.score);
    const files = await filesOf(test, run);
    expect(files.get("attempt-000/final.glb")).toBe(files.get("attempt-000/iterations/iter-002/scene.glb"));
    expect(await readJson(test, run, "attempt-000/final_score.json")).toMatchObject({
      score: state.best!.score,
      best_iteration: 2,
      last_iteration: 3,
      last_score: score,
    });
  });
});

describe("a lost workcell", () => {
  it("is restarted from the snapshot, and the iteration goes on as if nothing had been", async () => {
    const lost = (n: number) => (n === 2 ? new InfrastructureError("LOST", "the loft is gone") : undefined);
    const test = memoryEngine(balky(lost));
    const { run, state } = await begin(test);
    const whole = memoryEngine({ workcells });
    const { state: expected } = await begin(whole);
    expect((await test.record(run)).restarts).toBe(1);
    expect(state).toEqual(expected);
    expect(await readJson(test, run, "attempt-000/iterations/iter-002/execution.json")).toMatchObject({ errors: [] });
  });
});

describe("a ceiling", () => {
  it("ends the run with the best hull, and a raised one lets it go on", async () => {
    const test = memoryEngine({ workcells });
    const { run, outcome, reason, iterations, state } = await begin(test, { ...quick, max_iterations: 2 });
    expect({ outcome, iterations }).toEqual({ outcome: "ceiling", iterations: 2 });
    expect(reason).toContain("all 2 iterations are used");
    const files = await filesOf(test, run);
    const best = `iter-00${state.best!.iteration}`;
    expect(files.get("attempt-000/final.glb")).toBe(files.get(`attempt-000/iterations/${best}/scene.glb`));
    expect(await readJson(test, run, "attempt-000/final_score.json")).toMatchObject({
      status: "budget_exhausted",
      best_score: state.best!.score,
      last_iteration: 2,
      iterations: 2,
    });
    const more = await test.engine.resume(hull, run, { ceilings: { iterations: 4 } });
    expect(more).toMatchObject({ outcome: "ceiling", iterations: 4 });
    expect(more.state.best!.score).toBeGreaterThanOrEqual(state.best!.score);
  });

  it("of active time ends it in the middle of a phase, and final files are written all the same", async () => {
    const test = memoryEngine({ workcells });
    const slow = test.other({
      workcells,
      on: (event) => {
        if (event.type === "phase-started" && event.phase === "execute") test.clock.advance(120_000);
      },
    });
    const { run, outcome } = await slow.engine.start(hull, quick, { seed: 5, ceilings: { minutes: 1 } });
    expect(outcome).toBe("ceiling");
    expect(await readJson(slow, run, "attempt-000/final_score.json")).toMatchObject({
      status: "budget_exhausted",
      best_iteration: 0,
      last_iteration: 0,
    });
    const files = await filesOf(slow, run);
    expect(files.get("attempt-000/final.glb")).toBe(files.get("baseline.glb"));
  });
});

describe("scores that stand still", () => {
  it("end the run as stagnant, with its own exit code; a resume tries again", async () => {
    const test = memoryEngine({ workcells });
    const task = { ...quick, max_iterations: 9, stagnation: { window: 2, range: 1 } };
    const { run, outcome, exitCode, reason, iterations, state } = await begin(test, task);
    expect({ outcome, exitCode, iterations }).toEqual({ outcome: "stagnant", exitCode: 4, iterations: 2 });
    expect(reason).toMatch(/^the last 2 scores lie within 0\.\d+, under 1$/);
    expect(state.status).toBe("stagnant");
    expect(await readJson(test, run, "attempt-000/final_score.json")).toMatchObject({ status: "stagnant" });
    expect(await test.engine.resume(hull, run)).toMatchObject({ outcome: "stagnant", iterations: 3 });
  });
});

describe("a start that the task names", () => {
  it("is taken as it is, and what it leaves out stands in the middle of its range", async () => {
    const test = memoryEngine({ workcells });
    const task = { ...quick, max_iterations: 1, baseline: { length: 9, beam: 2.5 } };
    const { run, state } = await begin(test, task);
    expect((await test.types(run)).filter((type) => type === "effect-started")).toHaveLength(3);
    expect(state.iteration_history).toHaveLength(1);
    const { baseline } = await readJson(test, run, "attempt-000/config.json");
    expect(baseline).toEqual({ length: 9, beam: 2.5 });
  });
});

describe("a run that was stopped", () => {
  it("by a crash before or after any commit makes the same files as one that was not", {
    timeout: 120_000,
  }, async () => {
    const options = { ...startOptions(quick), seed: 5 };
    const { points } = await killAtEveryCommit({
      loop: hull,
      input: quick,
      options,
      world: () => ({ ports: { workcells } }),
    });
    expect(points).toBeGreaterThan(40);
    console.log(`kill points tried: ${points}`);
  });

  it("by a person in the middle of a batch stops soon, and goes on to the same end", async () => {
    const task = { ...quick, max_iterations: 2, search: { evaluations: 2_000, size: 128 } };
    const whole = memoryEngine({ workcells });
    const expected = await begin(whole, task);
    const stop = new AbortController();
    let stopped = 0;
    const test = memoryEngine({
      workcells,
      on: (event) => {
        if (event.type !== "progress" || stopped > 0) return;
        stopped = performance.now();
        stop.abort();
      },
    });
    const interrupted = await test.engine.start(hull, task, { ...startOptions(task), seed: 5, signal: stop.signal });
    expect(interrupted.outcome).toBe("interrupted");
    expect(performance.now() - stopped).toBeLessThan(500);
    const resumed = await test.engine.resume(hull, interrupted.run);
    expect(resumed.state).toEqual(expected.state);
  });
});
