// The loop on real files, with scripted models where a model would be.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { killAtEveryCommit, memoryEngine, type Scripted, scriptedModels } from "@loopwright/core/testing";
import { type Mesh, meshToGlb } from "@loopwright/mesh";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { crashingBlender, hasBlender } from "../../../test/fakes/blender.ts";
import { car } from "../../../test/fakes/car.ts";
import { cube } from "../../../test/fakes/shapes.ts";
import { loadGate } from "./gate/load.ts";
import { type CriticName, GateConfig } from "./gate/schema.ts";
import { fab } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "loopwright-judging-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const assets = { car: join(folder, "car.glb"), cube: join(folder, "cube.glb"), large: join(folder, "large.glb") };

beforeAll(async () => {
  const scaled = (mesh: Mesh, by: number) => ({ ...mesh, positions: mesh.positions.map((value) => value * by) });
  writeFileSync(assets.car, await meshToGlb(car()));
  writeFileSync(assets.large, await meshToGlb(scaled(car(), 10)));
  writeFileSync(assets.cube, await meshToGlb(scaled(cube(), 100)));
});

type By = "measured" | "model" | "both";

/** The car gate with these critics alone. */
async function gateOf(critics: Partial<Record<CriticName, By>>, more: object = {}): Promise<GateConfig> {
  const { critics: all, ...gate } = await loadGate("car_realism_v001", folder);
  const named = Object.entries(critics).map(([name, by]) => [name, { ...all[name as CriticName], by }]);
  return GateConfig.parse({ ...gate, critics: Object.fromEntries(named), ...more });
}

interface Case {
  file?: string;
  gate: GateConfig;
  prompt?: string;
  script?: Record<string, readonly Scripted[]>;
}

async function judgeBy({ file = assets.car, gate, prompt, script = {} }: Case) {
  const scripted = scriptedModels(script);
  const test = memoryEngine({ models: scripted.models });
  const { outcome, state } = await test.engine.start(fab, {
    ...{ file, gate, profile: "draft", iteration_index: 0, hard_before: [] },
    ...(prompt && { prompt }),
  });
  return { outcome, scripted, verdict: state.verdict!, state };
}

const opinion = (score: number, findings: object[] = []) => ({ json: { score, reason: "I looked", findings } });
/** What a prompt is read as, and what is said to each requirement: the kind first. */
const reading = (...words: string[]) => ({
  json: { requirements: words.map((each) => ({ words: each, means: each })), nothing: ["a"] },
});
const aligned = (score: number, ...says: string[]) => ({
  json: {
    ...{ score, reason: "I looked", findings: [] },
    requirements: says.map((each, at) => ({ requirement: at + 1, says: each, reason: "as seen" })),
  },
});
const ballot = (letters: string): Scripted[] =>
  [...letters].map((letter) =>
    letter === "x"
      ? "I would rather not say"
      : { json: { vote: { p: "pass", f: "fail", u: "unsure" }[letter], reason: "so" } },
  );

