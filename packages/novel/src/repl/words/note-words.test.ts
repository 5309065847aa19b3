import { describe, expect, it } from "vitest";
import type { NovelNotes } from "../../notes.ts";
import { noteLines } from "./note-words.ts";

const checked: NovelNotes["target-checked"] = {
  target: "chapters",
  kind: "iterate",
  is_first: false,
  downstream: [],
  is_culled: false,
  hand_edits: [{ subject: "[chapters] hand edit", paths: ["a", "b"] }],
};

function said<Name extends keyof NovelNotes>(name: Name, data: NovelNotes[Name], kind = checked): string {
  return (noteLines(name, data, { columns: 80, kind }) ?? []).map(({ text }) => text).join("\n");
}

const began: NovelNotes["generation-began"] = {
  target: "chapters",
  attempt: 1,
  context: ["taxonomy", "treatment", "foundation", "15 chapters", "3 previous iterations"],
  feedback: ["Make chapter 3 darker with more internal conflict"],
  judge_rounds: 0,
  words_before: 900,
};

const finalised: NovelNotes["finalised"] = {
  target: "chapters",
  files: 16,
  removed: 0,
  history: 4,
  culled: [{ level: "prose", count: 8 }],
  commit: "abc",
  subject: "[chapters] Make chapter 3 darker with more internal conflict",
  attempts: 3,
  verdict: "approved",
};

