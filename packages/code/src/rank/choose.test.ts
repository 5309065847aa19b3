import { countTokens } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import { chosenWords } from "../telling/note-words.ts";
import { chooseFiles } from "./choose.ts";
import { shownSources } from "./ignored.ts";
import { type Evidence, rankFiles } from "./rank.ts";

async function chooseContext(evidence: Evidence, budget: number) {
  const files = await shownSources(evidence.files);
  return chooseFiles(rankFiles({ ...evidence, files }), files, budget);
}

const module = (n: number) => ({
  path: `src/part_${n}.py`,
  content: Array.from({ length: 60 }, (_, k) => `def round_${n}_${k}(amount):\n    return amount * ${k}\n`).join("\n"),
});
const files = Array.from({ length: 60 }, (_, n) => module(n));

describe("what is chosen within a budget", () => {
  it("never exceeds it, and is told with its sizes", async () => {
    for (const budget of [600, 2_000, 16_000]) {
      const chosen = await chooseContext({ task: "amount is rounded wrongly in round_7_3", files }, budget);
      const shown = chosen.files.reduce((sum, { content }) => sum + countTokens(content), 0);
      expect(shown).toBeLessThanOrEqual(budget);
      expect(chosen.used).toBeGreaterThanOrEqual(shown);
      expect(chosen.used).toBeLessThanOrEqual(budget);
      expect(chosen.files[0]).toMatchObject({
        path: "src/part_7.py",
        why: expect.arrayContaining([expect.any(String)]),
      });
      expect(chosen.files[0]!.content).toContain("def round_7_3(amount):");
    }
  });

  it("names what there is no room for, with its size", async () => {
    const { files: shown, cut, ...rest } = await chooseContext({ task: "an amount in the wrong part", files }, 2_000);
    expect(cut[0]).toEqual({ path: expect.stringMatching(/^src\/part_\d+\.py$/), lines: 180 });
    expect(shown.map(({ path }) => path)).not.toContain(cut[0]!.path);
    const named = shown.map(({ path, tokens, why }) => ({ path, tokens, why: why[0] ?? "" }));
    expect(chosenWords({ ...rest, files: named, cut })).toMatch(
      /^the planner sees \d+ files in 1,\d{3} of 2,000 tokens: src\/part_0\.py \(.+\).*; no room for src\/part_\d+\.py \(180 lines\), .+ and \d+ more$/,
    );
  });

  it("shows small files whole, and nothing that git ignores, whatever leads to it", async () => {
    const own = [
      { path: ".gitignore", content: "build/\n*_pb2.py\n!keep_pb2.py\n" },
      { path: "a.py", content: "def secret_token(): pass\n" },
      { path: "build/b.py", content: "def secret_token(): pass\n" },
      { path: "x_pb2.py", content: "def secret_token(): pass\n" },
      { path: "keep_pb2.py", content: "def secret_token(): pass\n" },
    ];
    const task = 'secret_token in build/b.py\n  File "x_pb2.py", line 1, in secret_token';
    const chosen = await chooseContext({ task, files: own, failures: "build/b.py:1: in secret_token" }, 16_000);
    expect(chosen.files.map(({ path, isWhole }) => [path, isWhole])).toEqual([
      ["a.py", true],
      ["keep_pb2.py", true],
    ]);
    expect(chosen.cut).toEqual([]);
  });
});
