import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  beatsFiles,
  historyEntry,
  premiseFile,
  proseFiles,
  sampleProject,
  treatmentFile,
  writeFiles,
} from "../../../../../test/fixtures/novel/manuscript.ts";
import type { FileBlock, Level } from "../../types.ts";
import { analyze } from "../analysis/index.ts";
import { type Manuscript, openManuscript } from "../files/open.ts";
import { isUnchanged } from "../files/schemas.ts";
import { changeBetween, cullChange, iterationChange } from "./history.ts";
import type { Step } from "./staleness.ts";

/** Does a step to a project as the commit of an iteration would, and opens it again. */
async function step(
  manuscript: Manuscript,
  level: Level,
  files: readonly FileBlock[],
  { kind = "iterate", isCulled = false, ...more }: Partial<Step> = {},
): Promise<Manuscript> {
  const entry = historyEntry((await manuscript.history(level)).length + 1);
  const change = await iterationChange(manuscript, { level, files, entry, kind, isCulled, ...more });
  for (const path of change.remove) rmSync(`${manuscript.folder}/${path}`);
  writeFiles(manuscript.folder, change.write);
  return openManuscript(manuscript.folder);
}

const edited = (files: readonly FileBlock[], word: string) =>
  files.map(({ path, content }) => ({ path, content: content.replace("Marcus", `Marcus ${word}`) }));

/** What is stale by level, and the files of it. */
const byLevel = (manuscript: Manuscript) => manuscript.stale().map(({ level, because }) => ({ level, because }));
const staleFiles = (manuscript: Manuscript) => manuscript.stale().flatMap(({ files }) => files.map(({ path }) => path));

/** A project whose levels were generated from the top down. */
async function generated(): Promise<Manuscript> {
  let manuscript = await openManuscript(sampleProject({ levels: [] }));
  manuscript = await step(manuscript, "premise", [premiseFile], { kind: "generate" });
  manuscript = await step(manuscript, "treatment", [treatmentFile], { kind: "generate" });
  manuscript = await step(manuscript, "chapters", beatsFiles(4), { kind: "generate" });
  return step(manuscript, "prose", proseFiles(4), { kind: "generate" });
}

describe("staleness", () => {
  it("is none while every level agrees with what it was generated from", async () => {
    expect((await generated()).stale()).toEqual([]);
  });

  it("is recorded for everything below a level that changed and was kept", async () => {
    const manuscript = await step(await generated(), "treatment", edited([treatmentFile], "Vell"));
    expect(byLevel(manuscript)).toEqual([
      { level: "chapters", because: ["treatment"] },
      { level: "prose", because: ["treatment"] },
    ]);
  });

  it("is cleared by regenerating, level by level, and not by a person's edit", async () => {
    let manuscript = await step(await generated(), "treatment", edited([treatmentFile], "Vell"));
    manuscript = await step(manuscript, "chapters", edited(beatsFiles(4), "himself"), { kind: "edit" });
    expect(manuscript.stale().map(({ level }) => level)).toEqual(["chapters", "prose"]);
    manuscript = await step(manuscript, "chapters", edited(beatsFiles(4), "again"));
    expect(byLevel(manuscript)).toEqual([{ level: "prose", because: ["chapters"] }]);
    manuscript = await step(manuscript, "prose", edited(proseFiles(4), "again"));
    expect(manuscript.stale()).toEqual([]);
  });

  it("ends when the text above is what it was again", async () => {
    let manuscript = await step(await generated(), "premise", edited([premiseFile], "Aurel"));
    expect(manuscript.stale()).toHaveLength(3);
    manuscript = await step(manuscript, "premise", [premiseFile], { kind: "edit" });
    expect(manuscript.stale()).toEqual([]);
  });

  it("is seen after a hand edit, though no iteration was made", async () => {
    const manuscript = await generated();
    writeFiles(manuscript.folder, edited([treatmentFile], "by hand"));
    expect((await openManuscript(manuscript.folder)).stale().map(({ level }) => level)).toEqual(["chapters", "prose"]);
    writeFiles(manuscript.folder, [{ ...treatmentFile, content: treatmentFile.content.replaceAll("\n", "\r\n") }]);
    expect((await openManuscript(manuscript.folder)).stale()).toEqual([]);
  });

  it("does not arise for levels that were derived from the text below", async () => {
    let manuscript = await openManuscript(sampleProject({ levels: [] }));
    manuscript = await step(manuscript, "prose", proseFiles(4), { kind: "import" });
    manuscript = await step(manuscript, "chapters", beatsFiles(4), { kind: "derive" });
    manuscript = await step(manuscript, "treatment", [treatmentFile], { kind: "derive" });
    expect(manuscript.stale()).toEqual([]);
    manuscript = await step(manuscript, "treatment", edited([treatmentFile], "Vell"));
    expect(byLevel(manuscript)).toEqual([
      { level: "chapters", because: ["treatment"] },
      { level: "prose", because: ["treatment"] },
    ]);
  });

  it("is found in a project that never recorded any, once a level above changes", async () => {
    const manuscript = await openManuscript(sampleProject());
    expect(manuscript.stale()).toEqual([]);
    const later = await step(manuscript, "chapters", edited(beatsFiles(5), "Vell"));
    expect(byLevel(later)).toEqual([{ level: "prose", because: ["chapters"] }]);
  });

  it("of the analysis follows from chapters and prose", async () => {
    const manuscript = await generated();
    writeFiles(manuscript.folder, (await analyze(manuscript)).change.write);
    const analyzed = await openManuscript(manuscript.folder);
    expect(analyzed.stale()).toEqual([]);
    const later = await step(analyzed, "prose", edited(proseFiles(4), "Vell"));
    expect(byLevel(later)).toEqual([{ level: "analysis", because: ["prose"] }]);
  });
});

