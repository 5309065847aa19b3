// The geometry check: sizes, triangles, holes, normals, symmetry, ground and noise, from the triangles alone.

import type { Finding } from "@loopwright/core";
import type { MeshReport, Model } from "@loopwright/mesh";
import type { GateConfig } from "../gate/schema.ts";
import { found } from "../playbook/found.ts";
import { likenessToCar } from "./category/car.ts";
import { isUpsideDown } from "./category/index.ts";
import type { MeasuredCritic } from "./critic.ts";
import { gradeOf, scoreOf } from "./score.ts";
import { sizeFinding } from "./size.ts";
import { counted, meters, percent } from "./words.ts";

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
