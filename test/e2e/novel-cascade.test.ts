// Cascades through the real binary: levels accepted one by one or all at the end, and a renamed character offered upward.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACCEPT, ACCEPT_SOME, ACTION, NovelFolder } from "../fakes/novel-folder.ts";
import { WriterPane } from "../fakes/novel-pane.ts";
import { beats, chapterText, treatment } from "../fakes/novel-texts.ts";
import { hasTmux } from "../fakes/tmux.ts";

const limits = { timeout: 60_000 };
const PROMPT = "\n>";
const DETAIL = "View detailed text diff?";
const WHEN = "Accept each level as it comes, or all at the end? (each/end): ";
const KEEP = "Keep all of it, or take all of it back? (keep/back): ";

async function aNovel(): Promise<NovelFolder> {
  const novel = await NovelFolder.make({ premise: true, treatment: true, beats: 3, prose: 3 });
  novel.server.script("revise", treatment("Ada betrays Marcus."), beats(3, { 2: "A betrayal." }));
  novel.server.script("revise-prose", chapterText(2, "He was betrayed."));
  return novel;
}

const subjects = (novel: NovelFolder) => novel.git("log", "--format=%s").split("\n");

describe("A cascade over two levels", limits, () => {
  it.skipIf(!hasTmux)("is accepted at the end, as a whole or not at all", async () => {
    await using novel = await aNovel();
    using pane = new WriterPane(novel.folder.dir, "my-novel", {}, { columns: 100, rows: 800 });
    await pane.answers(PROMPT, "/iterate treatment");
    await pane.answers(PROMPT, "Add a betrayal in act 2");
    await pane.answers(ACTION, "cascade");
    await pane.answers(DETAIL, "skip");
    await pane.answers(ACCEPT, "yes");
    await pane.answers(WHEN, "end");
    // Each level is judged and shown all the same.
    for (const level of ["chapters", "prose"])
      await pane.sees(
        `[Generating ${level}`,
        "Judge verdict: ✓ APPROVED",
        "ITERATION SUMMARY",
        `${ACCEPT}yes`,
        "✓ Iteration complete",
      );
    await pane.sees("✓ Cascade complete", "Brought in line:", "• [chapters] Bring", "• [prose] Bring");
    await pane.answers(KEEP, "back");
    await pane.sees('✓ Undone: "[prose] Bring', '✓ Undone: "[chapters] Bring');
    await pane.sees("Nothing is lost: /redo brings a level back, /cascade begins again");
    expect(novel.read("chapters/chapter-02.md")).toBe(chapterText(2));
    expect(novel.read("treatment/treatment.md")).toContain("Ada betrays Marcus.");
    await pane.answers(PROMPT, "/cascade end");
    await pane.answers(KEEP, "keep");
    await pane.answers(PROMPT, "/quit");
    expect((await pane.untilEnded()).exit).toBe(0);
    expect(novel.read("chapters/chapter-02.md")).toBe(chapterText(2, "He was betrayed."));
    expect(JSON.parse(novel.read("staleness.json")).cascade).toBeUndefined();
  });

  it("names its target once, at its end, also where its last step has a request with it, and where it was resumed", async () => {
    for (const isResumed of [false, true]) {
      await using novel = await aNovel();
      novel.server.script("revise-prose", chapterText(2, "He was betrayed."), chapterText(2, "He was betrayed twice."));
      const begun = ["/iterate treatment", "Add a betrayal in act 2", "cascade", "skip", "yes", "skip", "yes"];
      const request = ["skip", "yes, but make chapter 2 darker", "yes", "yes", "skip", "yes"];
      const { stdout } = isResumed
        ? await novel.session(begun).then(() => novel.session(["yes", ...request]))
        : await novel.session([...begun, ...request]);
      const end = stdout.slice(stdout.indexOf("yes, but make chapter 2 darker"));
      expect(end.match(/Iteration target: \w+|✓ Cascade complete|Ready for/g)).toEqual([
        "✓ Cascade complete",
        "Iteration target: treatment",
      ]);
    }
  });

  it("that is killed before all of it is accepted has lost nothing, and each level can be undone", async () => {
    await using novel = await aNovel();
    const first = novel.start();
    await first.answers("> ", "/iterate treatment");
    await first.answers("> ", "Add a betrayal in act 2");
    await first.answers(ACTION, "keep-all");
    await first.answers(DETAIL, "skip");
    await first.answers(ACCEPT, "yes");
    await first.answers("> ", "/cascade end");
    await first.sees(KEEP);
    await first.kill();
    expect(novel.git("status", "--porcelain")).toBe("");
    const [prose, chapters] = subjects(novel);
    expect([prose, chapters].map((subject) => subject!.split(" ", 1)[0])).toEqual(["[prose]", "[chapters]"]);
    const { stdout } = await novel.session(["/undo", "/undo", "/status"]);
    expect(stdout).not.toContain("unfinished");
    expect(stdout).toContain("⚠️  Chapters: stale, treatment changed since");
    expect(novel.read("chapters/chapter-02.md")).toBe(chapterText(2));
  });
});

describe("A name that was changed in the prose", limits, () => {
  it.skipIf(!hasTmux)("is offered to the levels above, which follow it on request", async () => {
    await using novel = await aNovel();
    const renamed = (text: string) => text.replaceAll("Marcus", "Tobias");
    writeFileSync(join(novel.novel, "chapters/chapter-01.md"), chapterText(1, "The bell woke Marcus early."));
    novel.server.script("revise-prose", ...[1, 2, 3].map((number) => renamed(chapterText(number))));
    novel.server.script("revise", renamed(treatment()));
    using pane = new WriterPane(novel.folder.dir, "my-novel");
    await pane.answers(PROMPT, "Rename Marcus to Tobias");
    await pane.answers("(yes/all/add/drop/cancel): ", "yes");
    await pane.answers(DETAIL, "skip");
    await pane.answers(ACCEPT_SOME, "yes");
    await pane.sees(
      "'Marcus' no longer stands in the prose, but in chapters, treatment, premise. Bring these in line?",
    );
    await pane.answers("(yes/no): ", "no");
    await pane.sees("[/cascade up does it, for chapters, treatment, premise]");
    await pane.answers(PROMPT, "/cascade up treatment");
    await pane.sees("[Generating treatment");
    await pane.answers(DETAIL, "skip");
    await pane.answers(ACCEPT, "yes");
    await pane.sees("✓ Cascade complete");
    expect(novel.read("treatment/treatment.md").trim()).toBe(renamed(treatment()).trim());
    const [asked] = novel.server.asked("revise");
    expect(asked!.body.messages.map(({ content }) => content).join("")).toContain("Tobias");
  });
});
