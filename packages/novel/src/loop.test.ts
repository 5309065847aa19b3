// The whole of an iteration, run on an engine with scripted models and a real repository.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  approved,
  beats,
  begin,
  bookRun,
  darker,
  notesOf,
  phasesOf,
  refused,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../test/fixtures/novel-repository/project.ts";
import { openManuscript } from "./manuscript/files/open.ts";
import { openRepository } from "./repository/repository.ts";

describe("an iteration that the judge approves and the person accepts", () => {
  it("is one commit with content, history and staleness, and leaves nothing else behind", async () => {
    const { start, test, folder } = await bookRun();
    const { outcome, run, state } = await start();
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toEqual([
      ...["check", "read", "write", "judge", "summarize", "accept", "finalize"],
    ]);
    expect(subjects(folder)).toHaveLength(2);
    expect(git(folder, "log", "-1", "--format=%B")).toBe(
      "[chapters] Make chapter 2 darker\n\nMake chapter 2 darker\n\nChapter 2 lets the lamp go out.\n\nLoopwright-Iteration: it-1",
    );
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(folder, "chapter-beats/chapter-02.md"), "utf8")).toBe(
      beats(2, "Mara lets the lamp go out."),
    );
    expect(state).toMatchObject({ decision: "accepted", commit: git(folder, "rev-parse", "HEAD") });
  });

  it("has an entry in the level's history, whose commit git knows", async () => {
    const { start, folder, test } = await bookRun({
      script: { revise: [darker("one"), darker("two")], judge: [refused, approved] },
      answers: { ...agreeable, continue: ["yes"] },
    });
    await start();
    const shas = await (await openRepository(folder)).shas();
    const [entry] = await (await openManuscript(folder)).history("chapters", shas);
    expect(entry).toEqual({
      iteration_id: "it-1",
      timestamp: new Date(test.clock.now()).toISOString(),
      feedback: "Make chapter 2 darker",
      judge_attempts: 2,
      judge_verdict: "approved",
      judge_reasoning: "Chapter 2 is dark now.",
      semantic_summary: "Chapter 2 lets the lamp go out.",
      files_changed: 1,
      lines_changed: 2,
      kind: "iterate",
      judge_models: ["scripted"],
      commit_sha: git(folder, "rev-parse", "HEAD"),
    });
  });

  it("tells whoever watches each step before it is taken, and each result", async () => {
    const { start, test } = await bookRun();
    const { run } = await start();
    const told = (await test.chain(run)).flatMap((event) => (event.type === "loop-noted" ? [event.name] : []));
    expect(told).toEqual([
      ...[
        "target-checked",
        "feedback-read",
        "generation-began",
        "generation-finished",
        "judge-began",
        "judged",
        "summary-began",
      ],
      ...["semantic-diff", "words-counted", "finalised"],
    ]);
    const [shown] = await notesOf(test, run, "semantic-diff");
    expect(shown).toMatchObject({ attempt: 1, is_approved: true, summary: "Chapter 2 lets the lamp go out." });
    expect(shown!.figures).toMatchObject({ files_changed: 1, files_total: 4, lines_added: 1, lines_removed: 1 });
    for (const words of ["ITERATION SUMMARY", "the lamp goes out", "It makes the dawn matter."])
      expect(shown!.text).toContain(words);
  });

  it("leaves a note in the run's folder", async () => {
    const { start, test } = await bookRun();
    const { run } = await start();
    const saved = (await test.chain(run)).flatMap((event) => (event.type === "artifact-saved" ? [event.artifact] : []));
    const note = saved.find(({ path }) => path.endsWith("iteration.md"))!;
    const text = Buffer.from(await test.ports.store.get(note.digest)).toString();
    for (const words of [
      "# iterate chapters",
      "- ended: done",
      "Make chapter 2 darker",
      "1. ",
      "approved: Chapter 2 is dark now.",
    ])
      expect(text).toContain(words);
  });
});

it("a change that shows in several places is shown with what each of them was", async () => {
  const pairs = [{ before: "A clear victory.", after: "A victory that haunts her." }];
  const major = [{ where: "Chapter 2", what: "darker", before: "It burns.", after: "It is dark.", pairs }];
  const { start, test } = await bookRun({ script: { "semantic-diff": [{ json: { summary: "Darker.", major } }] } });
  const { run } = await start();
  const [shown] = await notesOf(test, run, "semantic-diff");
  expect(shown!.text.match(/(?:Before|After): .*/g)).toEqual([
    "Before: It burns.",
    "After:  It is dark.",
    "Before: A clear victory.",
    "After:  A victory that haunts her.",
  ]);
});

it("iterations follow one another, and each is told of those before it", async () => {
  const { test, folder, scripted } = await bookRun({ script: { revise: [1, 2, 3].map((n) => darker(`round ${n}`)) } });
  for (const n of [1, 2, 3]) {
    expect((await begin(test, { iteration_id: `it-${n}`, feedback: [`Request ${n}`] })).outcome).toBe("done");
  }
  expect(subjects(folder).slice(0, 3)).toEqual([
    "[chapters] Request 3",
    "[chapters] Request 2",
    "[chapters] Request 1",
  ]);
  const { text } = scripted.asked("revise")[2]!;
  expect(text.indexOf("Request 1")).toBeGreaterThan(0);
  expect(text.indexOf("Request 1")).toBeLessThan(text.lastIndexOf("Request 2"));
  const history = JSON.parse(readFileSync(join(folder, "chapter-beats/iteration_history.json"), "utf8"));
  expect(history.iterations.map(({ feedback }: { feedback: string }) => feedback)).toEqual([
    "Request 3",
    "Request 2",
    "Request 1",
  ]);
});

it("an iteration that was accepted is undone and redone as a whole, cull and history too", async () => {
  const { start, folder } = await bookRun({
    files: written,
    answers: { ...agreeable, downstream: ["cull-all"] },
  });
  await start();
  const repository = await openRepository(folder);
  expect((await repository.undo()).refused).toBeUndefined();
  const undone = await openManuscript(folder);
  expect([undone.count("prose"), (await undone.history("chapters")).length]).toEqual([3, 0]);
  expect((await repository.redo()).refused).toBeUndefined();
  const redone = await openManuscript(folder);
  expect([redone.count("prose"), (await redone.history("chapters")).length]).toEqual([0, 1]);
});
