// Levels and chapters through the real binary: a cascade that is killed in its middle goes on, chapters are merged and moved,
// a level is begun by hand, and a book is in the language of its idea.

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACCEPT, ACTION, NovelFolder, WRITE, whole } from "../fakes/novel-folder.ts";
import { beats, chapterText, premise } from "../fakes/novel-texts.ts";

const limits = { timeout: 60_000 };

async function aNovel(): Promise<NovelFolder> {
  const novel = await NovelFolder.make(whole);
  novel.server.script("revise", beats(3, { 2: "A nightmare." }));
  return novel;
}

describe("A cascade", limits, () => {
  it("that is killed in the middle of its second level goes on there when the project is opened", async () => {
    await using novel = await aNovel();
    novel.server.script("revise-prose", { fault: "hang" }, chapterText(2, "It was dark."));
    const first = novel.start();
    await first.answers("> ", "/iterate chapters");
    await first.answers("> ", "Make chapter 2 darker");
    await first.answers(WRITE, "yes");
    await first.answers(ACTION, "cascade");
    await first.answers("View detailed text diff?", "skip");
    await first.answers(ACCEPT, "yes");
    await first.sees("[Cascade, step 1 of 1: prose]");
    await expect.poll(() => novel.server.asked("revise-prose").length, { timeout: 20_000 }).toBe(1);
    await first.kill();
    expect(novel.git("status", "--porcelain")).toBe("");
    expect(JSON.parse(novel.read("staleness.json")).cascade).toMatchObject({ levels: ["prose"] });

    const again = novel.start();
    await again.sees("An iteration on prose is unfinished");
    await again.answers("Go on with it? (yes/no/drop): ", "yes");
    await again.answers("View detailed text diff?", "skip");
    await again.answers(ACCEPT, "yes");
    await again.sees("✓ Cascade complete\n[Iteration target: chapters]");
    await again.answers("> ", "/status");
    await again.sees("Git: clean");
    again.started.child.stdin.end();
    expect((await again.started.ended).code).toBe(0);
    expect(novel.server.asked("revise-prose")).toHaveLength(2);
    expect(novel.read("chapters/chapter-02.md")).toBe(chapterText(2, "It was dark."));
    expect(novel.read("chapters/chapter-01.md")).toBe(chapterText(1));
    expect(JSON.parse(novel.read("staleness.json")).cascade).toBeUndefined();
  });

  it("that is dropped is offered no more, nor is the step of it that was left", async () => {
    await using novel = await aNovel();
    novel.server.script("revise-prose", { fault: "hang" });
    const first = novel.start();
    await first.answers("> ", "/iterate chapters");
    await first.answers("> ", "Make chapter 2 darker");
    await first.answers(WRITE, "yes");
    await first.answers(ACTION, "cascade");
    await first.answers("View detailed text diff?", "skip");
    await first.answers(ACCEPT, "yes");
    await first.sees("  • About 1 to 3 requests");
    await expect.poll(() => novel.server.asked("revise-prose").length, { timeout: 20_000 }).toBe(1);
    await first.kill();
    const { stdout } = await novel.session(["no", "/cascade drop", "/resume"]);
    expect(stdout).toContain("forgotten, with the step of it that was under way");
    expect(stdout).toContain("[Nothing is unfinished.");
    expect((await novel.session([])).stdout).not.toContain("unfinished");
  });

  it("that was killed between two levels is offered, and what is stale is shown by file", async () => {
    await using novel = await aNovel();
    novel.server.script("revise-prose", chapterText(2, "It was dark."));
    const first = novel.start();
    await first.answers("> ", "/iterate chapters");
    await first.answers("> ", "Make chapter 2 darker");
    await first.answers(WRITE, "yes");
    await first.answers(ACTION, "cascade");
    await first.answers("View detailed text diff?", "skip");
    await first.answers(ACCEPT, "yes");
    await first.sees("[Cascade, step 1 of 1: prose]");
    await first.answers("View detailed text diff?", "skip");
    await first.answers(ACCEPT, "no");
    await first.sees("What is left of the cascade (prose) is kept");
    await first.kill();
    const { stdout } = await novel.session(["no", "/status", "/cascade", "skip", "yes", "/status"]);
    expect(stdout).toContain("forgets it, and what is stale stays as it is]\nGo on with it? (yes/no/drop): no\n");
    expect(stdout).toContain("⚠️  Prose: stale, chapters changed since\n     chapter 2: its plan changed since\n");
    expect(stdout).toContain("✓ Cascade complete");
    expect(stdout.slice(stdout.lastIndexOf("> /status"))).not.toContain("stale");
  });
});

