// The writing REPL in a real terminal, against a scripted endpoint: the three sessions that it was designed by, step by step,
// and what it says where something is wrong.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ACCEPT, ACTION, reads } from "../fakes/novel-folder.ts";
import { WriterPane } from "../fakes/novel-pane.ts";
import { type NovelServer, startNovelServer, verdict } from "../fakes/novel-server.ts";
import { beats, git, type NovelParts, summary, treatment, writeNovel } from "../fakes/novel-texts.ts";
import { hasTmux } from "../fakes/tmux.ts";

const PROMPT = "\n>";
const CONTINUE = "Continue with judge feedback? (yes/no/view-partial): ";

let server: NovelServer;
let home: string;
let novel: string;

beforeEach(async () => {
  server = await startNovelServer();
  home = mkdtempSync(join(tmpdir(), "lw-novel-"));
  novel = join(home, "my-novel");
});

afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function make(parts: NovelParts, configuration = server.configuration()): void {
  mkdirSync(novel);
  writeFileSync(join(novel, "loopwright.yaml"), configuration);
  writeNovel(novel, parts);
}

const subjects = () => git(novel, "log", "--format=%s").split("\n");

/** Leaves, and sees the terminal as it was before. */
async function quit(pane: WriterPane): Promise<void> {
  pane.say("/quit");
  expect(await pane.untilEnded()).toEqual({ exit: 0, isSound: true });
  expect(pane.raw().lastIndexOf("\u001B[?2004l")).toBeGreaterThan(pane.raw().lastIndexOf("\u001B[?2004h"));
}

