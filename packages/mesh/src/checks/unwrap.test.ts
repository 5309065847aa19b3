import { describe, expect, it } from "vitest";
import type { Mesh } from "../mesh.ts";
import { measureUnwrap } from "./uvs.ts";

type Place = readonly [number, number];

/** Triangles with these places in a texture; in space each is the same. */
function unwrapped(faces: readonly (readonly [Place, Place, Place])[]): Mesh {
  const corner = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  return {
    positions: Float32Array.from(faces.flatMap(() => corner)),
    triangles: Uint32Array.from(faces.flatMap((_, face) => [face * 3, face * 3 + 1, face * 3 + 2])),
    uvs: Float32Array.from(faces.flat(2)),
  };
}

const one: [Place, Place, Place] = [
  [0.1, 0.1],
  [0.5, 0.1],
  [0.1, 0.5],
];
const moved = (u: number, v: number) => one.map(([x, y]) => [x + u, y + v]) as unknown as typeof one;
const beside: typeof one = [one[1], [0.5, 0.5], one[2]];
const sound = { unplaced: 0, outside: 0, flatShare: 0, overlapping: 0, isComplete: true };

describe("an unwrapping", () => {
  it("is sound where triangles share edges and corners, or lie apart, whichever way they turn", () => {
    expect(measureUnwrap(unwrapped([one, beside, moved(0.4, 0.4)]))).toEqual(sound);
    expect(measureUnwrap(unwrapped([one, [beside[2], beside[1], beside[0]]]))).toEqual(sound);
  });

  it.each([
    ["the same place twice", [one, one], { overlapping: 1 }],
    ["mirrored onto another", [one, [one[0], one[2], one[1]] as const], { overlapping: 1 }],
    ["shifted a little", [one, moved(0.001, 0)], { overlapping: 1 }],
    [
      "crossed with no corner in the other",
      [
        [
          [0.1, 0.3],
          [0.9, 0.3],
          [0.9, 0.4],
        ] as const,
        [
          [0.5, 0.1],
          [0.6, 0.9],
          [0.5, 0.9],
        ] as const,
      ],
      { overlapping: 1 },
    ],
    ["outside of the texture", [moved(0.7, 0)], { outside: 1 }],
    [
      "nowhere",
      [
        [
          [Number.NaN, 0],
          [1, 0],
          [0, 1],
        ] as const,
      ],
      { unplaced: 1 },
    ],
    [
      "without an area",
      [
        one,
        [
          [0.7, 0.7],
          [0.8, 0.8],
          [0.9, 0.9],
        ] as const,
      ],
      { flatShare: 0.5 },
    ],
  ])("is told by what is wrong: %s", (_, faces, wrong) => {
    expect(measureUnwrap(unwrapped(faces as never))).toEqual({ ...sound, ...wrong });
  });

  it("counts a pair once, however large the two are among many small ones", () => {
    const grid = Array.from({ length: 2000 }, (_, i) => {
      const [x, y] = [(i % 40) / 40, Math.floor(i / 40) / 50];
      return [
        [x, y],
        [x + 0.02, y],
        [x, y + 0.015],
      ] as unknown as typeof one;
    });
    expect(measureUnwrap(unwrapped(grid))).toEqual(sound);
    const large = [
      [0, 0],
      [1, 0],
      [0, 1],
    ] as unknown as typeof one;
    expect(measureUnwrap(unwrapped([large, large])).overlapping).toBe(1);
    expect(measureUnwrap(unwrapped([...grid, large])).overlapping).toBeGreaterThan(900);
  });

  it("of a mesh with no places has every triangle unplaced", () => {
    const { uvs: _, ...bare } = unwrapped([one, beside]);
    expect(measureUnwrap(bare)).toMatchObject({ unplaced: 2, overlapping: 0 });
  });

  it("ends soon, and says that it is not whole, where a heap of slivers fills one square", () => {
    const heap = Array.from({ length: 40_000 }, (_, i) => {
      const y = 0.5 + i * 1e-8;
      return [
        [0.1, y],
        [0.9, y],
        [0.9, y + 1e-9],
      ] as unknown as typeof one;
    });
    const begun = performance.now();
    const { isComplete, overlapping, flatShare } = measureUnwrap(unwrapped(heap));
    expect(isComplete === false || overlapping > 0 || flatShare > 0).toBe(true);
    expect(performance.now() - begun).toBeLessThan(20_000);
  });
});
