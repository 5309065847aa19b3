// What differs between builders and workcells: what code looks like, where a run begins, and who fixes code that failed.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { programsFolder } from "../folders.ts";
import { applyCode, type HullParameters, middleHull, parametersToCode } from "../loft/parameters.ts";
import type { HullState, HullTask } from "../task/task.ts";

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

const EMPTY = "PARAMETERS = {}";

/** The program that makes a hull. */
export function parametersToProgram(hull: HullParameters): string {
  const program = readFileSync(join(programsFolder, "geometry_nodes_hull.py"), "utf8");
  return program.replace(EMPTY, `PARAMETERS = ${parametersToCode(hull).trim()}`);
}

/** The hull that such a program makes. */
export function programToParameters(program: string): HullParameters {
  const found = /^PARAMETERS = (\{[^}]*\})/m.exec(program)?.[1];
  if (found === undefined) throw new LoopwrightError("PROGRAM_UNKNOWN", "the program names no parameters of a hull");
  return applyCode(middleHull, found);
}
