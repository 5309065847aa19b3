// The writing REPL on a pipe: the same sessions, every command, and what it says where something fails.

import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectStory, NovelFolder, reads } from "../fakes/novel-folder.ts";
import { verdict } from "../fakes/novel-server.ts";
import { beat, beats, chapterText, foundation, premise, treatment } from "../fakes/novel-texts.ts";

const limits = { timeout: 60_000 };
const ESCAPE = "\u001B";

describe("A session on a pipe", limits, () => {
  it("reads as the session it was: questions on one line each, answers behind them, no control characters", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15, prose: 8 });
    novel.server.script("judge", verdict("needs_revision", "Tone still optimistic"), verdict("approved", "Approved"));
    novel.server.script("read", reads({ 3: "the feedback names it" }));
    const { stdout, stderr, code } = await novel.session([
      "/iterate chapters",
      "Make chapter 3 darker and add internal conflict",
      "yes",
      "view-partial",
      "no",
      "yes",
      "chapter-3",
      "skip",
      "yes",
      "/status",
      "/history",
      "/diff",
      "/stats",
      "/undo",
      "/redo",
    ]);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    expectStory(
      stdout,
      "Project: my-novel (fantasy, 8 chapters, 304 words; goal: 80k words, 15 chapters)\n[Iteration target: prose]\n\n> /iterate chapters\n",
      "> Make chapter 3 darker and add internal conflict\n\n⚠️  Downstream content will be affected:\n",
      "  • Prose (8 chapters)\n\n[cull-all or yes: it is deleted ·",
      "Action: (cull-all/keep-all/cancel): yes\n",
      "This feedback reaches 1 of 16 files:\n    • chapter 3: the feedback names it\n",
      "[Generating chapters... Attempt 1]\n",
      "✓ Generated (saved to .agentic/debug/)\n\n[Running validation judge...]\nJudge verdict: ✗ NEEDS REVISION\n",
      "Continue with judge feedback? (yes/no/view-partial): view-partial\n\n[Semantic diff for attempt 1...]\n",
      "ITERATION SUMMARY",
      "View full? (yes/no): no\n",
      "Continue with judge feedback? (yes/no/view-partial): yes\n",
      'Judge verdict: ✓ APPROVED\n\nJudge reasoning:\n  "Approved"\n\n[Generating semantic diff...]\n',
      "View detailed text diff? (chapter-3/all/skip): chapter-3\n\n━━━ Chapter 3: Detailed Changes ━━━\n",
      "View detailed text diff? (chapter-3/all/skip): skip\nAccept these changes? (yes/no/diff): yes\n",
      "  ✓ Prose culled (8 chapters deleted)\n",
      "✓ Iteration complete (2 judge attempts, approved)\n",
      "> /status\nProject: my-novel\nIteration target: chapters\nIterations: 1 on chapters\n",
      '> /history\n1 iteration on chapters, oldest first:\n  1. "Make chapter 3 darker and add internal conflict"\n',
      '> /diff\n"[chapters] Make chapter 3 darker and add internal conflict"',
      "> /stats\nIterations: 1 (1 accepted",
      "> /undo\n✓ Undone: ",
      "> /redo\n✓ Done again: ",
    );
    expect(stdout).not.toContain(ESCAPE);
    expect(stdout).not.toContain("░");
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("begins on an empty project with what to type, and takes a lone exit or help as the command", async () => {
    await using novel = await NovelFolder.make({}, "{}\n");
    const begun = await novel.session(["help", "exit", "/status"]);
    expectStory(
      begun.stdout,
      "Project: my-novel (fantasy; goal: 80k words, 15 chapters)\n[Begin with your idea: /generate premise IDEA,",
      "/help lists the commands]\n[No model is configured. Name one with /model lmstudio:NAME,",
      "> help\n  /new NAME ",
      "> exit\n",
    );
    expect(begun.stdout).not.toContain("/status\n");
    expect(begun.code).toBe(0);
  });

  it("keeps a hand edit in a commit of its own, before the iteration's", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    await novel.folder.write("my-novel/chapter-beats/chapter-05.md", beat(5, "Written by hand."));
    const { stdout } = await novel.session(["/status", "Make chapter 3 darker", "skip", "yes"]);
    expectStory(
      stdout,
      "Git: 1 file edited by hand, committed on its own before the next iteration",
      '[Hand edit kept: "[chapters] hand edit" (1 file)]',
    );
    const [last, edit] = novel.git("log", "--format=%s").split("\n");
    expect([last, edit]).toEqual(["[chapters] Make chapter 3 darker", "[chapters] hand edit"]);
    expect(novel.git("show", "--format=", "--name-only", "HEAD~1")).toBe("chapter-beats/chapter-05.md");
  });

  it("takes answers from flags, and the default of each gate loses nothing", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15, prose: 3 });
    const lines = ["/iterate chapters", "Make chapter 3 darker"];
    const careful = await novel.session(lines, { flags: "--yes" });
    expectStory(careful.stdout, "Action: (cull-all/keep-all/cancel): cancel\n", "[Cancelled: ");
    const flags = "--yes --answer downstream=keep --answer accept=y";
    const bold = await novel.session(lines, { flags });
    expectStory(
      bold.stdout,
      "Action: (cull-all/keep-all/cancel): keep-all\n",
      "Accept these changes? (yes/no/diff): yes\n",
      "✓ Iteration complete",
    );
    expectStory((await novel.session(["/status"])).stdout, "⚠️  Prose: stale, chapters changed since");
    novel.server.script("revise", beats(15, { 3: "Darker still." }));
    const wrong = await novel.session(lines, {
      flags: "--answer accept=perhaps --answer downstream=keep-all --answer detail=skip",
    });
    expectStory(wrong.stdout, "[Error: --answer accept=perhaps: the gate offers yes, no, diff");
  });

  it("prints one object per line with --json", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    const { lines } = await novel.session(["Make chapter 3 darker", "skip", "no", "/cull"], { flags: "--json" });
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events.every(({ v, type, at }) => v === 1 && typeof type === "string" && typeof at === "string")).toBe(true);
    const gates = events.filter(({ type }) => type === "gate-opened").map(({ name }) => name);
    expect(gates).toEqual(["detail", "accept"]);
    expect(events.find(({ type }) => type === "run-ended")).toMatchObject({ outcome: "declined" });
    expect(events.at(-1)).toMatchObject({ type: "novel-said", text: "[There is nothing below chapters]" });
  });

  it("stops at Ctrl-C with what was written kept, and takes none of the lines that follow", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    novel.server.script("revise", { fault: "hang" });
    const typed = novel.start();
    await typed.answers("> ", "Make chapter 3 darker");
    typed.say("skip");
    typed.say("Another thing");
    await expect.poll(() => novel.server.asked("revise").length, { timeout: 20_000 }).toBe(1);
    typed.started.send("SIGINT");
    const { code, stdout } = await typed.started.ended;
    expect(code).toBe(130);
    expectStory(
      stdout,
      "[stopping; nothing is lost, and Ctrl-C again stops at once]",
      "[Stopped. What was written so far is kept",
    );
    expect(stdout).not.toContain("Another thing");
  });

  it("takes a lone answer for no feedback, so that a script out of step does no harm", async () => {
    await using novel = await NovelFolder.make({ premise: true });
    const { stdout } = await novel.session(["yes", "", "  ", "cull-all"]);
    expectStory(stdout, "[Error: Nothing is asked right now, so 'yes' was not taken as feedback]", "'cull-all'");
    expect(novel.server.requests).toHaveLength(0);
  });
});

