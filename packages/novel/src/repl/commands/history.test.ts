import { expect, it } from "vitest";
import type { HistoryEntry } from "../../types.ts";
import { entryLines } from "./history.ts";

const entry: HistoryEntry = {
  ...{ iteration_id: "a", timestamp: "2026-01-02T03:04:05.000Z", feedback: "If it drags, cut the quarrel" },
  ...{ judge_attempts: 1, judge_verdict: "approved", judge_reasoning: "", semantic_summary: "The quarrel is gone." },
  ...{ files_changed: 1, lines_changed: 2 },
};

it("An entry shows what was judged of its condition, and what the author said along", () => {
  const judged = ['Judged: "it drags" holds. Nothing happens for three pages.'];
  expect(entryLines({ ...entry, conditions: judged, said: ["but keep the dog"] }, "3", 80)).toEqual([
    '  3. "If it drags, cut the quarrel"',
    "     2026-01-02 03:04 · 1 judge attempt, approved · 1 file, ±2 lines",
    '     Judged: "it drags" holds. Nothing happens for three pages.',
    '     You said: "but keep the dog"',
    "     The quarrel is gone.",
  ]);
});

it("The lines of an entry stand under its text, however many digits its number has", () => {
  for (const number of [" 9", "10", "100"])
    for (const line of entryLines(entry, number, 80).slice(1))
      expect(line.search(/\S/), number).toBe(`  ${number}. `.length);
});

it("A text that was taken in part says that it was not judged as it stands", () => {
  expect(entryLines({ ...entry, judge_verdict: "none" }, "3", 80)[1]).toContain(
    "1 judge attempt, not judged as it stands",
  );
  expect(entryLines({ ...entry, judge_verdict: "none", judge_attempts: 0 }, "3", 80)[1]).toContain("· no judge ·");
});
