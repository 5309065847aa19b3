import { type RunResult, type StampedEvent, showScore, type Verdict } from "@loopwright/core";
import { memoryEngine, type TestEngine } from "@loopwright/core/testing";
import { boundsOf, checkMesh, glbToMesh, pngToPicture } from "@loopwright/mesh";
import { beforeAll, describe, expect, it } from "vitest";
import { RealClock } from "../../../test/fakes/clock.ts";
import { demoTask, type HullState, type HullTask, hull, startOptions, workcells } from "./index.ts";
import { Feedback } from "./task/task.ts";

let task: HullTask;
let test: TestEngine;
let result: RunResult<HullState>;
let chain: StampedEvent[];
let seconds: number;

beforeAll(async () => {
  task = await demoTask();
  test = memoryEngine({ workcells, clock: new RealClock() });
  const begun = performance.now();
  result = await test.engine.start(hull, task, { ...startOptions(task), seed: 1 });
  seconds = (performance.now() - begun) / 1000;
  chain = await test.chain(result.run);
}, 120_000);

const verdicts = (): (Verdict & { iteration: number })[] =>
  chain.flatMap((event) =>
    event.type === "verdict-recorded" ? [{ ...event.verdict, iteration: event.iteration }] : [],
  );
const saved = () => chain.flatMap((event) => (event.type === "artifact-saved" ? [event.artifact] : []));

async function read(path: string): Promise<Uint8Array> {
  const artifact = saved().findLast((each) => each.path === path);
  if (!artifact)
    throw new Error(
      `${path} was not saved; there are ${saved()
        .map((each) => each.path)
        .join(", ")}`,
    );
  return test.ports.store.get(artifact.digest);
}

const readJson = async (path: string) => JSON.parse(Buffer.from(await read(path)).toString());
const folderOf = (iteration: number) => `attempt-000/iterations/iter-${String(iteration).padStart(3, "0")}`;

