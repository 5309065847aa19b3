import { describe, expect, it } from "vitest";
import type { SemanticDiff } from "../phases/summarize.ts";
import type { ChangeFigures } from "../types.ts";
import { renderSemanticDiff, type SummaryFacts } from "./render.ts";

const figures: ChangeFigures = {
  files_changed: 8,
  files_total: 16,
  lines_added: 120,
  lines_removed: 67,
  words_before: 4_000,
  words_after: 4_600,
};
const facts: SummaryFacts = {
  level: "chapters",
  feedback: ["Make chapter 3 darker with more internal conflict"],
  figures,
  changed: [
    "chapter-beats/foundation.md",
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => `chapter-beats/chapter-0${number}.md`),
  ],
  attempts: 3,
  approvedOn: 3,
};
const diff: SemanticDiff = {
  summary: "Chapter 3 was rewritten.",
  foundation: [{ text: "Protagonist archetype: hero → anti-hero" }],
  major: [
    {
      where: "Chapter 3",
      what: "COMPLETE REWRITE for darker tone",
      before: "Protagonist wakes refreshed",
      after: "Protagonist wakes from nightmare",
      pairs: [],
      details: ["Scene 2: Internal conflict"],
    },
  ],
  moderate: [{ where: "Chapter 2", what: "Foreshadowing adjustments", pairs: [], details: [] }],
  minor: [{ where: "Chapters 5-7", what: "Tone calibration", pairs: [], details: [] }],
  why_it_works: "The darkness makes the redemption stronger.",
  impact: ["Tone: Shifted from heroic to morally complex"],
  risks: ["Chapter 9 still calls him a hero"],
};

describe("the iteration summary", () => {
  it("has the shape that people know, with measured figures", () => {
    expect(renderSemanticDiff(diff, facts)).toBe(`━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━
ITERATION SUMMARY
━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━

User feedback:
  "Make chapter 3 darker with more internal conflict"

Judge attempts: 3 (approved on attempt 3)

CHANGES TO CHAPTERS:

Foundation (metadata, characters, world):
  ✓ Protagonist archetype: hero → anti-hero

Chapter Structure:

  Major changes (★★★):
    • Chapter 3: COMPLETE REWRITE for darker tone
      Before: Protagonist wakes refreshed
      After:  Protagonist wakes from nightmare
      - Scene 2: Internal conflict

  Moderate changes (★★):
    • Chapter 2: Foreshadowing adjustments

  Minor changes (★):
    • Chapters 5-7: Tone calibration

Overall impact:
  • Files changed: 8 of 16 (foundation + 7 chapters)
  • Lines changed: ±187 across all files
  • Words: 4,000 → 4,600 (+600, +15%)
  • Tone: Shifted from heroic to morally complex

Why these changes work:
  The darkness makes the redemption stronger.

Risks:
  • Chapter 9 still calls him a hero

━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━`);
  });

  it("has a before and an after for each place that a change shows in", () => {
    const pairs = [{ before: "A clear victory", after: "A victory that haunts him" }];
    const shown = renderSemanticDiff({ ...diff, major: [{ ...diff.major[0]!, pairs }] }, facts);
    expect(shown).toContain(`      Before: Protagonist wakes refreshed
      After:  Protagonist wakes from nightmare
      Before: A clear victory
      After:  A victory that haunts him
      - Scene 2`);
  });

  it("leaves out what there is nothing to say of", () => {
    const bare = {
      ...diff,
      foundation: [],
      major: [],
      moderate: [],
      minor: [],
      why_it_works: " ",
      impact: [],
      risks: [],
    };
    const text = renderSemanticDiff(bare, { ...facts, attempts: 0, feedback: [] });
    for (const title of ["User feedback", "Judge attempts", "Foundation (", "Chapter Structure", "Why", "Risks"])
      expect(text).not.toContain(title);
    expect(text).toContain("Files changed: 8 of 16");
    expect(text).not.toContain("\n\n\n");
  });

  it("holds the figures alone where no model summarized", () => {
    const text = renderSemanticDiff(undefined, facts);
    expect(text).toContain("Lines changed: ±187");
    expect(text).not.toContain("CHANGES TO");
  });

  it("says that the judge had not approved", () => {
    expect(renderSemanticDiff(diff, { ...facts, approvedOn: undefined })).toContain("Judge attempts: 3 (not approved)");
  });

  it("lists several items of feedback", () => {
    const text = renderSemanticDiff(diff, { ...facts, feedback: ["Darker", "Shorter"] });
    expect(text).toContain('User feedback:\n  • "Darker"\n  • "Shorter"');
  });

  it("has what the author said at questions under the feedback", () => {
    const text = renderSemanticDiff(diff, { ...facts, feedback: ["Darker"], said: ["keep every other word"] });
    expect(text).toContain('User feedback:\n  "Darker"\n  You also said: "keep every other word"\n');
  });

  it("names the structure of each level, and one chapter as one", () => {
    expect(renderSemanticDiff(diff, { ...facts, level: "treatment", changed: ["treatment/treatment.md"] })).toContain(
      "CHANGES TO TREATMENT:",
    );
    const text = renderSemanticDiff(diff, { ...facts, level: "prose", changed: ["chapters/chapter-01.md"] });
    expect(text).toContain("(1 chapter)");
    expect(text).toContain("\nChapters:\n");
  });

  it("says less words with a minus, and no share of nothing", () => {
    const fewer = renderSemanticDiff(undefined, { ...facts, figures: { ...figures, words_after: 3_000 } });
    expect(fewer).toContain("Words: 4,000 → 3,000 (−1,000, −25%)");
    expect(renderSemanticDiff(undefined, { ...facts, isStep: true })).toContain("Asked by the cascade:\n");
    const few = renderSemanticDiff(undefined, { ...facts, figures: { ...facts.figures, words_after: 3_995 } });
    expect(few).toContain("Words: 4,000 → 3,995 (−5)\n");
    const first = renderSemanticDiff(undefined, { ...facts, figures: { ...figures, words_before: 0 } });
    expect(first).toContain("Words: 0 → 4,600\n");
  });
});
