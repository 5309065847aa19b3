// What no generation would write again outlives every cull, and the question says so.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agreeable, beats, begin, bookRun, prose, treatment, written } from "../../../../test/fakes/book-runs.ts";
import { git } from "../../../../test/fixtures/novel-repository/project.ts";
import { cullChange, openManuscript } from "../manuscript/index.ts";

const own = {
  "chapter-beats/prologue.md": beats(1).replace("# Chapter 1: Night 1", "# Prologue"),
  "chapters/front-matter.md": "For Nora.\n",
  "chapters/prologue.md": "# Prologue\n\nBefore it all, <!-- keep -->the lamp was lit<!-- /keep -->.\n",
  "chapters/epilogue.md": "# Epilogue\n\nAfter it all, it was dark.\n",
  "analysis/my-notes.md": "# My notes\n",
};
const files = { ...written, ...own, "analysis/overview.md": "# Analysis\n" };

function expectOwn(folder: string): void {
  for (const [path, text] of Object.entries(own)) expect(readFileSync(join(folder, path), "utf8")).toBe(text);
  expect(git(folder, "status", "--porcelain")).toBe("");
}

describe("a cull", () => {
  it("is asked for with what it leaves by name", async () => {
    const { start } = await bookRun({ files, answers: {} });
    const { gate } = await start({ target: "treatment" });
    expect(gate?.question).toContain("chapters (3), prose (3), analysis (1).");
    expect(gate?.question).toContain(`A deletion leaves these: ${Object.keys(own).join(", ")}.`);
    expect(gate?.question).not.toContain("Kept passages");
  });

  it("takes what was generated and leaves what a person wrote; what is made again stands beside it", async () => {
    const { test, folder } = await bookRun({
      files,
      script: { revise: [treatment("The ship is lost.")] },
      answers: { ...agreeable, downstream: ["cull-all"] },
    });
    expect((await begin(test, { target: "treatment", feedback: ["Lose the ship"] })).outcome).toBe("done");
    expectOwn(folder);
    const left = await openManuscript(folder);
    expect([...left.paths("chapters"), ...left.paths("prose"), ...left.analysis].sort()).toEqual(
      Object.keys(own).sort(),
    );
    expect(left.target()).toBe("treatment");
    expect(left.downstreamOf("treatment")).toEqual([]);
    // The plan of the prologue is of another treatment, and so is its prose.
    const stale = left.stale().flatMap((each) => each.files.map(({ path }) => path));
    expect(stale).toEqual(["chapter-beats/prologue.md", "chapters/prologue.md"]);

    const made = await begin(test, { kind: "generate", target: "chapters", iteration_id: "it-2" });
    const told = await begin(test, { kind: "generate", target: "prose", iteration_id: "it-3" });
    expect([made.outcome, told.outcome]).toEqual(["done", "done"]);
    expectOwn(folder);
    const again = await openManuscript(folder);
    expect([again.count("chapters"), again.count("prose")]).toEqual([3, 3]);
    expect(await again.history("prose")).toEqual([]);
    expect(again.text("chapters/chapter-02.md")).toBe(prose(2));
    expect(again.stale().flatMap((each) => each.files.map(({ path }) => path))).toEqual(stale);
  });

  it("of a book that has nothing else below takes nothing, and is not asked for", async () => {
    const { start, folder } = await bookRun({
      files: Object.fromEntries(Object.entries(files).filter(([path]) => !/chapter-\d|foundation|overview/.test(path))),
      script: { revise: [treatment("The ship is lost.")] },
      answers: { detail: ["skip"], accept: ["yes"] },
    });
    expect(cullChange(await openManuscript(folder), "treatment")).toEqual({ write: [], remove: [], culled: [] });
    expect((await start({ target: "treatment", feedback: ["Lose the ship"] })).outcome).toBe("done");
    expectOwn(folder);
  });
});

it("chapters that are derived leave the plan of a prologue where it is", async () => {
  const planless = Object.entries(files).filter(
    ([path]) => !/^(premise|treatment|chapter-beats.(chap|found))/.test(path),
  );
  const { start, folder } = await bookRun({ files: Object.fromEntries(planless) });
  expect((await start({ kind: "derive", target: "chapters" })).outcome).toBe("done");
  expectOwn(folder);
  expect((await openManuscript(folder)).count("chapters")).toBe(3);
});
