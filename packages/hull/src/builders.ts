// What differs between builders and workcells: what code looks like, where a run begins, and who fixes code that failed.

import { parametersToProgram, programToParameters } from "./blender/program.ts";
import { applyCode } from "./loft/code.ts";
import { type HullParameters, middleHull, parametersToCode } from "./loft/index.ts";
import type { HullState, HullTask } from "./task.ts";

type Choices = Pick<HullTask, "workcell">;

/** A hull as code of the workcell's. */
export function hullToCode(hull: HullParameters, { workcell }: Choices): string {
  return workcell === "loft" ? parametersToCode(hull) : parametersToProgram(hull);
}

/** The hull that such code makes. */
export function codeToHull(code: string, { workcell }: Choices): HullParameters {
  return workcell === "loft" ? applyCode(middleHull, code) : programToParameters(code);
}

/** The hull that stands: a loft's snapshot is its code. */
export function standingHull({ workcell_snapshot, standing_code }: HullState, task: Choices): HullParameters {
  const code = task.workcell === "loft" ? workcell_snapshot : standing_code;
  return code === undefined ? middleHull : codeToHull(code, task);
}

/** The name of a file with code. */
export function codeFile({ workcell }: Choices): string {
  return workcell === "loft" ? "code.json" : "code.py";
}
