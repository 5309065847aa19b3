import { checkMesh, type Mesh, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { ball, cube, joinMeshes, moveMesh } from "../../../../test/fakes/shapes.ts";
import { drawTarget } from "../../../../test/fixtures/hull/targets.ts";
import { trawler, trawlerFrame, trawlerParts } from "../../../../test/fixtures/hull/trawler.ts";
import type { Evidence } from "./findings.ts";
import { grossFindings, partFigures } from "./gross.ts";
import { measure } from "./measure.ts";
import type { Masks, ReferenceView } from "./score.ts";

const frame = { ...trawlerFrame, meters: 24 };
const SIZE = 256;
const look = (mesh: Mesh, view: ReferenceView) => silhouette(mesh, view, frame, SIZE);
const masksOf = (mesh: Mesh): Masks => ({
  front: look(mesh, "front"),
  side: look(mesh, "side"),
  top: look(mesh, "top"),
});
const wanted = masksOf(trawler());

function evidence(mesh: Mesh, references: Evidence["references"] = wanted): Evidence {
  const surface = checkMesh(mesh);
  return { masks: masksOf(mesh), references, frame, surface, parts: partFigures(mesh, surface) };
}

function codes(mesh: Mesh, references?: Evidence["references"]): string[] {
  const seen = evidence(mesh, references);
  const { findings } = measure(seen, 0.5, grossFindings(seen));
  return findings.filter(({ severity }) => severity === "hard").map(({ code }) => code);
}

type Place = readonly [number, number, number];
const placed = (mesh: Mesh, place: (x: number, y: number, z: number) => Place): Mesh => ({
  ...mesh,
  positions: mesh.positions.map((_, at) => {
    const from = at - (at % 3);
    return place(mesh.positions[from]!, mesh.positions[from + 1]!, mesh.positions[from + 2]!)[at % 3]!;
  }),
});
const turned = (mesh: Mesh): Mesh => ({ ...mesh, triangles: mesh.triangles.toReversed() });
const scaled = (mesh: Mesh, by: number) => placed(mesh, (x, y, z) => [x * by, y * by, (z - 2.4) * by + 2.4]);
const { hull, keel, rudder, wheelhouse, roof, funnel, mast } = trawlerParts();
const boat = trawler();
const without = (mesh: Mesh, faces: number): Mesh => ({ ...mesh, triangles: mesh.triangles.slice(0, -3 * faces) });
const doubled = (mesh: Mesh): Mesh => ({ ...mesh, triangles: new Uint32Array([...mesh.triangles, 0, 1, 9]) });
/** Points of the hull's middle, moved through its other side. */
const folded = placed(hull, (x, y, z) => [
  Math.abs(x) < 2.5 && y > 0.2 ? x + 1 : x,
  Math.abs(x) < 2.5 && y > 0.2 ? y - 5 : y,
  z,
]);

describe("gross failures", () => {
  it.each<[string, Mesh, string]>([
    ["floating", moveMesh(boat, [0, 0, 5]), "GROSS_OFF_PLACE"],
    ["below the ground", moveMesh(boat, [0, 0, -5]), "GROSS_OFF_PLACE"],
    ["off its center", moveMesh(boat, [6, 0, 0]), "GROSS_OFF_CENTER"],
    [
      "a part in the air",
      joinMeshes(hull, keel, rudder, wheelhouse, roof, funnel, moveMesh(mast, [0, 0, 0.8])),
      "PART_FLOATING",
    ],
    ["intersecting: built twice", joinMeshes(boat, moveMesh(boat, [0.03, 0.01, 0.02])), "PARTS_INTERSECT"],
    ["intersecting itself", joinMeshes(folded, keel, rudder, wheelhouse, roof, funnel, mast), "SURFACE_INTERSECTS"],
    ["far too small", scaled(boat, 0.3), "GROSS_TOO_SMALL"],
    ["far too large", scaled(boat, 2.6), "GROSS_TOO_LARGE"],
    ["upside down", placed(boat, (x, y, z) => [x, -y, 4.8 - z]), "ORIENTATION_UPSIDE_DOWN"],
    ["facing back", placed(boat, (x, y, z) => [-x, -y, z]), "ORIENTATION_BACKWARDS"],
    ["facing sideways", placed(boat, (x, y, z) => [-y, x, z]), "ORIENTATION_SIDEWAYS"],
    ["missing faces", without(boat, 2), "SURFACE_OPEN"],
    ["inside out", turned(boat), "SURFACE_INSIDE_OUT"],
    [
      "with a part inside out",
      joinMeshes(hull, keel, rudder, turned(wheelhouse), roof, funnel, mast),
      "PART_INSIDE_OUT",
    ],
    ["with a fin", doubled(boat), "SURFACE_NON_MANIFOLD"],
    ["without its mast", joinMeshes(hull, keel, rudder, wheelhouse, roof, funnel), "FEATURE_MISSING_SIDE"],
    ["with a second mast", joinMeshes(boat, moveMesh(mast, [4, 0, -1.9])), "FEATURE_EXTRA_SIDE"],
    ["another thing", moveMesh(ball(3), [0, 0, 1]), "GROSS_SHAPE"],
    ["hollow cards", joinMeshes(...[0, 1, 2].map((thin) => card(thin))), "GROSS_HOLLOW"],
  ])("%s", (_, mesh, code) => {
    expect(codes(mesh)).toContain(code);
  });

  it("a card is flat where no reference shows its depth, and a picture never passes", () => {
    expect(codes(card(1), { side: wanted.side })).toContain("GROSS_FLAT");
    expect(codes(card(1))).toContain("VIEW_EMPTY_FRONT");
  });

  it.each<[string, Mesh]>([
    ["the trawler itself", boat],
    [
      "a trawler a little too long, its mast a little short",
      placed(boat, (x, y, z) => [x * 1.06, y, Math.min(z, 5.7)]),
    ],
    ["a trawler in one piece", joinMeshes(hull, keel, moveMesh(rudder, [0.2, 0, 0]), wheelhouse, roof, funnel, mast)],
  ])("are none of %s", (_, mesh) => {
    expect(codes(mesh)).toEqual([]);
  });

  it.each([301, 302, 303])("are none of the hull %i beside itself", (seed) => {
    const { mesh } = drawTarget(seed);
    expect(codes(mesh, masksOf(mesh))).toEqual([]);
  });

  it("say where a feature is missing, and where there is one too many", () => {
    const seen = evidence(joinMeshes(hull, keel, rudder, wheelhouse, roof, moveMesh(mast, [3, 0, -1.6])));
    const words = grossFindings(seen).map(({ message }) => message);
    expect(words.join("\n")).toMatch(
      /a feature is missing: the side reference shows something at x -0\.\d+ to -0\.\d+, z [34]\.\d+ to 6\.\d+, as far as 2\.\d+ m from the model/,
    );
    expect(words.join("\n")).toMatch(
      /there is too much: in the side view the model has something at x 2\.\d+ to 2\.\d+/,
    );
  });
});

/** A thin box as large as the trawler, thin along one axis. */
function card(thin: number): Mesh {
  const sides = [10.64, 3.63, 7.35].map((side, axis) => (axis === thin ? 0.02 : side));
  return placed(cube(1), (x, y, z) => [x * sides[0]!, y * sides[1]!, z * sides[2]! + 2.42]);
}
