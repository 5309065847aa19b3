import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { makeSpans, scanTriangle } from "./scan.ts";

type Triangle = readonly [number, number, number, number, number, number];

/** How often triangles cover each pixel of a square picture. */
function count(triangles: readonly Triangle[], size: number): Uint8Array {
  const counts = new Uint8Array(size * size);
  const spans = makeSpans(size);
  for (const triangle of triangles) {
    if (!scanTriangle(...triangle, size, size, spans)) continue;
    for (let row = spans.first; row < spans.end; row += 1)
      for (let column = spans.from[row]!; column < spans.to[row]!; column += 1) counts[row * size + column]! += 1;
  }
  return counts;
}

const total = (counts: Uint8Array) => counts.reduce((sum, value) => sum + value, 0);

describe("scan conversion", () => {
  it("covers exactly the pixels whose center is inside", () => {
    const random = randomStream("scan", 1);
    for (let round = 0; round < 300; round += 1) {
      const [ax, ay, bx, by, cx, cy] = Array.from({ length: 6 }, () => random() * 40 - 4) as unknown as Triangle;
      const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      const counts = count([[ax, ay, bx, by, cx, cy]], 32);
      const expected = counts.map((count, pixel) => {
        const [x, y] = [(pixel % 32) + 0.5, Math.floor(pixel / 32) + 0.5];
        const sides = [
          (bx - ax) * (y - ay) - (by - ay) * (x - ax),
          (cx - bx) * (y - by) - (cy - by) * (x - bx),
          (ax - cx) * (y - cy) - (ay - cy) * (x - cx),
        ].map((side) => side * Math.sign(area));
        // A center on an edge to within rounding may go either way.
        if (sides.some((side) => Math.abs(side) < 1e-9)) return count;
        return sides.every((side) => side > 0) ? 1 : 0;
      });
      expect(counts).toEqual(expected);
    }
  });

  it("covers every pixel of a fan of random triangles once: no hole and nothing twice", () => {
    const random = randomStream("fan", 2);
    for (let round = 0; round < 200; round += 1) {
      const size = 24;
      // Corners on quarter pixels, so that edges often run right through centers.
      const middle = [Math.floor(random() * 80) / 4 + 2, Math.floor(random() * 80) / 4 + 2] as const;
      const rim = [
        [0, 0],
        [Math.floor(random() * 90) / 4 + 0.25, 0],
        [size, 0],
        [size, Math.floor(random() * 90) / 4 + 0.25],
        [size, size],
        [Math.floor(random() * 90) / 4 + 0.25, size],
        [0, size],
        [0, Math.floor(random() * 90) / 4 + 0.25],
      ] as const;
      const triangles = rim.map(([x, y], at): Triangle => [...middle, x, y, ...rim[(at + 1) % rim.length]!]);
      expect(count(triangles, size)).toEqual(new Uint8Array(size * size).fill(1));
    }
  });

  it("gives a center on a shared edge to one triangle only", () => {
    const square: Triangle[] = [
      [0, 0, 8, 0, 8, 8],
      [0, 0, 8, 8, 0, 8],
    ];
    expect(count(square, 8)).toEqual(new Uint8Array(64).fill(1));
  });

  it("covers the same pixels whatever corner comes first and whichever way round", () => {
    const corners = [3.3, 1.2, 20.7, 9.9, 7.1, 22.4];
    const orders = ["012", "120", "201", "021", "210", "102"].map(
      (order) => [...order].flatMap((n) => corners.slice(Number(n) * 2, Number(n) * 2 + 2)) as unknown as Triangle,
    );
    const [first, ...others] = orders.map((triangle) => count([triangle], 24));
    expect(total(first!)).toBeGreaterThan(100);
    for (const other of others) expect(other).toEqual(first);
  });

  it("covers nothing for triangles without an area, between centers, or out of the picture", () => {
    expect(total(count([[1, 1, 9, 9, 5, 5]], 16))).toBe(0);
    expect(total(count([[3.6, 3.6, 4.4, 3.6, 4, 4.4]], 16))).toBe(0);
    expect(total(count([[-9, -9, -1, -9, -1, -1]], 16))).toBe(0);
    expect(total(count([[20, 2, 40, 2, 30, 9]], 16))).toBe(0);
  });

  it("clips a huge triangle to the picture in no time", () => {
    const start = performance.now();
    const huge: Triangle = [-1e30, -1e30, 1e30, -1e30, 0, 1e30];
    expect(count([huge], 64)).toEqual(new Uint8Array(64 * 64).fill(1));
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("covers nothing where a corner is no place", () => {
    for (let at = 0; at < 6; at += 1) {
      const triangle = [0, 0, 16, 0, 0, 16];
      triangle[at] = Number.NaN;
      expect(total(count([triangle as unknown as Triangle], 16))).toBe(0);
    }
  });
});