describe("the demo", () => {
  it("ends as done, at .95 or more, well within 30 seconds", () => {
    expect(result).toMatchObject({ outcome: "done", exitCode: 0 });
    expect(result.score).toBeGreaterThanOrEqual(0.95);
    expect(result.reason).toMatch(/^the score reached the threshold 0\.95$/);
    expect(seconds).toBeLessThan(30);
  });

  it("starts at .75 or less and rises, for at least six iterations", () => {
    const scores = verdicts().map(({ score }) => score);
    expect(verdicts().map(({ iteration }) => iteration)).toEqual([...scores.keys()]);
    expect(result.iterations).toBeGreaterThanOrEqual(6);
    expect(scores[0]).toBeLessThanOrEqual(0.75);
    for (const [i, score] of scores.entries()) if (i > 0) expect(score).toBeGreaterThanOrEqual(scores[i - 1]!);
    expect(Math.max(...scores)).toBe(result.state.best!.score);
  });

  it("leaves every file of an iteration, and pictures that show something", async () => {
    const paths = new Set(saved().map(({ path }) => path));
    for (let iteration = 1; iteration <= result.iterations; iteration++) {
      const views = ["front", "side", "top", "iso"].map((view) => `renders/${view}.png`);
      for (const name of [
        "plan.txt",
        "code.json",
        "execution.json",
        "feedback.json",
        "compare.png",
        "scene.glb",
        ...views,
      ]) {
        expect(paths).toContain(`${folderOf(iteration)}/${name}`);
      }
    }
    const side = pngToPicture(await read(`${folderOf(1)}/renders/side.png`));
    expect(side).toMatchObject({ width: 512, height: 512, channels: 2 });
    expect(side.data.some((value, i) => i % 2 === 1 && value === 255)).toBe(true);
    expect(pngToPicture(await read(`${folderOf(1)}/compare.png`))).toMatchObject({
      width: 1536,
      height: 512,
      channels: 4,
    });
  });

  it("puts the baseline, the references and the configuration on record", async () => {
    for (const view of ["front", "side", "top"] as const) {
      expect(Buffer.from(await read(`references/${view}.png`)).toString("base64")).toBe(task.references[view]);
    }
    expect(checkMesh(await glbToMesh(await read("baseline.glb")))).toMatchObject({
      boundaryEdges: 0,
      nonManifoldEdges: 0,
    });
    const config = await readJson("attempt-000/config.json");
    expect(config).toMatchObject({ builder: "search", workcell: "loft", evaluator: "measure", score_threshold: 0.95 });
    expect(JSON.stringify(config).length).toBeLessThan(2_000);
    expect(pngToPicture(await read("attempt-000/iterations/iter-000/renders/iso.png")).width).toBe(512);
  });

  it("gives feedback in the evaluator's form, never above the mean overlap", async () => {
    for (let iteration = 1; iteration <= result.iterations; iteration++) {
      const feedback = Feedback.parse(await readJson(`${folderOf(iteration)}/feedback.json`));
      expect(feedback.overall_score).toBeLessThanOrEqual(feedback.category_scores.shape_accuracy);
      expect(feedback.overall_score).toBe(verdicts()[iteration]!.score);
      expect(feedback.category_scores.surface_quality).toBe(1);
    }
    const first = Feedback.parse(await readJson(`${folderOf(1)}/feedback.json`));
    expect(first.detected_issues.length).toBeGreaterThan(0);
    expect(first.suggested_fixes.some((fix) => /by about \d+\.\d\d m$/.test(fix))).toBe(true);
    expect(verdicts()[1]!.findings[0]).toMatchObject({ code: expect.any(String), message: first.detected_issues[0] });
  });

  it("plans in words with numbers, and the code is what the plan says", async () => {
    const plan = Buffer.from(await read(`${folderOf(1)}/plan.txt`)).toString();
    expect(plan).toMatch(
      /^Searched: 3\d hulls tried; 3\d so far\.\nExpected: a score of 0\.\d\d\d, up from 0\.\d\d\d\.\n/,
    );
    expect(plan).toContain(
      `Expected: a score of ${showScore(verdicts()[1]!.score)}, up from ${showScore(verdicts()[0]!.score)}.`,
    );
    expect(plan).not.toMatch(/model/i);
    const code = await readJson(`${folderOf(1)}/code.json`);
    for (const [, name, value] of plan.matchAll(/^ {2}(\w+) \S+ → (\S+)/gm)) {
      expect(Number(value)).toBeCloseTo(code[name!], 3);
    }
    const last = Buffer.from(await read(`${folderOf(result.iterations)}/plan.txt`)).toString();
    expect(last).toContain(`Expected: a score of ${showScore(result.score!)}, up from`);
  });

  it("ends with the best hull as a file that reads back, closed and of the right size", async () => {
    const glb = await read("attempt-000/final.glb");
    const { best, scene_snapshot } = result.state;
    expect(Buffer.from(glb).equals(Buffer.from(await test.ports.store.get(best!.glb.digest)))).toBe(true);
    const mesh = await glbToMesh(glb);
    expect(checkMesh(mesh)).toMatchObject({ boundaryEdges: 0, nonManifoldEdges: 0, flippedEdges: 0 });
    const { min, max } = boundsOf(mesh);
    const { length } = (scene_snapshot as { parameters: { length: number } }).parameters;
    expect(max[0] - min[0]).toBeCloseTo(length, 1);
    expect(await readJson("attempt-000/final_score.json")).toEqual({
      status: "converged",
      reason: result.reason,
      score: best!.score,
      best_iteration: best!.iteration,
      best_score: best!.score,
      last_iteration: result.iterations,
      last_score: result.score,
      iterations: result.iterations,
    });
  });

  it("remembers the last iterations only, and keeps its state small", () => {
    const { iteration_history, status, retry_count, search, ...rest } = result.state;
    expect(iteration_history.length).toBeLessThanOrEqual(task.history_window);
    expect(iteration_history.at(-1)).toMatchObject({ iteration: result.iterations, score: result.score });
    expect(status).toBe("converged");
    expect(retry_count).toBe(0);
    expect(JSON.stringify(rest).length).toBeLessThan(10_000);
    expect(JSON.stringify(search).length).toBeLessThan(16_000);
  });

  it("shows how far a batch has come, for whoever watches", () => {
    const shown = test.events.flatMap((event) =>
      event.type === "progress" && event.key === "search" ? [event.data] : [],
    );
    expect(shown.length).toBeGreaterThan(3);
    for (const data of shown) {
      const { evaluations, of, score } = data as { evaluations: number; of: number; score: number };
      expect(evaluations).toBeLessThanOrEqual(of);
      expect(of).toBe(task.search.evaluations);
      expect(score).toBeGreaterThan(0);
    }
  });
});
