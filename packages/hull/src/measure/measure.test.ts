import { randomStream } from "@loopwright/core";
import { checkMesh, type Frame, type Mask, type Mesh, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { loft } from "../loft/loft.ts";
import { type HullParameters, middleHull, parameters, pointToParameters } from "../loft/parameters.ts";
import type { Evidence } from "./findings.ts";
import { measure } from "./measure.ts";
import type { Masks, ReferenceView } from "./score.ts";

const frame: Frame = { center: [0, 0, 0.5], meters: 16 };
const SIZE = 256;

function masksOf(mesh: Mesh): Masks {
  const look = (view: ReferenceView) => silhouette(mesh, view, frame, SIZE);
  return { front: look("front"), side: look("side"), top: look("top") };
}

const wanted = masksOf(loft(middleHull));

function evidence(mesh: Mesh, more: Partial<Evidence> = {}): Evidence {
  return { masks: masksOf(mesh), references: wanted, frame, surface: checkMesh(mesh), ...more };
}

const measureHull = (change: Partial<HullParameters>) => measure(evidence(loft({ ...middleHull, ...change })), 0.85);

/** A mesh moved, or turned by whole half turns. */
function placed(mesh: Mesh, place: (x: number, y: number, z: number) => [number, number, number]): Mesh {
  const positions = new Float32Array(mesh.positions.length);
  for (let at = 0; at < positions.length; at += 3) {
    positions.set(place(mesh.positions[at]!, mesh.positions[at + 1]!, mesh.positions[at + 2]!), at);
  }
  return { ...mesh, positions };
}

describe("the evaluator", () => {
  it("finds nothing wrong with the reference itself", () => {
    const { feedback, findings, reason } = measure(evidence(loft(middleHull)), 1);
    expect(findings).toEqual([]);
    expect(feedback).toMatchObject({ overall_score: 1, is_complete: true, detected_issues: [], suggested_fixes: [] });
    expect(feedback.positive_aspects).toEqual([
      "the front view overlaps its reference by 1.000",
      "the side view overlaps its reference by 1.000",
      "the top view overlaps its reference by 1.000",
      "the surface is closed and faces outwards",
    ]);
    expect(reason).toBe("mean overlap 1.000");
  });

  it("says of any two hulls what differs, with a number in every issue, and never scores above the overlap", () => {
    const random = randomStream("measure");
    for (let draw = 0; draw < 40; draw++) {
      const mesh = loft(pointToParameters(parameters.map(() => random())));
      const { feedback, findings, reason } = measure(evidence(mesh), 0.85);
      expect(feedback.overall_score).toBeLessThanOrEqual(feedback.category_scores.shape_accuracy);
      expect(findings.length).toBeGreaterThan(0);
      for (const { message } of findings) expect(message).toMatch(/\d/);
      expect(findings.map(({ priority }) => priority)).toEqual(findings.map(({ priority }) => priority).toSorted());
      expect(feedback.detected_issues).toEqual(findings.map(({ message }) => message));
      expect(new Set(feedback.suggested_fixes).size).toBe(feedback.suggested_fixes.length);
      expect(reason).toContain(findings[0]!.message);
      const said = Number(/mean overlap ([\d.]+)$/.exec(reason)![1]);
      expect(said).toBeLessThanOrEqual(feedback.category_scores.shape_accuracy + 1e-9);
      expect(feedback.is_complete).toBe(feedback.overall_score >= 0.85);
    }
  });

  const cases: [string, Partial<HullParameters>, string, RegExp, RegExp][] = [
    [
      "too short",
      { length: 10.5 },
      "PROPORTION_LENGTH",
      /length is 10\.\d+ m: (0\.9|1\.0)\d m \(\d\.\d %\) too short/,
      /lengthen the hull by about/,
    ],
    ["too long", { length: 12.5 }, "PROPORTION_LENGTH", /too long/, /shorten the hull/],
    [
      "too narrow",
      { beam: 2.6 },
      "PROPORTION_BEAM",
      /beam is 2\.\d+ m: (0\.9|1\.0)\d m .* too narrow/,
      /widen the hull by about/,
    ],
    ["too wide", { beam: 4.6 }, "PROPORTION_BEAM", /too wide/, /narrow the hull/],
    ["too low", { sheer_bow: 0.2 }, "PROPORTION_HEIGHT", /too low/, /heighten the hull/],
    ["too high", { sheer_bow: 1.4 }, "PROPORTION_HEIGHT", /too high/, /lower the hull/],
    [
      "low at the bow",
      { sheer_bow: 0.3 },
      "SHEER_BOW",
      /the sheer at the bow is 0\.\d+ m too low/,
      /raise the sheer at the bow by about 0\.\d+ m/,
    ],
    [
      "high at the stern",
      { sheer_stern: 0.7 },
      "SHEER_STERN",
      /the sheer at the stern is .* too high/,
      /lower the sheer at the stern/,
    ],
    [
      "low amidships",
      { freeboard: 1.1 },
      "SHEER_MIDSHIPS",
      /the sheer amidships is 0\.(2|3)\d m too low/,
      /raise the sheer amidships/,
    ],
    [
      "deep amidships",
      { draft: 1.35 },
      "KEEL_MIDSHIPS",
      /the keel amidships is 0\.(2|3)\d m too low/,
      /raise the keel amidships/,
    ],
    [
      "cut away at the bow",
      { forefoot: 0.75 },
      "KEEL_BOW",
      /the keel at the bow is .* too high/,
      /lower the keel at the bow/,
    ],
    [
      "deep at the stern",
      { keel_rise: 0.05 },
      "KEEL_STERN",
      /the keel at the stern is .* too low/,
      /raise the keel at the stern/,
    ],
    [
      "narrow at the stern",
      { transom_width: 0.25 },
      "DECK_STERN",
      /the deck at the stern is .* too narrow/,
      /widen the deck at the stern/,
    ],
    [
      "full at the bow",
      { bow_fullness: 4.4 },
      "DECK_BOW",
      /the deck at the bow is .* too wide/,
      /narrow the deck at the bow/,
    ],
    [
      "sharp below",
      { deadrise: 0.6, bilge: 1.2 },
      "SECTION_BOTTOM",
      /in its lower third is .* too narrow/,
      /widen the sections in its lower third/,
    ],
    [
      "box-shaped",
      { bilge: 5, deadrise: 0, flare: 0 },
      "SECTION_BOTTOM",
      /in its lower third is .* too wide/,
      /narrow the sections/,
    ],
  ];
  it.each(cases)("says that a hull is %s, where, by how much and what to do", (_, change, code, message, fix) => {
    const { findings } = measureHull(change);
    const finding = findings.find((each) => each.code === code);
    expect(finding, findings.map((each) => each.code).join()).toBeDefined();
    expect(finding!.severity).toBe("soft");
    expect(finding!.message).toMatch(message);
    expect(finding!.fix).toMatch(fix);
  });

  it("gives the worse of two faults the higher priority", () => {
    const priority = (beam: number) =>
      measureHull({ beam }).findings.find(({ code }) => code === "PROPORTION_BEAM")?.priority;
    expect([3.5, 3.4, 3.2, 2.4].map(priority)).toEqual([4, 3, 2, 1]);
  });

  it("says nothing about what is smaller than a pixel or two", () => {
    expect(measureHull({ length: middleHull.length + 0.02 }).findings).toEqual([]);
  });

  it("says that a hull lies in the wrong place", () => {
    const mesh = placed(loft(middleHull), (x, y, z) => [x + 0.8, y, z]);
    const finding = measure(evidence(mesh), 0.85).findings.find(({ code }) => code === "POSITION_LENGTHWISE")!;
    expect(finding.message).toBe("the hull lies 0.81 m too far forward");
    expect(finding.fix).toBe("move the hull aft by about 0.81 m");
  });

  it("says that a hull lies backwards, or upside down", () => {
    const backwards = placed(loft(middleHull), (x, y, z) => [-x, -y, z]);
    const over = placed(loft(middleHull), (x, y, z) => [x, -y, 1 - z]);
    const codes = (mesh: Mesh) => measure(evidence(mesh), 0.85).findings.map(({ code }) => code);
    expect(codes(backwards)).toContain("ORIENTATION_BACKWARDS");
    expect(codes(over)).toContain("ORIENTATION_UPSIDE_DOWN");
    expect(codes(loft(middleHull))).toEqual([]);
  });

  it("says how much of each view is missing and how much is too much", () => {
    const { findings } = measureHull({ beam: 2.6 });
    const mismatch = findings.find(({ code }) => code === "SHAPE_MISMATCH_TOP")!;
    expect(mismatch.message).toMatch(
      /^the top view overlaps its reference by 0\.7\d\d: 2\d\.\d % of the reference is missing and 0\.\d % is too much$/,
    );
  });

  it("fails what shows nothing in a view, hard", () => {
    const nothing: Mask = { width: SIZE, height: SIZE, data: new Uint8Array(SIZE * SIZE) };
    const { feedback, findings } = measure(evidence(loft(middleHull), { masks: { ...wanted, side: nothing } }), 0.1);
    expect(findings[0]).toMatchObject({
      code: "VIEW_EMPTY_SIDE",
      severity: "hard",
      message: "the side view shows nothing",
    });
    expect(feedback.is_complete).toBe(false);
  });

  const sound = checkMesh(loft(middleHull));
  it.each([
    ["an open surface", { boundaryEdges: 4 }, "SURFACE_OPEN", "the surface has 4 open edges"],
    ["one open edge", { boundaryEdges: 1 }, "SURFACE_OPEN", "the surface has 1 open edge"],
    ["a fin", { nonManifoldEdges: 2 }, "SURFACE_NON_MANIFOLD", "2 edges of the surface belong to more than two faces"],
    [
      "one fin",
      { nonManifoldEdges: 1 },
      "SURFACE_NON_MANIFOLD",
      "1 edge of the surface belongs to more than two faces",
    ],
    [
      "flipped faces",
      { flippedEdges: 3 },
      "SURFACE_FLIPPED",
      "at 3 edges of the surface the two faces point opposite ways",
    ],
    [
      "an inside-out hull",
      { volume: -12.5 },
      "SURFACE_INSIDE_OUT",
      "the surface is inside out: its volume is -12.50 m³",
    ],
    ["an empty export", { triangles: 0 }, "SURFACE_MISSING", "the export holds no triangle"],
  ])("never calls %s complete, whatever it looks like", (_, fault, code, message) => {
    const { feedback, findings } = measure(evidence(loft(middleHull), { surface: { ...sound, ...fault } }), 0.5);
    expect(findings).toEqual([expect.objectContaining({ code, severity: "hard", priority: 1, message })]);
    expect(findings[0]!.fix).toBeDefined();
    expect(feedback.is_complete).toBe(false);
    expect(feedback.positive_aspects).not.toContain("the surface is closed and faces outwards");
  });

  it("mentions triangles without an area, and lets them pass", () => {
    const measured = (degenerateTriangles: number) =>
      measure(evidence(loft(middleHull), { surface: { ...sound, degenerateTriangles } }), 0.85);
    expect(measured(1).findings[0]!.message).toBe("1 triangle of the surface has no area");
    const { feedback, findings } = measured(2);
    expect(findings).toEqual([expect.objectContaining({ code: "SURFACE_DEGENERATE", severity: "soft" })]);
    expect(feedback.is_complete).toBe(true);
  });

  it("says first that the code could not be executed, and passes nothing then", () => {
    const failure = { class: "E1", message: "the parameter 'beam' is 99" } as const;
    const { feedback, findings } = measure(evidence(loft(middleHull), { failure }), 0.1);
    expect(findings[0]).toMatchObject({ code: "EXECUTION_FAILED", severity: "hard" });
    expect(feedback.detected_issues[0]).toBe(
      "the last code could not be executed (E1: the parameter 'beam' is 99); the scene is as it was before",
    );
    expect(feedback.is_complete).toBe(false);
  });
});
