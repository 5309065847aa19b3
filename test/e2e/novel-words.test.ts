// Answers in words, questions and conditions through the real binary, on a pipe; killed where something new is asked.

import { describe, expect, it } from "vitest";
import { ACCEPT, expectStory, NovelFolder } from "../fakes/novel-folder.ts";
import { verdict } from "../fakes/novel-server.ts";
import { beats, premise, treatment } from "../fakes/novel-texts.ts";

const limits = { timeout: 60_000 };
const parts = { premise: true, treatment: true, beats: 15 };

describe("A writer who answers in words", limits, () => {
  it("rejects with a reason, accepts with a request, and goes on with it", async () => {
    await using novel = await NovelFolder.make(parts);
    novel.server.script("revise", ...["Dark.", "Darker.", "The brother."].map((text) => beats(15, { 3: text })));
    const { stdout, code } = await novel.session([
      ...[
        "Make chapter 3 darker",
        "yes",
        "/quit",
        "no",
        "no, because it is too cute",
        "no",
        "no, because it is too cute",
        "yes",
      ],
      ...["/full 1 chapter-3", "skip", "yes, but bring the brother back", "yes", "all", "skip", "yes"],
    ]);
    expect(code).toBe(0);
    // What was confirmed is not asked again.
    expect(stdout).not.toContain('Go on with "bring');
    const story = [
      "leaves, and the question stays open]\nView detailed text diff? (chapter-3/all/skip): no\n",
      `${ACCEPT}no, because it is too cute\nReject, and try again with "it is too cute"? stop makes no other attempt and keeps that as the reason; no asks again. (yes/no/stop): no\n${ACCEPT}no, because`,
      "no asks again. (yes/no/stop): yes\n\n[Generating chapters... Attempt 2]\n",
      "━━━ Attempt 1: Chapter 3 ━━━",
      'Accept, and then go on with "bring the brother back"? (yes/no): yes\n',
      '✓ Git commit: "[chapters] Make chapter 3 darker"',
      "\n> bring the brother back\n",
      '✓ Git commit: "[chapters] bring the brother back"',
    ];
    expectStory(stdout, ...story);
    const sent = JSON.stringify(novel.server.asked("revise")[1]!.body);
    expect(sent).toContain("On attempt 1, which they rejected: it is too cute");
  });

  it("says more where nobody could tell what was meant, and begins again with it", async () => {
    await using novel = await NovelFolder.make(parts);
    const none = JSON.stringify({ files: [], none: "Where does it lose you?" });
    const found = JSON.stringify({ files: [{ file: "chapter-3", why: "the quay is there" }] });
    novel.server.script("read", none, found);
    novel.server.script("revise", beats(15, { 3: "Cold." }));
    const { stdout } = await novel.session([
      ...["The ending leaves me outside somehow.", "on the quay: I do not feel the cold", "yes"],
      ...["yes", "no, because it is not cold yet", "no", "skip", "yes"],
    ]);
    const more = "The ending leaves me outside somehow: on the quay: I do not feel the cold";
    expect(stdout).toContain(`Begin again with "${more}"? (yes/no): yes`);
    expect(stdout).toContain(`✓ Git commit: "[chapters] ${more.slice(0, 40)}`);
    // An answer at the texts is one to the question that follows them.
    expect(stdout).toContain(
      'Reject, and try again with "it is not cold yet"? stop makes no other attempt and keeps that as the reason; no asks again. (yes/no/stop): no',
    );
  });

  it("asks about the book, is asked back once, and hears that a condition does not hold", async () => {
    await using novel = await NovelFolder.make(parts);
    const head = novel.git("rev-parse", "HEAD");
    novel.server.script("read", JSON.stringify({ holds: false, reasoning: "It is dark already." }));
    const { stdout } = await novel.session([
      ...["/ask Who lights the lamp?", "if it is too light, make chapter 3 darker", "/status"],
      ...["make it better", "more rain", "all", "skip", "no"],
    ]);
    expect(stdout).toContain(
      "The keeper lights the lamp in chapter 1.\n\n[Shown: the premise, the treatment, the plan of 15 chapters. Nothing was changed]",
    );
    expect(stdout).toContain('✗ It does not hold\n  "It is dark already."');
    expect(stdout).toContain("[Cancelled: nothing was written, for the condition does not hold]");
    expect(stdout).not.toContain("Unfinished");
    expect(stdout).toContain("Better in which way?\nYour answer (Enter skips): more rain\n");
    expect(JSON.stringify(novel.server.asked("revise")[0]!.body)).toContain("more rain (said of");
    expect(novel.git("rev-parse", "HEAD")).toBe(head);
  });

  it("is asked nothing back with --yes", async () => {
    await using novel = await NovelFolder.make(parts);
    await novel.session(["make it better"], { flags: "--yes" });
    expect(novel.server.asked("read")).toHaveLength(0);
    expect(novel.server.asked("revise")).toHaveLength(1);
  });
});