describe("An idea", limits, () => {
  it("becomes a premise, a treatment, chapters and prose, and a book", async () => {
    await using novel = await NovelFolder.make({});
    novel.server.script("generate-chapters", beats(3));
    await novel.folder.write("my-novel/project.yaml", "title: The Mill\ntarget_words: 3000\nchapters: 3\n");
    novel.server.script("generate-prose", chapterText(1), chapterText(2), chapterText(3));
    const { stdout } = await novel.session([
      "/generate premise A miller hides a fugitive, in a prologue and three chapters of 400 words",
      "/read",
      "/generate treatment",
      "/generate chapters 3",
      "/generate prose",
      "/analyze",
      "/export md book.md",
      "/export epub book.epub",
      "/export docx book.docx",
      "/export md book.md",
      "no",
    ]);
    expectStory(
      stdout,
      "✓ Premise generated\n[Iteration target: premise]",
      "━━━ The Mill ━━━\n\n## Logline\n\nA miller",
      "✓ Treatment generated\n[Iteration target: treatment]",
      "✓ Chapters generated\n[Iteration target: chapters]",
      "✓ Chapter 3 of 3",
      "✓ Prose generated\n[Iteration target: prose]",
      'Git commit: "[analysis] analyze"',
      "✓ 3 chapters (",
      "book.md exists. Overwrite it? (yes/no): no\n[Nothing was written]",
    );
    expect(novel.server.asked("generate-premise")[0]!.prompt).toContain("A miller hides a fugitive");
    expect(readdirSync(novel.folder.dir)).toEqual(expect.arrayContaining(["book.md", "book.epub", "book.docx"]));
    expect(novel.folder.read("book.md")).toContain("Chapter 3: Day 3");
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("is made into a project of its own by /new and by init --loop novel", async () => {
    await using novel = await NovelFolder.make({});
    const { stdout } = await novel.session([
      "/new second-book",
      "/new second-book",
      "/open my-novel",
      "/open second-book",
      "/new",
    ]);
    expectStory(
      stdout,
      "Project: second-book\n",
      "[Error: ",
      "is a novel project already",
      "Project: my-novel",
      "Project: second-book",
      "[Error: Name the project",
    );
    expect(novel.folder.read("second-book/project.yaml")).toContain("title: Second book");
    const made = await novel.folder.cli("init third --loop novel");
    expect(made.stdout).toContain("  cd third\n  loopwright novel\n");
    expect((await novel.folder.cli("novel third", { input: "/status\n" })).stdout).toContain("Git: clean");
    expect((await novel.folder.cli("init third --loop novel")).code).toBe(2);
    const missing = await novel.folder.cli("novel fourth");
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("`loopwright init fourth --loop novel` makes one");
  });
});

describe("A novel inside a folder with runs of its own", limits, () => {
  it("is the one that is opened where it is the current folder", async () => {
    await using novel = await NovelFolder.make({ premise: true });
    mkdirSync(join(novel.folder.dir, ".loopwright"));
    rmSync(join(novel.novel, "loopwright.yaml"));
    const options = { cwd: novel.novel, input: "/status\n" };
    const { stdout } = await novel.folder.cli("novel", options);
    expect(stdout).toContain("Project: my-novel");
    expect((await novel.folder.cli("novel --dry-run", options)).stdout).toContain("my-novel");
  });
});

describe("A manuscript that exists", limits, () => {
  it("is imported as a project of its own, and what is above it derived", async () => {
    await using novel = await NovelFolder.make({});
    await novel.folder.write(
      "old book.md",
      "# The Old Book\n\n## One\n\nIt began.\n\n## Two\n\nIt went on.\n\n## Three\n\nIt ended.\n",
    );
    novel.server.script("derive", foundation(), treatment(), premise());
    const url = novel.server.url;
    const { stdout } = await novel.session(
      ["/import 'old book.md' as old", "yes", "/status", "/import missing.md", "/import 'old book.md'"],
      {
        flags: `--url ${url} --model fake`,
      },
    );
    expectStory(
      stdout,
      "Project: old",
      "✓ 3 chapters imported from old book.md",
      "Derive the levels above? (yes/no): yes",
      "✓ Chapters derived from the prose",
      "✓ Treatment derived from the chapters",
      "✓ Premise derived from the treatment",
      "[Iteration target: prose]",
      "chapters   3 chapters",
      "missing.md]",
      "[Error: old has prose already. Import it as a project of its own: /import FILE as NAME]",
    );
    expect(stdout).not.toContain("stale");
  });
});

describe("Without a model", limits, () => {
  const none = "";

  it("everything but generation works, and says so where it does not", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 2, prose: 2 }, none);
    const { stdout } = await novel.session([
      "Make it darker",
      "/generate prose",
      "/status",
      "/history",
      "/diff",
      "/analyze",
      "/undo",
      "/export md",
      "/model",
      "/stats",
    ]);
    const refusal =
      "[Error: No model is configured. Name one with /model lmstudio:NAME, --model, or `models: { default: lmstudio:NAME }` in project.yaml; /edit works without]";
    expectStory(
      stdout,
      refusal,
      refusal,
      "Models: writer none, judge none, second-judge none, summarizer none",
      "[There is no iteration on prose yet]",
      "[There is no iteration yet]",
      "  ✗ A paragraph comes 2 times",
      "✓ 3 reports saved in analysis/",
      "[analysis] analyze",
      "✓ Undone",
      "written to",
      "writer       none",
      "No iterations yet",
    );
  });

  it("a person is the writer: what they change in their editor is shown, asked about and committed", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 2, prose: 2 }, none);
    const editor = join(novel.folder.dir, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\nsed -i "s/The wheel turned./The wheel stood still./" "$@"\n');
    chmodSync(editor, 0o755);
    const env = { EDITOR: editor };
    const first = await novel.session(["/edit chapter-2", "all", "skip", "yes", "/edit chapter-2", "/edit chapter-9"], {
      env,
    });
    expectStory(
      first.stdout,
      "Files changed: 1 of 2",
      "View detailed text diff? (chapter-2/all/skip): all",
      "The wheel stood still.",
      "Accept these changes? (yes/no/diff): yes",
      'Git commit: "[prose] edit"',
      "[Nothing was changed]",
      "[Error: There is no file chapter-9.",
    );
    expect(novel.read("chapters/chapter-02.md")).toContain("The wheel stood still.");
    expect(novel.read("chapters/chapter-01.md")).toContain("The wheel turned.");
    const refused = await novel.session(["/edit chapter-1", "skip", "no", "/edit"], { env: { VISUAL: "false" } });
    expectStory(refused.stdout, "[Error: The editor 'false' ended with 1. What you wrote is kept in ");
    expectStory((await novel.session(["/edit"])).stdout, "[Error: No editor is set. Set $VISUAL or $EDITOR");
    expect(novel.git("status", "--porcelain")).toBe("");
  });

  it("an unfinished iteration is asked about before the editor opens", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 2, prose: 2 });
    const editor = join(novel.folder.dir, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\necho opened >> "$0.log"\n');
    chmodSync(editor, 0o755);
    const env = { EDITOR: editor };
    await novel.session(["/iterate treatment", "Let it end badly"], { env });
    const kept = await novel.session(["no", "/edit chapter-2", "no"], { env });
    expectStory(
      kept.stdout,
      "is unfinished",
      "no: keeps it for /resume, and nothing new begins",
      "Go on with it? (yes/no/drop): no",
      "Nothing new was begun",
    );
    expect(existsSync(`${editor}.log`)).toBe(false);
    const dropped = await novel.session(["no", "/edit chapter-2", "drop"], { env });
    expectStory(dropped.stdout, "The iteration was dropped", "[Nothing was changed]");
    expect(existsSync(`${editor}.log`)).toBe(true);
  });

  it("a passage is marked as kept in one step, and /status lists it", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 2, prose: 2 }, none);
    const editor = join(novel.folder.dir, "editor.sh");
    writeFileSync(
      editor,
      '#!/bin/sh\nsed -i "s|The wheel turned.|<!-- keep -->The wheel turned.<!-- /keep -->|" "$@"\n',
    );
    chmodSync(editor, 0o755);
    const { stdout } = await novel.session(["/edit chapter-2", "/status"], { env: { EDITOR: editor } });
    expectStory(stdout, 'Git commit: "[prose] edit"', "[Kept: chapter 2 ('The wheel turned.')]");
    expect(stdout).not.toContain("Accept these changes?");
  });

  it("the author's style.md is begun and changed in their editor, and committed as it is", async () => {
    await using novel = await NovelFolder.make({ premise: true }, none);
    const editor = join(novel.folder.dir, "editor.sh");
    writeFileSync(editor, '#!/bin/sh\necho "- Short sentences." >> "$1"\n');
    chmodSync(editor, 0o755);
    const { stdout } = await novel.session(["/edit style", "/edit style.md"], { env: { EDITOR: editor } });
    expectStory(stdout, 'Git commit: "[project] style"', "from the next iteration on", 'Git commit: "[project] style"');
    expect(novel.read("style.md")).toMatch(/^# Style[\s\S]*## Rules\n\n- Short sentences\.\n- Short sentences\.\n$/);
    expect(novel.git("status", "--porcelain")).toBe("");
  });
});

