import { describe, expect, it } from "vitest";
import { loadGate } from "./gate/load.ts";
import { reportPage } from "./report.ts";
import type { GateVerdict } from "./verdict/gate-verdict.ts";

const verdict: GateVerdict = {
  schema_version: "1.0",
  run_id: "20261116-000000_x",
  asset_id: "</title><script>alert(1)</script>",
  gate_config_id: "car_realism_v001",
  verdict: "escalate",
  scores: { overall: 0.76, by_critic: { category: 0.76, realism: null }, threshold: 0.75, margin: 0.01 },
  failures: { hard: ["REALISM_NOT_RUN"], soft: ["CAT_LOW_CONFIDENCE"] },
  opinions: {
    category: [
      { by: "check", score: 0.8, reason: "four wheels" },
      { by: "model", score: 0.76, reason: "a <b>bus</b>" },
    ],
  },
  requirements: [
    { words: "car", result: "met", answers: [{ by: "category check", says: "yes", reason: "four wheels" }] },
    { words: "<i>1960s</i>", result: "unjudged", answers: [] },
  ],
  nothing: ["a"],
  floor_violations: [],
  next_actions: [
    { action: "human_review", priority: 1, instructions: "critic_inconsistency: they disagree." },
    {
      action: "repair",
      priority: 3,
      code: "CAT_LOW_CONFIDENCE",
      instructions: "it may be a <b>bus</b>.\nIt is not clear.\n1. Look.\n2. Change it.",
    },
    { action: "repair", priority: 1, code: "REALISM_NOT_RUN", instructions: "no Blender." },
  ],
  iteration_index: 0,
  verdict_reason: "the critics disagree",
  notes: ["alignment was left out"],
  vote_pack: {
    result: "undecided",
    critics: {
      category: {
        result: "undecided",
        votes: [
          { by: "critic", vote: "pass", reason: "fine" },
          { by: "critic", vote: "fail", reason: 'a "bus"' },
          { by: "critic", vote: "unsure", reason: "dark" },
          { by: "tiebreaker", vote: "unsure", reason: "hm" },
        ],
      },
    },
  },
  artifacts: { renders: {} },
  timing: { started_at: "2026-11-16T00:00:00.000Z", finished_at: "2026-11-16T00:00:01.000Z", ms: 1000 },
};

describe("the page of an asset", () => {
  it("shows views, scores, votes, findings with their picture and steps, and runs nothing", async () => {
    const png = Uint8Array.of(1, 2, 3);
    const page = reportPage({
      verdict,
      gate: await loadGate("car_realism_v001", "."),
      prompt: "a <i>red</i> car",
      pictures: [
        { view: "front_3q", style: "shaded", png },
        { view: "front_3q", style: "clay", png },
        { view: "front_3q", style: "beauty", png },
      ],
      turntable: ["render/beauty_turntable_00.png"],
    });
    expect(page).not.toContain("<script>");
    expect(page).not.toMatch(/<[bi]>(bus|red)/);
    expect(page).toContain("a &lt;i&gt;red&lt;/i&gt; car");
    // Two views (beauty before shaded, then clay), and one beside the finding that it shows.
    expect([...page.matchAll(/<figcaption>([^<]*)</g)].map(([, label]) => label)).toEqual([
      ...["front 3q, beauty", "front 3q, clay", "front 3q, beauty"],
    ]);
    expect(page).toContain("<li>Look.</li>");
    expect(page).toContain('<a href="render/beauty_turntable_00.png">1</a>');
    expect(page).toContain("<h2>Votes: undecided</h2>");
    expect(page.match(/<td>tiebreaker<\/td><td>unsure<\/td>/g)).toHaveLength(1);
    expect(page).toMatch(/<h3>human review<span class="tag">priority 1/);
    expect(page).toMatch(/realism<\/th><td class="number ">–/);
  });
});
