// The loft's parameters: what a hull is described by, each with its range, its unit and its meaning.

import { ExecutionError, suggestOrList } from "@loopwright/core";

export interface Parameter {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly meaning: string;
}

/** Every parameter, in the order that a point of the search has them. */
export const parameters = [
  { name: "length", min: 5, max: 18, unit: "m", meaning: "from the transom to the top of the stem" },
  { name: "beam", min: 1.2, max: 6, unit: "m", meaning: "the greatest width of the deck" },
  { name: "freeboard", min: 0.2, max: 2.6, unit: "m", meaning: "how high the sheer lies above z = 0 amidships" },
  { name: "draft", min: 0.1, max: 2, unit: "m", meaning: "how deep the keel lies below z = 0 amidships" },
  { name: "sheer_bow", min: 0, max: 1.6, unit: "m", meaning: "how far the sheer rises towards the bow" },
  { name: "sheer_stern", min: -0.2, max: 0.8, unit: "m", meaning: "how far the sheer rises towards the stern" },
  {
    name: "stem_rake",
    min: 0,
    max: 0.22,
    unit: "of the length",
    meaning: "how far the stem's foot lies abaft its top",
  },
  { name: "forefoot", min: 0, max: 0.85, unit: "of the depth", meaning: "how far the keel rises towards the stem" },
  {
    name: "forefoot_at",
    min: 0.4,
    max: 0.85,
    unit: "of the length",
    meaning: "where the keel begins to rise to the stem",
  },
  { name: "keel_rise", min: 0, max: 0.85, unit: "of the depth", meaning: "how far the keel rises towards the transom" },
  {
    name: "transom_rake",
    min: -0.05,
    max: 0.12,
    unit: "of the length",
    meaning: "how far the transom's foot lies ahead of its top",
  },
  { name: "transom_width", min: 0.1, max: 1, unit: "of the beam", meaning: "the width of the transom" },
  {
    name: "widest_at",
    min: 0.25,
    max: 0.7,
    unit: "of the length",
    meaning: "where the deck is widest, from the stern",
  },
  {
    name: "bow_fullness",
    min: 1.2,
    max: 4.5,
    unit: "exponent",
    meaning: "how long the deck stays wide towards the bow",
  },
  { name: "bilge", min: 1, max: 5, unit: "exponent", meaning: "the midship section: 1 is a V, 2 round, more a box" },
  { name: "deadrise", min: 0, max: 0.6, unit: "of the depth", meaning: "how far the floor rises from keel to side" },
  {
    name: "flare",
    min: -0.15,
    max: 0.4,
    unit: "of the width",
    meaning: "how much narrower the hull is below the sheer; less than 0 is tumblehome",
  },
] as const satisfies readonly Parameter[];

export type ParameterName = (typeof parameters)[number]["name"];
export type HullParameters = Readonly<Record<ParameterName, number>>;

/** A hull in the middle of every range. */
export const middleHull: HullParameters = pointToParameters(parameters.map(() => 0.5));

/** The hull at a point of the unit cube, to a tenth of a millimeter, so that its text says all of it. */
export function pointToParameters(point: ArrayLike<number>): HullParameters {
  const entries = parameters.map(({ name, min, max }, index) => {
    const share = Math.min(Math.max(point[index]!, 0), 1);
    return [name, Math.round((min + share * (max - min)) * 1e4) / 1e4];
  });
  return Object.fromEntries(entries) as HullParameters;
}

/** The point of the unit cube where a hull stands. */
export function parametersToPoint(hull: HullParameters): number[] {
  return parameters.map(({ name, min, max }) => (hull[name] - min) / (max - min));
}

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
    const known = parameters.map((each) => each.name);
    throw new ExecutionError("PARAMETER_UNKNOWN", `there is no parameter '${name}'${suggestOrList(name, known)}`);
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