describe("a critic that is a model", () => {
  it("is shown the pictures, the figures and the codes that it may give", async () => {
    const { scripted, verdict, outcome } = await judgeBy({
      gate: await gateOf({ category: "model", alignment: "model" }),
      prompt: "a red sedan",
      script: { requirements: [reading("red", "sedan")], critic: [opinion(0.9), aligned(0.9, "yes", "yes", "yes")] },
    });
    const [asked, compared] = scripted.asked("critic");
    expect(asked!.role).toBe("critic");
    expect(asked!.request.images!.map(({ path }) => path.split("/").at(-1))).toEqual([
      ...[
        "shaded_front_3q",
        "clay_front_3q",
        "shaded_rear_3q",
        "shaded_side_left",
        "clay_side_left",
        "shaded_front",
      ].map((name) => `${name}.png`),
      ...["shaded_top.png", "shaded_close_wheel_front.png"],
    ]);
    for (const words of [
      "from the front left; from the front left, in clay; from behind, on the right; the left side",
      "length 4.15 m (expected 3–6)",
      "- CAT_NO_CAR_DETECTED: The asset is not recognized as a car, in several views\n",
    ])
      expect(asked!.text).toContain(words);
    // What was asked for is told to whoever compares with it, and to nobody whom it could sway.
    expect(compared!.text).toContain("a red sedan");
    expect(compared!.text).toContain("1. car\n2. red: red\n3. sedan: sedan");
    expect(asked!.text).not.toContain("a red sedan");
    expect(outcome).toBe("done");
    expect(verdict).toMatchObject({ verdict: "pass", scores: { overall: 0.9, by_critic: { category: 0.9 } } });
  });

  it("with a check beside it: the lower score holds, whichever it is, and both findings stand", async () => {
    const gate = await gateOf({ geometry: "both" });
    const finding = { code: "GEO_ASYMMETRIC", message: "the left mirror is missing", fix: "mirror the right one" };
    const low = await judgeBy({ gate, script: { critic: [opinion(0.3, [finding])] } });
    expect(low.verdict).toMatchObject({
      verdict: "fail",
      scores: { by_critic: { geometry: 0.3 } },
      failures: { hard: [], soft: ["GEO_ASYMMETRIC", "GEOMETRY_BELOW_FLOOR", "OVERALL_SCORE_LOW"] },
      floor_violations: [{ critic: "geometry", score: 0.3, floor: 0.6 }],
    });
    expect(low.verdict.next_actions[0]!.instructions).toMatch(/^the left mirror is missing; mirror the right one\./);
    const high = await judgeBy({ file: assets.large, gate, script: { critic: [opinion(1)] } });
    expect(high.verdict).toMatchObject({
      scores: { by_critic: { geometry: 0.4 } },
      failures: { hard: ["GEO_SCALE_IMPLAUSIBLE"] },
    });
  });

  it("that never answers in its form has not looked, and nothing passes", async () => {
    const { verdict, scripted, outcome } = await judgeBy({
      gate: await gateOf({ category: "both", geometry: "measured" }),
      script: { critic: ["Looks great! 10/10", opinion(7), opinion(1, [{ code: "GEO_FLOATING", message: "x" }]), ""] },
    });
    expect(scripted.asked("critic")).toHaveLength(4);
    expect(outcome).toBe("failed");
    expect(verdict.failures.hard).toEqual(["CATEGORY_NOT_RUN"]);
    expect(verdict.scores.by_critic).toEqual({ category: null, geometry: 1 });
  });

  it("of alignment is not asked without a prompt, and the verdict says so", async () => {
    const gate = await gateOf({ alignment: "model", geometry: "measured" });
    const without = await judgeBy({ gate });
    expect(without.scripted.sent).toEqual([]);
    expect(without.verdict).toMatchObject({ verdict: "pass", scores: { overall: 1 } });
    expect(without.verdict.notes).toEqual([expect.stringContaining("there is no prompt, so alignment was left out")]);
    const script = { requirements: [reading("blue", "van")], critic: [aligned(0.1, "yes", "yes", "no")] };
    const asked = await judgeBy({ gate, prompt: "a blue van", script });
    expect(asked.verdict).toMatchObject({ verdict: "fail", floor_violations: [{ critic: "alignment" }], notes: [] });
  });
});

describe("what was asked for", () => {
  const gate = () => gateOf({ category: "measured", geometry: "measured", alignment: "both" });
  const prompt = "a red convertible from the 1960s";

  it.each([
    ["all of it seen", ["yes", "yes", "yes", "yes"], "pass"],
    ["one thing not so", ["yes", "yes", "no", "yes"], "fail"],
    ["one thing that cannot be seen", ["yes", "yes", "yes", "cannot tell"], "escalate"],
    ["one thing that the model says nothing of", ["yes", "yes", "yes"], "escalate"],
    ["what a check says no to", ["no", "yes", "yes", "yes"], "fail"],
  ])("by check and model, %s", async (_, says, result) => {
    const script = {
      requirements: [reading("red", "convertible", "from the 1960s")],
      critic: [aligned(1, ...says)],
    };
    const { verdict } = await judgeBy({ gate: await gate(), prompt, script });
    expect(verdict.verdict).toBe(result);
    expect(verdict.nothing).toEqual(["a"]);
    expect(verdict.requirements.map(({ words }) => words)).toEqual(["car", "red", "convertible", "from the 1960s"]);
    expect(verdict.requirements[1]!.answers.map(({ by }) => by)).toEqual(["color check", "alignment model"]);
    if (result === "escalate") expect(verdict.verdict_reason).toMatch(/but nobody could judge: from the 1960s$/);
  });

  it("a word that the model's reading leaves out is asked about too, and without a usable reading every word", async () => {
    const critic = [aligned(1, "yes", "yes", "yes", "yes", "yes")];
    const left = await judgeBy({
      gate: await gate(),
      prompt,
      script: { requirements: [reading("red", "convertible")], critic },
    });
    expect(left.verdict.requirements.map(({ words }) => words)).toEqual([
      ...["car", "red", "convertible", "from", "1960s"],
    ]);
    const unread = await judgeBy({ gate: await gate(), prompt, script: { requirements: ["I will not"], critic } });
    expect(unread.verdict.requirements.map(({ words }) => words)).toEqual([
      ...["car", "red", "convertible", "from", "1960s"],
    ]);
  });

  it("without a model: each word is measured, or named", async () => {
    const { verdict, outcome } = await judgeBy({
      gate: await gateOf({ category: "measured", geometry: "measured", alignment: "measured" }),
      prompt,
    });
    expect(outcome).toBe("escalated");
    expect(verdict).toMatchObject({ verdict: "escalate", escalate_reason: "unjudged_words" });
    expect(verdict.verdict_reason).toMatch(/but nobody could judge: convertible, from, 1960s$/);
  });
});

