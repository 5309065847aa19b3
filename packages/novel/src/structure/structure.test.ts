// Chapters merged, split, moved and dropped: the plan and the prose together, in one commit.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { beats, prose, written } from "../../../../test/fakes/book-runs.ts";
import { runCommitter } from "../../../../test/fixtures/novel-repository/killing.ts";
import { copyNovel, git, openNovel, treeOf } from "../../../../test/fixtures/novel-repository/project.ts";
import { temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { chapterPath } from "../manuscript/files/layout.ts";
import { keptPassages, openManuscript } from "../manuscript/index.ts";
import { openRepository, type Repository } from "../repository/index.ts";
import { mergeChapters } from "./merge.ts";
import { dropChapter, moveChapter } from "./order.ts";
import { mergePlans, splitPlan } from "./plans.ts";
import { restructure } from "./restructure.ts";
import { type Slot, slotsOf } from "./slots.ts";
import { splitChapter } from "./split.ts";
import { retitle, shiftTitle } from "./titles.ts";

/** A book whose chapters can be told apart. */
const book = {
  ...written,
  ...Object.fromEntries(
    [1, 2, 3].flatMap((n) => [
      [chapterPath("chapters", n), beats(n, `- Event ${n}a.\n- Event ${n}b.`)],
      [chapterPath("prose", n), prose(n, `Line ${n}.`)],
    ]),
  ),
};

async function change(repository: Repository, make: (slots: readonly Slot[]) => Slot[]) {
  const manuscript = await openManuscript(repository.folder);
  const made = await restructure(manuscript, make(slotsOf(manuscript)), {
    ...{ words: "Change the order.", iteration_id: "it-1", at: new Date(0) },
  });
  return { id: "it-1", subject: "[chapters] order", change: made.change, base: await repository.head() };
}

/** Does a structure command to a book, and opens it. */
async function after(make: (slots: readonly Slot[]) => Slot[], files: Readonly<Record<string, string>> = book) {
  const repository = await openNovel(files);
  await repository.commitIteration(await change(repository, make));
  return { repository, manuscript: await openManuscript(repository.folder) };
}

const titles = (text: string) => text.split("\n", 1)[0];

describe("chapters that are merged", () => {
  it("are one in plan and prose, and those after it have new numbers and titles", async () => {
    const { manuscript } = await after((slots) => mergeChapters(slots, [1, 2]));
    expect([manuscript.count("chapters"), manuscript.count("prose")]).toEqual([2, 2]);
    const text = manuscript.text(chapterPath("prose", 1))!;
    expect(text).toContain("Line 1.");
    expect(text).toContain("\n\n***\n\nMara climbed the stairs. Line 2.");
    expect(text.match(/^# /gm)).toHaveLength(1);
    const plan = manuscript.text(chapterPath("chapters", 1))!;
    // How the first one ended is an event of the one that they are now.
    expect(plan).toMatch(/- Event 1b\.\n- .+\n- Event 2a\./);
    expect(titles(manuscript.text(chapterPath("chapters", 2))!)).toBe("# Chapter 2: Night 3");
    expect(titles(manuscript.text(chapterPath("prose", 2))!)).toBe("# Chapter 2: Night 3");
    expect(manuscript.project.chapters).toBe(2);
    expect(manuscript.stale()).toEqual([]);
    expect((await manuscript.history("prose")).map(({ feedback }) => feedback)).toEqual(["Change the order."]);
  });

  it("keep their kept passages, also one that was never closed", async () => {
    const kept = {
      ...book,
      [chapterPath("prose", 1)]: prose(1, "<!-- keep -->The oath."),
      [chapterPath("prose", 2)]: prose(2, "Line 2. <!-- keep -->The ring.<!-- /keep -->"),
    };
    const { manuscript } = await after((slots) => mergeChapters(slots, [1, 2]), kept);
    const [passage, ...others] = keptPassages(manuscript.text(chapterPath("prose", 1))!);
    expect(passage).toContain("The oath.");
    expect(passage).not.toContain("Line 2.");
    expect(others).toEqual(["The ring."]);
  });

  it("have their goals of words added, and those after them keep theirs", async () => {
    const goals = { ...book, "project.yaml": `${book["project.yaml"]}chapter_words: 300\nword_goals: { 3: 900 }\n` };
    const { manuscript } = await after((slots) => mergeChapters(slots, [1, 2]), goals);
    expect(manuscript.project.word_goals).toEqual({ 1: 600, 2: 900 });
    const moved = await after((slots) => moveChapter(slots, 3, 1), goals);
    expect(moved.manuscript.project.word_goals).toEqual({ 1: 900 });
  });

  it("must stand side by side, and be there", () => {
    const slots = [1, 2, 3].map((number) => ({ from: [number], plan: beats(number) }));
    expect(() => mergeChapters(slots, [1, 3])).toThrow("/move 3 2 brings them together");
    expect(() => mergeChapters(slots, [3, 4])).toThrow("There are chapters 1 to 3");
    expect(() => mergeChapters(slots, [2])).toThrow("/merge 3 4");
  });

  it("are undone in one step, records and histories too", async () => {
    const { repository } = await after((slots) => mergeChapters(slots, [2, 3]));
    await repository.undo();
    expect(treeOf(repository.folder)).toEqual(book);
  });
});

describe("a chapter that is moved", () => {
  it("takes its plan, prose and staleness along", async () => {
    const repository = await openNovel(book);
    const path = join(repository.folder, chapterPath("chapters", 3));
    const first = await openManuscript(repository.folder);
    const { stalenessChange } = await import("../manuscript/index.ts");
    const files = (await first.read("prose")).slice();
    writeFileSync(
      join(repository.folder, "staleness.json"),
      stalenessChange(first, { level: "prose", files, kind: "generate", isCulled: false }).content,
    );
    writeFileSync(path, beats(3, "- Another event."));
    await repository.commitHandEdits();
    expect((await openManuscript(repository.folder)).stale()[0]!.files.map((file) => file.path)).toEqual([
      chapterPath("prose", 3),
    ]);
    await repository.commitIteration(await change(repository, (slots) => moveChapter(slots, 3, 1)));
    const manuscript = await openManuscript(repository.folder);
    expect(manuscript.text(chapterPath("prose", 1))).toBe(prose(3, "Line 3.").replace("Chapter 3", "Chapter 1"));
    expect(manuscript.text(chapterPath("prose", 2))).toBe(prose(1, "Line 1.").replace("Chapter 1", "Chapter 2"));
    expect(manuscript.stale()[0]!.files.map((file) => file.path)).toEqual([chapterPath("prose", 1)]);
  });
});

describe("a chapter that is split", () => {
  const scenes = prose(2, "One.\n\n***\n\nTwo begins.\n\nTwo ends.");
  const slots: Slot[] = [{ from: [1], plan: beats(1, "- First.\n- Second."), prose: scenes }];

  it("parts at the scene nearest to the middle, and its plan between two events", () => {
    const [first, second] = splitChapter(slots, 1, undefined, "The Second");
    expect(first!.prose).toContain("One.\n");
    expect(first!.prose).not.toContain("***");
    expect(second!.prose).toContain("# Chapter 2: The Second\n\nTwo begins.");
    expect(first!.plan).toContain("## Key Events\n\n- First.\n\n");
    expect(first!.plan).toContain("## Hook\n\nSecond.");
    expect(second!.plan).toContain("## Key Events\n\n- Second.\n\n");
  });

  it("parts at a scene by its number, or at words, and says where neither is there", () => {
    expect(splitChapter(slots, 1, { scene: 2 })[1]!.prose).toContain("Two begins.");
    expect(splitChapter(slots, 1, { words: "two ENDS" })[1]!.prose).not.toContain("Two begins.");
    expect(() => splitChapter(slots, 1, { scene: 3 })).toThrow("has 2 scenes");
    expect(() => splitChapter(slots, 1, { words: "nowhere" })).toThrow("no paragraph has 'nowhere'");
  });

  it("is refused within a kept passage", () => {
    const kept = prose(1, "<!-- keep -->A.\n\nB.\n\nC.<!-- /keep -->");
    expect(() => splitChapter([{ from: [1], prose: kept }], 1, { words: "B." })).toThrow("within a kept passage");
  });

  it("gives the later ones their numbers, and the new one its own", async () => {
    const { manuscript } = await after((now) => splitChapter(now, 1, undefined));
    expect([1, 2, 3, 4].map((n) => titles(manuscript.text(chapterPath("chapters", n))!))).toEqual([
      ...["# Chapter 1: Night 1", "# Chapter 2", "# Chapter 3: Night 2", "# Chapter 4: Night 3"],
    ]);
    expect(manuscript.stale()).toEqual([]);
  });
});

describe("a chapter that is dropped", () => {
  const kept = { ...book, [chapterPath("prose", 2)]: prose(2, "<!-- keep -->The oath.<!-- /keep -->") };

  it("goes from plan and prose; its kept passages move to the chapter beside it", async () => {
    const { manuscript } = await after((slots) => dropChapter(slots, 2, true), kept);
    expect(manuscript.count("prose")).toBe(2);
    expect(keptPassages(manuscript.text(chapterPath("prose", 1))!)).toEqual(["The oath."]);
    expect(titles(manuscript.text(chapterPath("prose", 2))!)).toBe("# Chapter 2: Night 3");
  });
});

describe("a structure command whose process dies", () => {
  it("leaves all of it or nothing, and the repository whole", { timeout: 120_000 }, async () => {
    const original = await openNovel(book);
    const commit = await change(original, (slots) => mergeChapters(slots, [1, 2]));
    const file = join(temporaryFolder(), "commit.json");
    writeFileSync(file, JSON.stringify(commit));
    const bin = temporaryFolder();
    const whole = copyNovel(original);
    const { calls } = await runCommitter({ folder: whole, act: "commit", file, bin });
    const done = treeOf(whole);
    for (let call = 1; call <= calls; call += Math.ceil(calls / 6)) {
      const folder = copyNovel(original);
      await runCommitter({ folder, act: "commit", file, bin }, { call, side: "before" });
      await openRepository(folder);
      expect([book, done]).toContainEqual(treeOf(folder));
      await (await openRepository(folder)).commitIteration(commit);
      expect(treeOf(folder)).toEqual(done);
      expect(git(folder, "status", "--porcelain")).toBe("");
    }
  });
});

describe("titles", () => {
  it.each([
    ["# Chapter 7: The Mill", "# Chapter 6: The Mill"],
    ["# Kapitel 7", "# Kapitel 6"],
    ["# CHAPTER SEVEN", "# CHAPTER SIX"],
    ["# Chapter VII. The Mill", "# Chapter VI. The Mill"],
    ["# 7. The Mill", "# 6. The Mill"],
    ["# 第7章 水车", "# 第6章 水车"],
    ["# Глава 7. Мельница", "# Глава 6. Мельница"],
    ["# The Mill", "# The Mill"],
    ["# 1984", "# 1984"],
  ])("move along: %s", (before, now) => {
    expect(shiftTitle(`${before}\n\nText.\n`, -1, 7)).toBe(`${now}\n\nText.\n`);
  });

  it("get other words, and keep their number", () => {
    expect(retitle("# Chapter 3: The Mill\n", "Dawn")).toBe("# Chapter 3: Dawn\n");
    expect(retitle("# Kapitel 3\n", "Morgen")).toBe("# Kapitel 3: Morgen\n");
    expect(retitle("# Chapter 3: The Mill\n", "")).toBe("# Chapter 3\n");
    expect(retitle("# The Mill\n", "")).toBe("# The Mill (2)\n");
  });
});

describe("plans", () => {
  const german = "# Kapitel 1: A\n\n## Akt\n\nI\n\n## Wichtige Ereignisse\n\n- Eins.\n\n## Aufhänger\n\nHalt.\n";

  it("merge heading by heading in their own language", () => {
    const merged = mergePlans(
      german,
      german.replace("Kapitel 1", "Kapitel 2").replace("Eins", "Zwei").replace("Halt", "Weiter"),
    );
    expect(merged).toBe(
      "# Kapitel 1: A\n\n## Akt\n\nI\n\n## Wichtige Ereignisse\n\n- Eins.\n- Halt.\n- Zwei.\n\n## Aufhänger\n\nWeiter.\n",
    );
  });

  it("of one event hold for both halves", () => {
    expect(splitPlan(german, 0.5)).toEqual([german, german]);
  });
});

it("a chapter that is missing between others stops a command, for those after it would be lost", async () => {
  const repository = await openNovel(
    Object.fromEntries(Object.entries(book).filter(([path]) => !path.endsWith("chapter-02.md"))),
  );
  const manuscript = await openManuscript(repository.folder);
  expect(() => slotsOf(manuscript)).toThrow("There is no chapter 2, but chapter-beats/chapter-03.md");
});
