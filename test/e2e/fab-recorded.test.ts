// Six assets before models that look, in nine judgments: what agents answered by hand, replayed. Four were near the line and had
// votes; in one of them nobody could tell, the tiebreaker neither.

import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GateVerdict } from "../../packages/fab/src/verdict/gate-verdict.ts";
import { Folder } from "../fakes/cli.ts";

const recorded = join(import.meta.dirname, "../fixtures/fab/recorded");
const replay = [
  ...["--model", "critic=lmstudio:critic-model", "--model", "tiebreaker=lmstudio:tiebreaker-model"],
  ...["--cassette", join(recorded, "cassette.json"), "--cassette-mode", "replay", "--max-tokens", "30000000"],
];

/** The votes on each critic, as letters, and what they come to. */
function votesOf({ vote_pack }: GateVerdict): Record<string, string> | undefined {
  if (!vote_pack) return undefined;
  const letters = { pass: "p", fail: "f", unsure: "u" };
  return Object.fromEntries(
    Object.entries(vote_pack.critics).map(([name, { result, votes }]) => [
      name,
      `${votes.map(({ vote, by }) => (by === "tiebreaker" ? "+" : "") + letters[vote]).join("")} ${result}`,
    ]),
  );
}

const cases = [
  {
    of: "a sedan near the line: the votes fail it, for it does not look real",
    words: ["sedan.glb", "--gate", "car_by_eye", "--prompt", "a green sedan with four doors"],
    code: 7,
    verdict: { verdict: "fail", verdict_reason: "the score is near the threshold, and the votes fail it" },
    votes: { category: "ppp pass", geometry: "ppp pass", alignment: "ppp pass", realism: "fff fail" },
  },
  {
    of: "an SUV near the line whose tail lamps are sunk into its body",
    words: ["suv.glb", "--gate", "car_by_eye", "--prompt", "a red SUV with roof rails"],
    code: 7,
    verdict: { verdict: "fail", verdict_reason: "the score is near the threshold, and the votes fail it" },
    votes: { category: "ppp pass", geometry: "fff fail", alignment: "ppp pass", realism: "fff fail" },
  },
  {
    of: "a car with three wheels: a fail that can be repaired, and no trick",
    words: ["three-wheels.glb", "--gate", "car_by_eye", "--prompt", "a green sedan with four doors"],
    code: 7,
    verdict: { verdict: "fail", failures: { hard: [], soft: expect.arrayContaining(["GEO_WHEEL_COUNT_LOW"]) } },
  },
  {
    of: "an SUV where a convertible was asked for",
    words: ["suv.glb", "--gate", "car_by_eye", "--prompt", "a yellow two-seat convertible"],
    code: 7,
    verdict: { verdict: "fail", verdict_reason: "below its floor: alignment" },
  },
  {
    of: "a chair",
    words: ["chair.glb", "--gate", "chair_by_eye", "--prompt", "a black dining chair with a green cushion"],
    code: 0,
    verdict: { verdict: "pass", failures: { hard: [] } },
  },
  {
    of: "a chair with a mark where no picture shows it: in dispute after a tiebreaker too, so that a person must look",
    words: [
      ...["chair.glb", "--gate", "chair_hero", "--prompt"],
      "a black dining chair with a green cushion and the mark of its maker under the seat",
    ],
    code: 5,
    verdict: { verdict: "escalate", escalate_reason: "critic_inconsistency" },
    votes: { category: "ppp pass", geometry: "ppp pass", alignment: "uuu+u undecided", realism: "ppp pass" },
  },
  {
    of: "a hatchback with a ripped surface, near the line",
    words: ["hatchback.glb", "--gate", "car_by_eye", "--prompt", "a red hatchback"],
    code: 7,
    verdict: { verdict: "fail", failures: { hard: [], soft: expect.arrayContaining(["GEO_NON_MANIFOLD"]) } },
    votes: { category: "ppp pass", geometry: "fff fail", alignment: "ppp pass", realism: "fff fail" },
  },
  {
    of: "a chair with noise on every vertex",
    words: ["rough-chair.glb", "--gate", "chair_by_eye", "--prompt", "a black dining chair with a green cushion"],
    code: 7,
    verdict: { verdict: "fail", failures: { hard: [], soft: expect.arrayContaining(["GEO_SURFACE_NOISE"]) } },
  },
  {
    of: "a chair at the gate for cars",
    words: ["chair.glb", "--gate", "car_by_eye", "--prompt", "a small green car"],
    code: 7,
    verdict: { verdict: "fail", failures: { hard: expect.arrayContaining(["CAT_NO_CAR_DETECTED"]) } },
  },
];

describe("critics that are models, as they were recorded", () => {
  it.each(cases)("judge $of", async ({ words, code, verdict, votes }) => {
    using at = new Folder();
    cpSync(recorded, at.dir, { recursive: true });
    const ended = await at.cli(["fab", "judge", ...words, ...replay]);
    expect(ended.code, ended.stdout.slice(-2_000) + ended.stderr).toBe(code);
    const given = GateVerdict.parse(JSON.parse(at.read(`runs/${at.runs().at(-1)!}/verdict/gate_verdict.json`)));
    expect(given).toMatchObject(verdict);
    expect(votesOf(given)).toEqual(votes);
  });
});

describe("a builder that is a model, as it was recorded", () => {
  it("builds a red hatchback from its prompt, which passes the gate and goes into the library", async () => {
    using at = new Folder();
    const words = [
      "--title",
      "red hatchback",
      "--kind",
      "car",
      "--gate",
      "car_realism_v001",
      "--prompt",
      "a red hatchback",
    ];
    const issue = (await at.cli(["issue", "create", ...words])).stdout.trim();
    const cassette = join(recorded, "../hatchback/cassette.json");
    const ended = await at.cli([
      ...["fab", issue, "--builder", "model", "--profile", "draft", "--model", "lmstudio:builder-model"],
      ...["--cassette", cassette, "--cassette-mode", "replay"],
    ]);
    expect(ended.code, ended.stdout.slice(-2_000) + ended.stderr).toBe(0);
    const run = at.runs().at(-1)!;
    expect(GateVerdict.parse(JSON.parse(at.read(`runs/${run}/verdict/gate_verdict.json`)))).toMatchObject({
      verdict: "pass",
      failures: { hard: [] },
      scores: { by_critic: { category: 1, alignment: 1 } },
    });
    expect(existsSync(join(at.dir, "library", issue, "asset.blend"))).toBe(true);
  });
});
