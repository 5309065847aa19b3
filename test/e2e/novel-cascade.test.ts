// Cascades through the real binary: what is stale brought in line, level after level, downward and upward.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectStory, NovelFolder } from "../fakes/novel-folder.ts";
import { beats, chapterText, premise, treatment } from "../fakes/novel-texts.ts";

const limits = { timeout: 60_000 };

async function aNovel(): Promise<NovelFolder> {
  const novel = await NovelFolder.make({ premise: true, treatment: true, beats: 3, prose: 3 });
  novel.server.script("revise", treatment("Ada betrays Marcus."), beats(3, { 2: "A betrayal." }));
  novel.server.script("revise-prose", chapterText(2, "He was betrayed."));
  return novel;
}

describe("A cascade over two levels", limits, () => {
  const begun = ["/iterate treatment", "Add a betrayal in act 2", "no", "skip", "yes"];

  it("goes level by level, each decided about, and ends at the target that it began with", async () => {
    await using novel = await aNovel();
    const { stdout } = await novel.session([...begun, "/cascade", "skip", "yes", "skip", "yes", "/cascade", "/status"]);
    const story = [
      "[Stale: chapters, prose. /cascade brings it in line]",
      "[Cascade: chapters]",
      "✓ Iteration complete",
      "[Cascade: prose]",
      "✓ Iteration complete",
      "✓ Cascade complete\n[Iteration target: treatment]",
      "[Nothing is stale: every level agrees with what it was made from]",
    ];
    expectStory(stdout, ...story);
    expect(novel.read("chapters/chapter-02.md").trim()).toBe(chapterText(2, "He was betrayed.").trim());
    expect(novel.read("chapters/chapter-01.md")).toBe(chapterText(1));
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("ends where a step is not accepted, and begins again with what is stale then", async () => {
    await using novel = await aNovel();
    const { stdout } = await novel.session([...begun, "/cascade", "skip", "yes", "skip", "no", "/status"]);
    expectStory(
      stdout,
      "[Cascade: prose]",
      "[Rejected: ",
      "[The cascade ended at the prose. /cascade begins again]",
      "⚠️  Prose: stale, chapters changed since",
    );
    const again = await novel.session(["/cascade", "skip", "yes"]);
    expect(again.stdout).not.toContain("[Cascade: chapters]");
    expectStory(again.stdout, "[Cascade: prose]", "✓ Cascade complete");
  });

  it("that is killed has lost nothing: what is stale is its record", async () => {
    await using novel = await aNovel();
    const first = novel.start();
    for (const line of [...begun, "/cascade", "skip", "yes"]) first.say(line);
    await first.sees("[Cascade: prose]");
    await first.sees("View detailed text diff?");
    await first.kill();
    const { stdout } = await novel.session(["drop", "/cascade", "skip", "yes"]);
    expectStory(stdout, "[The iteration was dropped", "[Cascade: prose]", "✓ Cascade complete");
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});

describe("A change of the prose", limits, () => {
  it("is followed by the levels above on request, nearest first", async () => {
    await using novel = await aNovel();
    const renamed = (text: string) => text.replaceAll("Marcus", "Tobias");
    writeFileSync(join(novel.novel, "chapters/chapter-01.md"), chapterText(1, "The bell woke Marcus early."));
    novel.server.script("revise-prose", ...[1, 2, 3].map((number) => renamed(chapterText(number))));
    novel.server.script("revise", renamed(beats(3)), renamed(treatment()), renamed(premise()));
    const { stdout } = await novel.session([
      ...["Rename Marcus to Tobias", "skip", "yes"],
      ...["/cascade up", "skip", "yes", "skip", "yes", "skip", "no"],
    ]);
    expectStory(
      stdout,
      "[Cascade: chapters]",
      "[Cascade: treatment]",
      "[Cascade: premise]",
      "[The cascade ended at the premise. /cascade up begins again]",
      "[Iteration target: prose]",
    );
    expect(novel.read("treatment/treatment.md").trim()).toBe(renamed(treatment()).trim());
    const [asked] = novel.server.asked("revise");
    expect(asked!.body.messages.map(({ content }) => content).join("")).toContain("Tobias");
  });
});
