// Levels brought in line after a change, step by step, on an engine with scripted models and a real repository.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
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
import { git } from "../../../../test/fixtures/novel-repository/project.ts";
import { openManuscript } from "../manuscript/index.ts";

const down = { direction: "down" as const, levels: [], iteration_id: "cascade", feedback: "" };

describe("a step of a cascade downward", () => {
  it("asks for the chapters that are stale and no others, tells what changed, and clears them", async () => {
    const { start, test, folder, scripted } = await bookRun({
      files: written,
      script: { "revise-prose": [prose(2, "It was dark.")] },
    });
    await start({ feedback: ["Let the lamp go out"] });
    const [stale] = (await openManuscript(folder)).stale();
    expect(stale).toMatchObject({ level: "prose", files: [{ path: "chapters/chapter-02.md" }] });
    const { outcome, run } = await begin(test, {
      ...{ target: "prose", iteration_id: "it-2", feedback: ["Bring the prose in line"] },
      cascade: { ...down, from: "chapters", files: stale!.files.map(({ path }) => path) },
    });
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toContain("judge");
    expect(JSON.stringify(await test.chain(run))).not.toContain('"name":"downstream"');
    expect(scripted.asked("revise-prose")).toHaveLength(1);
    for (const words of ["- Mara lights the lamp.", "+ Mara lets the lamp go out."])
      expect(scripted.asked("revise-prose")[0]!.text).toContain(words);
    expect(scripted.asked("judge")[1]!.text).toContain("+ Mara lets the lamp go out.");
    expect((await openManuscript(folder)).stale()).toEqual([]);
    expect(readFileSync(join(folder, "chapters/chapter-02.md"), "utf8")).toBe(prose(2, "It was dark."));
    expect(readFileSync(join(folder, "chapters/chapter-01.md"), "utf8")).toBe(prose(1));
  });

  it("that needs no change is in line without a question", async () => {
    const { test, folder, scripted } = await bookRun({
      files: written,
      script: { revise: [treatment("The ship is lost."), "===UNCHANGED==="] },
    });
    await begin(test, { target: "treatment", feedback: ["A sad end"] });
    const { outcome, run } = await begin(test, {
      ...{ target: "chapters", iteration_id: "it-2", feedback: ["Bring the chapters in line"] },
      cascade: { ...down, from: "treatment" },
    });
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "stayed")).toEqual([{ target: "chapters" }]);
    expect(scripted.asked("judge")).toHaveLength(1);
    expect(git(folder, "show", "--format=", "--name-only", "HEAD")).toBe("staleness.json");
    // The plan stays as it was, so nothing reaches the prose.
    expect((await openManuscript(folder)).stale()).toEqual([]);
  });
});

describe("a step of a cascade upward", () => {
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
    const cascade = { direction: "up", from: "prose", levels: [], iteration_id: "it-1", feedback: "" } as const;
    const task = { target: "chapters", iteration_id: "it-2", feedback: ["Bring it in line"] } as const;
    expect(
      (await begin(test, { ...task, feedback: [...task.feedback], cascade: { ...cascade, levels: [] } })).outcome,
    ).toBe("done");
    const { text } = scripted.asked("revise")[0]!;
    expect(text).toContain("+ Nora climbed the stairs.");
    expect(text).toContain("- Mara climbed the stairs.");
    expect((await openManuscript(folder)).stale()).toEqual([]);
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
