import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { car, paint, rubber } from "../../../../test/fakes/car.ts";
import { ball, cube, joinMeshes, moveMesh } from "../../../../test/fakes/shapes.ts";
import type { Mesh, Texture } from "../mesh.ts";
import { type CheckName, type CheckOptions, checkMesh, checkNames } from "./check.ts";

const texture: Texture = {
  name: "skin",
  type: "image/png",
  width: 64,
  height: 64,
  bytes: new Uint8Array(0),
  isRepeated: false,
};
const materials = [
  { ...paint, texture },
  { ...rubber, texture },
];
const good: Mesh = { ...car(1), materials };
const wanted: CheckOptions = {
  limits: { length: [3, 6], width: [1.4, 2.5], height: [1, 2.5], triangles: [5000, 500_000], trivial: 1000 },
};
const codes = (mesh: Mesh, options = wanted) => checkMesh(mesh, options).findings.map(({ code }) => code);

/** The mesh with every place moved. */
function move(mesh: Mesh, by: (x: number, y: number, z: number, vertex: number) => readonly number[]): Mesh {
  const positions = mesh.positions.slice();
  for (let at = 0; at < positions.length; at += 3)
    positions.set(by(positions[at]!, positions[at + 1]!, positions[at + 2]!, at / 3), at);
  return { ...mesh, positions };
}

/** The mesh with only the triangles for which something holds. */
function keep(mesh: Mesh, isKept: (triangle: number) => boolean): Mesh {
  let first = 0;
  const parts = mesh.parts!.map((part) => {
    const count = Array.from({ length: part.count }, (_, at) => part.first + at).filter(isKept).length;
    first += count;
    return { ...part, first: first - count, count };
  });
  return { ...mesh, parts, triangles: mesh.triangles.filter((_, at) => isKept(Math.floor(at / 3))) };
}

/** The mesh with more beside it. */
function add(mesh: Mesh, more: Mesh): Mesh {
  const { positions, triangles } = joinMeshes(mesh, more);
  const uvs = new Float32Array((positions.length / 3) * 2);
  uvs.set(mesh.uvs!);
  return { ...mesh, positions, triangles, uvs };
}

/** The mesh with the corners of some triangles in another order. */
function turnOver(mesh: Mesh, isTurned: (triangle: number) => boolean): Mesh {
  const triangles = mesh.triangles.slice();
  for (let at = 0; at < triangles.length; at += 3)
    if (isTurned(at / 3)) triangles.set([triangles[at]!, triangles[at + 2]!, triangles[at + 1]!], at);
  return { ...mesh, triangles };
}

const goodWidth = checkMesh(good).width;
const [body, wheel] = good.parts!;
const wheelVertices = new Set(good.triangles.subarray(wheel!.first * 3, (wheel!.first + wheel!.count) * 3));
const random = randomStream("noise", 1);

