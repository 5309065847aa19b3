// The REPL killed at every gate and in the middle of what a model does: opened again, it goes on, and the work tree is never
// half-written.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ACCEPT, ACTION, NovelFolder, reads } from "../fakes/novel-folder.ts";
import { verdict } from "../fakes/novel-server.ts";
import { beat, beats, chapterText, foundation, premise, treatment } from "../fakes/novel-texts.ts";

const DARK = beats(15, { 3: "A nightmare." });

/** Where it is killed, in the order in which they come; each is answered after the kill and not before it. */
const gates = [
  { question: ACTION, answer: "cull-all" },
  { question: "Continue with judge feedback? (yes/no/view-partial): ", answer: "yes" },
  { question: "View detailed text diff? (chapter-3/all/skip): ", answer: "skip" },
  { question: ACCEPT, answer: "yes" },
];

function expectDone(novel: NovelFolder): void {
  expect(novel.git("log", "-1", "--format=%s")).toBe("[chapters] Make chapter 3 darker");
  expect(novel.git("status", "--porcelain")).toBe("");
  expect(novel.read("chapter-beats/chapter-03.md")).toContain("A nightmare.");
  expect(novel.has("chapters/chapter-01.md")).toBe(false);
  const { iterations } = JSON.parse(novel.read("chapter-beats/iteration_history.json"));
  expect(iterations).toHaveLength(1);
  expect(iterations[0]).toMatchObject({ judge_attempts: 2, judge_verdict: "approved" });
}

async function aNovel(): Promise<NovelFolder> {
  const novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15, prose: 2 });
  novel.server.script("revise", beats(15, { 3: "A gray day." }), DARK);
  novel.server.script("judge", verdict("needs_revision", "Still bright"), verdict("approved", "Dark enough"));
  novel.server.script("read", reads({ 3: "it is named" }));
  return novel;
}

describe("A session killed at a question", { timeout: 60_000 }, () => {
  it.each(gates.map(({ question }, at) => ({ question, at })))("goes on from it: $question", async ({ at }) => {
    await using novel = await aNovel();
    const before = novel.git("rev-parse", "HEAD");
    const first = novel.start();
    await first.answers("> ", "/iterate chapters");
    await first.answers("> ", "Make chapter 3 darker");
    for (const { question, answer } of gates.slice(0, at)) await first.answers(question, answer);
    await first.sees(gates[at]!.question);
    await first.kill();
    expect(novel.git("rev-parse", "HEAD")).toBe(before);
    expect(novel.git("status", "--porcelain")).toBe("");

    const asked = novel.server.requests.length;
    const again = novel.start();
    await again.sees("An iteration on chapters is unfinished");
    await again.sees('"Make chapter 3 darker"');
    if (at >= 1) await again.sees('Judge feedback on attempt 1 (✗ NEEDS REVISION):\n  "Still bright"');
    await again.answers("Go on with it? (yes/no/drop): ", "yes");
    if (at >= 2) await again.sees("ITERATION SUMMARY");
    await again.sees(gates[at]!.question);
    // What was generated before the kill is not generated again.
    expect(novel.server.requests.length).toBe(asked);
    again.say(gates[at]!.answer);
    for (const { question, answer } of gates.slice(at + 1)) await again.answers(question, answer);
    await again.sees("✓ Iteration complete (2 judge attempts, approved)");
    again.started.child.stdin.end();
    expect((await again.started.ended).code).toBe(0);
    expectDone(novel);
  });
});