describe("Where something fails", limits, () => {
  it("keeps the iteration when the endpoint is gone, and goes on when it is back", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    novel.server.script("judge", { fault: "refuse" });
    const gone = await novel.session(["Make chapter 3 darker"]);
    expectStory(
      gone.stdout,
      "[Error: ",
      "[Nothing is lost: the attempts so far are kept. /resume goes on once the cause is fixed]",
    );
    novel.server.script("judge", verdict("approved", "Good"));
    const back = await novel.session(["yes", "skip", "yes"]);
    expectStory(
      back.stdout,
      "An iteration on chapters is unfinished",
      "Judge verdict: ✓ APPROVED",
      "✓ Iteration complete (1 judge attempt, approved)",
    );
    expect(novel.server.asked("revise")).toHaveLength(1);
  });

  it("says what an answer without a usable form lacks, and asks whether to try again", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    novel.server.script("revise", beats(14), beats(14), beats(14), beats(14), beats(15, { 3: "Dark." }));
    const { stdout } = await novel.session(["Make chapter 3 darker", "yes", "skip", "yes"]);
    expectStory(
      stdout,
      "✗ The answer had no usable form (saved to .agentic/debug/)",
      "    • ",
      "Try again? (yes/no): yes",
      "[Generating chapters... Attempt 2]",
      "✓ Iteration complete",
    );
  });

  it("refuses before anything is generated where the repository is in the middle of a merge", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true });
    writeFileSync(join(novel.novel, ".git/MERGE_HEAD"), `${novel.git("rev-parse", "HEAD")}\n`);
    const { stdout } = await novel.session(["Make it darker"]);
    expectStory(stdout, "Project: my-novel", "[Error: ", "> Make it darker\n[Error: ");
    expect(novel.server.requests).toHaveLength(0);
    rmSync(join(novel.novel, ".git/MERGE_HEAD"));
  });

  it("shows a hostile text without letting it act on the terminal", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true, beats: 15 });
    const hostile = `${ESCAPE}]0;owned\u0007${ESCAPE}[2J${ESCAPE}[31mDark\u202E`;
    novel.server.script("revise", beats(15, { 3: hostile }));
    novel.server.script("judge", verdict("approved", `Fine ${hostile}`));
    const { stdout } = await novel.session(["Make chapter 3 darker", "all", "skip", "yes", "/diff"]);
    expectStory(stdout, 'Judge reasoning:\n  "Fine ', "NEW:", "Dark", "✓ Iteration complete");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });

  it("stops at a history that does not parse, with its path and line", async () => {
    await using novel = await NovelFolder.make({ premise: true, treatment: true });
    await novel.folder.write("my-novel/treatment/iteration_history.json", '{\n  "iterations": [\n');
    const { stdout } = await novel.session(["/iterate treatment", "/status", "/quit"]);
    expectStory(stdout, "[Error: ", "treatment/iteration_history.json", "> /status", "> /quit");
    expect(novel.read("treatment/iteration_history.json")).toBe('{\n  "iterations": [\n');
  });

  it("opens a project whose models cannot be used, and says what is wrong with them", async () => {
    await using novel = await NovelFolder.make(
      { premise: true },
      "models:\n  default: { endpoint: nowhere, model: x }\n",
    );
    const { stdout } = await novel.session(["/status"]);
    expectStory(stdout, "[Error: ", "nowhere", "Project: my-novel", "Models: writer none");
  });
});
