// Levels brought in line after a change, step by step, on an engine with scripted models and a real repository.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  answering,
  approved,
  beatFiles,
  beats,
  begin,
  blocks,
  bookRun,
  darker,
  notesOf,
  phasesOf,
  prose,
  treatment,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../../test/fixtures/novel-repository/project.ts";
import { openManuscript } from "../manuscript/index.ts";
import { openRepository } from "../repository/index.ts";
import type { NovelTask } from "../task.ts";
import { cascadeOfStale, cascadeUp, nextStep, pendingCascade, requestsLeft, stepFeedback, stepNumber } from "./plan.ts";
import { vanishedNames } from "./vanished-names.ts";

const cascading = { ...agreeable, downstream: ["cascade"] };

/** The task of the next step of the cascade that is left in a project. */
async function nextTask(folder: string, id: string): Promise<Partial<NovelTask>> {
  const manuscript = await openManuscript(folder);
  const { target, step } = nextStep(manuscript, pendingCascade(manuscript)!);
  return { kind: "iterate", target, iteration_id: id, feedback: [stepFeedback(target, step)], cascade: step };
}

describe("a cascade downward", () => {
  it("is left on record by the same commit, and its step asks for the chapters that are stale and no others", async () => {
    const { start, test, folder, scripted } = await bookRun({
      files: written,
      answers: cascading,
      script: { "revise-prose": [prose(2, "It was dark.")] },
    });
    // No number in it says which chapters the step is about.
    await start({ feedback: ["Let the lamp go out"] });
    expect(git(folder, "show", "--format=", "--name-only", "HEAD").split("\n")).toContain("staleness.json");
    expect(pendingCascade(await openManuscript(folder))).toEqual({
      direction: "down",
      from: "chapters",
      levels: ["prose"],
      iteration_id: "it-1",
      feedback: "Let the lamp go out",
      of: 1,
    });
    const { outcome, run } = await begin(test, await nextTask(folder, "it-2"));
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toContain("judge");
    expect(JSON.stringify(await test.chain(run))).not.toContain('"name":"downstream"');
    expect(scripted.asked("revise-prose")).toHaveLength(1);
    const { text } = scripted.asked("revise-prose")[0]!;
    for (const words of ["- Mara lights the lamp.", "+ Mara lets the lamp go out.", "(last: Let the lamp go out)"])
      expect(text).toContain(words);
    expect(scripted.asked("judge")[1]!.text).toContain("+ Mara lets the lamp go out.");
    const manuscript = await openManuscript(folder);
    expect([manuscript.stale(), pendingCascade(manuscript)]).toEqual([[], undefined]);
    expect(manuscript.staleness.cascade).toBeUndefined();
    expect(readFileSync(join(folder, "chapters/chapter-02.md"), "utf8")).toBe(prose(2, "It was dark."));
    expect(readFileSync(join(folder, "chapters/chapter-01.md"), "utf8")).toBe(prose(1));
  });

  it("goes level by level, and one that needs no change is in line without a question", async () => {
    const { test, folder, scripted } = await bookRun({
      files: written,
      answers: cascading,
      script: { revise: [treatment("The ship is lost."), "===UNCHANGED==="] },
    });
    await begin(test, { target: "treatment", feedback: ["A sad end"] });
    expect(pendingCascade(await openManuscript(folder))!.levels).toEqual(["chapters", "prose"]);
    const { outcome, run } = await begin(test, await nextTask(folder, "it-2"));
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "stayed")).toEqual([{ target: "chapters" }]);
    expect(scripted.asked("judge")).toHaveLength(1);
    expect(git(folder, "show", "--format=", "--name-only", "HEAD")).toBe("staleness.json");
    const manuscript = await openManuscript(folder);
    // The plan stays as it was, so nothing reaches the prose.
    expect([manuscript.stale(), pendingCascade(manuscript)]).toEqual([[], undefined]);
    expect((await manuscript.history("chapters")).length).toBe(0);
  });

  it("that is not accepted stays on record with the level stale, through other iterations too", async () => {
    const { test, folder, ports } = await bookRun({
      files: written,
      answers: cascading,
      script: { revise: [darker(), darker("Even darker.")], "revise-prose": [prose(2, "It was dark.")] },
    });
    await begin(test);
    const rejecting = memoryEngine({ ...ports, answers: answering({ ...agreeable, accept: ["no"] }) });
    expect((await begin(rejecting, await nextTask(folder, "it-2"))).outcome).toBe("declined");
    const keeping = memoryEngine({ ...ports, answers: answering(agreeable) });
    await begin(keeping, { iteration_id: "it-3", feedback: ["Darker still"] });
    const manuscript = await openManuscript(folder);
    expect(pendingCascade(manuscript)).toMatchObject({ levels: ["prose"], iteration_id: "it-1" });
    expect(manuscript.stale()).toMatchObject([{ level: "prose", files: [{ path: "chapters/chapter-02.md" }] }]);
  });

  it("is undone with the iteration that set it off", async () => {
    const { start, folder } = await bookRun({ files: written, answers: cascading });
    await start();
    await (await openRepository(folder)).undo();
    const manuscript = await openManuscript(folder);
    expect([manuscript.stale(), pendingCascade(manuscript)]).toEqual([[], undefined]);
  });

  it("says which step comes, and about how many requests are left", async () => {
    const { start, folder } = await bookRun({ files: written, answers: cascading });
    await start();
    const manuscript = await openManuscript(folder);
    const pending = pendingCascade(manuscript)!;
    const readers = { judges: 1, hasSummarizer: true };
    expect(stepNumber({ ...pending, of: 3 })).toEqual({ step: 3, of: 3 });
    expect(requestsLeft(manuscript, pending, readers)).toEqual({ least: 1, most: 3 });
    const both = { ...pending, levels: ["chapters" as const, "prose" as const] };
    expect(requestsLeft(manuscript, both, { ...readers, judges: 2 })).toEqual({ least: 2, most: 8 });
  });

  it("can be made of what is stale, whatever made it so", async () => {
    const { start, folder } = await bookRun({ files: written });
    await start();
    expect(cascadeOfStale(await openManuscript(folder), "it-2")).toMatchObject({ from: "chapters", levels: ["prose"] });
  });
});

