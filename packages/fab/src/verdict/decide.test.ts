// The order of decisions, against tables that are written out: nothing in them is computed by what they test.

import { describe, expect, it } from "vitest";
import { GateConfig } from "../gate/schema.ts";
import { decideNext, decideVerdict, isDisputed, type Standing, templateFor, type Voted } from "./decide.ts";

const range: [number, number] = [0, 10];
const gate = GateConfig.parse({
  gate_config_id: "table",
  kind: "car",
  pass: 0.75,
  uncertainty_band: 0.03,
  critics: { geometry: { weight: 1 } },
  geometry: {
    ...{ length: range, width: range, height: range, triangles: range },
    ...{ trivial: 1, symmetry: 0, non_manifold: 1, normals: 0 },
  },
  iteration: { template_fallback: { templates: { car: "car_sedan_template_v001" } } },
});

/** The columns: the score, and what the votes came to (none: nobody was asked). */
const columns: readonly [number, Voted | undefined][] = [
  [0.5, undefined],
  [0.73, undefined],
  [0.73, "pass"],
  [0.73, "fail"],
  [0.73, "undecided"],
  [0.75, undefined],
  [0.77, undefined],
  [0.77, "pass"],
  [0.77, "fail"],
  [0.77, "undecided"],
  [0.9, undefined],
];

/**
 * P passes, F fails; C, A and I escalate: crash, adversarial, inconsistency. Each row: crash, adversarial, hard, floor.
 * votes at .73 and .77:         none pass fail undecided
 */
const truth = `
              .50  .73 .73p .73f .73u  .75  .77 .77p .77f .77u  .90
  - - - -      F    F    P    F    I    P    P    P    F    I    P
  - - - floor  F    F    F    F    I    F    F    F    F    I    F
  - - hard -   F    F    F    F    I    F    F    F    F    I    F
  - - hard floor F  F    F    F    I    F    F    F    F    I    F
  - adv - -    A    A    A    A    A    A    A    A    A    A    A
  - adv - floor A   A    A    A    A    A    A    A    A    A    A
  - adv hard - A    A    A    A    A    A    A    A    A    A    A
  - adv hard floor A A   A    A    A    A    A    A    A    A    A
  crash - - -  C    C    C    C    C    C    C    C    C    C    C
  crash - - floor C C    C    C    C    C    C    C    C    C    C
  crash - hard - C  C    C    C    C    C    C    C    C    C    C
  crash - hard floor C C C    C    C    C    C    C    C    C    C
  crash adv - - C   C    C    C    C    C    C    C    C    C    C
  crash adv - floor C C  C    C    C    C    C    C    C    C    C
  crash adv hard - C C   C    C    C    C    C    C    C    C    C
  crash adv hard floor C C C  C    C    C    C    C    C    C    C
`;

/** All of what was asked for is so. */
const asAsked = { unmet: [], unjudged: [] };

const letters = {
  P: { verdict: "pass" },
  F: { verdict: "fail" },
  C: { verdict: "escalate", escalate: "import_crash" },
  A: { verdict: "escalate", escalate: "suspected_adversarial" },
  I: { verdict: "escalate", escalate: "critic_inconsistency" },
} as const;

const cells = truth
  .trim()
  .split("\n")
  .slice(1)
  .flatMap((line) => {
    const words = line.trim().split(/\s+/);
    const [crash, adversarial, hard, floor] = words;
    return words.slice(4).map((letter, at) => {
      const [score, voted] = columns[at]!;
      const standing: Standing = {
        hasCrashed: crash !== "-",
        isAdversarial: adversarial !== "-",
        hard: hard === "-" ? [] : ["GEO_SCALE_IMPLAUSIBLE"],
        below: floor === "-" ? [] : ["geometry"],
        ...asAsked,
        score,
        ...(voted && { voted }),
      };
      return { title: `${words.slice(0, 4).join(" ")} ${score} ${voted ?? ""}`, standing, letter };
    });
  });

describe("the verdict", () => {
  it("has a written-out cell for every combination", () => {
    expect(cells).toHaveLength(16 * columns.length);
    expect(new Set(cells.map(({ title }) => title)).size).toBe(cells.length);
  });

  it.each(cells)("$title → $letter", ({ standing, letter }) => {
    const decision = decideVerdict(standing, gate);
    expect(decision).toMatchObject(letters[letter as keyof typeof letters]);
    expect(decision.escalate).toBe((letters[letter as keyof typeof letters] as { escalate?: string }).escalate);
    expect(decision.reason).not.toBe("");
  });

  it("says of a score just below what is needed no more than it is", () => {
    const standing = { hasCrashed: false, isAdversarial: false, hard: [], below: [], ...asAsked, score: 0.7496 };
    expect(decideVerdict(standing, gate).reason).toBe("the score is 0.749, and 0.75 is needed");
  });

  it("without its escalations is a fail: a crash is a hard fail, and undecided votes never pass (L9)", () => {
    const off = { on_import_crash: false, on_critic_inconsistency: false };
    const iteration = { ...gate.iteration, escalation: { ...gate.iteration.escalation, ...off } };
    const standing = {
      hasCrashed: true,
      isAdversarial: false,
      hard: ["BLENDER_CRASH"],
      below: [],
      ...asAsked,
      score: 0.9,
    };
    expect(decideVerdict(standing, { ...gate, iteration })).toMatchObject({ verdict: "fail" });
    const undecided = { ...standing, hasCrashed: false, hard: [], voted: "undecided" as const };
    expect(decideVerdict(undecided, { ...gate, iteration })).toMatchObject({ verdict: "fail" });
  });
});