describe("Chapters", limits, () => {
  it("are merged, split, moved and dropped in plan and prose, and each is undone by one /undo", async () => {
    await using novel = await aNovel();
    const before = novel.git("rev-parse", "HEAD^{tree}");
    const { stdout, stderr } = await novel.session([
      ...["/merge 1 2 as The Long Night", "/undo", "/split 3", "/undo", "/move 3 1", "/undo"],
      ...["/drop 2", "no", "/drop 2", "yes", "/undo", "/merge 1 9", "/status"],
    ]);
    expect(stderr).toBe("");
    expect(stdout).toContain(
      '✓ Chapters 1 and 2 are one: chapter 1, "The Long Night", in the plan and the prose\n  ✓ 2 chapters now\n',
    );
    expect(stdout).toContain("✓ Chapter 3 is two: chapters 3 and 4");
    expect(stdout).toContain("✓ Chapter 3 is chapter 1 now");
    expect(stdout).toContain("[Nothing was dropped]");
    expect(stdout).toContain("✓ Chapter 2 is gone");
    expect(stdout).toContain("[Error: There is no chapter 9. There are chapters 1 to 3]");
    expect(novel.git("rev-parse", "HEAD^{tree}")).toBe(before);
    expect(novel.git("log", "--format=%s", "--reverse").split("\n").slice(1, 3)).toEqual([
      "[chapters] merge chapters 1 and 2",
      "[chapters] undo: merge chapters 1 and 2",
    ]);
  });
});

describe("A book whose treatment speaks of chapters by number", limits, () => {
  it("is said to when they are others, and what a split leaves in both plans is said too", async () => {
    await using novel = await aNovel();
    const path = join(novel.novel, "treatment/treatment.md");
    writeFileSync(path, `${novel.read("treatment/treatment.md")}\nIn chapter 3 the ship comes.\n`);
    const { stdout } = await novel.session(["/split 3"]);
    expect(stdout).toContain("Chapters are spoken of by number in the treatment, which stays as it is");
    expect(stdout).toContain("what is no event stands in both plans");
  });
});

describe("A chapter with a kept passage", limits, () => {
  it("is dropped only once the passage was named and asked about", async () => {
    await using novel = await aNovel();
    const oath = "<!-- keep -->She swore it.<!-- /keep -->";
    writeFileSync(join(novel.novel, "chapters/chapter-02.md"), chapterText(2, oath));
    const { stdout } = await novel.session(["/drop 2", "cancel", "/drop 2", "move"]);
    expect(stdout).toContain('Kept passage: "She swore it."');
    expect(stdout).toContain("(drop/move/cancel): cancel\n[Nothing was dropped]");
    expect(stdout).toContain("✓ Chapter 2 is gone, its kept passages are in the chapter beside it");
    expect(novel.read("chapters/chapter-01.md")).toContain(oath);
  });
});

describe("An empty project", limits, () => {
  it("is begun by hand with /edit premise", async () => {
    await using novel = await NovelFolder.make({});
    const editor = join(novel.folder.dir, "editor.sh");
    writeFileSync(join(novel.folder.dir, "mine.json"), premise());
    writeFileSync(editor, `#!/bin/sh\ngrep -q logline "$1" && cp ${join(novel.folder.dir, "mine.json")} "$1"\n`);
    chmodSync(editor, 0o755);
    const { stdout } = await novel.session(["/edit premise", "/status"], { env: { EDITOR: editor } });
    expect(stdout).toContain("Iteration target: premise");
    expect(JSON.parse(novel.read("premise/premise_metadata.json"))).toEqual(JSON.parse(premise()));
    expect(novel.server.requests).toHaveLength(0);
  });

  it("takes the language of its idea, and asks for headings in it", async () => {
    await using novel = await NovelFolder.make({});
    const idea = "Ein Leuchtturmwärter muss entscheiden, für wen das Licht brennt, wenn das Schiff kommt.";
    const { stdout } = await novel.session([`/generate premise ${idea}`, "/generate treatment", "/generate chapters"]);
    expect(stdout).toContain("[Language: de, kept in project.yaml]");
    expect(novel.read("project.yaml")).toContain("language: de");
    const asked = JSON.stringify(novel.server.asked("generate-chapters")[0]!.body);
    for (const heading of ["# Kapitel 1:", "## Wichtige Ereignisse", "## Aufhänger"]) expect(asked).toContain(heading);
  });
});
