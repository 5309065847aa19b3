// What a writer does with a book beside iterating: variants, reading, templates, one file undone, and what the screen says.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACCEPT_SOME, expectStory, NovelFolder, reads, whole } from "../fakes/novel-folder.ts";
import { WriterPane } from "../fakes/novel-pane.ts";
import { verdict } from "../fakes/novel-server.ts";
import { beats } from "../fakes/novel-texts.ts";

const limits = { timeout: 60_000 };

describe("A book", limits, () => {
  it("has variants, of which one is taken", async () => {
    await using novel = await NovelFolder.make(whole);
    const { stdout, code } = await novel.session([
      ...["/variants 2 chapter-1 make it colder", "2", "skip", "yes"],
      ...["/read 1", "/stats"],
    ]);
    expect(code).toBe(0);
    expect(stdout).toContain("✓ 2 variants of ");
    expect(stdout).toMatch(/Variant 1 +│ Variant 2\n/);
    expect(stdout).toContain("Which one? (1/2/none): 2\n");
    expect(stdout).toContain('✓ Git commit: "[prose] make it colder"');
    const text = novel.read("chapters/chapter-01.md");
    expect(text).toContain("Version 2.");
    expect(stdout).toContain("> /read 1\n\n━━━ Chapter 1");
    expect(stdout).toContain("Judge calibration: 100% (you went with the judge in 1 of 1");
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("keeps feedback under a name, beside what comes along", async () => {
    await using novel = await NovelFolder.make(whole);
    novel.server.script("revise", beats(3, { 1: "Rain.", 2: "More rain." }));
    novel.server.script("read", reads({ 1: "named", 2: "after it" }));
    const { stdout } = await novel.session([
      ...["/iterate chapters", "/template save rain Let it rain in chapter {chapter}", "/template"],
      ...["/template use rain 1", "keep-all", "skip", "yes", "/history", "/template use rian", "/template drop darker"],
      ...["/template use darker", "/undo"],
    ]);
    expectStory(
      stdout,
      "  darker:\n    Make {where} darker:",
      "  plant-and-payoff:\n",
      "  rain (yours):\n    Let it rain in chapter {chapter}",
      "> Let it rain in chapter 1\n",
      '1. "Let it rain in chapter 1"',
      "There is no template 'rian'; did you mean 'rain'?",
      "'darker' comes along",
      "The template has places to fill in: where=…",
      '✓ Undone: "[chapters] Let it rain in chapter 1"',
    );
    const { stdout: runs } = await novel.folder.cli("runs", { cwd: novel.novel });
    expect(runs).toContain("_iteration-1-of-this-book");
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("takes some files of an iteration, and rejects another for a reason that it keeps", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 3 });
    novel.server.script("revise", beats(3, { 1: "Rain.", 2: "More rain.", 3: "Hail." }), beats(3, { 1: "Snow." }));
    novel.server.script("read", reads({ 1: "a", 2: "b", 3: "c" }), reads({ 1: "named" }));
    novel.server.script("reply", JSON.stringify({ choice: "no", note: "it is summer" }));
    const { stdout } = await novel.session([
      ...["/iterate chapters", "Let it rain", "skip", "some 1, 2", "skip", "yes"],
      ...["Let it snow in chapter 1", "skip", "no, it is summer", "/history"],
    ]);
    const story = [
      `${ACCEPT_SOME}some 1, 2\n`,
      "Files changed: 2 of 4",
      `${ACCEPT_SOME}yes`,
      "✓ Iteration complete (1 judge attempt, not judged as it stands)",
      "[It took ",
      "[Rejected: the changes were not accepted: it is summer; the project is as it was]",
      "1 iteration on chapters",
    ];
    expectStory(stdout, ...story);
    expect(novel.read("chapter-beats/chapter-01.md")).toContain("Rain.");
    expect(novel.read("chapter-beats/chapter-02.md")).toContain("More rain.");
    expect(novel.read("chapter-beats/chapter-03.md")).not.toContain("Hail.");
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("gives a project that has none its title and author, and takes neither from one that has", async () => {
    await using novel = await NovelFolder.make({});
    writeFileSync(
      join(novel.folder.dir, "old.md"),
      "---\ntitle: SALT\nauthor: A. B.\n---\n\nFor Ann.\n\n# One\n\nIt rained.\n\n# Two\n\nIt snowed.\n",
    );
    const { stdout } = await novel.session(["/new first", "/import old.md", "no"]);
    expectStory(stdout, "2 chapters, front matter imported from old.md");
    expect(novel.folder.read("first/project.yaml")).toMatch(/^title: SALT\nauthor: A\. B\./);
    expect(novel.git("-C", "../first", "status", "--porcelain")).toBe("");
    await novel.session(["/import old.md", "no"]);
    expect(novel.read("project.yaml")).toMatch(/^title: The Mill$/m);
  });
});

describe("The screen says", limits, () => {
  it("what it waits for, why an answer is asked for again, and how a ceiling is raised", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    novel.server.script("revise", { status: 429 }, "no files", beats(15, { 3: "Dark." }));
    const said = await novel.session(["Make chapter 3 darker", "skip", "no"]);
    expect(said.stdout).toMatch(/\[Waiting: .*429.*\. Next try now\]/);
    expect(said.stdout).toContain(
      "[The writer's answer had no usable form, and is asked for again]\n    • The answer holds no files.",
    );
    expect(said.stdout).toMatch(/Words, before → after:\n {2}Chapter 3: \d+ → \d+\n/);
    novel.server.script("revise", beats(15, { 3: "Darker." }));
    const low = await novel.session(["Make chapter 3 colder", "/resume tokens=900000", "skip", "yes"], {
      flags: "--max-tokens 9000",
    });
    expect(low.stdout).toMatch(
      /\[Stopped at a ceiling: .*tokens.*\]\n\[What was written so far is kept\. To raise the ceiling and go on: \/resume tokens=18000\]/,
    );
    expect(low.stdout).toContain("✓ Iteration complete");
  });

  it("nothing that breaks inside a word, at 80 columns", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    const words = "incomprehensibilities counterrevolutionaries straightforwardness ".repeat(6).trim();
    const japanese = "灯台守の帳簿には、起こらなかった嵐が記されている。".repeat(4);
    novel.server.script(
      "revise",
      beats(15, Object.fromEntries(Array.from({ length: 15 }, (_, at) => [at + 1, "Rain."]))),
    );
    novel.server.script("judge", verdict("approved", `${words} ${japanese}`));
    novel.server.script("talk", `${words} ${japanese}`);
    using pane = new WriterPane(novel.folder.dir, "my-novel", {}, { columns: 80, rows: 24 });
    await pane.sees("> ");
    pane.say("Let it rain everywhere");
    await expect.poll(() => pane.written().join("\n"), { timeout: 30_000 }).toContain("/skip)");
    const lines = pane.written();
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    const known = new Set(words.split(" "));
    const broken = lines
      .flatMap((line) => line.split(/[\s"]+/))
      .filter((word) => /^(?:incompre|counterre|straightf)/.test(word) && !known.has(word));
    expect(broken).toEqual([]);
    expect(lines.some((line) => /^\s*[。、]/.test(line))).toBe(false);
    expect(lines.join("\n")).not.toMatch(/chapter-\n/);
    expect(existsSync(join(novel.novel, "chapters"))).toBe(false);
  });
});