describe("Killed where something new is asked, a session goes on", limits, () => {
  const cases = [
    ["View full? (yes/no): ", ["Make chapter 3 darker", "yes", "view-partial"], ["no", "no", "skip", "no"]],
    ["Your answer (Enter skips): ", ["make it better"], ["rain", "all", "no", "skip", "no"]],
  ] as const;

  it.each(cases)("%s", async (question, before, after) => {
    await using novel = await NovelFolder.make(parts);
    novel.server.script("judge", verdict("needs_revision", "Still bright"));
    const first = novel.start();
    for (const line of before) first.say(line);
    await first.sees(question);
    await first.kill();
    const asked = novel.server.requests.length;
    const { stdout } = await novel.session(["yes", ...after, "/status"]);
    expect(stdout).toContain(`Go on with it? (yes/no/drop): yes\n`);
    expect(stdout).toContain(question);
    expect(stdout).not.toContain("Unfinished");
    expect(novel.server.requests.length - asked).toBeLessThanOrEqual(4);
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("follows at once what was said along with the yes", async () => {
    await using novel = await NovelFolder.make(parts);
    novel.server.script("revise", ...["Dark.", "Rain."].map((text) => beats(15, { 3: text })));
    const first = novel.start();
    for (const line of ["Make chapter 3 darker", "yes", "skip"]) first.say(line);
    await first.sees(ACCEPT);
    await first.kill();
    const again = novel.start();
    await again.answers("Go on with it? (yes/no/drop): ", "yes");
    await again.answers(ACCEPT, "yes, but more rain please");
    await again.answers('"more rain please"? (yes/no): ', "yes");
    await again.sees("> more rain please\n");
    await again.answers("Write them all? (yes/all/add/drop/cancel): ", "yes");
    await again.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await again.answers(ACCEPT, "yes");
    await again.sees('✓ Git commit: "[chapters] more rain please"');
    again.say("/quit");
    const { code, stdout } = await again.started.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("not begun");
  });

  it("begins at once with what was said in a cascade, and offers the rest of the cascade after it", async () => {
    await using novel = await NovelFolder.make({ ...parts, prose: 3 });
    novel.server.script("revise", ...["Dark.", "Rain."].map((text) => beats(15, { 3: text })));
    const first = novel.start();
    for (const line of ["/iterate chapters", "Make chapter 3 darker", "yes", "cascade", "skip"]) first.say(line);
    await first.answers(ACCEPT, "yes, but more rain please");
    await first.answers('"more rain please"? (yes/no): ', "yes");
    await first.sees("> more rain please\n");
    await first.sees("Write them all? (yes/all/add/drop/cancel): ");
    await first.kill();
    expect((await first.started.ended).stdout).not.toContain("[Cascade, step");
    const again = novel.start();
    await again.sees("An iteration on chapters is unfinished");
    await again.sees('"more rain please"');
    await again.answers("Go on with it? (yes/no/drop): ", "yes");
    await again.answers("Write them all? (yes/all/add/drop/cancel): ", "yes");
    await again.answers("Action: (cull-all/keep-all/cancel): ", "keep-all");
    await again.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await again.answers(ACCEPT, "yes");
    await again.sees('✓ Git commit: "[chapters] more rain please"');
    await again.sees("A cascade from the chapters is unfinished: prose");
    await again.answers("Go on with it? (yes/no/drop): ", "yes");
    await again.sees("[Cascade: 1 step, prose]");
    await again.kill();
  });

  it("names what was said in a cascade upward and was not begun, with its level, on opening and on leaving", async () => {
    await using novel = await NovelFolder.make(parts);
    novel.server.script("revise", treatment("It rains."), premise({ tone: "wet" }));
    const notBegun =
      '[You wanted to go on with "more rain please", which was not begun. To begin: /iterate treatment, then type it]';
    const first = novel.start();
    for (const line of ["/iterate chapters", "/cascade up", "skip"]) first.say(line);
    await first.answers(ACCEPT, "yes, but more rain please");
    await first.answers('"more rain please"? (yes/no): ', "yes");
    await first.sees("[Cascade, step 2 of 2: premise]");
    await first.sees("View detailed text diff?");
    await first.kill();
    const { stdout } = await novel.session(["drop"]);
    expect(stdout.split(notBegun), stdout).toHaveLength(3);
  });
});