describe("near the threshold", () => {
  it.each([
    // score of the critic, votes (x: malformed; the fourth is the tiebreaker's) → verdict, votes cast
    [0.76, "pp", "pass", 3],
    [0.74, "ppf", "pass", 3],
    [0.76, "fff", "fail", 3],
    [0.76, "ffp", "fail", 3],
    [0.76, "pfup", "pass", 4],
    [0.76, "pfuf", "fail", 4],
    [0.76, "pfuu", "escalate", 4],
    [0.76, "xxxp", "pass", 4],
    [0.76, "pxxx", "escalate", 4],
    [0.79, "", "pass", 0],
    [0.71, "", "fail", 0],
  ])("a score of %s with the votes %s comes to %s", async (score, letters, result, count) => {
    const { verdict, scripted, outcome } = await judgeBy({
      gate: await gateOf({ category: "model" }),
      script: { critic: [opinion(score)], vote: ballot(letters) },
    });
    expect(verdict.verdict).toBe(result);
    expect(scripted.asked("vote").map(({ role }) => role)).toEqual(
      ["critic", "critic", "critic", "tiebreaker"].slice(0, count),
    );
    expect(verdict.vote_pack?.critics.category?.votes.length ?? 0).toBe(count);
    if (result === "escalate") {
      expect(outcome).toBe("escalated");
      expect(verdict.escalate_reason).toBe("critic_inconsistency");
      expect(verdict.next_actions.map(({ action }) => action).slice(0, 2)).toEqual([
        "human_review",
        "rerender_vote_pack",
      ]);
    }
  });

  it("every model critic votes, and no check does", async () => {
    const { verdict, scripted } = await judgeBy({
      gate: await gateOf({ category: "model", geometry: "measured", realism: "model" }),
      script: { critic: [opinion(0.74), opinion(0.45)], vote: [...ballot("ppp"), ...ballot("pfp")] },
    });
    expect(scripted.asked("vote")).toHaveLength(6);
    expect(Object.keys(verdict.vote_pack!.critics)).toEqual(["category", "realism"]);
    expect(verdict.verdict).toBe("pass");
  });

  it("nobody votes where a hard fail has decided, nor where no model judges: then the score does", async () => {
    const hard = await judgeBy({
      file: assets.large,
      gate: await gateOf({ category: "model", geometry: "measured" }, { pass: 0.5 }),
      script: { critic: [opinion(0.7)] },
    });
    expect(hard.scripted.asked("vote")).toEqual([]);
    const measured = await judgeBy({ gate: await gateOf({ geometry: "measured" }, { pass: 0.98 }) });
    expect(measured.verdict).toMatchObject({ verdict: "pass", scores: { overall: 1 } });
    expect(measured.scripted.sent).toEqual([]);
  });
});

