// Levels: each generated from the one above, all four from an idea down to prose, and derived from below after an import.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  beatFiles,
  beats,
  begin,
  blocks,
  bookRun,
  darker,
  empty,
  notesOf,
  phasesOf,
  planned,
  premise,
  premiseFile,
  proseFiles,
  treatment,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../test/fixtures/novel-repository/project.ts";
import { novel } from "./index.ts";
import { openManuscript } from "./manuscript/files/open.ts";
import { levels } from "./types.ts";

describe("a book from an idea", () => {
  it("is generated level by level, each by its form alone: no judge, no question, one commit", async () => {
    const { test, folder, scripted } = await bookRun({ files: empty, answers: {} });
    for (const [index, target] of levels.entries()) {
      const feedback = target === "premise" ? ["A keeper lets the lamp go out."] : [];
      const { outcome, run, score } = await begin(test, {
        kind: "generate",
        target,
        feedback,
        iteration_id: `it-${index}`,
      });
      expect({ target, outcome, score }).toEqual({ target, outcome: "done", score: 1 });
      const visits = target === "prose" ? ["write", "write", "write"] : ["write"];
      expect(await phasesOf(test, run)).toEqual(["check", "read", ...visits, "finalize"]);
    }
    expect(subjects(folder).slice(0, 4)).toEqual([
      ...["[prose] generate", "[chapters] generate", "[treatment] generate", "[premise] generate"],
    ]);
    expect(scripted.asked("judge")).toEqual([]);
    expect(scripted.asked("generate-premise")[0]!.text).toContain("A keeper lets the lamp go out.");
    expect(scripted.asked("generate-treatment")[0]!.text).toContain(premise.logline);
    expect(scripted.asked("generate-chapters")[0]!.text).toContain("The ship is saved.");
    const manuscript = await openManuscript(folder);
    expect(levels.map((level) => manuscript.count(level))).toEqual([1, 1, 3, 3]);
    expect(manuscript.stale()).toEqual([]);
    expect(await manuscript.history("chapters")).toEqual([]);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("asks the writer with the temperature of each level", async () => {
    const { test, scripted } = await bookRun({ files: empty, answers: {} });
    for (const [index, target] of levels.entries())
      await begin(test, { kind: "generate", target, iteration_id: `${index}` });
    const asked = new Map(scripted.sent.map(({ id, role, request }) => [id, [role, request.temperature]]));
    expect(Object.fromEntries(asked)).toEqual({
      "generate-premise": ["writer", 0.7],
      "generate-treatment": ["writer", 0.7],
      "generate-chapters": ["writer", 0.7],
      "generate-prose": ["writer", 0.8],
    });
  });

  it("is told why its last answers could not be used when a first generation is tried again", async () => {
    const { start, scripted } = await bookRun({
      files: { ...empty, ...premiseFile },
      script: { "generate-treatment": ["no", "no", "no", "no", treatment()] },
      answers: { continue: ["yes"] },
    });
    const { outcome, state } = await start({ kind: "generate", target: "treatment" });
    expect(outcome).toBe("done");
    expect(state.attempts).toHaveLength(2);
    expect(scripted.asked("generate-treatment")[4]!.text).toContain("# Why your last attempt could not be used\n\n- ");
  });

  it("generates as many chapters as were asked for", async () => {
    const { start, scripted } = await bookRun({
      files: { ...empty, ...premiseFile, "treatment/treatment.md": treatment() },
      script: { "generate-chapters": [blocks(beatFiles), blocks(without(beatFiles, "03.md"))] },
    });
    const { outcome, state } = await start({ kind: "generate", target: "chapters", chapters: 2 });
    expect(outcome).toBe("done");
    expect(state.attempts).toHaveLength(1);
    expect(scripted.asked("generate-chapters")).toHaveLength(2);
  });
});

describe("a level that exists", () => {
  it("is generated anew as an iteration, with judge, summary and every question", async () => {
    const { start, test, folder } = await bookRun({ script: { revise: [darker()] } });
    const { outcome, run } = await start({ kind: "generate", target: "chapters" });
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toContain("accept");
    expect(subjects(folder)[0]).toBe("[chapters] generate anew");
    const [entry] = await (await openManuscript(folder)).history("chapters");
    expect(entry).toMatchObject({ kind: "generate", feedback: "Generate the chapters anew from what is above" });
  });
});

describe("a task that cannot be done here", () => {
  const cases = [
    ["iterate", "prose", planned, "No prose found. Generate prose first with /generate prose"],
    ["generate", "chapters", empty, "No treatment found. Generate treatment first with /generate treatment"],
    [
      "generate",
      "prose",
      without(planned, "chapter-0"),
      "No chapters found. Generate chapters first with /generate chapters",
    ],
    ["derive", "chapters", written, "The project has chapters already: change it with feedback instead of deriving it"],
    ["derive", "treatment", empty, "There is nothing below treatment that it could be derived from"],
  ] as const;
  it.each(cases)("%s %s ends as failed with the reason, and asks no model", async (kind, target, files, reason) => {
    const { start, scripted } = await bookRun({ files });
    expect(await start({ kind, target })).toMatchObject({ outcome: "failed", reason });
    expect(scripted.sent).toEqual([]);
  });

  it("goes on when what was missing is there", async () => {
    const { start, test, folder } = await bookRun({ files: without(planned, "premise/"), answers: {} });
    const { run, outcome } = await start({ kind: "generate", target: "treatment" });
    expect(outcome).toBe("failed");
    expect((await test.engine.resume(novel, run)).reason).toContain("No premise found");
    mkdirSync(join(folder, "premise"));
    writeFileSync(join(folder, "premise/premise_metadata.json"), premiseFile["premise/premise_metadata.json"]!);
    expect((await test.engine.resume(novel, run)).gate?.name).toBe("downstream");
  });
});

describe("a level that is derived", () => {
  it("is made from the one below it without a question, and makes nothing stale", async () => {
    const { test, folder, scripted } = await bookRun({ files: { ...empty, ...proseFiles }, answers: {} });
    for (const [index, target] of (["chapters", "treatment", "premise"] as const).entries()) {
      expect((await begin(test, { kind: "derive", target, iteration_id: `d-${index}` })).outcome).toBe("done");
    }
    expect(subjects(folder).slice(0, 3)).toEqual([
      ...["[premise] derive from treatment", "[treatment] derive from chapters", "[chapters] derive from prose"],
    ]);
    const [shared, middle] = scripted.asked("derive");
    expect(shared!.text).toContain("# Foundation");
    expect(shared!.text).toContain("# Chapter 3: Night 3");
    expect(middle!.text).toContain("## Key Events");
    const manuscript = await openManuscript(folder);
    expect(manuscript.stale()).toEqual([]);
    expect(levels.map((level) => manuscript.count(level))).toEqual([1, 1, 3, 3]);
  });

  it("takes a chapter at a time from prose, so that a book of any length can be read", async () => {
    const { start, test, scripted, folder } = await bookRun({
      files: { ...empty, ...proseFiles },
      script: { "derive-chapter": [beats(1), "no plan", beats(2), beats(3)] },
    });
    const { outcome, run, state } = await start({ kind: "derive", target: "chapters" });
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toEqual([...["check", "read", "write", "write", "write", "write", "finalize"]]);
    const asked = scripted.asked("derive-chapter").map(({ text }) => text);
    expect(asked[0]).toContain("Mara climbed the stairs.");
    expect(asked[2]).toContain("chapter-beats/chapter-02.md does not begin with a title");
    expect(asked[3]).toContain("- Chapter 1: Night 1: Mara lights the lamp.");
    expect(asked[3]!.match(/Mara climbed/g)).toHaveLength(1);
    expect(state.attempts).toHaveLength(1);
    expect(readFileSync(join(folder, "chapter-beats/chapter-02.md"), "utf8")).toBe(beats(2));
    expect(await notesOf(test, run, "generation-began")).toMatchObject([{ chapters: 3 }]);
  });

  it("that lacks something goes on from where it was, and is not there before it is whole", async () => {
    const { start, scripted, folder } = await bookRun({
      files: { ...empty, ...proseFiles },
      script: { derive: ["# Foundation\n\nNothing.\n"] },
      answers: { continue: ["yes", "no"] },
    });
    const { outcome, reason } = await start({ kind: "derive", target: "chapters" });
    expect(outcome).toBe("declined");
    expect(reason).toContain("chapter-beats/foundation.md has no heading '## Metadata'");
    expect(scripted.asked("derive-chapter")).toHaveLength(3);
    expect(scripted.asked("derive")).toHaveLength(8);
    expect((await openManuscript(folder)).has("chapters")).toBe(false);
  });
});

describe("the writer is told", () => {
  it("what is above, what was asked before oldest first, and what is stale", async () => {
    const { test, scripted } = await bookRun({
      script: { revise: [darker("one"), treatment("The ship is lost."), darker("three")] },
    });
    await begin(test, { iteration_id: "a", feedback: ["First request"] });
    await begin(test, { iteration_id: "b", target: "treatment", feedback: ["Second request"] });
    await begin(test, { iteration_id: "c", feedback: ["Third request"] });
    const { text } = scripted.asked("revise")[2]!;
    expect(text).toContain("First request");
    expect(text).toContain("Chapter 2 lets the lamp go out.");
    expect(text).not.toContain("Second request");
    expect(text).toContain("The ship is lost.");
    expect(text).toContain("The chapters were generated from an older version of the treatment.");
    expect(text.indexOf("# The author's feedback")).toBeLessThan(text.indexOf("Third request"));
  });

  it("in as many words what it is told, for the person", async () => {
    const { start, test } = await bookRun();
    const { run } = await start();
    expect(await notesOf(test, run, "generation-began")).toMatchObject([
      {
        target: "chapters",
        context: ["taxonomy", "premise", "treatment", "foundation", "3 chapters"],
        feedback: ["Make chapter 2 darker"],
      },
    ]);
  });
});

describe("hand edits", () => {
  it("are committed on their own first, and are the text that the writer starts from", async () => {
    const answer = darker().replace("An island.", "Two islands.");
    const { start, test, folder, scripted } = await bookRun({ script: { revise: [answer] } });
    const path = join(folder, "chapter-beats/foundation.md");
    writeFileSync(path, readFileSync(path, "utf8").replace("An island.", "Two islands."));
    writeFileSync(join(folder, "treatment/treatment.md"), treatment("The ship is late."));
    const { run, outcome } = await start();
    expect(outcome).toBe("done");
    const edits = ["[chapters] hand edit", "[treatment] hand edit"];
    expect(subjects(folder).slice(1, 3).sort()).toEqual(edits);
    const [checked] = await notesOf(test, run, "target-checked");
    expect(checked!.hand_edits.map(({ subject }) => subject).sort()).toEqual(edits);
    expect(scripted.asked("revise")[0]!.text).toContain("Two islands.");
    expect(readFileSync(path, "utf8")).toContain("Two islands.");
  });

  it("of a level above, made while the iteration waits, leave the accepted level stale", async () => {
    const { start, test, folder } = await bookRun({ answers: { detail: ["skip"] } });
    const { run, gate } = await start();
    expect(gate?.name).toBe("accept");
    writeFileSync(join(folder, "treatment/treatment.md"), treatment("Nobody comes."));
    await test.engine.answer(run, "yes");
    expect((await test.engine.resume(novel, run)).outcome).toBe("done");
    expect(subjects(folder).slice(0, 2)).toEqual(["[chapters] Make chapter 2 darker", "[treatment] hand edit"]);
    expect((await openManuscript(folder)).stale()).toMatchObject([{ level: "chapters", because: ["treatment"] }]);
  });
});

function without(files: Readonly<Record<string, string>>, part: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.includes(part)));
}
