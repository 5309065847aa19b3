import { describe, expect, it } from "vitest";
import { axesOf, frameToProjection, project, viewNames } from "./projection.ts";

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, axis) => sum + value * b[axis]!, 0);

/** Where one place falls in a picture of 100 pixels that shows 10 meters around the origin. */
function place(view: (typeof viewNames)[number], position: readonly [number, number, number]): number[] {
  return [...project(Float32Array.from(position), frameToProjection(view, { center: [0, 0, 0], meters: 10 }, 100))];
}

describe("the views", () => {
  it.each(viewNames)("of %s have axes of unit length at right angles, right-handed", (view) => {
    const { right, up, toward } = axesOf(view);
    for (const axis of [right, up, toward]) expect(dot(axis, axis)).toBeCloseTo(1, 14);
    const cross = [0, 1, 2].map((axis) => {
      const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
      return right[next]! * up[last]! - right[last]! * up[next]!;
    });
    for (const axis of [0, 1, 2]) expect(cross[axis]).toBeCloseTo(toward[axis]!, 14);
  });

  it("put the bow to the right in side and top, and port to the right in front", () => {
    expect(place("side", [1, 0, 0])).toEqual([60, 50]);
    expect(place("top", [1, 0, 0])).toEqual([60, 50]);
    expect(place("front", [0, 1, 0])).toEqual([60, 50]);
  });

  it("put up above, and port above in top", () => {
    expect(place("side", [0, 0, 1])).toEqual([50, 40]);
    expect(place("front", [0, 0, 1])).toEqual([50, 40]);
    expect(place("top", [0, 1, 0])).toEqual([50, 40]);
  });

  it("look along the axis that they do not show", () => {
    expect(place("side", [0, 4, 0])).toEqual([50, 50]);
    expect(place("front", [4, 0, 0])).toEqual([50, 50]);
    expect(place("top", [0, 0, 4])).toEqual([50, 50]);
  });

  it("show the bow on the right and nearer, and the deck, in iso", () => {
    const { toward } = axesOf("iso");
    expect(place("iso", [1, 0, 0])[0]).toBeGreaterThan(50);
    expect(place("iso", [0, 0, 1])[1]).toBeLessThan(50);
    expect(toward[0]).toBeGreaterThan(0);
    expect(toward[2]).toBeGreaterThan(0);
  });

  it("have the frame's center in the middle", () => {
    for (const view of viewNames) {
      const projection = frameToProjection(view, { center: [3, -2, 7], meters: 4 }, 64);
      expect([...project(Float32Array.of(3, -2, 7), projection)]).toEqual([32, 32]);
    }
  });
});

describe("projecting a vertex that is no place", () => {
  it.each(viewNames)("gives no place in %s, whichever coordinate is broken", (view) => {
    for (const broken of [Number.NaN, Infinity, -Infinity]) {
      for (const axis of [0, 1, 2]) {
        const position: [number, number, number] = [1, 1, 1];
        position[axis] = broken;
        expect(place(view, position)).toEqual([Number.NaN, Number.NaN]);
      }
    }
  });
});

describe("a frame or size that shows nothing", () => {
  it("is refused, with its numbers", () => {
    const center = [0, 0, 0] as const;
    for (const meters of [0, -1, Number.NaN, Infinity])
      expect(() => frameToProjection("front", { center, meters }, 64)).toThrow(
        expect.objectContaining({ code: "FRAME_INVALID" }),
      );
    expect(() => frameToProjection("front", { center: [0, Number.NaN, 0], meters: 1 }, 64)).toThrow(/NaN/);
    for (const size of [0, -3, 1.5, 8193, Number.NaN])
      expect(() => frameToProjection("front", { center, meters: 1 }, size)).toThrow(
        expect.objectContaining({ code: "PICTURE_SIZE" }),
      );
    expect(() => frameToProjection("front", { center, meters: 1 }, 8192)).not.toThrow();
  });
});
