import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { weld } from "./mesh.ts";

describe("welding", () => {
  it("numbers positions in the order in which they appear", () => {
    const positions = Float32Array.of(5, 5, 5, 0, 0, 0, 5, 5, 5, 0, 0, 1, 0, 0, 0);
    expect(weld(positions)).toEqual({ places: Uint32Array.of(0, 1, 0, 2, 1), count: 3 });
  });

  it("joins 0 with -0, and keeps apart what differs in the last bit", () => {
    const next = new Float32Array(Uint32Array.of(0x3f800001).buffer)[0]!;
    const positions = Float32Array.of(0, 1, 0, -0, 1, 0, 0, 1, -0, -0, 1, -0, 0, next, 0);
    expect(weld(positions).places).toEqual(Uint32Array.of(0, 0, 0, 0, 1));
  });

  it("agrees with a plain map on many random vertices of a coarse grid", () => {
    const random = randomStream("weld", 1);
    const positions = Float32Array.from({ length: 3 * 5_000 }, () => Math.floor(random() * 12) - 6);
    const known = new Map<string, number>();
    const expected = Array.from({ length: 5_000 }, (_, vertex) => {
      const key = [0, 1, 2].map((axis) => positions[vertex * 3 + axis]! + 0).join(" ");
      if (!known.has(key)) known.set(key, known.size);
      return known.get(key)!;
    });
    expect(weld(positions)).toEqual({ places: Uint32Array.from(expected), count: known.size });
  });

  it("stays fast for a hundred thousand vertices that are no place", () => {
    const positions = new Float32Array(300_000).fill(Number.NaN);
    const start = performance.now();
    expect(weld(positions).count).toBe(1);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
