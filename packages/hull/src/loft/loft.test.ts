import { randomStream } from "@loopwright/core";
import { boundsOf, checkMesh, type Mesh } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { coarseGrid, fineGrid, loft } from "./loft.ts";
import { type HullParameters, middleHull, type ParameterName, parameters, pointToParameters } from "./parameters.ts";

const hulls = (count: number, seed: string): HullParameters[] => {
  const random = randomStream(seed);
  return Array.from({ length: count }, () => pointToParameters(parameters.map(() => random())));
};

/** Every corner of the cube that two ends of ranges can make, by a bit pattern. */
const corners = Array.from({ length: 32 }, (_, pattern) =>
  pointToParameters(parameters.map((_, index) => (pattern >> (index % 5)) & 1)),
);

const sound = {
  boundaryEdges: 0,
  nonManifoldEdges: 0,
  flippedEdges: 0,
  degenerateTriangles: 0,
};

/** The vertices as texts, so that a mirrored set can be compared. */
function places({ positions }: Mesh, side: 1 | -1): string[] {
  const found: string[] = [];
  for (let at = 0; at < positions.length; at += 3) {
    found.push([positions[at]!, positions[at + 1]! * side + 0, positions[at + 2]!].join());
  }
  return found.sort();
}

describe("the loft", () => {
  it.each([
    ["fine", fineGrid],
    ["coarse", coarseGrid],
  ])("closes every hull of a %s grid, facing outwards", (_, grid) => {
    for (const hull of hulls(150, "closed")) {
      const check = checkMesh(loft(hull, grid));
      expect(check, JSON.stringify(hull)).toMatchObject(sound);
      expect(check.volume).toBeGreaterThan(0);
    }
  });

  it("closes the hulls at the ends of the ranges", () => {
    for (const hull of corners) {
      const check = checkMesh(loft(hull));
      expect(check, JSON.stringify(hull)).toMatchObject({ ...sound, degenerateTriangles: expect.any(Number) });
      expect(check.volume).toBeGreaterThan(0);
    }
  });

  it("makes port and starboard alike", () => {
    for (const hull of hulls(20, "alike")) {
      const mesh = loft(hull);
      expect(places(mesh, -1)).toEqual(places(mesh, 1));
    }
  });

  it("cuts a fine hull into about 3,000 triangles, and shares them among hulls", () => {
    const [one, other] = hulls(2, "shared").map((hull) => loft(hull));
    expect(one!.triangles.length / 3).toBeGreaterThan(2_000);
    expect(one!.triangles.length / 3).toBeLessThan(4_000);
    expect(other!.triangles).toBe(one!.triangles);
  });

  it("gives the same bytes for the same parameters", () => {
    for (const hull of hulls(20, "same")) {
      expect(Buffer.from(loft({ ...hull }).positions.buffer).equals(Buffer.from(loft(hull).positions.buffer))).toBe(
        true,
      );
    }
  });

  it("is as long, wide and high as its parameters say", () => {
    const hull = { ...middleHull, length: 10, beam: 3, freeboard: 1, draft: 0.5, sheer_bow: 0.6, flare: 0.1 };
    const { min, max } = boundsOf(loft({ ...hull, sheer_stern: 0, transom_rake: 0 }));
    expect([min[0], max[0]]).toEqual([-5, 5]);
    expect(max[1] - min[1]).toBeCloseTo(3, 1);
    expect(max[2]).toBeCloseTo(1.6, 5);
    expect(min[2]).toBeCloseTo(-0.5, 3);
  });

  const bends: [ParameterName, (mesh: Mesh) => number][] = [
    ["length", (mesh) => boundsOf(mesh).max[0]],
    ["beam", (mesh) => boundsOf(mesh).max[1]],
    ["freeboard", (mesh) => boundsOf(mesh).max[2]],
    ["draft", (mesh) => -boundsOf(mesh).min[2]],
    ["sheer_bow", (mesh) => boundsOf(mesh).max[2]],
    ["sheer_stern", (mesh) => checkMesh(mesh).volume],
    ["stem_rake", (mesh) => -checkMesh(mesh).volume],
    ["forefoot", (mesh) => -checkMesh(mesh).volume],
    ["forefoot_at", (mesh) => checkMesh(mesh).volume],
    ["keel_rise", (mesh) => -checkMesh(mesh).volume],
    ["transom_rake", (mesh) => -checkMesh(mesh).volume],
    ["transom_width", (mesh) => checkMesh(mesh).volume],
    ["bow_fullness", (mesh) => checkMesh(mesh).volume],
    ["bilge", (mesh) => checkMesh(mesh).volume],
    ["deadrise", (mesh) => -checkMesh(mesh).volume],
    ["flare", (mesh) => -checkMesh(mesh).volume],
  ];
  it.each(bends)("grows with %s, or shrinks, as its meaning says", (name, size) => {
    const { min, max } = parameters.find((parameter) => parameter.name === name)!;
    const at = (share: number) => size(loft({ ...middleHull, [name]: min + share * (max - min) }));
    expect(at(0.5)).toBeGreaterThan(at(0.1));
    expect(at(0.9)).toBeGreaterThan(at(0.5));
  });

  it("is widest where it is told to be", () => {
    for (const widest_at of [0.3, 0.5, 0.65]) {
      const { positions } = loft({ ...middleHull, widest_at, transom_width: 0.4, flare: 0.2 });
      let widest = 0;
      for (let at = 3; at < positions.length; at += 3) if (positions[at + 1]! > positions[widest + 1]!) widest = at;
      expect(positions[widest]! / middleHull.length + 0.5).toBeCloseTo(widest_at, 1);
    }
  });
});

describe("the parameters", () => {
  it("have a name of their own, a range, a unit and a meaning", () => {
    expect(new Set(parameters.map(({ name }) => name)).size).toBe(parameters.length);
    for (const { min, max, unit, meaning } of parameters) {
      expect(min).toBeLessThan(max);
      expect(unit).not.toBe("");
      expect(meaning.length).toBeGreaterThan(10);
    }
  });

  it("are held inside their ranges, whatever the point", () => {
    const outside = pointToParameters(parameters.map((_, index) => (index % 2 === 0 ? -3 : 7)));
    for (const [index, { name, min, max }] of parameters.entries()) {
      expect(outside[name]).toBe(index % 2 === 0 ? min : max);
    }
  });
});