describe("staleness by file", () => {
  const one = (files: readonly FileBlock[], name: string, word = "Vell") =>
    files.map((file) => (file.path.endsWith(name) ? edited([file], word)[0]! : file));

  it("of a changed plan is that of its own chapter and no other", async () => {
    const manuscript = await step(await generated(), "chapters", one(beatsFiles(4), "chapter-02.md"));
    expect(manuscript.stale()).toEqual([
      {
        level: "prose",
        because: ["chapters"],
        files: [{ path: "chapters/chapter-02.md", because: ["chapter-beats/chapter-02.md"] }],
      },
    ]);
  });

  it("of a changed foundation is that of every chapter", async () => {
    const manuscript = await step(await generated(), "chapters", one(beatsFiles(4), "foundation.md"));
    expect(staleFiles(manuscript)).toEqual(proseFiles(4).map(({ path }) => path));
  });

  it("is not cleared by an iteration that wrote other files", async () => {
    let manuscript = await step(await generated(), "chapters", one(beatsFiles(4), "chapter-02.md"));
    const looked = ["chapters/chapter-04.md"];
    manuscript = await step(manuscript, "prose", one(proseFiles(4), "chapter-04.md"), { looked });
    expect(staleFiles(manuscript)).toEqual(["chapters/chapter-02.md"]);
    manuscript = await step(manuscript, "prose", one(proseFiles(4), "chapter-02.md"), {
      looked: ["chapters/chapter-02.md"],
    });
    expect(manuscript.stale()).toEqual([]);
  });

  it("is cleared by a writer who looked and left the file as it is, and so is what follows from it", async () => {
    let manuscript = await step(await generated(), "treatment", edited([treatmentFile], "Vell"));
    expect(staleFiles(manuscript)).toHaveLength(9);
    manuscript = await step(manuscript, "chapters", one(beatsFiles(4), "chapter-03.md"));
    expect(staleFiles(manuscript)).toEqual(["chapters/chapter-03.md"]);
  });

  it("stays where the source was edited again after the writer had read it", async () => {
    const before = await generated();
    const seen = { "chapter-beats/chapter-01.md": before.hash("chapter-beats/chapter-01.md")! };
    writeFiles(before.folder, one(beatsFiles(4), "chapter-01.md"));
    const manuscript = await step(await openManuscript(before.folder), "prose", edited(proseFiles(4), "x"), { seen });
    expect(staleFiles(manuscript)).toEqual(["chapters/chapter-01.md"]);
  });

  it("does not arise where the plan follows the prose", async () => {
    const manuscript = await step(await generated(), "chapters", one(beatsFiles(4), "chapter-02.md"), {
      isFromBelow: true,
    });
    expect(manuscript.stale()).toEqual([]);
  });

  it("is that of a chapter whose plan is gone", async () => {
    const manuscript = await step(await generated(), "chapters", beatsFiles(3));
    expect(staleFiles(manuscript)).toEqual(["chapters/chapter-04.md"]);
  });

  it("removes content, histories and analysis below, and nothing else", async () => {
    const manuscript = await generated();
    writeFiles(manuscript.folder, [
      { path: "analysis/phrases.md", content: "# Names\n" },
      { path: "chapters/notes.txt", content: "mine\n" },
    ]);
    const now = await openManuscript(manuscript.folder);
    const { remove, culled, write } = cullChange(now, "treatment");
    expect(remove).toEqual([
      ...now.paths("chapters"),
      "chapter-beats/iteration_history.json",
      ...now.paths("prose"),
      "chapters/iteration_history.json",
      "analysis/phrases.md",
    ]);
    expect(culled.map(({ level, count }) => `${level} ${count}`)).toEqual(["chapters 4", "prose 4", "analysis 1"]);
    expect(write.map(({ path }) => path)).toEqual(["staleness.json"]);
    expect(JSON.parse(write[0]!.content)).toEqual({
      files: {
        "treatment/treatment.md": { "premise/premise_metadata.json": now.hash("premise/premise_metadata.json") },
      },
    });
  });

  it("is part of the iteration's one change, and leaves nothing stale", async () => {
    const manuscript = await generated();
    const entry = historyEntry(9);
    const files = edited([treatmentFile], "Vell");
    const change = await iterationChange(manuscript, {
      level: "treatment",
      files,
      entry,
      kind: "iterate",
      isCulled: true,
    });
    expect(change.write.map(({ path }) => path)).toEqual([
      "treatment/treatment.md",
      "treatment/iteration_history.json",
      "staleness.json",
    ]);
    expect(change.remove).toContain("chapters/chapter-04.md");
    expect(change.iterations).toBe(2);
    const after = await step(manuscript, "treatment", files, { isCulled: true });
    expect([after.has("chapters"), after.has("prose"), after.stale()]).toEqual([false, false, []]);
    expect(after.target()).toBe("treatment");
  });

  it("of nothing changes nothing", async () => {
    const manuscript = await openManuscript(sampleProject({ levels: ["premise"] }));
    expect(cullChange(manuscript, "premise")).toEqual({ write: [], remove: [], culled: [] });
  });
});

