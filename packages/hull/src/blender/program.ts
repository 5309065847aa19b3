// The search builder's code for Blender: a program that makes a hull of geometry nodes, or sets the parameters of the one that
// is there. It is the loft's hull, point by point, so that what the search expects is what Blender makes.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { programsFolder } from "../folders.ts";
import { applyCode, parametersToCode } from "../loft/code.ts";
import { type HullParameters, middleHull } from "../loft/index.ts";

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
