// How feedback is read: which files a model says that it reaches, what it may ask for before it says so, and what comes of each answer.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scripted } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  type BookOptions,
  bookRun,
  notesOf,
  phasesOf,
  prose,
  reaches,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../../test/fixtures/novel-repository/project.ts";
import { type NovelTask, novel } from "../index.ts";

const paths = [1, 2, 3].map((number) => `chapters/chapter-0${number}.md`);
const same = "===UNCHANGED===";

/** An iteration of the prose whose reader answers so; it waits once it is written, unless its questions are answered. */
async function readAs(
  read: Scripted[],
  writes: readonly number[],
  task: Partial<NovelTask> = {},
  options: BookOptions = {},
) {
  const writer = { "revise-prose": writes.map((number) => prose(number, "It was dark.")) };
  const book = await bookRun({
    files: written,
    answers: {},
    ...options,
    script: { ...writer, ...options.script, read },
  });
  const result = await book.start({ target: "prose", feedback: ["Let the lamp go out"], ...task });
  const asked = book.scripted.asked("read").map(({ text }) => text);
  const chapters = book.scripted.asked("revise-prose").map(({ text }) => Number(/^# Chapter (\d+) of/m.exec(text)![1]));
  return { ...book, ...result, folder: book.folder, asked, chapters };
}

describe("the files that a reader names", () => {
  it("are written, each with why and what it is to do, in the level's order; the others are not touched", async () => {
    const json = {
      files: [
        { file: "chapter-2", kind: "heart", why: "The lamp is in it.", does: "The lamp goes out." },
        { file: "Chapter 1", kind: "before", why: "It is lit there.", does: "The oil is low." },
      ],
    };
    const { run, test, state, asked, chapters, scripted, gate } = await readAs([{ json }], [1, 2]);
    const files = [
      { path: paths[0], kind: "before", why: "It is lit there.", does: "The oil is low." },
      { path: paths[1], kind: "heart", why: "The lamp is in it.", does: "The lamp goes out." },
    ];
    expect(gate?.name).toBe("detail");
    expect(state.plan).toMatchObject({ files, is_whole: false, of: paths, reopened: 0 });
    expect(await notesOf(test, run, "feedback-read")).toEqual([
      { target: "prose", files, is_whole: false, of: 3, conditions: [] },
    ]);
    expect(await notesOf(test, run, "generation-began")).toMatchObject([{ files: paths.slice(0, 2), chapters: 2 }]);
    expect(chapters).toEqual([1, 2]);
    const told = scripted.asked("revise-prose")[0]!.text;
    for (const line of ["- chapter-1 (before): The oil is low.", "- chapter-2 (heart): The lamp goes out."])
      expect(told).toContain(line);
    expect(asked[0]).toMatch(/## chapter-3: Chapter 3: Night 3 \(\d+ words\)\n\nPlanned: Mara lights the lamp\./);
    expect(scripted.asked("judge")[0]!.text).toContain("`missing`: each file among those that did not change");
  });

  it("are asked for in a form that has nothing to be looked for where all is shown, and no foundation where there is none", async () => {
    const form = ({ scripted }: Awaited<ReturnType<typeof readAs>>) =>
      JSON.stringify(scripted.asked("read")[0]!.request.schema);
    const ofProse = await readAs([reaches(2)], [2]);
    expect(form(ofProse)).not.toMatch(/look_for|"open"|foundation/);
    expect(ofProse.asked[0]).not.toContain("`foundation`");
    expect(form(await readAs([reaches(2)], [], { target: "chapters" }, { answers: agreeable }))).toContain(
      '"foundation"',
    );
  });

  it("of a plan are told to its writer, who gives the plan whole", async () => {
    const { state, scripted } = await readAs(
      [reaches("foundation", 2)],
      [],
      { target: "chapters" },
      { answers: agreeable },
    );
    expect(state.decision).toBe("accepted");
    expect(state.plan!.files.map(({ path }) => path)).toEqual([
      ...["chapter-beats/foundation.md", "chapter-beats/chapter-02.md"],
    ]);
    expect(scripted.asked("revise")[0]!.text).toContain("- foundation (heart): change foundation");
  });

  it.each<[string, Scripted, string]>([
    ["there are not", reaches(9, 2), "There is no file 'chapter-9'. The files are: chapter-1, chapter-2, chapter-3."],
    ["nobody names", { json: {} }, "No file is named. Name each file that must change, or say all"],
    ["are asked for again in a question that may not be asked", { json: { question: "How?" } }, "No file is named."],
    ["are no answer", "All of them, I think.", "JSON"],
  ])("are asked for again where %s", async (_what, first, says) => {
    const { asked, chapters } = await readAs([first, reaches(2)], [2]);
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain(says);
    expect(chapters).toEqual([2]);
  });

  it("are all where no answer can be read: nothing is missed so", async () => {
    const { asked, chapters, state, test, run } = await readAs(["?"], [1, 2, 3]);
    expect(asked).toHaveLength(4);
    expect(chapters).toEqual([1, 2, 3]);
    expect(state.plan).toMatchObject({ is_whole: true, files: [] });
    expect(await notesOf(test, run, "warning")).toMatchObject([{ code: "FEEDBACK_UNREADABLE" }]);
  });

  it("are all, but for what tells no story, where it says so", async () => {
    const dedication = "chapters/dedication.md";
    const files = { ...written, [dedication]: "For nobody.\n" };
    const { state, chapters } = await readAs([{ json: { all: true } }], [1, 2, 3], {}, { files });
    expect(state.plan).toMatchObject({ is_whole: true, of: paths });
    expect(chapters).toEqual([1, 2, 3]);
  });
});

describe("words and files that a reader wants looked at", () => {
  const wind = "The wind went over the wall. ".repeat(600);
  const files = { ...written, ...Object.fromEntries(paths.map((path, at) => [path, prose(at + 1, wind)])) };

  it("are looked at once, and what was found is told", async () => {
    const look = { json: { look_for: ["horn", "lantern", " "], open: ["chapter-3", "chapter-9"] } };
    const { asked, chapters, test, run } = await readAs([look, reaches(3)], [3], {}, { files });
    expect(await notesOf(test, run, "read-looked")).toEqual([{ words: ["horn", "lantern"], files: ["chapter-3"] }]);
    expect(asked[0]).toContain("`look_for`: up to twelve words");
    expect(asked[1]).toContain("What you wanted stands above: horn, lantern. Found nowhere: lantern. Now answer.");
    expect(asked[1]).toContain(files[paths[2]!]!.trim());
    expect(asked[1]).toContain("horn ×1");
    expect(chapters).toEqual([3]);
  });

  it("are not looked at again", async () => {
    const look = { json: { look_for: ["horn"] } };
    const { asked, chapters } = await readAs([look, look, reaches(1)], [1]);
    expect(asked).toHaveLength(3);
    expect(asked[2]).toContain("No file is named.");
    expect(chapters).toEqual([1]);
  });
});

describe("a condition", () => {
  const condition = (item: number, holds: boolean) => ({
    item,
    condition: `if ${item}`,
    holds,
    reasoning: "I looked.",
  });

  it("that does not hold ends the iteration with why, and nothing is written", async () => {
    const read = { json: { conditions: [condition(1, false)] } };
    const { outcome, reason, scripted, folder, test, run, state } = await readAs([read], []);
    expect({ outcome, decision: state.decision }).toEqual({ outcome: "declined", decision: "cancelled" });
    expect(reason).toBe('nothing was written: "if 1" does not hold: I looked.');
    expect(await notesOf(test, run, "declined")).toHaveLength(1);
    expect(scripted.sent).toHaveLength(1);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("that does not hold takes its item along, and one that holds is told to all who write and judge", async () => {
    const read = {
      json: { files: [{ file: "chapter-2" }], conditions: [condition(1, false), condition(2, true)] },
    };
    const feedback = ["If it rains, let it snow", "If it is day, let it be night"];
    const { scripted, folder, outcome } = await readAs([read], [2], { feedback }, { answers: agreeable });
    expect(outcome).toBe("done");
    for (const id of ["revise-prose", "judge"]) {
      const { text } = scripted.asked(id)[0]!;
      expect(text, id).not.toContain("let it snow");
      expect(text, id).toContain('If it is day, let it be night ("if 2" holds: I looked.)');
    }
    const { iterations } = JSON.parse(readFileSync(join(folder, "chapters/iteration_history.json"), "utf8"));
    expect(iterations[0].conditions).toHaveLength(2);
  });
});

describe("feedback that says too little", () => {
  const question = { json: { question: "Better in which way?" } };
  const vague = { feedback: ["Better"], may_ask_back: true };

  it("is asked about once, and read again with the answer, which the writer is told too", async () => {
    const options = { answers: agreeable };
    const { gate, test, run, scripted, folder } = await readAs([question, reaches(2)], [2], vague, options);
    expect(gate).toMatchObject({ name: "clarify", question: "Better in which way?", choices: ["say", "skip"] });
    await test.engine.answer(run, "say", "darker");
    await test.engine.resume(novel, run);
    const [, second] = scripted.asked("read").map(({ text }) => text);
    expect(second).toContain('- Asked "Better in which way?", they said: darker');
    expect(second).not.toContain("`question`: only where");
    expect(scripted.asked("revise-prose")[0]!.text).toContain('Asked "Better in which way?", they said: darker');
    expect(git(folder, "log", "-1", "--format=%b")).toContain('Asked "Better in which way?", they said: darker');
  });

  it("is done as seems best where the question is skipped", async () => {
    const answers = { ...agreeable, clarify: ["skip"] };
    const { asked, outcome, folder } = await readAs([question, reaches(1)], [1], vague, { answers });
    expect(outcome).toBe("done");
    expect(asked[1]).toContain("they said nothing: do what seems best");
    expect(subjects(folder)[0]).toBe("[prose] Better");
  });
});

it("where nothing is to be changed, the iteration ends with why", async () => {
  const { outcome, reason, chapters } = await readAs([{ json: { none: "There is no dog in the book." } }], []);
  expect({ outcome, reason, chapters }).toEqual({
    ...{ outcome: "declined", reason: "nothing was written: There is no dog in the book.", chapters: [] },
  });
});

describe("how far it may go", () => {
  it("whole: every file is written, and nobody is asked which", async () => {
    const { asked, chapters } = await readAs([], [1, 2, 3], { scope: "whole" });
    expect({ asked, chapters }).toEqual({ asked: [], chapters: [1, 2, 3] });
  });

  it("named: the reader and the judge are told that the feedback alone says which", async () => {
    const { asked, scripted } = await readAs([reaches(2)], [2], { scope: "named" });
    expect(asked[0]).toContain("The author wants only the files changed that the feedback names");
    expect(asked[0]).not.toContain("Then the ripples");
    expect(scripted.asked("judge")[0]!.text).toContain("only the files that the feedback names were to change");
  });
});

describe("a step of a cascade", () => {
  const staleness = JSON.stringify({
    files: { [paths[1]!]: { "chapter-beats/chapter-02.md": "0123456789abcdef" } },
  });
  const files = { ...written, "staleness.json": `${staleness}\n` };
  const down = { follows: { level: "chapters", direction: "down" } as const, feedback: ["Bring the prose in line"] };

  it("down writes the files that were left behind, without asking which", async () => {
    const { asked, chapters, state, outcome } = await readAs([], [2], down, { files, answers: agreeable });
    expect({ asked, chapters, outcome }).toEqual({ asked: [], chapters: [2], outcome: "done" });
    expect(state.plan!.files).toMatchObject([{ path: paths[1], kind: "after" }]);
  });

  it("that finds its files in line already records that, and asks no judge", async () => {
    const { outcome, scripted, folder, test, run } = await readAs([], [], down, {
      ...{ files, script: { "revise-prose": [same] }, answers: {} },
    });
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "stayed")).toEqual([{ target: "prose" }]);
    expect(scripted.asked("judge")).toEqual([]);
    expect(readFileSync(join(folder, "staleness.json"), "utf8")).not.toContain("0123456789abcdef");
  });

  it("up ends where the reader finds the level in line", async () => {
    const { outcome, test, run, folder, reason } = await readAs([{ json: { none: "It tells of no lamp." } }], [], {
      target: "treatment",
      follows: { level: "chapters", direction: "up" },
      feedback: ["Bring it in line"],
    });
    expect({ outcome, phases: await phasesOf(test, run) }).toEqual({ outcome: "done", phases: ["check", "read"] });
    expect(reason).toContain("It tells of no lamp.");
    expect(await notesOf(test, run, "stayed")).toEqual([{ target: "treatment" }]);
    expect(subjects(folder)).toHaveLength(1);
  });
});