describe("the change of an iteration", () => {
  it("has only files that differ, the surplus, the history and the staleness", async () => {
    const manuscript = await generated();
    const files = beatsFiles(3).map((file, index) => (index === 2 ? edited([file], "Vell")[0]! : file));
    const entry = historyEntry(5);
    const change = await iterationChange(manuscript, {
      level: "chapters",
      files,
      entry,
      kind: "iterate",
      isCulled: false,
    });
    expect(change.write.map(({ path }) => path)).toEqual([
      "chapter-beats/chapter-02.md",
      "chapter-beats/iteration_history.json",
      "staleness.json",
    ]);
    expect(change.remove).toEqual(["chapter-beats/chapter-04.md"]);
  });

  it("is the same when it is made again", async () => {
    const manuscript = await generated();
    const given = {
      level: "prose",
      files: edited(proseFiles(4), "x"),
      entry: historyEntry(5),
      kind: "iterate",
      isCulled: false,
    } as const;
    expect(await iterationChange(manuscript, given)).toEqual(await iterationChange(manuscript, given));
  });

  it("is refused where the history does not parse, so that it is never lost", async () => {
    const manuscript = await generated();
    writeFiles(manuscript.folder, [{ path: "chapters/iteration_history.json", content: "{" }]);
    const given = {
      level: "prose",
      files: proseFiles(4),
      entry: historyEntry(5),
      kind: "iterate",
      isCulled: false,
    } as const;
    await expect(iterationChange(manuscript, given)).rejects.toThrow("iteration_history.json:1");
  });
});

describe("two versions of a level", () => {
  it("are the same whatever their order, line ends and space at the ends of lines", () => {
    const files = beatsFiles(2);
    const other = files.map(({ path, content }) => ({ path, content: content.replaceAll("\n", " \r\n") })).reverse();
    expect(isUnchanged(files, other)).toBe(true);
    expect(isUnchanged(files, edited(files, "x"))).toBe(false);
    expect(isUnchanged(files, files.slice(1))).toBe(false);
    expect(changeBetween(files, other)).toEqual({ write: [], remove: [] });
  });
});