/** Each planted defect, and the one check that tells it from the good mesh. */
const defects: Record<string, { check: CheckName; code: string; mesh: Mesh }> = {
  "no triangle": { check: "empty", code: "MESH_EMPTY", mesh: keep(good, () => false) },
  "a place that is none": {
    check: "finite",
    code: "MESH_INVALID",
    mesh: move(good, (x, y, z, vertex) => [vertex === 900 ? Number.NaN : x, y, z]),
  },
  "an infinite place": {
    check: "finite",
    code: "MESH_INVALID",
    mesh: move(good, (x, y, z, vertex) => [x, y, vertex === 900 ? -Infinity : z]),
  },
  "a corner that is not there": {
    check: "finite",
    code: "MESH_INVALID",
    mesh: { ...good, triangles: good.triangles.with(7, 0xfffffff0) },
  },
  "a hole": { check: "holes", code: "GEO_HOLES", mesh: keep(good, (triangle) => triangle < 3000 || triangle >= 3008) },
  "a seam that was not joined": {
    check: "cracks",
    code: "GEO_UNWELDED",
    mesh: move(good, (x, y, z, vertex) => [x, y, vertex % 65 === 64 && vertex < 53 * 65 ? z + 5e-5 : z]),
  },
  "a block that shares one edge": {
    check: "non-manifold",
    code: "GEO_NON_MANIFOLD",
    mesh: add(add(good, moveMesh(cube(0.125), [0, 0.0625, 1.5625])), moveMesh(cube(0.125), [0, -0.0625, 1.6875])),
  },
  "faces turned over": {
    check: "winding",
    code: "GEO_NORMALS_INCONSISTENT",
    mesh: turnOver(good, (triangle) => triangle > 2000 && triangle < 2100),
  },
  "everything inside out": { check: "inside-out", code: "GEO_INSIDE_OUT", mesh: turnOver(good, () => true) },
  "a wheel inside out": {
    check: "inside-out",
    code: "GEO_INSIDE_OUT",
    mesh: turnOver(good, (triangle) => triangle >= wheel!.first && triangle < wheel!.first + wheel!.count),
  },
  "a triangle without an area": {
    check: "degenerate",
    code: "GEO_DEGENERATE",
    mesh: { ...good, triangles: Uint32Array.of(...good.triangles, 500, 500, 501) },
  },
  "triangles there twice": {
    check: "duplicate",
    code: "GEO_DUPLICATE",
    mesh: { ...good, triangles: Uint32Array.of(...good.triangles, ...good.triangles.subarray(3000, 3060)) },
  },
  "a part that touches nothing": {
    check: "floating-parts",
    code: "GEO_FLOATING_PART",
    mesh: add(good, moveMesh(ball(0.1, 8), [0, 0, 2.1])),
  },
  "a part that nobody can see": {
    check: "hidden-parts",
    code: "GEO_HIDDEN_PART",
    mesh: add(good, moveMesh(ball(0.3, 12), [-0.2, 0, 0.75])),
  },
  "a wheel moved": {
    check: "symmetry",
    code: "GEO_ASYMMETRIC",
    mesh: move(good, (x, y, z, vertex) => [wheelVertices.has(vertex) ? x - 0.35 : x, y, z]),
  },
  "a wheel missing": {
    check: "symmetry",
    code: "GEO_ASYMMETRIC",
    mesh: keep(good, (triangle) => triangle < wheel!.first || triangle >= wheel!.first + wheel!.count),
  },
  "standing above the ground": {
    check: "ground",
    code: "GEO_FLOATING",
    mesh: move(good, (x, y, z) => [x, y, z + 0.3]),
  },
  "standing in the ground": {
    check: "ground",
    code: "GEO_BELOW_GROUND",
    mesh: move(good, (x, y, z) => [x, y, z - 0.3]),
  },
  "beside the origin": { check: "centered", code: "GEO_OFF_CENTER", mesh: move(good, (x, y, z) => [x + 2, y - 1, z]) },
  "2.75 m wide": {
    check: "size",
    code: "GEO_DIMENSIONS_OUT_OF_RANGE",
    mesh: move(good, (x, y, z) => [x, (y * 2.75) / goodWidth, z]),
  },
  "ten times too large": {
    check: "size",
    code: "GEO_SCALE_IMPLAUSIBLE",
    mesh: move(good, (x, y, z) => [x * 10, y * 10, z * 10]),
  },
  "noise on every vertex": {
    check: "roughness",
    code: "GEO_SURFACE_NOISE",
    mesh: shake(good, 0.015),
  },
  "no material": { check: "materials", code: "MAT_NONE", mesh: { ...good, materials: [] } },
  "a texture that is not there": {
    check: "textures",
    code: "MAT_MISSING_TEXTURES",
    mesh: {
      ...good,
      materials: [materials[0]!, { ...rubber, texture: { ...texture, missing: "it is outside of the file" } }],
    },
  },
  "no places in the texture": {
    check: "uvs",
    code: "MAT_NO_UVS",
    mesh: { ...good, uvs: good.uvs!.map(() => Number.NaN) },
  },
  "places outside of the texture": {
    check: "uv-range",
    code: "MAT_UVS_OUT_OF_RANGE",
    mesh: { ...good, uvs: good.uvs!.map((value) => value * 1.5) },
  },
  "everything at one place in the texture": {
    check: "uv-overlap",
    code: "MAT_UVS_OVERLAP",
    mesh: { ...good, uvs: good.uvs!.map((value, at) => (at % 2 === 0 ? (value * 8) % 1 : value)) },
  },
};

/** Every place moved at random, and those at one place alike. */
function shake(mesh: Mesh, by: number): Mesh {
  const known = new Map<string, readonly number[]>();
  return move(mesh, (x, y, z) => {
    const key = `${x} ${y} ${z}`;
    const at = known.get(key) ?? [x, y, z].map((value) => value + (random() - 0.5) * 2 * by);
    known.set(key, at);
    return at;
  });
}

describe("the good mesh", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("has no finding: car %i", (seed) => {
    expect(checkMesh({ ...car(seed), materials }, wanted).findings).toEqual([]);
  });

  it("has none facing along the other axis, moved by a rounding, or in one piece with its parts", () => {
    expect(codes(move(good, (x, y, z) => [-y, x, z]))).toEqual([]);
    expect(codes(move(good, (x, y, z) => [-x, -y, z]))).toEqual([]);
    expect(codes(move(good, (x, y, z) => [x + 1e-7, y, z - 1e-7]))).toEqual([]);
    const { parts: _parts, materials: _materials, uvs: _uvs, ...bare } = good;
    expect(codes(bare)).toEqual([]);
  });

  it("has the figures that it was made with", () => {
    const report = checkMesh(good);
    expect(report).toMatchObject({ parts: 5, mirror: "y", floatingParts: 0, materials: 2, brokenTriangles: 0 });
    expect(report.triangles).toBeGreaterThan(9000);
    expect(report.symmetry).toBeGreaterThan(0.99);
    expect(report.consistentNormals).toBe(1);
    expect(report.length).toBeGreaterThan(report.width);
    expect(body!.count).toBe(6528);
  });
});

