import { checkMesh, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { loft } from "../loft/loft.ts";
import { middleHull } from "../loft/parameters.ts";
import { measure } from "../measure/measure.ts";
import { applyFixes } from "./fixes.ts";

const frame = { center: [0, 0, 0.3], meters: 16 } as const;
const masksOf = (mesh: ReturnType<typeof loft>) => ({
  front: silhouette(mesh, "front", frame, 256),
  side: silhouette(mesh, "side", frame, 256),
  top: silhouette(mesh, "top", frame, 256),
});

describe("fixes", () => {
  it.each([
    ["lengthen the hull by about 1.50 m", "length", 1.5],
    ["narrow the hull by about 0.40 m", "beam", -0.4],
    ["raise the sheer amidships by about 0.20 m", "freeboard", 0.2],
    ["lower the keel amidships by about 0.10 m", "draft", 0.1],
  ] as const)("'%s' moves %s by %d", (fix, name, by) => {
    expect(applyFixes(middleHull, [fix])![name] - middleHull[name]).toBeCloseTo(by);
  });

  it("that say nothing of a size move nothing", () => {
    expect(applyFixes(middleHull, ["close every hole", "turn all faces round", "make it nicer"])).toBeUndefined();
    expect(applyFixes(middleHull, [])).toBeUndefined();
  });

  it("as the evaluator words them bring a hull nearer to its target", () => {
    const target = { ...middleHull, length: 9, beam: 4.2, freeboard: 1, draft: 1.3, sheer_bow: 1.2 };
    const references = masksOf(loft(target));
    const look = (hull: typeof middleHull) =>
      measure({ masks: masksOf(loft(hull)), references, frame, surface: checkMesh(loft(hull)) }, 0.9).feedback;
    const before = look(middleHull);
    const after = look(applyFixes(middleHull, before.suggested_fixes)!);
    expect(before.overall_score).toBeLessThan(0.8);
    expect(after.overall_score).toBeGreaterThan(before.overall_score + 0.1);
  });
});