describe("An edit by hand that was made meanwhile", { timeout: 60_000 }, () => {
  const mine = beat(3).replace("## Hook", "I wrote this myself.\n\n## Hook");

  it("has a commit of its own, and the iteration begins anew from it where the two cannot be joined", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    novel.server.script("read", reads({ 3: "it is named" }));
    const other = beat(3).replace("on day 3.", "on the third day, in the dark.");
    novel.server.script("revise", beats(15, { 3: "Dark." }), beats(15, { 3: "Dark, and mine." }));
    const first = novel.start();
    await first.answers("> ", "Make chapter 3 darker");
    await first.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await first.sees(ACCEPT);
    writeFileSync(join(novel.novel, "chapter-beats/chapter-03.md"), other);
    await first.kill();
    const again = novel.start();
    await again.answers("Go on with it? (yes/no/drop): ", "yes");
    await again.answers(ACCEPT, "yes");
    await again.sees("[Edited by hand meanwhile: chapter-beats/chapter-03.md.");
    await again.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await again.answers(ACCEPT, "yes");
    await again.sees("✓ Iteration complete");
    again.started.child.stdin.end();
    expect((await again.started.ended).code).toBe(0);
    expect(novel.git("log", "-2", "--format=%s")).toBe("[chapters] Make chapter 3 darker\n[chapters] hand edit");
    expect(novel.git("show", "HEAD~1:chapter-beats/chapter-03.md")).toBe(other.trimEnd());
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("is joined where it touches other paragraphs", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    novel.server.script("read", reads({ 3: "it is named" }));
    novel.server.script("revise", beats(15, { 3: "Dark." }));
    const first = novel.start();
    await first.answers("> ", "Make chapter 3 darker");
    await first.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await first.sees(ACCEPT);
    writeFileSync(join(novel.novel, "chapter-beats/chapter-03.md"), mine);
    first.say("yes");
    await first.sees("Both are in it: they touch different paragraphs");
    await first.sees("✓ Iteration complete");
    first.started.child.stdin.end();
    await first.started.ended;
    const text = novel.read("chapter-beats/chapter-03.md");
    expect([text.includes("Dark."), text.includes("I wrote this myself.")]).toEqual([true, true]);
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});

describe("A session killed at a question about a chapter's prose", { timeout: 60_000 }, () => {
  it("goes on from it: which variant", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 2, prose: 2 });
    const head = novel.git("rev-parse", "HEAD");
    const question = "Which one? (1/2/none): ";
    const first = novel.start();
    first.say("/variants 2 chapter-1 make it colder");
    await first.sees(question);
    await first.kill();
    expect(novel.git("rev-parse", "HEAD")).toBe(head);
    const asked = novel.server.requests.length;
    const again = novel.start();
    await again.answers("Go on with it? (yes/no/drop): ", "yes");
    await again.sees(question);
    expect(novel.server.requests.length).toBe(asked);
    for (const line of ["2", "skip", "yes"]) again.say(line);
    await again.sees("✓ Git commit: ");
    again.say("/quit");
    expect((await again.started.ended).code).toBe(0);
    expect(novel.read("chapters/chapter-01.md")).toContain("Version 2.");
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});

describe("A session killed while a model works", { timeout: 60_000 }, () => {
  it("asks the model again, and no other", async () => {
    await using novel = await aNovel();
    novel.server.script("revise", { fault: "hang" }, beats(15, { 3: "A gray day." }), DARK);
    const first = novel.start();
    await first.answers("> ", "/iterate chapters");
    await first.answers("> ", "Make chapter 3 darker");
    await first.answers(gates[0]!.question, "cull-all");
    await expect.poll(() => novel.server.asked("revise").length, { timeout: 20_000 }).toBe(1);
    await first.kill();
    expect(novel.has("chapters/chapter-01.md")).toBe(true);
    const { stdout } = await novel.session(["yes", "yes", "skip", "yes"]);
    expect(stdout).toContain("✓ Iteration complete (2 judge attempts, approved)");
    expect(novel.server.asked("revise")).toHaveLength(3);
    expectDone(novel);
  });

  it("goes on with the next chapter of prose", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 3 });
    const { server } = novel;
    await novel.folder.write("my-novel/project.yaml", "title: The Mill\ntarget_words: 3000\nchapters: 3\n");
    server.script("generate-prose", chapterText(1), chapterText(2), { fault: "hang" }, chapterText(3));
    const first = novel.start();
    await first.answers("> ", "/generate prose");
    await first.sees("✓ Chapter 2 of 3");
    await expect.poll(() => server.asked("generate-prose").length, { timeout: 20_000 }).toBe(3);
    await first.kill();
    const { stdout } = await novel.session(["yes"]);
    expect(stdout).not.toContain("✓ Chapter 2 of 3");
    expect(stdout).toContain("✓ Chapter 3 of 3");
    expect(stdout).toContain("✓ Prose generated");
    expect(server.asked("generate-prose")).toHaveLength(4);
    expect(novel.read("chapters/chapter-02.md")).toBe(chapterText(2));
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});

describe("A session killed while the levels above a book are derived", { timeout: 60_000 }, () => {
  it("goes on with the level, and offers the others", async () => {
    await using novel = await NovelFolder.make({ prose: 2 });
    novel.server.script("derive-chapter", { fault: "hang" }, beat(1), beat(2));
    novel.server.script("derive", foundation(), treatment(), premise());
    const first = novel.start();
    await first.answers("> ", "/generate chapters");
    await expect.poll(() => novel.server.asked("derive-chapter").length, { timeout: 20_000 }).toBe(1);
    await first.kill();
    const { stdout } = await novel.session(["yes", "yes", "/status"]);
    expect(stdout).toContain("Derive treatment and premise as well? (yes/no): yes");
    expect(stdout).toContain("✓ Premise derived from the treatment");
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});

describe("What is left unfinished", { timeout: 60_000 }, () => {
  it("is dropped on request, with the manuscript as it was", async () => {
    await using novel = await aNovel();
    await novel.session(["/iterate chapters", "Make chapter 3 darker", "keep-all"]);
    const { stdout } = await novel.session(["drop", "/resume"]);
    expect(stdout).toContain("[The iteration was dropped. The manuscript is as it was]");
    expect(stdout).toContain("[Nothing is unfinished. Iteration target: prose]");
    expect(novel.read("chapter-beats/chapter-03.md")).toBe(beat(3));
    expect((await novel.session([])).stdout).not.toContain("unfinished");
    await novel.session(["/iterate chapters", "Make chapter 3 darker", "keep-all"]);
    const again = await novel.session(["no", "/resume drop", "/resume"]);
    expect(again.stdout.match(/Go on with it\?/g)).toHaveLength(1);
    expect(again.stdout).toContain("[The iteration was dropped. The manuscript is as it was]");
    expect(again.stdout).toContain("[Nothing is unfinished. Iteration target: prose]");
  });

  it("stays for later where the answer is no, or where there is none", async () => {
    await using novel = await aNovel();
    const first = await novel.session(["/iterate chapters", "Make chapter 3 darker"]);
    expect(first.stdout).toContain(
      "[The question stays open. It is asked again when the project is opened, or with /resume]",
    );
    expect(first.code).toBe(0);
    expect((await novel.session(["no"])).stdout).toContain("[It is kept. /resume goes on with it]");
    expect((await novel.session([])).stdout).toContain("An iteration on chapters is unfinished");
    const { stdout } = await novel.session(["no", "/resume", "cancel"]);
    expect(stdout).toContain("[Cancelled: the iteration was cancelled before anything was written]");
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});
