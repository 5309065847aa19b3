// What a person says in words: at the gates, with a condition, as a question, or too briefly.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  bookRun,
  darker,
  notesOf,
  phasesOf,
  refused,
  summary,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../../test/fixtures/novel-repository/project.ts";

describe("no, because …", () => {
  it("rejects the attempt and makes another, whose writer and judge are told why", async () => {
    const { start, test, scripted, folder } = await bookRun({
      script: { revise: [darker("first"), darker("second")] },
      answers: { ...agreeable, accept: ["no: it is too cute", "yes"] },
    });
    const { outcome, run, state } = await start();
    expect(outcome).toBe("done");
    expect((await phasesOf(test, run)).filter((phase) => phase === "generate" || phase === "judge")).toHaveLength(4);
    const [first, second] = scripted.asked("revise").map(({ text }) => text);
    expect(first).not.toContain("What the author has said");
    expect(second).toContain("On attempt 1, which they rejected: it is too cute");
    expect(scripted.asked("judge")[1]!.text).toContain("which they rejected: it is too cute");
    // It is not told as data that asks nothing.
    expect(second!.slice(second!.indexOf("What the author has said"))).toMatch(/^[^`]*too cute/);
    expect(state.said).toEqual([{ gate: "accept", choice: "no", attempt: 1, text: "it is too cute" }]);
    expect(readFileSync(join(folder, "chapter-beats/chapter-02.md"), "utf8")).toContain("second");
    expect(subjects(folder).filter((subject) => subject.includes("darker"))).toHaveLength(1);
  });

  it("keeps the reason in the debug store, and a plain no ends the iteration as before", async () => {
    const { start, folder } = await bookRun({
      script: { revise: [darker("first"), darker("second")] },
      answers: { ...agreeable, accept: ["no: it is too cute", "no"] },
    });
    const { outcome, state } = await start();
    expect(outcome).toBe("declined");
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(readFileSync(join(folder, state.debug, "user_decision.txt"), "utf8")).toBe("rejected\n");
  });
});

describe("yes, but …", () => {
  it.each([
    ["yes", "bring the brother back"],
    ["no", undefined],
  ])("commits, and offers the note as the next feedback: %s", async (answer, next) => {
    const { start, test, folder } = await bookRun({
      answers: { ...agreeable, accept: ["yes: bring the brother back"], next: [answer] },
    });
    const { outcome, run, state } = await start();
    expect(outcome).toBe("done");
    expect(state.next).toBe(next);
    expect(subjects(folder)[0]).toBe("[chapters] Make chapter 2 darker");
    expect(await notesOf(test, run, "next-chosen")).toEqual([
      { feedback: "bring the brother back", is_taken: answer === "yes" },
    ]);
  });

  it("at 'continue' goes to the writer beside the judge's words", async () => {
    const { start, scripted } = await bookRun({
      script: { judge: [refused, scriptedApproval], revise: [darker("first"), darker("second")] },
      answers: { ...agreeable, continue: ["yes: keep the dog"] },
    });
    expect((await start()).outcome).toBe("done");
    expect(scripted.asked("revise")[1]!.text).toContain("beside the judge's words: keep the dog");
  });
});

const scriptedApproval = { json: { verdict: "approved", reasoning: "Dark now." } };

describe("view-partial", () => {
  it("asks whether the full text is wanted, and gives it", async () => {
    const { start, test } = await bookRun({
      script: { judge: [refused], "semantic-diff": [summary] },
      answers: { ...agreeable, continue: ["view-partial", "no"], full: ["yes"] },
    });
    const { run } = await start();
    const [full] = await notesOf(test, run, "full-shown");
    expect(full!.files.map(({ path }) => path)).toEqual(["chapter-beats/chapter-02.md"]);
    expect(full!.files[0]!.content).toContain("Mara lets the lamp go out.");
  });
});

describe("feedback with a condition", () => {
  const feedback = ["If the tone is still too light, make chapter 2 darker"];

  it("is not acted on where it does not hold, and says why", async () => {
    const { start, test, scripted, folder } = await bookRun({
      files: written,
      script: { condition: [{ json: { holds: false, reasoning: "It is dark throughout." } }] },
      answers: {},
    });
    const { outcome, reason, run } = await start({ feedback });
    expect({ outcome, reason }).toEqual({
      outcome: "declined",
      reason: "nothing was written, for the condition does not hold: It is dark throughout.",
    });
    expect(scripted.sent).toHaveLength(1);
    expect(scripted.asked("condition")[0]!.text).toContain("If the tone is still too light");
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(await notesOf(test, run, "condition-judged")).toMatchObject([{ holds: false }]);
  });

  it("is done where it holds: the writer is told what to do, without the condition", async () => {
    const { start, scripted, folder } = await bookRun();
    const { outcome, state } = await start({ feedback });
    expect(outcome).toBe("done");
    expect(state.decision).toBe("accepted");
    expect(scripted.asked("revise")[0]!.text).toContain("\nMake chapter 2 darker\n");
    expect(scripted.asked("revise")[0]!.text).not.toContain("too light");
    expect(subjects(folder)[0]).toBe("[chapters] Make chapter 2 darker");
  });

  it("leaves the other items of a batch", async () => {
    const { start, scripted } = await bookRun({
      script: { condition: [{ json: { holds: false, reasoning: "No." } }] },
    });
    expect((await start({ feedback: [...feedback, "Give Mara a scar"] })).outcome).toBe("done");
    expect(scripted.asked("revise")[0]!.text).not.toContain("darker");
    expect(scripted.asked("revise")[0]!.text).toContain("Give Mara a scar");
  });

  it("is judged on all of a long text, part by part, until it holds", async () => {
    const long = Object.fromEntries(
      [1, 2, 3].map((number) => [
        `chapters/chapter-0${number}.md`,
        `# Chapter ${number}: N\n\n${"word ".repeat(12_000)}\n`,
      ]),
    );
    const { start, scripted } = await bookRun({
      files: { ...written, ...long },
      script: { condition: [1, 2, 3].map((part) => ({ json: { holds: false, reasoning: `Not in ${part}.` } })) },
    });
    expect((await start({ target: "prose", feedback })).reason).toContain("Not in 1. Not in 2. Not in 3.");
    const asked = scripted.asked("condition").map(({ text }) => text);
    expect(asked.map((text) => /part \d of \d/.exec(text)?.[0])).toEqual(["part 1 of 3", "part 2 of 3", "part 3 of 3"]);
    expect(asked.join("").match(/\bword\b/g)).toHaveLength(36_000);
  });
});

