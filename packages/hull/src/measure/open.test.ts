// An open boat is a boat: whether its surface must be closed is the task's to say, and what is no boat fails either way.

import { checkMesh, type Mesh, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { joinMeshes } from "../../../../test/fakes/shapes.ts";
import { loft } from "../loft/loft.ts";
import { middleHull } from "../loft/parameters.ts";
import type { HullTask } from "../task/task.ts";
import type { Evidence } from "./findings.ts";
import { grossFindings, partFigures } from "./gross.ts";
import { measure } from "./measure.ts";
import type { Masks, ReferenceView } from "./score.ts";

const frame = { center: [0, 0, 0.5] as const, meters: 16 };
const SIZE = 256;
const look = (mesh: Mesh, view: ReferenceView) => silhouette(mesh, view, { ...frame, center: [0, 0, 0.5] }, SIZE);
const masksOf = (mesh: Mesh): Masks => ({
  front: look(mesh, "front"),
  side: look(mesh, "side"),
  top: look(mesh, "top"),
});

type Place = readonly [number, number, number];
const placed = (mesh: Mesh, place: (x: number, y: number, z: number) => Place): Mesh => ({
  ...mesh,
  positions: mesh.positions.map((_, at) => {
    const from = at - (at % 3);
    return place(mesh.positions[from]!, mesh.positions[from + 1]!, mesh.positions[from + 2]!)[at % 3]!;
  }),
});

/** The triangles of a mesh whose normal leans up or down so far. */
function leaning(mesh: Mesh, keep: (up: number) => boolean): Mesh {
  const { positions, triangles } = mesh;
  const kept: number[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => triangles[at + corner]! * 3) as [number, number, number];
    const [u, v] = [b, c].map((to) => [0, 1, 2].map((axis) => positions[to + axis]! - positions[a + axis]!)) as [
      number[],
      number[],
    ];
    const normal = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
    if (keep(normal[2]! / Math.hypot(...normal))) kept.push(...triangles.slice(at, at + 3));
  }
  return { ...mesh, triangles: Uint32Array.from(kept) };
}

const decked = loft(middleHull);
const boat = leaning(decked, (up) => up < 0.7);
const wanted = masksOf(decked);
const flat = (axis: 0 | 1 | 2) =>
  placed(decked, (x, y, z) => [axis === 0 ? 0 : x, axis === 1 ? 0 : y, axis === 2 ? 0.3 : z]);

function judge(mesh: Mesh, closed: HullTask["closed"]) {
  const surface = checkMesh(mesh);
  const open = closed === "required" ? {} : { closed, mesh };
  const parts = partFigures(mesh, surface);
  const evidence: Evidence = {
    masks: masksOf(mesh),
    references: wanted,
    frame: { ...frame, center: [0, 0, 0.5] },
    surface,
    parts,
    ...open,
  };
  const { feedback, findings } = measure(evidence, 0.85, grossFindings(evidence));
  const hard = findings.filter(({ severity }) => severity === "hard").map(({ code }) => code);
  return { hard, feedback, findings, passes: hard.length === 0 && feedback.overall_score >= 0.85 };
}

describe("an open boat", () => {
  it("passes where it may be open, costs score where closed is wanted, and fails where it must be closed", () => {
    const any = judge(boat, "any");
    expect(any).toMatchObject({ hard: [], passes: true, feedback: { overall_score: 1, detected_issues: [] } });
    expect(any.feedback.positive_aspects).toContain("the surface is sound");
    const some = judge(boat, "wanted");
    expect(some).toMatchObject({ hard: [], passes: true });
    expect(some.feedback.detected_issues.join()).toContain("open edge");
    expect(some.feedback.category_scores.surface_quality).toBeLessThan(1);
    expect(judge(boat, "required").hard).toEqual(expect.arrayContaining(["SURFACE_OPEN"]));
    for (const closed of ["any", "wanted", "required"] as const) expect(judge(decked, closed).passes).toBe(true);
  });

  it("passes with sides of some thickness too, which hold nearly no wood", () => {
    const inner = placed(boat, (x, y, z) => [x * 0.98, y * 0.94, z + 0.04]);
    const thick = joinMeshes(boat, { ...inner, triangles: inner.triangles.toReversed() });
    expect(judge(thick, "any").hard).toEqual([]);
  });

  it.each<[string, Mesh, RegExp]>([
    ["without a bottom", leaning(boat, (up) => up > -0.5), /GROSS/],
    ["of three pictures that cross each other", joinMeshes(flat(0), flat(1), flat(2)), /GROSS_HOLLOW/],
    ["upside down", placed(boat, (x, y, z) => [x, -y, 1 - z]), /UPSIDE_DOWN|GROSS/],
    ["of half the length", placed(boat, (x, y, z) => [x * 0.5, y, z]), /MISSING/],
    ["without the bow", { ...boat, triangles: boat.triangles.slice(0, boat.triangles.length / 2) }, /GROSS|MISSING/],
  ])("%s fails", (_, mesh, hard) => {
    const judged = judge(mesh, "any");
    expect(judged.passes).toBe(false);
    expect(judged.hard.join(" ")).toMatch(hard);
  });
});