describe.skipIf(!hasTmux)("A session at a terminal", { timeout: 60_000 }, () => {
  it("iterates on chapters: generated, judged twice, culled below, accepted, and once more", async () => {
    make({ premise: true, treatment: true });
    server.script(
      "revise",
      beats(15, { 3: "A gray morning." }),
      beats(15, { 3: "A nightmare, and a choice." }),
      beats(15, { 3: "A nightmare, and a choice.", 7: "He remembers the choice." }),
    );
    server.script("read", reads({ 3: "the feedback names it" }), reads({ 7: "it shows the consequences" }));
    server.script("judge", verdict("needs_revision", "Tone still optimistic"), verdict("approved", "Approved"));
    server.script(
      "semantic-diff",
      JSON.stringify(summary("Chapter 3 rewritten with darker tone")),
      JSON.stringify(summary("Chapter 7 shows consequences")),
    );
    using pane = new WriterPane(home);
    await pane.answers(PROMPT, "/open my-novel");
    await pane.sees("Project: my-novel (fantasy; goal: 80k words, 15 chapters)", "[Iteration target: treatment]");

    await pane.answers(PROMPT, "/generate chapters");
    await pane.sees("[Generating chapters... Attempt 1]", "✓ Chapters generated", "[Iteration target: chapters]");
    await pane.answers(PROMPT, "/generate prose 8");
    await pane.sees("✓ Chapter 8 of 8", "✓ Prose generated", "[Iteration target: prose]");
    await pane.answers(PROMPT, "/iterate chapters");
    await pane.sees("[Iteration target: chapters]", "[History: 0 previous iterations]");

    await pane.answers(PROMPT, "Make chapter 3 darker and add internal conflict");
    await pane.sees("Downstream content will be affected:", "• Prose (8 chapters generated from current chapters)");
    await pane.sees(
      "[cull-all or yes: it is deleted · keep-all or no: it stays, and is stale · /undo brings everything",
    );
    await pane.answers(ACTION, "c");
    await pane.sees("'c' fits cull-all and cancel: type more of it");
    await pane.answers(ACTION, "yes");
    await pane.sees(
      "[Asking the writer what the feedback reaches...]",
      "This feedback reaches 1 of 16 files:",
      "• chapter 3: the feedback names it",
      "[Generating chapters... Attempt 1]",
      "• Context: taxonomy, premise, treatment, foundation, 15 chapters",
      '• Feedback: "Make chapter 3 darker and add internal conflict"',
      "[████████████████████████] 100%",
      "✓ Generated (saved to .agentic/debug/)",
      "[Running validation judge...]",
      "Judge verdict: ✗ NEEDS REVISION",
      'Judge feedback:\n  "Tone still optimistic"',
    );
    await pane.answers(CONTINUE, "yes");
    await pane.sees(
      "[Generating chapters... Attempt 2]",
      "• Context: Same as attempt 1",
      "• Feedback: Original + Judge feedback",
      "✓ Generated (saved to .agentic/debug/)",
      "Judge verdict: ✓ APPROVED",
      'Judge reasoning:\n  "Approved"',
      "[Generating semantic diff...]",
      "ITERATION SUMMARY",
      "Judge attempts: 2 (approved on attempt 2)",
      "Major changes (★★★):",
      "• Files changed: 1 of 16",
    );
    await pane.answers("View detailed text diff? (chapter-3/all/skip): ", "chapter-3");
    await pane.sees("━━━ Chapter 3: Detailed Changes ━━━", "OLD:", "NEW:", "A nightmare, and a choice.");
    await pane.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await pane.answers(ACCEPT, "yes");
    await pane.sees(
      "[Finalizing iteration...]",
      "✓ Chapter beats saved (1 file)",
      "✓ Iteration history updated (1 total iteration)",
      "✓ Prose culled (8 chapters deleted)",
      '✓ Git commit: "[chapters] Make chapter 3 darker and add internal conflict"',
      "✓ Iteration complete (2 judge attempts, approved)",
      "To review full diff: git diff HEAD~1",
      "To undo iteration: /undo",
      "[Iteration target: chapters]\nReady for next iteration.",
    );
    expect(existsSync(join(novel, "chapters"))).toBe(false);

    await pane.answers(PROMPT, "Also make chapter 7 reflect the consequences of chapter 3");
    await pane.sees("• chapter 7: it shows the consequences");
    await pane.answers("View detailed text diff? (chapter-7/all/skip): ", "");
    await pane.answers(ACCEPT, "y");
    await pane.sees("✓ Iteration complete (1 judge attempt, approved)");

    await pane.answers(PROMPT, "/status");
    await pane.sees("Project: my-novel\nIteration target: chapters\nIterations: 2 on chapters", "Git: clean");
    await quit(pane);
    expect(subjects().slice(0, 4)).toEqual([
      "[chapters] Also make chapter 7 reflect the consequences of chapter 3",
      "[chapters] Make chapter 3 darker and add internal conflict",
      "[prose] generate",
      "[chapters] generate",
    ]);
    expect(git(novel, "status", "--porcelain")).toBe("");
    expect(pane.raw()).toContain("waiting for the model");
    // What was redrawn is gone.
    expect(pane.screen().join("\n")).not.toContain("waiting for the model");
  });

  it("switches targets: what is missing is said, and generated from what is above it", async () => {
    make({ premise: true, treatment: true, beats: 15, prose: 8 });
    server.script("revise", treatment("Ada betrays Marcus to the magistrate."));
    using pane = new WriterPane(home, "my-novel");
    await pane.sees("Project: my-novel", "[Iteration target: prose]");
    await pane.answers(PROMPT, "/iterate treatment");
    await pane.sees(
      "[Iteration target: treatment]",
      "[Loaded: premise, treatment, taxonomy]",
      "[History: 0 previous iterations]",
    );
    await pane.answers(PROMPT, "Add a betrayal subplot in act 2");
    await pane.sees("• Chapters (15 chapters", "• Prose (8 chapters)");
    await pane.answers(ACTION, "yes");
    await pane.sees("[Generating treatment... Attempt 1]", "Judge verdict: ✓ APPROVED");
    await pane.answers("View detailed text diff? (treatment/all/skip): ", "skip");
    await pane.answers(ACCEPT, "diff");
    await pane.sees("Ada betrays Marcus to the magistrate.");
    await pane.answers(ACCEPT, "yes");
    await pane.sees(
      "✓ Chapters culled (15 chapters deleted)",
      "✓ Prose culled (8 chapters deleted)",
      "✓ Iteration complete",
    );
    await pane.sees("[Iteration target: treatment]");

    await pane.answers(PROMPT, "/iterate chapters");
    await pane.sees("[Error: No chapters found. Generate chapters first with /generate chapters]");
    await pane.answers(PROMPT, "/generate chapters");
    await pane.sees("✓ Chapters generated", "[Iteration target: chapters]");
    expect(
      server
        .asked("generate-chapters")[0]!
        .body.messages.map(({ content }) => content)
        .join(""),
    ).toContain("Ada betrays Marcus");

    await pane.answers(PROMPT, "/undo");
    await pane.sees('✓ Undone: "[chapters] generate"', "[Iteration target: treatment]");
    await pane.answers(PROMPT, "/undo");
    await pane.sees('✓ Undone: "[treatment] Add a betrayal subplot in act 2"');
    expect(readFileSync(join(novel, "treatment/treatment.md"), "utf8")).toBe(treatment());
    expect(existsSync(join(novel, "chapters/chapter-08.md"))).toBe(true);
    await pane.answers(PROMPT, "/redo");
    await pane.sees('✓ Done again: "[treatment] Add a betrayal subplot in act 2"');
    expect(existsSync(join(novel, "chapters/chapter-08.md"))).toBe(false);
    await quit(pane);
  });

  it("lets a person decide about the judge's rounds: a look at the attempt, then on", async () => {
    make({ premise: true, treatment: true, beats: 15 });
    server.script(
      "revise",
      beats(15, { 15: "Open questions." }),
      beats(15, { 15: "More open questions." }),
      beats(15, { 15: "Nobody knows." }),
    );
    server.script("read", reads({ 15: "it is the ending" }));
    server.script(
      "judge",
      verdict("needs_revision", "Ending is still conclusive, not ambiguous"),
      verdict("needs_revision", "Better but protagonist's fate too clear"),
      verdict("approved", "Approved - ambiguous ending achieved"),
    );
    server.script(
      "semantic-diff",
      JSON.stringify(summary("Final chapter has open-ended questions")),
      JSON.stringify(summary("Chapter 15 rewritten with ambiguous ending")),
    );
    using pane = new WriterPane(home, "my-novel");
    await pane.answers(PROMPT, "Make the ending more ambiguous");
    await pane.sees("• chapter 15: it is the ending");
    await pane.sees('Judge feedback:\n  "Ending is still conclusive, not ambiguous"');
    await pane.answers(CONTINUE, "view-partial");
    await pane.sees("[Semantic diff for attempt 1...]", "ITERATION SUMMARY");
    await pane.answers("View full? (yes/no): ", "no");
    await pane.answers(CONTINUE, "yes");
    await pane.sees("[Generating chapters... Attempt 2]", "Better but protagonist's fate too clear");
    await pane.answers(CONTINUE, "y");
    await pane.sees(
      "[Generating chapters... Attempt 3]",
      "• Feedback: Original + Judge feedback (cumulative)",
      "Judge verdict: ✓ APPROVED",
    );
    const last = server
      .asked("revise")
      .at(-1)!
      .body.messages.map(({ content }) => content)
      .join("");
    expect(last).toContain("Ending is still conclusive, not ambiguous");
    expect(last).toContain("Better but protagonist's fate too clear");
    await pane.answers("View detailed text diff? (chapter-15/all/skip): ", "skip");
    await pane.answers(ACCEPT, "yes");
    await pane.sees("✓ Iteration complete (3 judge attempts, approved)");
    await pane.answers(PROMPT, "/history");
    await pane.sees(
      '1. "Make the ending more ambiguous"',
      "3 judge attempts, approved",
      "Chapter 15 rewritten with ambiguous ending",
    );
    await quit(pane);
  });

  it("says what is wrong, in the words that a writer knows", async () => {
    make({});
    using pane = new WriterPane(home);
    await pane.answers(PROMPT, "Make this darker");
    await pane.sees("[Error: No iteration target set. Generate content first with /generate]");
    await pane.answers(PROMPT, "/open my-nvel");
    await pane.sees("Did you mean my-novel?");
    await pane.answers(PROMPT, "/open my-novel");
    await pane.answers(PROMPT, "Make this darker");
    await pane.sees("[Error: No iteration target set. Generate content first with /generate]");
    await pane.answers(PROMPT, "/iterate foo");
    await pane.sees("[Error: Invalid target. Valid targets: premise, treatment, chapters, prose]");
    await pane.answers(PROMPT, "/iterate chapters");
    await pane.sees("[Error: No chapters found. Generate chapters first with /generate chapters]");
    await pane.answers(PROMPT, "/generate treatment");
    await pane.sees("[Error: No premise found. Generate premise first with /generate premise]");
    await pane.answers(PROMPT, "/generat3 premise");
    await pane.sees("[Error: Unknown command /generat3. Did you mean /generate?]");
    await pane.answers(PROMPT, "/generate premise");
    await pane.answers("What is the story about?", "A miller hides a fugitive");
    await pane.sees("✓ Premise generated", "[Iteration target: premise]");
    expect(server.asked("generate-premise")[0]!.prompt).toContain("A miller hides a fugitive");
    await quit(pane);
  });

  it("keeps the line breaks of a paste, takes it as one piece of feedback, and calls it back in the next session", async () => {
    make({ premise: true, treatment: true, beats: 15 });
    {
      using pane = new WriterPane(home, "my-novel");
      await pane.sees(PROMPT);
      pane.type("First. ");
      pane.paste("Make chapter 3 darker.\nAdd three scenes.\n\u001B[31mRed.");
      await pane.sees("First. Make chapter 3 darker.⏎Add three scenes.⏎[31mRed.");
      expect(server.asked("revise")).toHaveLength(0);
      pane.press("Enter");
      await pane.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
      await pane.answers(ACCEPT, "no");
      await pane.sees("[Rejected: the changes were not accepted");
      expect(server.asked("revise")[0]!.prompt).toContain("First. Make chapter 3 darker.\nAdd three scenes.");
      expect(git(novel, "status", "--porcelain")).toBe("");
      await quit(pane);
    }
    using pane = new WriterPane(home, "my-novel");
    await pane.sees(PROMPT);
    // The last line was /quit; the answers in between are not called back.
    pane.press("Up");
    pane.press("Up");
    await pane.sees("First. Make chapter 3 darker.⏎Add three scenes.");
    pane.press("C-c");
    await pane.until((screen) => screen.at(-1) === ">");
    pane.type("/gen\t");
    await pane.until((screen) => screen.at(-1) === "> /generate");
    pane.type("tr\t");
    await pane.until((screen) => screen.at(-1) === "> /generate treatment");
    pane.press("C-c");
    await quit(pane);
  });

  it("takes a pasted list as a batch: one iteration, each item judged", async () => {
    make({ premise: true, treatment: true, beats: 15 });
    const items = [{ met: true }, { met: true }];
    server.script("judge", verdict("approved", "Both are met.", { items }));
    using pane = new WriterPane(home, "my-novel");
    await pane.sees(PROMPT);
    pane.paste("- Make chapter 3 darker\n- Keep the ending");
    pane.press("Enter");
    await pane.sees("• Feedback: 2 items", '1. "Make chapter 3 darker"', '2. "Keep the ending"');
    await pane.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await pane.answers(ACCEPT, "yes");
    await pane.sees("✓ Iteration complete");
    expect(server.asked("judge")).toHaveLength(1);
    expect(server.asked("judge")[0]!.prompt).toContain("Keep the ending");
    const { iterations } = JSON.parse(readFileSync(join(novel, "chapter-beats/iteration_history.json"), "utf8"));
    expect(iterations.map(({ feedback }: { feedback: string }) => feedback)).toEqual([
      "- Make chapter 3 darker\n- Keep the ending",
    ]);
    await quit(pane);
  });

  it("leaves at the second Ctrl-C at an empty prompt, and at the end of input", async () => {
    make({});
    {
      using pane = new WriterPane(home, "my-novel");
      await pane.sees(PROMPT);
      pane.press("C-c");
      await pane.sees("(Ctrl-C again, Ctrl-D or /quit leaves)");
      pane.type("x");
      pane.press("C-c");
      pane.press("C-c");
      await pane.sees("(Ctrl-C again, Ctrl-D or /quit leaves)");
      pane.press("C-c");
      expect(await pane.untilEnded()).toEqual({ exit: 0, isSound: true });
    }
    using pane = new WriterPane(home, "my-novel");
    await pane.sees(PROMPT);
    pane.press("C-d");
    expect(await pane.untilEnded()).toEqual({ exit: 0, isSound: true });
  });

  it("ends when its terminal is closed, at the prompt and in the middle of a generation, and loses nothing", async () => {
    make({ premise: true, treatment: true, beats: 15 });
    server.script("revise", { fault: "hang" });
    using pane = new WriterPane(home, "my-novel");
    await pane.answers(PROMPT, "Make chapter 3 darker");
    await expect.poll(() => server.asked("revise").length, { timeout: 15_000 }).toBe(1);
    pane.close();
    await expect.poll(() => pane.isAlive(), { timeout: 15_000 }).toBe(false);
    using again = new WriterPane(home, "my-novel");
    await again.answers("Go on with it? (yes/no/drop): ", "drop");
    await again.sees("[The iteration was dropped", PROMPT);
    again.close();
    await expect.poll(() => again.isAlive(), { timeout: 15_000 }).toBe(false);
    expect(git(novel, "status", "--porcelain")).toBe("");
  });

  it("stops a generation at Ctrl-C, keeps it, and goes on with it when asked to", async () => {
    make({ premise: true, treatment: true, beats: 15 });
    server.script("revise", { text: beats(15, { 3: "Dark." }), drip: 100, piece: 60 }, beats(15, { 3: "Dark." }));
    using pane = new WriterPane(home, "my-novel");
    await pane.answers(PROMPT, "Make chapter 3 darker");
    await pane.sees("[Generating chapters... Attempt 1]", "words");
    pane.press("C-c");
    await pane.sees("[Stopped. What was written so far is kept: /resume goes on with it]");
    await pane.answers(PROMPT, "Something else");
    await pane.sees("An iteration on chapters is unfinished", '"Make chapter 3 darker"');
    await pane.answers("Go on with it? (yes/no/drop): ", "no");
    await pane.sees("[Nothing new was begun: one iteration at a time]");
    await pane.answers(PROMPT, "/resume");
    await pane.answers("View detailed text diff? (chapter-3/all/skip): ", "skip");
    await pane.answers(ACCEPT, "yes");
    await pane.sees("✓ Iteration complete (1 judge attempt, approved)");
    await quit(pane);
  });
});