describe("feedback that says too little", () => {
  it("is asked about once, and the answer goes to the writer with it", async () => {
    const { start, scripted } = await bookRun({
      answers: { ...agreeable, clarify: ["answer: more rain in chapter 2"] },
    });
    expect((await start({ feedback: ["make it better"], may_ask_back: true })).outcome).toBe("done");
    expect(scripted.asked("ask-back")).toHaveLength(1);
    const { text } = scripted.asked("revise")[0]!;
    expect(text).toContain('make it better (asked "Better in which way?", the author says: more rain in chapter 2)');
  });

  it("is acted on as it is where the question is skipped, or may not be asked", async () => {
    for (const may_ask_back of [true, false]) {
      const { start, scripted } = await bookRun({ answers: { ...agreeable, clarify: ["skip"] } });
      expect((await start({ feedback: ["make it better"], may_ask_back })).outcome).toBe("done");
      expect(scripted.asked("ask-back")).toHaveLength(Number(may_ask_back));
      expect(scripted.asked("revise")[0]!.text).toContain("\nmake it better\n");
    }
  });
});

describe("a question about the book", () => {
  it("is answered from what is there, says from what, and changes nothing", async () => {
    const { start, test, scripted, folder } = await bookRun({ files: written, answers: {} });
    const head = git(folder, "rev-parse", "HEAD");
    const { outcome, run } = await start({ feedback: ["Who keeps the lamp in chapter 2?"], is_question: true });
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "answered")).toEqual([
      {
        question: "Who keeps the lamp in chapter 2?",
        text: "Mara keeps the lamp.",
        shown: ["the premise", "the treatment", "the plan of 3 chapters", "the prose of all 3 chapters"],
      },
    ]);
    expect(scripted.sent).toHaveLength(1);
    expect([git(folder, "rev-parse", "HEAD"), git(folder, "status", "--porcelain")]).toEqual([head, ""]);
  });
});
