import { randomStream, UsageError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import type { Mask } from "./picture.ts";
import { compareMasks, contourDistance, extentOf, overlap } from "./silhouettes.ts";

/** A mask from rows of text: # is the object. */
const draw = (...rows: string[]): Mask => ({
  width: rows[0]!.length,
  height: rows.length,
  data: Uint8Array.from([...rows.join("")], (character) => (character === "#" ? 1 : 0)),
});

/** A mask of a few random rectangles. */
function randomMask(random: () => number, width: number, height: number): Mask {
  const data = new Uint8Array(width * height);
  for (let count = Math.floor(random() * 4); count >= 0; count -= 1) {
    const [left, top] = [Math.floor(random() * width), Math.floor(random() * height)];
    const [right, bottom] = [left + random() * (width - left), top + random() * (height - top)];
    for (let y = top; y <= bottom && y < height; y += 1)
      for (let x = left; x <= right && x < width; x += 1) data[y * width + x] = 1;
  }
  return { width, height, data };
}

const disc = (radius: number, size = 64, x = size / 2, y = size / 2): Mask => ({
  width: size,
  height: size,
  data: Uint8Array.from({ length: size * size }, (_, pixel) =>
    ((pixel % size) + 0.5 - x) ** 2 + (Math.floor(pixel / size) + 0.5 - y) ** 2 < radius ** 2 ? 1 : 0,
  ),
});

const empty = draw("....", "....", "....");

describe("the overlap of two masks", () => {
  it("is intersection over union", () => {
    expect(overlap(draw("##..", "##.."), draw(".##.", ".##."))).toBe(2 / 6);
    expect(overlap(draw("##.."), draw("..##"))).toBe(0);
    expect(overlap(disc(20), disc(20))).toBe(1);
    expect(overlap(disc(30, 256), disc(60, 256))).toBeCloseTo(1 / 4, 2);
  });

  it("is 1 when both are empty and 0 when one is", () => {
    expect(overlap(empty, empty)).toBe(1);
    expect(overlap(empty, draw("#...", "....", "...."))).toBe(0);
  });

  it("is the same either way, and between 0 and 1", () => {
    const random = randomStream("overlap");
    for (let round = 0; round < 100; round += 1) {
      const [a, b] = [randomMask(random, 20, 15), randomMask(random, 20, 15)];
      expect(overlap(a, b)).toBe(overlap(b, a));
      expect(overlap(a, b)).toBeGreaterThanOrEqual(0);
      expect(overlap(a, b)).toBeLessThanOrEqual(1);
    }
  });
});

describe("the distance between two contours", () => {
  it("is what comparing every pixel of one with every pixel of the other finds", () => {
    const random = randomStream("contours", 7);
    for (let round = 0; round < 150; round += 1) {
      const [width, height] = [1 + Math.floor(random() * 26), 1 + Math.floor(random() * 26)];
      const [a, b] = [randomMask(random, width, height), randomMask(random, width, height)];
      expect(contourDistance(a, b)).toBeCloseTo(bruteForce(a, b), 10);
    }
  });

  it("is 0 for the same mask, and the step for one that is moved by it in a line", () => {
    expect(contourDistance(disc(20), disc(20))).toBe(0);
    expect(contourDistance(draw("#......"), draw(".....#."))).toBe(5);
    expect(contourDistance(draw("#...", "....", "....", "...."), draw("....", "....", "....", "...#"))).toBe(
      Math.sqrt(18),
    );
  });

  it("is the difference of the radii for two discs around one center", () => {
    expect(contourDistance(disc(50, 128), disc(40, 128))).toBeCloseTo(10, 0);
  });

  it("is the same either way", () => {
    const [a, b] = [disc(9, 64, 20, 30), disc(22)];
    expect(contourDistance(a, b)).toBe(contourDistance(b, a));
  });

  it("takes the picture's rim for a contour", () => {
    const full = draw("#####", "#####", "#####", "#####", "#####");
    const dot = draw(".....", ".....", "..#..", ".....", ".....");
    expect(contourDistance(full, dot)).toBeCloseTo(bruteForce(full, dot), 12);
    expect(contourDistance(full, dot)).toBeGreaterThan(2);
  });

  it("is 0 when both are empty, and the diagonal when one is", () => {
    expect(contourDistance(empty, empty)).toBe(0);
    expect(contourDistance(empty, draw("....", ".#..", "...."))).toBe(5);
    expect(contourDistance(draw("....", ".#..", "...."), empty)).toBe(5);
  });
});

describe("the extent of a mask", () => {
  it("is the first and last column and row that the object touches, and its area", () => {
    const mask = draw("......", "..##..", ".#.#..", "......");
    expect(extentOf(mask)).toEqual({ left: 1, right: 3, top: 1, bottom: 2, width: 3, height: 2, area: 4 });
    expect(extentOf(draw("#"))).toEqual({ left: 0, right: 0, top: 0, bottom: 0, width: 1, height: 1, area: 1 });
  });

  it("is undefined for an empty mask", () => {
    expect(extentOf(empty)).toBeUndefined();
  });
});

describe("two masks compared in one picture", () => {
  const picture = compareMasks(draw("##.."), draw(".##."));
  const colors = [0, 1, 2, 3].map((pixel) => [...picture.data.subarray(pixel * 4, pixel * 4 + 4)]);

  it("have a color each for extra, agreed and missing, and nothing elsewhere", () => {
    expect(picture).toMatchObject({ width: 4, height: 1, channels: 4 });
    expect(colors).toEqual([
      [213, 94, 0, 255],
      [158, 163, 168, 255],
      [0, 114, 178, 255],
      [0, 0, 0, 0],
    ]);
  });

  it("differ to those who see no red and green, too: in blue, or in how light they are", () => {
    const [extra, agreed, missing] = colors as [number[], number[], number[]];
    for (const [a, b] of [
      [extra, agreed],
      [extra, missing],
      [agreed, missing],
    ] as const) {
      const lightness = ([red, green]: number[]) => (red! * 2126 + green! * 7152) / 9278;
      const apart = Math.abs(a[2]! - b[2]!) + Math.abs(lightness(a) - lightness(b));
      expect(apart).toBeGreaterThan(50);
    }
  });
});

describe("masks of different sizes", () => {
  it("are not compared", () => {
    const [a, b] = [draw("##", "##"), draw("####")];
    for (const compare of [overlap, contourDistance, compareMasks]) {
      expect(() => compare(a, b)).toThrow(UsageError);
      expect(() => compare(a, b)).toThrow("masks of 2 × 2 and 4 × 1 pixels cannot be compared");
    }
  });
});

/** The contour by its definition, and all distances. */
function bruteForce(a: Mask, b: Mask): number {
  const contour = ({ width, height, data }: Mask) => {
    const has = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && data[y * width + x] === 1;
    return [...data.keys()]
      .map((pixel) => [pixel % width, Math.floor(pixel / width)] as const)
      .filter(([x, y]) => has(x, y) && !(has(x - 1, y) && has(x + 1, y) && has(x, y - 1) && has(x, y + 1)));
  };
  const [ours, theirs] = [contour(a), contour(b)];
  const oneWay = (from: typeof ours, to: typeof ours) =>
    from.reduce((sum, [x, y]) => sum + Math.min(...to.map(([u, v]) => Math.hypot(x - u, y - v))), 0) / from.length;
  return (oneWay(ours, theirs) + oneWay(theirs, ours)) / 2;
}