describe("a planted defect", () => {
  it.each(Object.entries(defects))("is told by its own check and no other: %s", (_, { check, code, mesh }) => {
    const { findings } = checkMesh(mesh, wanted);
    expect(findings.map((finding) => finding.code)).toEqual([code]);
    expect(findings[0]!.message).toMatch(/\w/);
    expect(findings[0]!.fix).toMatch(/\w/);
    // The check finds it alone, and all others together do not.
    expect(codes(mesh, { ...wanted, checks: [check] })).toEqual([code]);
    expect(codes(mesh, { ...wanted, checks: checkNames.filter((name) => name !== check) })).not.toContain(code);
  });

  it("of every kind has a check, and every check but the count of triangles a defect", () => {
    expect(Object.keys(defects).length).toBeGreaterThanOrEqual(12);
    const tried = new Set<CheckName>(Object.values(defects).map(({ check }) => check));
    expect(checkNames.filter((name) => !tried.has(name))).toEqual(["triangles"]);
  });

  it("is told with its figures and what to do", () => {
    const [large] = checkMesh(defects["ten times too large"]!.mesh, wanted).findings;
    expect(large).toMatchObject({
      severity: "hard",
      priority: 1,
      fix: expect.stringMatching(/^apply a scale of 0\.1/),
    });
    expect(large!.message).toMatch(/length 4\d\.?\d? m; expected 3–6 m/);
    const [floating] = checkMesh(defects["standing above the ground"]!.mesh, wanted).findings;
    expect(floating!.message).toBe("it floats 0.3 m above the ground");
  });
});

describe("limits", () => {
  it("allow what a judge of real assets allows", () => {
    const holed = defects["a hole"]!.mesh;
    expect(codes(holed, { limits: { holes: 0.05 } })).toEqual([]);
    expect(codes(holed, { limits: { holes: 0 } })).toEqual(["GEO_HOLES"]);
  });

  it("count triangles", () => {
    expect(codes(cube(2), { checks: ["triangles"], limits: { triangles: [5000, 500_000], trivial: 1000 } })).toEqual([
      "GEO_TRI_COUNT_TRIVIAL",
    ]);
    expect(codes(cube(2), { checks: ["triangles"], limits: { triangles: [20, 50] } })).toEqual(["GEO_TRI_COUNT_LOW"]);
    expect(codes(cube(2), { checks: ["triangles"], limits: { triangles: [1, 5] } })).toEqual(["GEO_TRI_COUNT_HIGH"]);
  });

  it("are measured along the axis that the mesh faces, where it is given", () => {
    expect(checkMesh(good, { forward: "y" })).toMatchObject({ mirror: "x" });
    expect(checkMesh(good, { forward: "y" }).length).toBe(checkMesh(good).width);
  });
});

describe("a report", () => {
  it("is the same every time", () => {
    expect(checkMesh(car(5))).toEqual(checkMesh(car(5)));
  });

  it("comes of heaps of triangles and of shells, and of textures that are covered over and over, in bounded time", () => {
    const start = performance.now();
    const count = 20_000;
    const heap = {
      positions: Float32Array.from({ length: count * 9 }, (_, at) => 10 * Math.sin(at * at)),
      triangles: Uint32Array.from({ length: count * 3 }, (_, corner) => corner),
    };
    expect(checkMesh(heap)).toMatchObject({ parts: count, crackedEdges: 0 });
    const shells = {
      positions: Float32Array.from(
        { length: count * 12 },
        (_, at) => Math.floor(at / 12) + [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1][at % 12]! / 2,
      ),
      triangles: Uint32Array.from(
        { length: count * 12 },
        (_, at) => Math.floor(at / 12) * 4 + [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3][at % 12]!,
      ),
    };
    expect(checkMesh(shells)).toMatchObject({ parts: count, hiddenParts: 0, boundaryEdges: 0 });
    const uvs = Float32Array.from({ length: count * 6 }, (_, at) => [0, 0, 1, 0, 0, 1][at % 6]!);
    const parts = [{ name: "heap", material: 0, first: 0, count }];
    expect(checkMesh({ ...heap, uvs, parts, materials }).uvOverlap).toBe(1);
    expect(performance.now() - start).toBeLessThan(60_000);
  });

  it("comes of absurd meshes too, and soon", () => {
    const all = (value: number) => ({ ...good, positions: good.positions.map(() => value) });
    const start = performance.now();
    for (const mesh of [all(Number.NaN), all(Infinity), all(0), all(3e38), move(good, (x, y, z) => [x * 1e37, y, z])])
      expect(checkMesh(mesh).triangles).toBe(9088);
    const dust = joinMeshes(
      ...Array.from({ length: 900 }, (_, at) => moveMesh(cube(0.1), [3 * (at % 30), 3 * Math.floor(at / 30), 0])),
    );
    expect(checkMesh(dust)).toMatchObject({ parts: 900, floatingParts: 899 });
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
