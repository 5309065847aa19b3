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
  refused,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git } from "../../../test/fixtures/novel-repository/project.ts";
import { type NovelTask, novel } from "./index.ts";

const same = "===UNCHANGED===";
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

  it("that changes nothing at all is passed over once more, and then fails the attempt", async () => {
    const { start, test, scripted } = await bookRun({
      files: written,
      script: { "revise-prose": [same] },
      answers: {},
    });
    const { gate, run, state } = await start(iterate);
    expect(gate).toMatchObject({ name: "continue", choices: ["yes", "no"] });
    expect(scripted.asked("revise-prose")).toHaveLength(6);
    expect(scripted.asked("revise-prose")[3]!.text).toContain("Nothing was changed");
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
    expect(state.attempts).toMatchObject([{ failure: "E2", problems: [expect.stringContaining("chapter 2: ")] }, {}]);
    expect(scripted.asked("revise-prose")).toHaveLength(7);
    expect((await phasesOf(test, run)).filter((phase) => phase === "generate")).toHaveLength(4);
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

it("a plan with no prose below it is all that a run needs, whatever the number of chapters", async () => {
  const { start } = await bookRun({ files: planned, answers: {} });
  const { state } = await start({ kind: "generate", target: "prose" });
  expect(state.base).toMatchObject({ chapters: 3, is_first: true, words: 0 });
});
