import type { Issue } from "@loopwright/tracker";
import { describe, expect, it } from "vitest";
import { loadGate } from "../gate/load.ts";
import type { Asset } from "../issues.ts";
import { repairIssue } from "../phases/repair.ts";
import { found } from "../playbook.ts";
import type { FabInput } from "../task.ts";
import { buildVerdict, type Facts } from "./build.ts";
import { verdictToFields, verdictToText } from "./gate-verdict.ts";
import { judge } from "./standing.ts";

const gate = await loadGate("car_realism_v001", ".");
const facts: Facts = {
  ...{ run: "r", assetId: "a", index: 0, before: [], figures: {}, artifacts: { renders: {} } },
  nothing: ["a"],
  ...{ startedAt: 0, finishedAt: 5 },
};
const sound = { opinion: { score: 0.9, findings: [], reason: "fine" } };
const asked = { problems: [], requirements: [] };
const looks = { category: { measured: sound }, geometry: { measured: sound }, realism: { measured: sound } };

describe("what was asked for", () => {
  const requirements = [{ words: "car" }, { words: "red" }, { words: "convertible" }];
  const answer = (words: string, says: "yes" | "no" | "cannot tell", by = "model") => ({
    words,
    by,
    says,
    reason: "so",
  });
  const opinion = (answers: object[]) => ({ opinion: { score: 0.9, findings: [], reason: "fine", answers } }) as never;
  const both = {
    ...gate,
    critics: { ...gate.critics, alignment: { ...gate.critics.alignment!, by: "both" as const } },
  };
  const resultsOf = (measured: object[], model: object[]) => {
    const alignment = { measured: opinion(measured), model: opinion(model) };
    const judged = judge({ looks: { ...looks, alignment }, problems: [], requirements }, both);
    return { ...judged, results: judged.requirements.map(({ result }) => result) };
  };

  it("is unmet by one no, met by one yes, and unjudged where nobody can tell or nobody was asked", () => {
    const red = answer("red", "yes", "color check");
    expect(resultsOf([red], []).results).toEqual(["met", "met", "unjudged"]);
    expect(resultsOf([red], [answer("convertible", "cannot tell")]).unjudged).toEqual(["convertible"]);
    expect(resultsOf([red], [answer("red", "no"), answer("convertible", "yes")]).results).toEqual([
      "met",
      "unmet",
      "met",
    ]);
    const { unmet, findings } = resultsOf([red], [answer("convertible", "no")]);
    expect(unmet).toEqual(["convertible"]);
    expect(findings).toContainEqual(expect.objectContaining({ code: "ALIGN_ATTRIBUTE_MISMATCH" }));
  });

  it("is shown with who said what, in the file, to people and on the issue", () => {
    const judged = resultsOf([answer("red", "yes", "color check")], [answer("convertible", "cannot tell")]);
    const { verdict } = buildVerdict(judged, both, facts);
    expect(JSON.parse(verdictToText(verdict))).toEqual(verdict);
    expect(verdict.opinions.alignment!.map(({ by }) => by)).toEqual(["check", "model"]);
    expect(verdictToFields(verdict)).toMatchObject({
      judged: [
        "car: met (category check: yes, fine)",
        "red: met (color check: yes, so)",
        "convertible: unjudged (model: cannot tell, so)",
      ],
      unjudged: ["convertible"],
    });
  });
});

describe("gate_verdict.json", () => {
  it("is held to its schema when it is written", () => {
    const { verdict } = buildVerdict(judge({ looks, ...asked }, gate), gate, facts);
    expect(JSON.parse(verdictToText(verdict))).toEqual(verdict);
    expect(() => verdictToText({ ...verdict, verdict_reason: "" })).toThrow("verdict_reason");
    expect(() => verdictToText({ ...verdict, scores: { ...verdict.scores, overall: Number.NaN } })).toThrow("overall");
    expect(() => verdictToText({ ...verdict, mood: "good" } as never)).toThrow("mood");
  });

  it("weighs the others higher where alignment had no prompt, and says so; with a prompt it is a hard fail", () => {
    const without = judge({ looks, ...asked }, gate);
    expect(without.score).toBeCloseTo(0.9);
    expect(without.hard).toEqual(["MATERIAL_NOT_RUN"]);
    expect(without.notes).toHaveLength(1);
    const { hard, score } = judge({ looks, ...asked, requirements: [{ words: "red" }] }, gate);
    expect(hard).toEqual(["ALIGNMENT_NOT_RUN", "MATERIAL_NOT_RUN"]);
    expect(score).toBeCloseTo(0.72);
  });

  it("asks a person about a crash, a template after two iterations of bad geometry, and repairs by urgency", () => {
    const crash = found("BLENDER_CRASH", "at the import");
    const crashed = buildVerdict(judge({ looks, ...asked, problems: [crash] }, gate), gate, facts);
    expect(crashed.verdict).toMatchObject({ verdict: "escalate", escalate_reason: "import_crash" });
    expect(crashed.next).toEqual({ action: "escalate", reason: "import_crash" });
    const findings = [found("GEO_FLOATING", "x"), found("GEO_ASYMMETRIC", "y"), found("GEO_SCALE_IMPLAUSIBLE", "z")];
    const bad = { geometry: { measured: { opinion: { score: 0.3, findings, reason: "bad" } } } };
    const low = { opinion: { score: 0.2, findings: [], reason: "no car" } };
    const material = { measured: sound };
    const judged = judge({ looks: { ...looks, ...bad, category: { measured: low }, material }, ...asked }, gate);
    const { verdict, next } = buildVerdict(judged, gate, { ...facts, index: 2, before: [["MESH_INVALID"]] });
    expect(next).toEqual({ action: "repair" });
    expect(verdict.next_actions.map(({ action, priority, code }) => [action, priority, code])).toEqual([
      ["fallback_to_template", 2, undefined],
      ["repair", 1, "GEO_SCALE_IMPLAUSIBLE"],
      ["repair", 2, "GEO_FLOATING"],
      ["repair", 2, "GEO_ASYMMETRIC"],
      ["repair", 2, "CATEGORY_BELOW_FLOOR"],
      ["repair", 2, "GEOMETRY_BELOW_FLOOR"],
      ["repair", 3, "OVERALL_SCORE_LOW"],
    ]);
    expect(verdict.next_actions[0]!.instructions).toBe("Begin again from car_sedan_template_v001.");
  });

  it("never says more of a score than it is, nor does the issue of a repair", () => {
    const near = { measured: { opinion: { score: gate.pass - 0.0004, findings: [], reason: "near" } } };
    const names = ["category", "geometry", "realism", "material"] as const;
    const judged = judge({ looks: Object.fromEntries(names.map((name) => [name, near])), ...asked }, gate);
    expect(judged.findings.find(({ code }) => code === "OVERALL_SCORE_LOW")!.message).toBe(
      "overall 0.749; needed 0.75",
    );
    const { verdict } = buildVerdict(judged, gate, facts);
    const work = { title: "a car" } as FabInput["work"];
    const repair = repairIssue({ gate, iteration_index: 0, work } as FabInput, "r", verdict, {});
    const { description } = repair({ priority: "P2", asset: {} } as Issue<Asset>);
    expect(description).toContain("| overall | 0.74 | 0.75 | below |");
    expect(description).toContain("| realism | 0.74 |");
  });
});
