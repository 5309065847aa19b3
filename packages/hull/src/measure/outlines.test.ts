import { type Frame, type Mask, type Mesh, silhouette } from "@loopwright/mesh";
import { expect, it } from "vitest";
import { cube, moveMesh } from "../../../../test/fakes/shapes.ts";
import { outlinesOf } from "./outlines.ts";
import type { ReferenceView } from "./score.ts";

const frame: Frame = { center: [1, 0, 2], meters: 8 };

function masksOf(mesh: Mesh): Record<ReferenceView, Mask> {
  const look = (view: ReferenceView) => silhouette(mesh, view, frame, 256);
  return { front: look("front"), side: look("side"), top: look("top") };
}

it("are where things are in the world, wanted beside made, on each side and in all", () => {
  const wanted = masksOf(moveMesh(cube(2), [1, 0, 2]));
  const made = masksOf(moveMesh(cube(2), [1, 0.5, 1]));
  const lines = outlinesOf({ masks: made, references: wanted, frame }).split("\n");
  expect(lines).toHaveLength(3 * 13);
  expect(lines.filter((line) => !line.startsWith("  "))).toEqual([
    "front: y -1.00 to 1.00 (2.00) wanted, -0.50 to 1.50 (2.00) made; z 1.00 to 3.00 (2.00) wanted, 0.00 to 2.00 (2.00) made",
    "side: x 0.00 to 2.00 (2.00) wanted, 0.00 to 2.00 (2.00) made; z 1.00 to 3.00 (2.00) wanted, 0.00 to 2.00 (2.00) made",
    "top: x 0.00 to 2.00 (2.00) wanted, 0.00 to 2.00 (2.00) made; y -1.00 to 1.00 (2.00) wanted, -0.50 to 1.50 (2.00) made",
  ]);
  expect(lines[1]).toBe("  at z 2.92: y -1.00 to 1.00 (2.00) wanted, nothing made");
  expect(lines[27]).toBe("  at x 0.08: y -1.00 to 1.00 (2.00) wanted, -0.50 to 1.50 (2.00) made");
});
