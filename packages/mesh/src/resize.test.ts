import { describe, expect, it } from "vitest";
import { ball } from "../../../test/fakes/shapes.ts";
import { type Mask, resizeMask } from "./picture.ts";
import { overlap } from "./silhouettes.ts";
import { silhouette } from "./views/silhouette.ts";

const draw = (...rows: string[]): Mask => ({
  width: rows[0]!.length,
  height: rows.length,
  data: Uint8Array.from([...rows.join("")], (character) => (character === "#" ? 1 : 0)),
});

describe("a mask at another size", () => {
  it("is itself at its own size", () => {
    const mask = draw("#..#", ".##.", "....", "####");
    expect(resizeMask(mask, 4)).toEqual(mask);
  });

  it("has each pixel doubled at twice the size", () => {
    expect(resizeMask(draw("#.", ".#"), 4)).toEqual(draw("##..", "##..", "..##", "..##"));
  });

  it("has a pixel where at least half of its area was covered", () => {
    expect(resizeMask(draw("##..", "#...", "#..#", "#..."), 2)).toEqual(draw("#.", "#."));
    // Pixels of a third more than one: the middle of three gets half of either neighbor.
    expect(resizeMask(draw("###...", "###...", "###...", "......", "......", "......"), 4)).toEqual(
      draw("##..", "##..", "....", "...."),
    );
  });

  it("is centered where it was not square", () => {
    // One row of four lies across the middle: half of each of two rows.
    expect(resizeMask(draw("####"), 4)).toEqual(draw("....", "####", "####", "...."));
    expect(resizeMask(draw("##", "##", "##", "##"), 4)).toEqual(draw(".##.", ".##.", ".##.", ".##."));
  });

  it("agrees with a silhouette that was made at the smaller size", () => {
    const frame = { center: [0, 0, 0] as const, meters: 2.5 };
    for (const size of [50, 96, 128, 200]) {
      const resized = resizeMask(silhouette(ball(1, 40), "iso", frame, 400), size);
      expect(overlap(resized, silhouette(ball(1, 40), "iso", frame, size))).toBeGreaterThan(0.985);
    }
  });

  it("refuses a size that is none", () => {
    for (const size of [0, 2.5, 9000])
      expect(() => resizeMask(draw("#"), size)).toThrow(expect.objectContaining({ code: "PICTURE_SIZE" }));
  });
});
