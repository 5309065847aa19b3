// Answers in the writer's own words, questions, and what is asked back, through the real binary on a pipe; killed where it is asked.

import { describe, expect, it } from "vitest";
import { ACCEPT, expectStory, NovelFolder, reads } from "../fakes/novel-folder.ts";
import { verdict } from "../fakes/novel-server.ts";
import { beats } from "../fakes/novel-texts.ts";

const limits = { timeout: 60_000 };
const parts = { premise: true, treatment: true, beats: 15 };

describe("A writer who answers in their own words", limits, () => {
  it("is understood by a model: the choice is taken, and the words go to the writer", async () => {
    await using novel = await NovelFolder.make(parts);
    novel.server.script("read", reads({ 3: "it is named" }));
    novel.server.script("revise", ...["Dark.", "Darker."].map((text) => beats(15, { 3: text })));
    const note = "it is too cute";
    novel.server.script("reply", JSON.stringify({ choice: "again", note }));
    const { stdout, code } = await novel.session([
      ...["Make chapter 3 darker", "/quit", "skip", "nein, das ist zu niedlich", "/undo", "skip", "yes"],
    ]);
    expect(code).toBe(0);
    expectStory(
      stdout,
      "leaves, and the question stays open]\nView detailed text diff? (chapter-3/all/skip): skip\n",
      `${ACCEPT}nein, das ist zu niedlich\n`,
      `[Read as: again; told to the writer: "${note}"]`,
      "[Generating chapters... Attempt 2]\n",
      "[A question is open: commands wait for its answer]",
      '✓ Git commit: "[chapters] Make chapter 3 darker"',
    );
    expect(JSON.stringify(novel.server.asked("revise")[1]!.body)).toContain(note);
    expect(novel.read("chapter-beats/chapter-03.md")).toContain("Darker.");
  });

  it("is asked again where nobody can tell what they mean", async () => {
    await using novel = await NovelFolder.make(parts);
    novel.server.script("read", reads({ 3: "it is named" }));
    const { stdout } = await novel.session(["Make chapter 3 darker", "skip", "hm", "no"]);
    expectStory(stdout, `${ACCEPT}hm\n`, "[Warning: What do you mean?]", `${ACCEPT}no\n`, "[Rejected: ");
  });

  it("asks about the book, is asked back once, and hears that a condition does not hold", async () => {
    await using novel = await NovelFolder.make(parts);
    const head = novel.git("rev-parse", "HEAD");
    const condition = { item: 1, condition: "it is too light", holds: false, reasoning: "It is dark already." };
    novel.server.script(
      "read",
      JSON.stringify({ conditions: [condition] }),
      JSON.stringify({ question: "Better in which way?" }),
      reads({ 3: "it rains there" }),
    );
    const { stdout } = await novel.session([
      ...["/ask Who lights the lamp?", "if it is too light, make chapter 3 darker", "/status"],
      ...["make it better", "more rain", "skip", "no"],
    ]);
    expectStory(
      stdout,
      "The keeper lights the lamp in chapter 1.",
      "Nothing was changed]",
      "It is dark already.",
      "Better in which way?\nYour answer (Enter skips): more rain\n",
      "• chapter 3: it rains there",
    );
    expect(stdout).not.toContain("Unfinished");
    expect(JSON.stringify(novel.server.asked("revise")[0]!.body)).toContain("more rain");
    expect(novel.git("rev-parse", "HEAD")).toBe(head);
  });

  it("is asked nothing back with --yes", async () => {
    await using novel = await NovelFolder.make(parts);
    await novel.session(["make it better"], { flags: "--yes" });
    expect(novel.server.asked("read")[0]!.prompt).not.toContain("`question`");
    expect(novel.server.asked("revise")).toHaveLength(1);
  });
});

describe("Killed where something is asked, a session goes on", limits, () => {
  const cases = [
    ["View full? (yes/no): ", ["Make chapter 3 darker", "view-partial"], ["no", "no", "skip", "no"]],
    ["Your answer (Enter skips): ", ["make it better"], ["rain", "no", "skip", "no"]],
  ] as const;

  it.each(cases)("%s", async (question, before, after) => {
    await using novel = await NovelFolder.make(parts);
    novel.server.script("judge", verdict("needs_revision", "Still bright"));
    const asks = JSON.stringify({ question: "Better in which way?" });
    novel.server.script("read", ...(question.startsWith("Your") ? [asks] : []), reads({ 3: "it is named" }));
    const first = novel.start();
    for (const line of before) first.say(line);
    await first.sees(question);
    await first.kill();
    const asked = novel.server.requests.length;
    const { stdout } = await novel.session(["yes", ...after, "/status"]);
    expect(stdout).toContain("Go on with it? (yes/no/drop): yes\n");
    expect(stdout).toContain(question);
    expect(stdout).not.toContain("Unfinished");
    expect(novel.server.requests.length - asked).toBeLessThanOrEqual(4);
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});
