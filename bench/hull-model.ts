// The hull loop with a model as builder and evaluator, by the measures of its first document: runs that end, that resume, that get better,
// whose files are all there, and how long an iteration takes beside the model's own time.
//
// The recorded run is made again from its answers, on the real Blender, and once more stopped half way and resumed. `HULL_RUNS` names
// folders of runs (`…/runs`) whose answers somebody gave by hand: they are read.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openProject } from "@loopwright/core";
import { scriptedModels } from "@loopwright/core/testing";
import { hull, hullCells, loadTask, startOptions } from "@loopwright/hull";
import { median, round } from "./cli.ts";

export const aims = { iteration_s_p50: 60 };

const recorded = join(import.meta.dirname, "../test/fixtures/hull/recorded");
const HALF_WAY = 2;

interface Run {
  hasEnded: boolean;
  isBetter: boolean;
  isWhole: boolean;
  seconds: number;
}

/** Measures. */
export async function run() {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-bench-hull-model-"));
  try {
    const whole = await replay(dir, "whole");
    const broken = await replay(dir, "broken", HALF_WAY);
    const folders = [join(dir, "whole/runs"), ...(process.env.HULL_RUNS?.split(":") ?? [])];
    const runs = folders.flatMap((folder) => runsIn(folder));
    const share = (is: (run: Run) => boolean) => round(runs.filter(is).length / runs.length);
    return {
      runs: runs.length,
      ended: share(({ hasEnded }) => hasEnded),
      resumed: Number(isDeepStrictEqual(broken, whole)),
      improved: share(({ isBetter }) => isBetter),
      whole: share(({ isWhole }) => isWhole),
      iteration_s_p50: round(median(runs.map(({ seconds }) => seconds))),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The recorded run in a project of its own, stopped after so many iterations and resumed; what it comes to. */
async function replay(dir: string, name: string, stopAt?: number) {
  const answers = (role: string) => {
    const files = readdirSync(join(recorded, "answers")).toSorted();
    return files
      .filter((file) => file.includes(role))
      .map((file) => readFileSync(join(recorded, "answers", file), "utf8"));
  };
  const { models } = scriptedModels({ builder: answers("builder"), evaluator: answers("evaluator") });
  const task = await loadTask(join(recorded, "task.yaml"));
  await using project = await openProject({ dir: join(dir, name), workcells: hullCells({ own: {} }), models });
  const options = startOptions(task);
  const ceilings = { ...options.ceilings, ...(stopAt !== undefined && { iterations: stopAt }) };
  let result = await project.start(hull, task, { ...options, ceilings, seed: 1 });
  if (stopAt !== undefined) result = await project.resume(hull, result.run, { ceilings: options.ceilings });
  const { outcome, iterations, record } = result;
  return { outcome, iterations, scores: record.scores };
}

const files = ["plan.txt", "code.py", "execution.json", "feedback.json", "scene.glb"];
const pictures = ["front", "side", "top", "iso"].map((view) => `renders/${view}.png`);

/** What the folders of runs say. */
function runsIn(folder: string): Run[] {
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "summary.json")))
    .map((name) => {
      const { outcome, scores, iterations, seconds } = JSON.parse(
        readFileSync(join(folder, name, "summary.json"), "utf8"),
      );
      const judged = (scores as { iteration: number; score: number }[]).filter(({ iteration }) => iteration > 0);
      const at = (iteration: number) => `attempt-000/iterations/iter-${String(iteration).padStart(3, "0")}`;
      const wanted = judged.flatMap(({ iteration }) =>
        [...files, ...pictures].map((file) => join(at(iteration), file)),
      );
      return {
        hasEnded: ["done", "ceiling", "stagnant"].includes(outcome),
        isBetter: Math.max(...judged.map(({ score }) => score)) > scores[0].score,
        isWhole: [...wanted, "attempt-000/final_score.json"].every((file) => existsSync(join(folder, name, file))),
        seconds: seconds / iterations,
      };
    });
}
