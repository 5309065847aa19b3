// The checks of geometry and material on one car, changed for the worse in one way at a time.

import { type Opinion, randomStream } from "@loopwright/core";
import { checkMesh, type Mesh, type Model } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { car, WHEELS } from "../../../../test/fakes/car.ts";
import { cube } from "../../../../test/fakes/shapes.ts";
import { loadGate } from "../gate/load.ts";
import type { GateConfig } from "../gate/schema.ts";
import type { Evidence } from "./critic.ts";
import { gradeOf } from "./critic.ts";
import { geometry, scaleFor } from "./geometry.ts";
import { material } from "./material.ts";

const gate = await loadGate("car_realism_v001", ".");
const FLOOR = gate.critics.geometry!.floor!;
const good = car();

function evidence(mesh: Mesh): Evidence {
  const model: Model = { parts: [], materials: [], ...mesh };
  const asked = { prompt: undefined, requirements: [] };
  return { model, report: checkMesh(model), front: 0, gate, ...asked, renders: [], noRenders: undefined };
}

function look(mesh: Mesh) {
  const seen = evidence(mesh);
  const both = [geometry.look(seen), material.look(seen)] as Opinion[];
  return { codes: both.flatMap(({ findings }) => findings.map(({ code }) => code)), score: both[0]!.score };
}

const places = (mesh: Mesh, change: (x: number, y: number, z: number) => [number, number, number]): Mesh => ({
  ...mesh,
  positions: Float32Array.from(
    Array.from({ length: mesh.positions.length / 3 }, (_, at) =>
      change(mesh.positions[at * 3]!, mesh.positions[at * 3 + 1]!, mesh.positions[at * 3 + 2]!),
    ).flat(),
  ),
});
const triangles = (mesh: Mesh, keep: (index: number) => boolean): Mesh => ({
  positions: mesh.positions,
  triangles: mesh.triangles.filter((_, corner) => keep(Math.floor(corner / 3))),
  materials: mesh.materials!,
});
const flipped = (mesh: Mesh, names = /./): Mesh => {
  const turned = mesh.parts!.filter(({ name }) => names.test(name));
  const isTurned = (face: number) => turned.some(({ first, count }) => face >= first && face < first + count);
  const swap = [0, 1, -1];
  return {
    ...mesh,
    triangles: mesh.triangles.map((vertex, at, all) =>
      isTurned(Math.floor(at / 3)) ? all[at + swap[at % 3]!]! : vertex,
    ),
  };
};
const random = randomStream("noise", 1);
const noise = () => (random() - 0.5) * 0.08;
const repeated = (count: number): Mesh => {
  const all = Array.from({ length: count }, (_, at) => places(good, (x, y, z) => [x, y, z * (1 - at * 1e-4)]));
  const size = good.positions.length / 3;
  return {
    positions: Float32Array.from(all.flatMap(({ positions }) => [...positions])),
    triangles: Uint32Array.from(all.flatMap((_, at) => Array.from(good.triangles, (vertex) => vertex + at * size))),
    materials: good.materials!,
  };
};

