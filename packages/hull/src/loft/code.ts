// The loft's code: JSON text with named parameters, all of them or some. What is wrong with it is said by name.

import { ExecutionError } from "@loopwright/core";
import { type HullParameters, type Parameter, parameters } from "./parameters.ts";

/** The hull after code was run on it: parameters that the code does not name stay as they are. */
export function applyCode(hull: HullParameters, code: string): HullParameters {
  const given = parseCode(code);
  for (const [name, value] of Object.entries(given)) checkParameter(name, value);
  return { ...hull, ...given };
}

/** A hull as code that names every parameter, in their order. */
export function parametersToCode(hull: HullParameters): string {
  const ordered = Object.fromEntries(parameters.map(({ name }) => [name, hull[name]]));
  return `${JSON.stringify(ordered, null, 2)}\n`;
}

function parseCode(code: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(code);
  } catch (cause) {
    throw new ExecutionError("CODE_NOT_JSON", `the code is not JSON: ${(cause as Error).message}`, { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ExecutionError("CODE_NOT_PARAMETERS", "the code must be a JSON object of parameters and their values");
}

function checkParameter(name: string, value: unknown): void {
  const parameter: Parameter | undefined = parameters.find((known) => known.name === name);
  if (!parameter) {
    const message = `there is no parameter '${name}'; did you mean '${nearestName(name)}'?`;
    throw new ExecutionError("PARAMETER_UNKNOWN", message);
  }
  const { min, max, unit } = parameter;
  const range = `${min} to ${max} (${unit})`;
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const message = `the parameter '${name}' must be a number from ${range}, not ${JSON.stringify(value)}`;
    throw new ExecutionError("PARAMETER_NO_NUMBER", message);
  }
  if (value < min || value > max) {
    throw new ExecutionError("PARAMETER_RANGE", `the parameter '${name}' is ${value}, and its range is ${range}`);
  }
}

/** The parameter whose name needs the fewest changes to become this one. */
function nearestName(name: string): string {
  const ranked = parameters.map((known) => ({ name: known.name, changes: editDistance(name, known.name) }));
  return ranked.reduce((best, next) => (next.changes < best.changes ? next : best)).name;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