describe("what was asked for", () => {
  const sound = { hasCrashed: false, isAdversarial: false, hard: [], below: [], ...asAsked };
  const words = ["convertible", "1960s"];

  it.each([
    // what is unmet, unjudged, the score, the votes → the verdict
    [words, [], 0.9, undefined, "fail"],
    [words, [], 0.76, "pass", "fail"],
    [words, ["red"], 0.9, undefined, "fail"],
    [[], words, 0.9, undefined, "escalate"],
    [[], words, 0.76, "pass", "escalate"],
    [[], words, 0.76, "fail", "fail"],
    [[], words, 0.5, undefined, "fail"],
  ] as const)("unmet %j, unjudged %j, at %s with the votes %s: %s", (unmet, unjudged, score, voted, verdict) => {
    const decision = decideVerdict({ ...sound, unmet, unjudged, score, ...(voted && { voted }) }, gate);
    expect(decision.verdict).toBe(verdict);
    if (verdict === "escalate") expect(decision.escalate).toBe("unjudged_words");
    if (verdict === "escalate" || unmet.length > 0) expect(decision.reason).toContain("convertible, 1960s");
  });

  it("passes unjudged where the gate says so, and never unmet", () => {
    const lenient = { ...gate, unjudged: "pass" as const };
    expect(decideVerdict({ ...sound, unjudged: words, score: 0.9 }, lenient).verdict).toBe("pass");
    expect(decideVerdict({ ...sound, unmet: words, score: 0.9 }, lenient).verdict).toBe("fail");
  });
});

describe("a vote", () => {
  const open = { hasCrashed: false, isAdversarial: false, hard: [], below: [], ...asAsked };

  it.each([
    [0.719, false],
    [0.72, true],
    [0.75, true],
    [0.78, true],
    [0.781, false],
  ])("at a score of %s is asked for: %s", (score, isAsked) => {
    expect(isDisputed({ ...open, score }, gate)).toBe(isAsked);
  });

  it.each([
    { hard: ["X"] },
    { below: ["geometry"] },
    { unmet: ["blue"] },
    { hasCrashed: true },
    { isAdversarial: true },
  ])("is not asked for where something else has decided: %o", (worse) => {
    expect(isDisputed({ ...open, score: 0.75, ...worse }, gate)).toBe(false);
  });
});

describe("what is done about a verdict", () => {
  const now = ["GEO_SCALE_IMPLAUSIBLE"];
  const other = ["MAT_MISSING_TEXTURES"];

  it.each([
    // verdict, index, hard codes before (the latest last) → what is done
    ["pass", 0, [], "done"],
    ["pass", 5, [now], "done"],
    ["escalate", 0, [], "critic_inconsistency"],
    ["escalate", 5, [now], "critic_inconsistency"],
    ["fail", 0, [], "repair"],
    ["fail", 4, [], "repair"],
    ["fail", 4, [other], "repair"],
    ["fail", 2, [now, other], "repair"],
    ["fail", 1, [now], "repeated_hard_fail"],
    ["fail", 4, [other, now], "repeated_hard_fail"],
    ["fail", 5, [], "max_iterations_exceeded"],
    ["fail", 5, [now], "max_iterations_exceeded"],
    ["fail", 6, [now], "max_iterations_exceeded"],
  ] as const)("%s at iteration %i after %j: %s", (verdict, index, before, done) => {
    const escalate = verdict === "escalate" ? ("critic_inconsistency" as const) : undefined;
    const next = decideNext(
      { verdict, reason: "x", ...(escalate && { escalate }) },
      { hard: now, index, before },
      gate.iteration,
    );
    expect(next.action === "escalate" ? next.reason : next.action).toBe(done);
  });

  it.each([
    [3, [["A"], ["A"]], "repeated_hard_fail"],
    [3, [["A"]], "repair"],
    [3, [["B"], ["A"]], "repair"],
    [2, [["B"], ["A"]], "repeated_hard_fail"],
  ])("with a threshold of %i after %j: %s", (repeated_threshold, before, done) => {
    const iteration = { ...gate.iteration, escalation: { ...gate.iteration.escalation, repeated_threshold } };
    const next = decideNext({ verdict: "fail", reason: "x" }, { hard: ["A"], index: 2, before }, iteration);
    expect(next.action === "escalate" ? next.reason : next.action).toBe(done);
    const off = { ...iteration, escalation: { ...iteration.escalation, on_repeated_hard_fail: false } };
    expect(decideNext({ verdict: "fail", reason: "x" }, { hard: ["A"], index: 2, before }, off).action).toBe("repair");
  });

  it.each([
    [1, ["GEO_A", "GEO_B"], "car", undefined],
    [2, ["GEO_A", "MAT_NONE"], "car", undefined],
    [2, ["GEO_A", "GEO_B"], "car", "car_sedan_template_v001"],
    [2, ["GEO_A", "GEO_B"], "boat", undefined],
  ])("at iteration %i with %j a %s falls back to %s", (index, codes, kind, template) => {
    const { template_fallback } = gate.iteration;
    expect(templateFor({ index, codes, kind }, template_fallback)).toBe(template);
    expect(templateFor({ index, codes, kind }, { ...template_fallback, enabled: false })).toBeUndefined();
  });
});