describe("the checks of geometry and material", () => {
  it("find nothing in a good car, whichever of its seeds it is drawn by", () => {
    for (const seed of [1, 2, 3]) expect(look(car(seed))).toEqual({ codes: [], score: 1 });
  });

  it.each<[string, Mesh, codes: string[], fails: boolean]>([
    ["ten times too large", places(good, (x, y, z) => [x * 10, y * 10, z * 10]), ["GEO_SCALE_IMPLAUSIBLE"], true],
    ["2.75 m wide", places(good, (x, y, z) => [x, (y * 2.75) / 1.78, z]), ["GEO_DIMENSIONS_OUT_OF_RANGE"], false],
    ["floating", places(good, (x, y, z) => [x, y, z + 0.5]), ["GEO_FLOATING"], true],
    ["inside out", flipped(good), ["GEO_NORMALS_INCONSISTENT"], true],
    [
      "two wheels inside out",
      flipped(good, new RegExp(WHEELS.slice(0, 2).join("|"))),
      ["GEO_NORMALS_INCONSISTENT"],
      false,
    ],
    ["a few holes", triangles(good, (index) => index % 16 !== 0), ["GEO_NON_MANIFOLD"], false],
    ["full of holes", triangles(good, (index) => index % 6 !== 0), ["GEO_NON_MANIFOLD"], true],
    ["noise on every vertex", places(good, (x, y, z) => [x + noise(), y + noise(), z]), ["GEO_SURFACE_NOISE"], true],
    ["facing another way", places(good, (x, y, z) => [-y, x, z]), [], false],
    [
      "joined into one",
      { ...good, parts: [{ name: "all", material: 0, first: 0, count: good.triangles.length / 3 }] },
      [],
      false,
    ],
    ["too few triangles", triangles(good, (index) => index > 5500), ["GEO_TRI_COUNT_LOW"], false],
    ["without materials", { ...good, parts: [], materials: [] }, ["MAT_NONE"], false],
  ])("%s", (_, mesh, codes, fails) => {
    const seen = look(mesh);
    for (const code of codes) expect(seen.codes).toContain(code);
    if (codes.length === 0) expect(seen.codes).toEqual([]);
    const isGeometryAlone = codes.every((code) => code.startsWith("GEO_"));
    if (isGeometryAlone && !codes.includes("GEO_TRI_COUNT_LOW")) expect(seen.score < FLOOR).toBe(fails);
  });

  it("too many triangles, and a stand-in", () => {
    expect(look(repeated(60)).codes).toContain("GEO_TRI_COUNT_HIGH");
    expect(look(cube(2)).codes).toContain("GEO_TRI_COUNT_TRIVIAL");
  });

  it("one of something and several are told apart in words", () => {
    const { first, count } = good.parts!.find(({ name }) => name === WHEELS[0])!;
    const { findings } = geometry.look(
      evidence(triangles(good, (index) => index < first || index >= first + count)),
    ) as Opinion;
    const words = findings.map(({ message }) => message);
    expect(words).toEqual(expect.arrayContaining(["3 wheels; expected 4", "1 wheel has no partner on the other side"]));
  });

  it("a texture that is not in the file is a hard fail by its reason", () => {
    const texture = {
      ...{ name: "paint", type: "", width: 0, height: 0, bytes: new Uint8Array(0), isRepeated: false },
      missing: "'paint' is outside of the file: paint.png",
    };
    const opinion = material.look(
      evidence({ ...good, materials: good.materials!.map((each) => ({ ...each, texture })) }),
    );
    expect(opinion).toMatchObject({
      findings: [{ code: "MAT_MISSING_TEXTURES", severity: "hard", message: expect.stringContaining("paint.png") }],
    });
  });
});

describe("a gate that wants other limits", () => {
  it.each<[string, Partial<GateConfig["geometry"]>, Mesh, codes: string[], fails: boolean]>([
    ["for game assets", { non_manifold: 0.2 }, triangles(good, (index) => index % 16 !== 0), [], false],
    ["for linings", { normals: 0.6 }, flipped(good, new RegExp(WHEELS.slice(0, 2).join("|"))), [], false],
    ["for printing", { non_manifold: 0 }, triangles(good, (index) => index !== 100), ["GEO_NON_MANIFOLD"], true],
    ["for printing", { normals: 1 }, flipped(good, new RegExp(WHEELS[0]!)), ["GEO_NORMALS_INCONSISTENT"], true],
  ])("%s: %o", (_, limits, mesh, codes, fails) => {
    const own = { ...gate, geometry: { ...gate.geometry, ...limits } };
    const { findings, score } = geometry.look({ ...evidence(mesh), gate: own }) as Opinion;
    expect(findings.map(({ code }) => code)).toEqual(codes);
    expect(score < FLOOR).toBe(fails);
  });
});

describe("what an amount over its limit leaves of a score", () => {
  it.each([
    [0.049, 0.05, 1],
    [0.05, 0.05, 1],
    [0.065, 0.05, 0.954],
    [0.125, 0.05, 0.77],
    [0.2, 0.05, 0.54],
    [0.9, 0.05, 0.54],
    [0.001, 0, 0.54],
  ])("%s with a limit of %s: %s", (amount, limit, left) => {
    expect(gradeOf(amount, limit)).toBeCloseTo(left, 6);
  });
});

describe("the scale that is told", () => {
  it.each([
    [{ length: 45.2, width: 17.8, height: 14.7 }, 0.1],
    [{ length: 4520, width: 1780, height: 1470 }, 0.001],
    [{ length: 178, width: 70, height: 58 }, 0.0254],
    [{ length: 0.0452, width: 0.0178, height: 0.0147 }, 100],
    [{ length: 4.5, width: 1.8, height: 1.5 }, 1],
  ])("of %o is %s", (sizes, scale) => {
    expect(scaleFor(sizes, gate.geometry)).toBeCloseTo(scale, 6);
  });
});