describe("The notes of a run", () => {
  it("announce an attempt with its context and its feedback", () => {
    expect(said("generation-began", began)).toBe(
      [
        "",
        "[Generating chapters... Attempt 1]",
        "  • Context: taxonomy, treatment, foundation, 15 chapters, 3 previous iterations",
        '  • Feedback: "Make chapter 3 darker with more internal conflict"',
        "",
      ].join("\n"),
    );
  });

  it("say what variants are of", () => {
    const variants = { ...began, files: ["chapters/chapter-03.md"], variants: 2 };
    expect(said("generation-began", variants)).toContain("  • Writing: 2 variants of chapter 3\n");
    expect(said("generation-began", { ...variants, passage: "He woke.\nHe rose." })).toContain(
      '  • Writing: 2 variants of a passage in chapter 3 ("He woke.…")\n',
    );
  });

  it("say of a step of a cascade no target, for that is not what feedback is about", () => {
    const lines = noteLines("finalised", finalised, { columns: 80, kind: checked, isStep: true }) ?? [];
    expect(lines.map(({ text }) => text).join("\n")).not.toContain("Iteration target");
  });

  it("say of a step that found nothing to change only that its level is in line", () => {
    const context = { columns: 80, kind: checked, isStep: true };
    expect(noteLines("stayed", { target: "premise" }, context)).toHaveLength(1);
    expect(noteLines("finalised", { ...finalised, files: 0, removed: 0 }, context)).toEqual([]);
  });

  it("say of later attempts only what came on top", () => {
    const second = said("generation-began", { ...began, attempt: 2, judge_rounds: 1 });
    expect(second).toContain("  • Context: Same as attempt 1\n  • Feedback: Original + Judge feedback\n");
    const third = said("generation-began", { ...began, attempt: 3, judge_rounds: 2 });
    expect(third).toContain("  • Feedback: Original + Judge feedback (cumulative)\n");
    const yours = said("generation-began", { ...began, attempt: 2, judge_rounds: 0, said: ["it is too cute"] });
    expect(yours).toContain('  • Feedback: Original + Your words: "it is too cute"\n');
    const unjudged = said("generation-began", { ...began, attempt: 2, judge_rounds: 0 });
    expect(unjudged).toContain("  • Feedback: Original\n");
  });

  it("wrap a summary to the terminal's width, and to 100 columns at most", () => {
    const text = `Overall impact:\n  • ${"the harbor is darker ".repeat(20).trim()}`;
    const figures = {
      ...{ files_changed: 1, files_total: 1, lines_added: 1, lines_removed: 1, words_before: 1, words_after: 1 },
    };
    const data = { attempt: 1, text, summary: "", figures, is_approved: true };
    for (const [columns, most] of [
      [60, 60],
      [90, 90],
      [160, 100],
    ] as const) {
      const [, shown] = noteLines("semantic-diff", data, { columns, kind: undefined })!;
      const lines = shown!.text.split("\n");
      expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(most);
      expect(lines[1]!.length).toBeGreaterThan(most - 10);
      expect(lines[2]).toMatch(/^ {4}\S/);
    }
  });

  it("list several items of feedback, and nothing where there is none", () => {
    const two = said("generation-began", { ...began, feedback: ["Darker", "Shorter\nby half"] });
    expect(two).toContain('  • Feedback: 2 items\n    1. "Darker"\n    2. "Shorter…"');
    expect(said("generation-began", { ...began, feedback: [], context: [] })).not.toContain("Feedback");
  });

  it("give the judge's words in quotation marks, wrapped, with what is wrong and what to do", () => {
    const reasoning = `Chapter 3 tone is still optimistic. ${"The added conflict scenes are present. ".repeat(3)}`;
    const words = said("judged", {
      is_split: false,
      attempt: 1,
      verdict: "needs_revision",
      reasoning,
      issues: ["Opening scene lacks darkness"],
      suggestions: ["Add a nightmare"],
    });
    expect(words).toMatch(/^Judge verdict: ✗ NEEDS REVISION\n\nJudge feedback:\n {2}"Chapter 3 tone .*\n {3}\S/);
    expect(words).toContain("  Issues:\n    • Opening scene lacks darkness\n  Suggestions:\n    • Add a nightmare");
    expect(Math.max(...words.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
    const approved = {
      is_split: false,
      attempt: 3,
      verdict: "approved" as const,
      reasoning: "Well done.",
      issues: [],
      suggestions: [],
    };
    expect(said("stuck-detected", { count: 2 } as never)).toContain(
      "The judge has found the same faults 2 times running.",
    );
    expect(said("judged", approved)).toBe('Judge verdict: ✓ APPROVED\n\nJudge reasoning:\n  "Well done."');
    expect(said("judge-began", { attempt: 1, judges: 1 })).toBe("\n[Running validation judge...]");
    expect(said("judge-began", { attempt: 1, judges: 2 })).toBe("\n[Running 2 validation judges...]");
  });

  it("end an iteration as the seed has it", () => {
    expect(said("finalised", finalised)).toBe(
      [
        "",
        "[Finalizing iteration...]",
        "  ✓ Chapter beats saved (16 files)",
        "  ✓ Iteration history updated (4 total iterations)",
        "  ✓ Prose culled (8 chapters deleted)",
        '  ✓ Git commit: "[chapters] Make chapter 3 darker with more internal conflict"',
        "",
        "✓ Iteration complete (3 judge attempts, approved)",
        "",
        "To review full diff: git diff HEAD~1",
        "To undo iteration: /undo",
        "",
        "[Iteration target: chapters]",
        "Ready for next iteration.",
      ].join("\n"),
    );
  });

  it("end a first generation more shortly", () => {
    const first = said(
      "finalised",
      { ...finalised, culled: [], history: 0, verdict: "none" },
      { ...checked, is_first: true },
    );
    expect(first).toContain("\n✓ Chapters generated\n[Iteration target: chapters]");
    expect(first).not.toContain("history");
    expect(first).not.toContain("Iteration complete");
  });

  it("tell surplus files, hand edits, refusals, warnings and what was declined", () => {
    expect(said("finalised", { ...finalised, removed: 1 })).toContain("  ✓ 1 surplus file removed");
    expect(said("target-checked", checked)).toBe('[Hand edit kept: "[chapters] hand edit" (2 files)]');
    const refused = {
      attempt: 1,
      problems: ["There are 9 chapters."],
      debug: "d",
    };
    expect(said("format-refused", refused)).toBe(
      "✗ The answer had no usable form (saved to .agentic/debug/)\n    • There are 9 chapters.\n  What came is in d\n",
    );
    expect(said("warning", { code: "X", message: "only the figures" })).toBe("[Warning: only the figures]");
    expect(said("declined", { reason: "not accepted", debug: "there" })).toBe(
      "\n[Rejected: not accepted]\n[The attempts are kept in there]",
    );
    expect(said("declined", { reason: "cancelled", debug: "" })).toBe("\n[Cancelled: cancelled]");
  });

  it("say nothing where they are for others, or not known", () => {
    expect(noteLines("detail-shown", { name: "all", files: [] }, { columns: 80, kind: undefined })).toBeUndefined();
    expect(noteLines("toString" as "judged", {} as never, { columns: 80, kind: undefined })).toBeUndefined();
  });
});
