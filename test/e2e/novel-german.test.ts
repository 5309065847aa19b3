// A novel in German: what an agent answered by hand, replayed through a pipe.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectStory } from "../fakes/novel-folder.ts";
import { emptyNovel, git, replay } from "../fakes/recorded-novel.ts";

const MINUTE = 60_000;

describe("the recorded novel", () => {
  it("in German goes up and down the levels, with variants, conditions, a merge and answers in words", {
    timeout: 3 * MINUTE,
  }, async () => {
    using at = emptyNovel("german");
    const { stdout } = await replay(at, "german");
    const story = [
      "This feedback reaches 1 of 4 files:",
      "✓ Cascade complete",
      'Change what is written by "nicht die Grundlagen", and ask again? (yes/no): ja',
      "The feedback reaches chapter 2 (1 of 5). Write these?",
      "[Cascade: 1 step, prose]",
      "> der Schirm soll auf den Kies tropfen, nicht auf Fliesen",
      "[Condition: Falls der Küster den Schlüssel",
      "✓ It holds",
      "[Condition: Falls Dorothea die Seite",
      "✗ It does not hold",
      '✓ Chapters 2 and 3 are one: chapter 2, "Was jeder verschließt", in the plan and the prose',
      "Wo fehlt dir etwas",
      "✓ Undone",
      "✓ Done again",
      "Die-Minutenzählerin.epub",
    ];
    expectStory(stdout, ...story);
    expect(git(at, "status", "--short")).toBe("");
    const prose = readdirSync(join(at.dir, "novel/chapters")).filter((name) => name.endsWith(".md"));
    expect(prose).toHaveLength(3);
    expect(prose.map((name) => at.read(`novel/chapters/${name}`)).join("\n")).not.toContain("Wiebke");
    expect(at.read("novel/treatment/treatment.md")).toContain("Geesche");
    expect(at.read("novel/chapter-beats/chapter-02.md")).toContain("# Kapitel 2: Was jeder verschließt");
  });
});
