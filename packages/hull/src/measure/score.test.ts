import { randomStream } from "@loopwright/core";
import { checkMesh, type Frame, type Mask, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { loft } from "../loft/loft.ts";
import { middleHull, parameters, pointToParameters } from "../loft/parameters.ts";
import { type Masks, type referenceViews, scoreSurface, scoreView, scoreViews } from "./score.ts";

const frame: Frame = { center: [0, 0, 0.5], meters: 16 };
const SIZE = 96;

function masksOf(point: readonly number[]): Masks {
  const mesh = loft(pointToParameters(point));
  const look = (view: (typeof referenceViews)[number]) => silhouette(mesh, view, frame, SIZE);
  return { front: look("front"), side: look("side"), top: look("top") };
}

function score(seen: Masks, reference: Masks, surface = 1) {
  const view = (name: (typeof referenceViews)[number]) => scoreView(seen[name], reference[name]);
  return scoreViews({ front: view("front"), side: view("side"), top: view("top") }, surface);
}

const empty: Mask = { width: SIZE, height: SIZE, data: new Uint8Array(SIZE * SIZE) };
const sound = checkMesh(loft(middleHull));

describe("the score", () => {
  it("is 1 for what is the reference itself", () => {
    const masks = masksOf(parameters.map(() => 0.5));
    expect(score(masks, masks)).toEqual({
      overall: 1,
      meanOverlap: 1,
      categories: { shape_accuracy: 1, proportions: 1, detail_level: 1, surface_quality: 1 },
    });
  });

  it("is 0 where nothing is seen, however good the surface", () => {
    const nothing = { front: empty, side: empty, top: empty };
    expect(score(nothing, masksOf(parameters.map(() => 0.5))).overall).toBe(0);
  });

  it("never exceeds the mean overlap, and stays between 0 and 1, for any two hulls and any surface", () => {
    const random = randomStream("pairs");
    const draw = () => masksOf(parameters.map(() => random()));
    for (let pair = 0; pair < 120; pair++) {
      const { overall, meanOverlap, categories } = score(draw(), draw(), random());
      expect(overall).toBeLessThanOrEqual(meanOverlap);
      for (const value of [overall, ...Object.values(categories)]) {
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }
    }
  });

  it("is less than the mean overlap where the rest is worse", () => {
    const masks = masksOf(parameters.map(() => 0.5));
    expect(score(masks, masks, 0).overall).toBeCloseTo(0.9);
    expect(score(masks, masks, 0).meanOverlap).toBe(1);
  });

  it("falls the further a hull is from its reference", () => {
    const reference = masksOf(parameters.map(() => 0.5));
    const at = (offset: number) => score(masksOf(parameters.map(() => 0.5 + offset)), reference).overall;
    const scores = [0, 0.05, 0.1, 0.2, 0.3].map(at);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores[4]).toBeLessThan(0.75);
  });
});

describe("the score of a surface", () => {
  it("is 1 for a closed one", () => {
    expect(scoreSurface(sound)).toBe(1);
  });

  it.each(["boundaryEdges", "nonManifoldEdges", "flippedEdges", "degenerateTriangles"] as const)(
    "falls with %s, down to 0",
    (fault) => {
      const few = scoreSurface({ ...sound, [fault]: 20 });
      expect(few).toBeLessThan(1);
      expect(few).toBeGreaterThan(scoreSurface({ ...sound, [fault]: 60 }));
      expect(scoreSurface({ ...sound, [fault]: 100_000 })).toBe(0);
    },
  );

  it("is 0 for one that is inside out, has no volume, or is not there", () => {
    expect(scoreSurface({ ...sound, volume: -1 })).toBe(0);
    expect(scoreSurface({ ...sound, volume: 0 })).toBe(0);
    expect(scoreSurface({ ...sound, volume: Number.NaN })).toBe(0);
    expect(scoreSurface({ ...sound, triangles: 0 })).toBe(0);
  });
});
