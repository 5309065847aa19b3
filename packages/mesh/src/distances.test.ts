import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { squaredDistances } from "./silhouettes.ts";

function bruteForce(marks: Uint8Array, width: number): number[] {
  const places = [...marks.keys()].filter((pixel) => marks[pixel]);
  return [...marks.keys()].map((pixel) =>
    Math.min(
      ...places.map(
        (place) =>
          ((pixel % width) - (place % width)) ** 2 + (Math.floor(pixel / width) - Math.floor(place / width)) ** 2,
      ),
    ),
  );
}

describe("the distance to the nearest mark", () => {
  it("is what looking at every mark finds, in pictures of every shape and density", () => {
    const random = randomStream("distances", 1);
    for (let round = 0; round < 120; round += 1) {
      const [width, height] = [1 + Math.floor(random() * 24), 1 + Math.floor(random() * 24)];
      const density = random() ** 3;
      const marks = Uint8Array.from({ length: width * height }, () => (random() < density ? 1 : 0));
      marks[Math.floor(random() * marks.length)] = 1;
      expect([...squaredDistances(marks, width, height)]).toEqual(bruteForce(marks, width));
    }
  });

  it("reaches across the largest picture that there is", () => {
    const width = 8192;
    const marks = new Uint8Array(width * 3);
    marks[0] = 1;
    const squares = squaredDistances(marks, width, 3);
    expect(squares[width * 3 - 1]).toBe(8191 ** 2 + 2 ** 2);
    const tall = squaredDistances(marks, 3, width);
    expect(tall[width * 3 - 1]).toBe(8191 ** 2 + 2 ** 2);
  });
});
