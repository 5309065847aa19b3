// What a run tells, in the words that a person reads.

import { describe, expect, it } from "vitest";
import { noteWords } from "./note-words.ts";

describe("a note of the code loop", () => {
  it.each([
    ["iteration-began", { iteration: 3, plan_generation: 2 }, "iteration 3, with plan 2"],
    [
      "floor-not-reached",
      { iteration: 1, min_iterations: 2 },
      "all tests pass in iteration 1: the reviewer is asked what is missing (nothing ends the run; else there are at least 2 iterations)",
    ],
    [
      "stuck-detected",
      { detector: "failing", count: 3, reason: "r", failing: ["a", "b"], failing_count: 2 },
      "stuck: the same 2 tests fail 3 times running (a, b)",
    ],
    [
      "stuck-detected",
      { detector: "sequence", count: 12, reason: "r", failing: ["a", "b", "c", "d"], failing_count: 40 },
      "stuck: the same 40 tests fail 12 times running (a, b, c and 37 more)",
    ],
    [
      "stuck-detected",
      { detector: "oscillation", count: 4, reason: "it swings between 2 states", failing: ["a"] },
      "stuck: it swings between 2 states (a)",
    ],
    [
      "stuck-detected",
      { detector: "artifact", count: 4, reason: "r", failing: ["a"], effective_stuck: 3 },
      "stuck: the same test fails 3 times running (a), and the code is the very same",
    ],
    ["stuck-detected", { detector: "failing", count: 5, reason: "r" }, "stuck: the same tests fail 5 times running"],
    [
      "stuck-hint-given",
      { stuck_count: 3 },
      "hint given: the implementer is to take another way (stuck 3 times running)",
    ],
    ["consultant-asked", { why: "to audit the tests" }, "consultant asked to audit the tests"],
    ["task-amended", { iteration: 5, addition: "L.", in_file: true }, "task.md was amended: [Auto-DK iteration 5] L."],
    [
      "task-amended",
      { iteration: 5, addition: "L.", in_file: false },
      "the task was amended: [Auto-DK iteration 5] L.",
    ],
    ["tests-replaced", { iteration: 1, tests: 1, by: "the audit" }, "tests replaced by the audit: 1 test now"],
    ["tests-replaced", { iteration: 1, tests: 4, by: "the re-plan" }, "tests replaced by the re-plan: 4 tests now"],
    ["refused", { what: "command", name: "sudo x", why: "no" }, "refused the command sudo x: no"],
    ["refused", { what: "edit", name: "a.py", why: "no" }, "refused the edit of a.py: no"],
    [
      "baseline",
      { passing: 0, failing: ["npm test"], flaky: [], blocked: [], why: "Error: EROFS" },
      "the repository's own tests: 0 pass, 1 fail (Error: EROFS)",
    ],
    ["bell", { times: 1, why: "a command was refused" }, undefined],
  ])("%s %o is said so", (name, data, words) => {
    expect(noteWords[name]!(data)).toBe(words);
  });
});

describe("the change at the end", () => {
  const files = [
    { path: "a.py", added: 2, removed: 1 },
    { path: "logo.png", added: null, removed: null },
  ];

  it("is shown itself where it is short, without what is only for git", () => {
    const diff = "diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+index 2\n";
    expect(noteWords.change!({ files: files.slice(0, 1), count: 1, diff, patch: "result.patch" })).toEqual({
      words: "changed a.py: +2 −1",
      diff: "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-1\n+index 2",
    });
  });

  it("is its files where it is long, and where the whole lies", () => {
    expect(noteWords.change!({ files, count: 9, patch: "attempt-000/result.patch" })).toEqual({
      words: "changed 9 files: +2 −1; the whole is in attempt-000/result.patch",
      diff: "  a.py  +2 −1\n  logo.png  (no text)\n  … and 7 more",
    });
    expect(noteWords.change!({ files: [], count: 0 })).toBe("nothing was changed");
  });
});

it("The results are those of targets, of the suite and of held-out tests, or of the run's own", () => {
  const tally = (passed: number, of: number) => ({ passed, of });
  expect(noteWords.results!({ targets: tally(1, 1), suite: tally(40, 41), held_out: tally(2, 3) })).toBe(
    "results: 1 of 1 target test passes, 40 of 41 of the suite that passed before, 2 of 3 held-out",
  );
  expect(noteWords.results!({ tests: tally(3, 4) })).toBe("results: 3 of 4 tests pass");
  expect(noteWords.results!({ fault: "ImportError: no x" })).toBe("the tests could not be run: ImportError: no x");
});
