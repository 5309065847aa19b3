// Prose, chapter by chapter: what each is told, what stays, and what happens where a chapter goes wrong.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  approved,
  bookRun,
  notesOf,
  phasesOf,
  planned,
  prose,
  reaches,
  refused,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git } from "../../../test/fixtures/novel-repository/project.ts";
import { type NovelTask, novel } from "./index.ts";

const same = "===UNCHANGED===";
const becomes = (quoted: string, instead: string) =>
  `===PASSAGE===\n${quoted}\n===BECOMES===\n${instead}\n===END PASSAGE===\n`;
const iterate: Partial<NovelTask> = { target: "prose", feedback: ["Make the beginning darker"] };

describe("a first generation of prose", () => {
  it("writes each chapter with its plan, the next one's, and the chapters before it", async () => {
    const lines = ["The lamp smoked.", "The lamp sank.", "The lamp died."];
    const { start, test, scripted, folder } = await bookRun({
      script: { "generate-prose": lines.map((line, index) => prose(index + 1, line)) },
    });
    const { outcome, run, state } = await start({ kind: "generate", target: "prose" });
    expect(outcome).toBe("done");
    const asked = scripted.asked("generate-prose").map(({ text }) => text);
    expect(asked).toHaveLength(3);
    expect(asked[0]).toContain("# Chapter 1 of 3 (Chapter 1: Night 1)");
    expect(asked[0]).toContain("# The structure of the book");
    expect(asked[0]).toContain("# Chapter 2: Night 2\n\n## Act");
    expect(asked[0]).toContain("3. Chapter 3: Night 3: Mara lights the lamp.");
    expect(asked[0]).toContain("Aim at about 300 words.");
    expect(asked[2]).toContain("The lamp smoked.");
    expect(asked[2]).toContain("The lamp sank.");
    expect(asked[2]).toContain("1. Chapter 1: Night 1: Mara lights the lamp.");
    const chapters = await notesOf(test, run, "chapter-finished");
    expect(chapters.map(({ chapter, of }) => [chapter, of])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(readFileSync(join(folder, "chapters/chapter-03.md"), "utf8")).toContain("The lamp died.");
    expect(readdirSync(join(folder, state.debug)).sort()).toEqual([
      ...["attempt_1_chapter_01_raw.md", "attempt_1_chapter_02_raw.md", "attempt_1_chapter_03_raw.md"],
      ...["attempt_1_raw.md", "user_decision.txt"],
    ]);
  });

  it("goes on with the chapter that the network broke off at, once it is back", async () => {
    const gone = new InfrastructureError("ENDPOINT_GONE", "no answer from the writer's endpoint");
    const script = { "generate-prose": [prose(1), prose(2), gone, prose(3)] };
    const { start, test, scripted, folder } = await bookRun({ script });
    const first = await start({ kind: "generate", target: "prose" });
    expect(first).toMatchObject({ outcome: "failed", reason: "no answer from the writer's endpoint" });
    expect(first.state.written).toHaveLength(2);
    expect(git(folder, "status", "--porcelain")).toBe("");
    // The endpoint is back: the same call is made again, and no other.
    const back = await bookRun({ script: { "generate-prose": [prose(3)] } });
    const again = test.other({ ...back.ports, project: folder });
    expect(await again.engine.resume(novel, first.run)).toMatchObject({ outcome: "done" });
    expect(back.scripted.asked("generate-prose")).toHaveLength(1);
    expect(scripted.asked("generate-prose")).toHaveLength(3);
    expect(readFileSync(join(folder, "chapters/chapter-02.md"), "utf8")).toBe(prose(2));
  });

  it("writes no more chapters than were asked for", async () => {
    const { start, test } = await bookRun();
    const { run } = await start({ kind: "generate", target: "prose", chapters: 2 });
    expect(await notesOf(test, run, "finalised")).toMatchObject([{ files: 2 }]);
  });
});

describe("a revision of prose", () => {
  it("leaves chapters that need no change to the letter, and shows later ones the new text of those before", async () => {
    const { start, test, scripted, folder } = await bookRun({
      files: written,
      script: { "revise-prose": [prose(1, "The lamp was dark."), same, same] },
    });
    const { outcome, run } = await start(iterate);
    expect(outcome).toBe("done");
    const asked = scripted.asked("revise-prose").map(({ text }) => text);
    expect(asked[1]).toContain("The lamp was dark.");
    expect(asked[1]).toContain("Make the beginning darker");
    expect(scripted.asked("revise-prose")[0]!.request.temperature).toBe(0.8);
    const chapters = await notesOf(test, run, "chapter-finished");
    expect(chapters.map(({ is_unchanged }) => is_unchanged)).toEqual([false, true, true]);
    expect(git(folder, "show", "--format=", "--name-only", "HEAD").split("\n")).toEqual([
      ...["chapters/chapter-01.md", "chapters/iteration_history.json", "staleness.json"],
    ]);
  });

  it("is done again with the judge's words and each chapter's last attempt", async () => {
    const { start, scripted } = await bookRun({
      files: written,
      script: {
        "revise-prose": [prose(1, "Dusk."), same, same, prose(1, "Dark."), same, same],
        judge: [refused, approved],
      },
      answers: { ...agreeable, continue: ["yes"] },
    });
    const { outcome, state } = await start(iterate);
    expect(outcome).toBe("done");
    expect(state.attempts).toHaveLength(2);
    const fourth = scripted.asked("revise-prose")[3]!.text;
    expect(fourth).toContain("Chapter 2 is still bright.");
    expect(fourth).toContain("Dusk.");
  });

  it("that changes nothing at all fails the attempt, and a person is asked", async () => {
    const { start, test, scripted } = await bookRun({
      files: written,
      script: { "revise-prose": [same] },
      answers: {},
    });
    const { gate, run, state } = await start(iterate);
    expect(gate).toMatchObject({ name: "continue", choices: ["yes", "no", "say"] });
    expect(scripted.asked("revise-prose")).toHaveLength(3);
    expect(await notesOf(test, run, "format-refused")).toMatchObject([
      { problems: [expect.stringContaining("Nothing")] },
    ]);
    expect(state.written).toEqual([]);
  });

  it("goes on from the chapter that had no usable form, and does not write those before it again", async () => {
    const { start, test, scripted } = await bookRun({
      files: written,
      script: { "revise-prose": [prose(1, "Dark."), "no title", "no title", "no title", "no title", same, same] },
      answers: { ...agreeable, continue: ["yes"] },
    });
    const { outcome, run, state } = await start(iterate);
    expect(outcome).toBe("done");
    expect(state.attempts).toMatchObject([{ problems: [expect.stringContaining("chapter 2: ")] }, {}]);
    expect(scripted.asked("revise-prose")).toHaveLength(7);
    expect((await phasesOf(test, run)).filter((phase) => phase === "write")).toHaveLength(4);
  });

  it("may not change a kept passage, and needs no plan where the book was imported", async () => {
    const kept = prose(1, "\n\n<!-- keep -->\nThe oil smells.\n<!-- /keep -->\n");
    const imported = Object.fromEntries(Object.entries(written).filter(([path]) => !path.startsWith("chapter-beats")));
    const good = kept.replace("A horn", "No horn");
    const { start, scripted, folder } = await bookRun({
      files: { ...imported, "chapters/chapter-01.md": kept },
      script: { "revise-prose": [prose(1, "Dark."), good, same, same] },
    });
    const { outcome } = await start(iterate);
    expect(outcome).toBe("done");
    expect(scripted.asked("revise-prose")[1]!.text).toMatch(/kept passage/i);
    expect(readFileSync(join(folder, "chapters/chapter-01.md"), "utf8")).toBe(good);
  });
});

describe("a revision by passages", () => {
  const chapter =
    "# Chapter 1: Night 1\r\n\r\nMara climbed the stairs,  as she did\r\nevery night. The lamp burned “low”.\r\n\r\n\r\n" +
    "<!-- keep -->\r\nThe oil smells.\r\n<!-- /keep -->\r\n\r\nA horn sounded.\t\nIt was far.";
  const files = { ...written, "chapters/chapter-01.md": chapter };
  const one: Partial<NovelTask> = { target: "prose", feedback: ["Make chapter 1 darker"] };
  const chapterIn = (folder: string, file = "chapter-01.md") => readFileSync(join(folder, "chapters", file), "utf8");

  it("leaves the rest of the chapter byte for byte, and keeps the answer as it came", async () => {
    const answer = becomes(
      'Mara climbed the stairs, as she did every night. The lamp burned "low".',
      "The lamp was dark.",
    );
    const { start, scripted, folder } = await bookRun({
      files,
      script: { read: [reaches(1)], "revise-prose": [answer] },
    });
    const { outcome, state } = await start(one);
    expect(outcome).toBe("done");
    expect(scripted.asked("revise-prose")).toHaveLength(1);
    expect(chapterIn(folder)).toBe(chapter.replace(/Mara climbed[\s\S]*“low”\./, "The lamp was dark."));
    expect(readFileSync(join(folder, state.debug, "attempt_1_chapter_01_raw.md"), "utf8")).toBe(answer);
  });

  it("is asked for again with what was wrong: not found, in a kept passage, without an end", async () => {
    const good = becomes("A horn sounded.", "No horn sounded.");
    const { start, scripted, folder } = await bookRun({
      files,
      script: {
        read: [reaches(1)],
        "revise-prose": [
          becomes("A bell sounded.", "No bell sounded."),
          becomes("The oil smells.", "The oil stinks."),
          good.replace("===END PASSAGE===", ""),
          good,
        ],
      },
    });
    expect(await start(one)).toMatchObject({ outcome: "done" });
    const asked = scripted.asked("revise-prose").map(({ text }) => text);
    expect(asked[1]).toContain("The passage 'A bell sounded.' does not stand in the text");
    expect(asked[2]).toMatch(/A kept passage of chapter 1 \('The oil smells\.'\) was changed/);
    expect(asked[3]).toContain("The block of 'A horn sounded.' has no ===END PASSAGE===");
    expect(chapterIn(folder)).toBe(chapter.replace("A horn", "No horn"));
  });

  it("goes by the text of the last attempt, where there is one, and the prompt says so", async () => {
    const { start, scripted, folder } = await bookRun({
      files,
      script: {
        read: [reaches(1)],
        "revise-prose": [
          becomes("A horn sounded.", "No horn sounded."),
          becomes("A horn sounded.", "Nothing."),
          becomes("No horn sounded.", "Nothing sounded."),
        ],
        judge: [refused, approved],
      },
      answers: { ...agreeable, continue: ["yes", "no"] },
    });
    expect(await start(one)).toMatchObject({ outcome: "done" });
    const asked = scripted.asked("revise-prose").map(({ text }) => text);
    expect(asked[0]).toContain("===END PASSAGE===");
    expect(asked[0]).not.toContain("double brackets");
    expect(asked[1]).toContain("as your last attempt has it, without the marks in double brackets");
    expect(asked[2]).toContain("The passage 'A horn sounded.' does not stand in the text");
    expect(chapterIn(folder)).toBe(chapter.replace("A horn", "Nothing"));
  });

  it("is open to a prologue", async () => {
    const prologue = "# Prologue\n\nIt was light.\n\nNobody slept.\n";
    const { start, folder } = await bookRun({
      files: { ...written, "chapters/prologue.md": prologue },
      script: { read: [reaches("prologue")], "revise-prose": [becomes("It was light.", "It was dark.")] },
    });
    await start({ target: "prose", feedback: ["Make the prologue darker"] });
    expect(chapterIn(folder, "prologue.md")).toBe(prologue.replace("light", "dark"));
  });

  it("is neither offered nor taken where the chapter is still to be written", async () => {
    const { "chapters/chapter-03.md": _, ...two } = written;
    const next = await bookRun({ files: two, script: { "revise-prose": [same, same, prose(3)] } });
    await next.start({ kind: "generate", target: "prose" });
    const told = next.scripted.asked("revise-prose").map(({ text }) => text);
    expect(told.map((text) => text.includes("===PASSAGE==="))).toEqual([true, true, false]);
    expect(told[2]).toContain("It is not written yet: write it whole.");
    const first = await bookRun({
      script: { "generate-prose": [becomes("It was light.", "It was dark."), prose(1), prose(2), prose(3)] },
    });
    await first.start({ kind: "generate", target: "prose" });
    const asked = first.scripted.asked("generate-prose").map(({ text }) => text);
    expect(asked[0]).not.toContain("===PASSAGE===");
    expect(asked[1]).toContain("There is no text yet to take passages from: give the chapter whole.");
  });
});

it("a plan with no prose below it is all that a run needs, whatever the number of chapters", async () => {
  const { start } = await bookRun({ files: planned, answers: {} });
  const { state } = await start({ kind: "generate", target: "prose" });
  expect(state.base).toMatchObject({ chapters: 3, is_first: true, words: 0 });
});
