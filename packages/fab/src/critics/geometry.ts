// The geometry check: sizes, triangles, holes, normals, symmetry, ground and noise, from the triangles alone.

import type { Finding } from "@loopwright/core";
import type { MeshReport, Model } from "@loopwright/mesh";
import type { GateConfig } from "../gate/schema.ts";
import { found } from "../playbook.ts";
import { likenessToCar } from "./category/car.ts";
import { isUpsideDown } from "./category/index.ts";
import { counted, gradeOf, type MeasuredCritic, meters, percent, scoreOf } from "./critic.ts";

export const geometry: MeasuredCritic = {
  name: "geometry",
  look: ({ report, gate, model }) => {
    const all = [...checks.flatMap((check) => check(report, gate.geometry) ?? []), ...standing(model, gate)];
    const findings = [...new Map(all.map((finding) => [finding.code, finding])).values()];
    return { score: scoreOf(findings, grades(report, gate.geometry)), findings, reason: reasonOf(findings) };
  },
};

type Check = (report: MeshReport, limits: GateConfig["geometry"]) => Finding | undefined;

const checks: readonly Check[] = [
  sizeFinding,
  ({ triangles }, limits) => {
    const [least, most] = limits.triangles;
    const words = `${counted(triangles, "triangle")}; expected ${least}–${most}`;
    if (triangles < limits.trivial) return found("GEO_TRI_COUNT_TRIVIAL", words);
    if (triangles < least) return found("GEO_TRI_COUNT_LOW", words);
    return triangles > most ? found("GEO_TRI_COUNT_HIGH", words) : undefined;
  },
  ({ symmetry }, limits) =>
    symmetry < limits.symmetry
      ? found("GEO_ASYMMETRIC", `symmetry ${percent(symmetry)}; expected at least ${percent(limits.symmetry)}`)
      : undefined,
  (report, limits) => {
    const open = openEdges(report);
    return open > limits.non_manifold
      ? found("GEO_NON_MANIFOLD", `${percent(open)} of the edges are open or have more than two triangles`)
      : undefined;
  },
  ({ consistentNormals }, limits) =>
    consistentNormals < limits.normals
      ? found(
          "GEO_NORMALS_INCONSISTENT",
          `${percent(consistentNormals)} of the surface faces outward; expected at least ${percent(limits.normals)}`,
        )
      : undefined,
  ({ min, height }) =>
    min[2] > OFF_THE_GROUND * height
      ? found("GEO_FLOATING", `it floats ${meters(min[2])} m above the ground`, {
          fix: `move it down by ${meters(min[2])} m`,
        })
      : undefined,
  ({ roughness }) =>
    roughness > ROUGH
      ? found("GEO_SURFACE_NOISE", `the surface folds both ways at ${percent(roughness)} of its places`)
      : undefined,
];

/** Sound models have linings that face inward and shells that are open: these cost by how much of it there is. */
function grades(report: MeshReport, { non_manifold, normals }: GateConfig["geometry"]): Record<string, number> {
  return {
    GEO_NON_MANIFOLD: gradeOf(openEdges(report), non_manifold),
    GEO_NORMALS_INCONSISTENT: gradeOf(1 - report.consistentNormals, 1 - normals),
  };
}

/** How it stands: the right way up, and on as many wheels as its gate expects, each with its partner. */
function standing(model: Model, { kind, geometry: { wheels } }: GateConfig): Finding[] {
  const findings = isUpsideDown(model, kind) ? [found("GEO_UPSIDE_DOWN", `a ${kind} once it is turned over`)] : [];
  if (wheels === undefined) return findings;
  const { wheels: count, unpaired } = likenessToCar(model);
  if (count < wheels) findings.push(found("GEO_WHEEL_COUNT_LOW", `${counted(count, "wheel")}; expected ${wheels}`));
  if (unpaired > 0)
    findings.push(found("GEO_ASYMMETRIC", `${counted(unpaired, "wheel", "has|have")} no partner on the other side`));
  return findings;
}

/** As a part of the height. */
const OFF_THE_GROUND = 0.02;
/** The part of the places at which a surface may fold both ways. */
const ROUGH = 0.3;

/** The part of all edges that are at a hole or at a wall inside. Edges that nearly meet are no hole. */
export function openEdges({ boundaryEdges, crackedEdges, nonManifoldEdges, edges }: MeshReport): number {
  return edges === 0 ? 0 : (boundaryEdges - crackedEdges + nonManifoldEdges) / edges;
}

function reasonOf(findings: readonly Finding[]): string {
  return findings.length === 0
    ? "size, surface and symmetry are sound"
    : findings.map(({ message }) => message).join("; ");
}

const sides = ["length", "width", "height"] as const;
type Sizes = Pick<MeshReport, (typeof sides)[number]>;
type Ranges = Pick<GateConfig["geometry"], (typeof sides)[number]>;

/** How far outside of its range a side may be before its scale is taken for wrong. */
const IMPLAUSIBLE = 1.5;
/** Factors that a unit mistaken for another is off by: powers of ten, inches and feet. */
const UNITS = [0.1, 10, 0.01, 100, 0.001, 1000, 0.0254, 1 / 0.0254, 0.3048, 1 / 0.3048];

/** What is wrong with its size. */
export function sizeFinding(sizes: Sizes, ranges: Ranges): Finding | undefined {
  const wrong = sides.filter((side) => outside(sizes[side], ranges[side]) > 1);
  if (wrong.length === 0) return undefined;
  const words = wrong
    .map((side) => `${side} ${short(sizes[side])} m; expected ${ranges[side][0]}–${ranges[side][1]} m`)
    .join(", ");
  const isImplausible = wrong.some((side) => outside(sizes[side], ranges[side]) > IMPLAUSIBLE);
  const code = isImplausible ? "GEO_SCALE_IMPLAUSIBLE" : "GEO_DIMENSIONS_OUT_OF_RANGE";
  return found(code, words, { fix: fixOf(sizes, ranges, wrong) });
}

/** What the whole is best scaled by: a unit that was mistaken, else what brings most sides into their ranges. */
export function scaleFor(sizes: Sizes, ranges: Ranges): number {
  const mismatch = (scale: number) =>
    sides.reduce((product, side) => product * outside(sizes[side] * scale, ranges[side]), 1);
  const unit = UNITS.find((scale) => mismatch(scale) === 1);
  if (unit !== undefined || mismatch(1) === 1) return mismatch(1) === 1 ? 1 : unit!;
  const into = sides.flatMap((side) => ranges[side].map((end) => (sizes[side] > 0 ? end / sizes[side] : 1)));
  return into.reduce((best, scale) => (mismatch(scale) < mismatch(best) ? scale : best), 1);
}

function fixOf(sizes: Sizes, ranges: Ranges, wrong: readonly (typeof sides)[number][]): string {
  const scale = scaleFor(sizes, ranges);
  if (Math.abs(scale - 1) > 0.005 && (wrong.length > 1 || UNITS.includes(scale))) return `apply scale ${short(scale)}`;
  return wrong
    .map((side) => {
      const [least, most] = ranges[side];
      return `make the ${side} ${sizes[side] > most ? `at most ${most}` : `at least ${least}`} m`;
    })
    .join(", ");
}

/** By what factor a side is outside of its range; 1 inside. */
function outside(is: number, [least, most]: readonly [number, number]): number {
  if (is > most) return is / most;
  if (is >= least) return 1;
  return is > 0 ? least / is : Number.POSITIVE_INFINITY;
}

function short(value: number): number {
  return Number(value.toPrecision(3));
}