describe("a cascade upward", () => {
  it("tells the level above what changed below, and makes nothing stale", async () => {
    const renamed = (text: string) => text.replaceAll("Mara", "Nora");
    const { test, folder, scripted } = await bookRun({
      files: written,
      script: {
        "revise-prose": [1, 2, 3].map((number) => renamed(prose(number))),
        revise: [blocks(Object.fromEntries(Object.entries(beatFiles).map(([path, text]) => [path, renamed(text)])))],
      },
    });
    await begin(test, { target: "prose", feedback: ["Call her Nora"] });
    const manuscript = await openManuscript(folder);
    const cascade = cascadeUp(manuscript, "prose", "it-1", "Call her Nora")!;
    expect(cascade.levels).toEqual(["chapters", "treatment", "premise"]);
    const { target, step } = nextStep(manuscript, cascade);
    const task = { target, iteration_id: "it-2", feedback: [stepFeedback(target, step)], cascade: step };
    expect((await begin(test, task)).outcome).toBe("done");
    const { text } = scripted.asked("revise")[0]!;
    expect(text).toContain("+ Nora climbed the stairs.");
    expect(text).toContain("- Mara climbed the stairs.");
    const after = await openManuscript(folder);
    expect(after.stale()).toEqual([]);
    expect(pendingCascade(after)!.levels).toEqual(["treatment", "premise"]);
    expect(subjects(folder)[0]).toContain("[chapters] Bring the plan of the chapters in line");
  });
});

describe("an iteration that did not look at a change", () => {
  it("does not clear it, and is not told of it where it stands above", async () => {
    const { test, folder, scripted } = await bookRun({
      files: written,
      script: { revise: [darker(), treatment("The ship is late.")], judge: [approved] },
    });
    await begin(test);
    await begin(test, { target: "treatment", iteration_id: "it-2", feedback: ["Late"] });
    const manuscript = await openManuscript(folder);
    expect(manuscript.stale().map(({ level }) => level)).toEqual(["chapters", "prose"]);
    expect(scripted.asked("revise")[1]!.text).not.toContain("What changed elsewhere");
  });

  it("leaves the chapters stale that it did not write, and clears those that it did", async () => {
    const plans = {
      "chapter-beats/chapter-02.md": beats(2, "It rains."),
      "chapter-beats/chapter-03.md": beats(3, "Hail."),
    };
    const { test, folder } = await bookRun({
      files: written,
      script: { revise: [blocks({ ...beatFiles, ...plans })], "revise-prose": [prose(3, "Hail fell.")] },
    });
    await begin(test, { feedback: ["More weather"] });
    const stale = async () =>
      (await openManuscript(folder)).stale().flatMap(({ files }) => files.map(({ path }) => path));
    expect(await stale()).toEqual(["chapters/chapter-02.md", "chapters/chapter-03.md"]);
    await begin(test, { target: "prose", iteration_id: "it-2", feedback: ["Make chapter 3 colder"] });
    expect(await stale()).toEqual(["chapters/chapter-02.md"]);
  });
});

describe("names that a change took out", () => {
  const above = [{ level: "chapters" as const, text: "Here Mara waits, and Jonas comes with Mara." }];

  it("are found where a level above still has them", () => {
    const found = vanishedNames(["So Mara went, and Jonas with Mara."], ["So Nora went, and Jonas with Nora."], above);
    expect(found).toEqual({ names: ["Mara"], levels: ["chapters"] });
  });

  it("are found at the head of a sentence too, where the author said that the name goes", () => {
    const plan = [{ level: "chapters" as const, text: "Mara waits. Anna Weiss comes." }];
    expect(vanishedNames(["Mara went."], ["Nora went."], plan).names).toEqual([]);
    expect(vanishedNames(["Mara went."], ["Nora went."], plan, "Mara")).toEqual({
      names: ["Mara"],
      levels: ["chapters"],
    });
    expect(vanishedNames(["So Anna Weiss went."], ["So Berta went."], plan, "Anna Weiss").names).toEqual([
      "Anna Weiss",
    ]);
    expect(vanishedNames(["Mara went."], ["Mara and Nora went."], plan, "Mara").names).toEqual([]);
  });

  it("are none where the name stands elsewhere in the level, or only begins a sentence", () => {
    expect(vanishedNames(["So Mara went."], ["Then Mara slept."], above).names).toEqual([]);
    expect(vanishedNames(["Dark fell. Mara's lamp went out, said Mara."], ["Nora."], []).names).toEqual([]);
    expect(vanishedNames(["Here it was."], ["There."], above).names).toEqual([]);
  });
});
