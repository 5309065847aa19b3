import { describe, expect, it } from "vitest";
import type { Finding } from "../record/events.ts";
import { combine, type Opinion } from "./critics.ts";

const opinion = (score: number, findings: Finding[] = []): Opinion => ({ score, findings, reason: `it is ${score}` });
const finding = (severity: Finding["severity"], priority: Finding["priority"] = 2): Finding => ({
  code: "GEO_FLOATING",
  severity,
  priority,
  message: "it floats",
});

describe("what critics come to", () => {
  it("is the mean of their scores by weight, and passes from the threshold on", () => {
    const weights = { category: 3, geometry: 1 };
    const opinions = { category: opinion(0.8), geometry: opinion(0.4) };
    expect(combine(opinions, { pass: 0.7, weights })).toMatchObject({ verdict: "pass", score: expect.closeTo(0.7) });
    expect(combine(opinions, { pass: 0.71, weights })).toMatchObject({ verdict: "fail" });
  });

  it("is a fail by any hard finding, however high the score, and also of a critic without weight", () => {
    const opinions = { geometry: opinion(1), material: opinion(1, [finding("hard")]) };
    expect(combine(opinions, { pass: 0.5, weights: { material: 0 } })).toMatchObject({ verdict: "fail", score: 1 });
    expect(combine({ geometry: opinion(1, [finding("soft")]) }, { pass: 0.5 })).toMatchObject({ verdict: "pass" });
  });

  it("is a fail where one stays below its own floor", () => {
    const verdict = combine({ category: opinion(1), geometry: opinion(0.5) }, { pass: 0.5, floors: { geometry: 0.6 } });
    expect(verdict).toMatchObject({
      verdict: "fail",
      reason: expect.stringMatching(/; geometry scores 0\.50, and needs 0\.60$/),
    });
    expect(verdict.findings.map(({ code }) => code)).toEqual(["GEOMETRY_BELOW_FLOOR"]);
    const near = combine({ geometry: opinion(0.5996) }, { pass: 0.5, floors: { geometry: 0.6 } });
    expect(near.reason).toContain("geometry scores 0.59, and needs 0.60");
  });

  it("is a fail where a required critic could not look, and counts it as 0", () => {
    const verdict = combine({ category: opinion(1), geometry: undefined }, { pass: 0.4 });
    expect(verdict).toMatchObject({ verdict: "fail", score: 0.5 });
    expect(verdict.findings).toMatchObject([{ code: "GEOMETRY_NOT_RUN", severity: "hard" }]);
  });

  it("leaves an optional critic out that could not look, and none else", () => {
    const opinions = { category: opinion(0.9), alignment: undefined };
    expect(combine(opinions, { pass: 0.9, optional: ["alignment"] })).toMatchObject({ verdict: "pass", score: 0.9 });
  });

  it("is a fail where nobody has looked (L9)", () => {
    expect(combine({}, { pass: 0 })).toMatchObject({ verdict: "fail", score: 0 });
    expect(combine({ a: undefined }, { pass: 0, optional: ["a"] })).toMatchObject({ verdict: "fail" });
  });

  it.each([
    ["a score beyond 1", { ...opinion(1), score: 7 }],
    ["a score that is no number", { ...opinion(1), score: Number.NaN }],
    ["an empty reason", { ...opinion(1), reason: " " }],
    ["findings that are none", { ...opinion(1), findings: [{}] }],
  ])("takes an opinion with %s for none (L9)", (_, given) => {
    const verdict = combine({ category: given as Opinion }, { pass: 0 });
    expect(verdict).toMatchObject({ verdict: "fail", score: 0, findings: [{ code: "CATEGORY_NOT_RUN" }] });
  });

  it("lists the findings of all, the most urgent first", () => {
    const opinions = { a: opinion(1, [finding("soft", 3)]), b: opinion(1, [finding("soft", 1)]) };
    expect(combine(opinions, { pass: 0.5 }).findings.map(({ priority }) => priority)).toEqual([1, 3]);
  });
});