describe("a suspected trick", () => {
  it("is what looks like a car and has two hard fails of geometry", async () => {
    const gate = await gateOf({ category: "model", geometry: "measured" });
    const { verdict, outcome } = await judgeBy({ file: assets.cube, gate, script: { critic: [opinion(0.95)] } });
    expect(outcome).toBe("escalated");
    expect(verdict).toMatchObject({ verdict: "escalate", escalate_reason: "suspected_adversarial" });
    expect(verdict.failures.hard).toEqual(["GEO_SCALE_IMPLAUSIBLE", "GEO_TRI_COUNT_TRIVIAL"]);
    expect(verdict.next_actions[0]).toMatchObject({ action: "human_review", priority: 1 });
    const honest = await judgeBy({ file: assets.cube, gate, script: { critic: [opinion(0.1)] } });
    expect(honest.verdict.verdict).toBe("fail");
  });

  it("is not the wrong scale alone", async () => {
    const gate = await gateOf({ category: "model", geometry: "measured" });
    const { verdict } = await judgeBy({ file: assets.large, gate, script: { critic: [opinion(0.95)] } });
    expect(verdict).toMatchObject({ verdict: "fail", failures: { hard: ["GEO_SCALE_IMPLAUSIBLE"] } });
  });
});

describe("without Blender", () => {
  it("what needs none is still judged, and what could not be is a finding that says why", async () => {
    vi.stubEnv("LOOPWRIGHT_BLENDER", "/nowhere/blender");
    try {
      const { verdict, state } = await judgeBy({ gate: await gateOf({ geometry: "measured", realism: "measured" }) });
      expect(verdict.scores.by_critic).toEqual({ geometry: 1, realism: null });
      expect(verdict.failures.hard).toEqual(["REALISM_NOT_RUN"]);
      expect(verdict.next_actions[0]!.instructions).toMatch(/^realism could not be judged: .*no Blender that starts/);
      expect(state.views).toHaveLength(12);
      expect(state.renders).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe.skipIf(!hasBlender)("with a Blender that ends by itself at every picture", () => {
  it("the run comes to its end, with that as a finding and a person asked to look", async () => {
    vi.stubEnv("LOOPWRIGHT_BLENDER", await crashingBlender(folder));
    try {
      const gate = await gateOf({ geometry: "measured", realism: "measured" });
      const { verdict, outcome, state } = await judgeBy({ gate });
      expect(outcome).toBe("escalated");
      expect(verdict).toMatchObject({ verdict: "escalate", scores: { by_critic: { geometry: 1, realism: null } } });
      expect(verdict.failures.hard).toEqual(["BLENDER_CRASH", "REALISM_NOT_RUN"]);
      const repair = verdict.next_actions.find(({ code }) => code === "BLENDER_CRASH");
      expect(repair!.instructions).toMatch(
        /^at the picture: Blender ended by itself: .*\nBlender ended by itself on this/,
      );
      expect([state.views.length, state.renders]).toEqual([12, []]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("an asset", () => {
  it("that is not there has that one code and no other", async () => {
    const { verdict } = await judgeBy({ file: join(folder, "none.glb"), gate: await gateOf({ geometry: "measured" }) });
    expect(verdict).toMatchObject({ verdict: "fail", failures: { hard: ["IMPORT_FILE_NOT_FOUND"], soft: [] } });
    expect(verdict.scores.by_critic).toEqual({ geometry: null });
  });

  it("has the same scores and findings every time", async () => {
    const gate = await gateOf({ geometry: "measured", material: "measured" });
    const [first, second] = [await judgeBy({ gate }), await judgeBy({ gate })];
    const { run_id: _a, timing: _b, ...same } = first.verdict;
    const { run_id: _c, timing: _d, ...again } = second.verdict;
    expect(again).toEqual(same);
  });

  it("killed at every commit, votes and all, gets the same verdict, and no model is asked twice", async () => {
    const gate = await gateOf({ category: "model" });
    const { points, end } = await killAtEveryCommit({
      loop: fab,
      input: { file: assets.cube, gate, profile: "draft" as const, iteration_index: 0, hard_before: [] },
      options: { seed: 1 },
      inOneRun: true,
      world: () => {
        const scripted = scriptedModels({ critic: [opinion(0.76)], vote: ballot("pfup") });
        return { scripted, ports: { models: scripted.models } };
      },
      observe: ({ scripted }) => new Set(scripted.sent.map(({ key }) => key)).size,
      between: ({ scripted }, test) => scripted.sentOnce(test),
    });
    expect(end).toMatchObject({ outcome: "done", seen: 5 });
    expect(points).toBeGreaterThan(20);
  });
});
