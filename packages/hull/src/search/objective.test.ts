import { randomStream } from "@loopwright/core";
import { silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { drawTarget } from "../../../../test/fixtures/hull/targets.ts";
import { loft } from "../loft/loft.ts";
import { parameters, pointToParameters } from "../loft/parameters.ts";
import { type ReferenceView, scoreView, scoreViews } from "../measure/score.ts";
import { makeObjective } from "./objective.ts";

/** A target's objective at one size, and what the evaluator says at another. */
function bothOf(seed: number, small: number, full: number) {
  const { mesh, frame } = drawTarget(seed);
  const masks = (size: number) => ({
    front: silhouette(mesh, "front", frame, size),
    side: silhouette(mesh, "side", frame, size),
    top: silhouette(mesh, "top", frame, size),
  });
  const references = masks(full);
  const evaluator = (point: readonly number[]) => {
    const hull = loft(pointToParameters(point));
    const view = (name: ReferenceView) => scoreView(silhouette(hull, name, frame, full), references[name]);
    return scoreViews({ front: view("front"), side: view("side"), top: view("top") }, 1).overall;
  };
  return { objective: makeObjective(masks(small), frame), evaluator };
}

describe("the search's objective", () => {
  it("says nearly what the evaluator will say of the finished pictures", () => {
    const random = randomStream("objective");
    for (const seed of [201, 202, 203]) {
      const { objective, evaluator } = bothOf(seed, 256, 512);
      for (let draw = 0; draw < 15; draw++) {
        const point = parameters.map(() => 0.2 + 0.6 * random());
        expect(Math.abs(objective(point) - evaluator(point)), `seed ${seed}, draw ${draw}`).toBeLessThan(0.06);
      }
    }
  });

  it("is 1 at the hull that the references were taken of, but for the coarse grid", () => {
    const point = parameters.map((_, i) => 0.3 + 0.03 * i);
    const mesh = loft(pointToParameters(point));
    const frame = { center: [0, 0, 0.5] as const, meters: 18 };
    const look = (view: ReferenceView) => silhouette(mesh, view, frame, 256);
    const objective = makeObjective({ front: look("front"), side: look("side"), top: look("top") }, frame);
    expect(objective(point)).toBeGreaterThan(0.97);
    for (const axis of parameters.keys()) {
      const away = point.map((x, i) => (i === axis ? x + 0.3 : x));
      expect(objective(away), parameters[axis]!.name).toBeLessThan(objective(point));
    }
  });

  it("is a number from 0 to 1 even where the hull lies outside the frame", () => {
    const { mesh } = drawTarget(204);
    const frame = { center: [100, 0, 0] as const, meters: 5 };
    const look = (view: ReferenceView) => silhouette(mesh, view, frame, 64);
    const objective = makeObjective({ front: look("front"), side: look("side"), top: look("top") }, frame);
    const score = objective(parameters.map(() => 0.5));
    expect(score).toBeGreaterThanOrEqual(0);
    expect(score).toBeLessThanOrEqual(1);
  });
});
