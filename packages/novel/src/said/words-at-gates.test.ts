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
    // The judge had approved: what the second attempt follows are the author's words alone.
    expect((await notesOf(test, run, "generation-began"))[1]).toMatchObject({
      judge_rounds: 0,
      said: ["it is too cute"],
    });
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

describe("stop, because …", () => {
  it("rejects for good: nothing more is written, and the reason is on record for those who write next", async () => {
    const { start, scripted, folder } = await bookRun({
      script: { revise: [darker("first"), darker("second")] },
      answers: { ...agreeable, accept: ["stop: the lamp must burn", "yes"] },
    });
    const { outcome, reason, state } = await start();
    expect({ outcome, reason }).toEqual({
      outcome: "declined",
      reason: "the changes were not accepted: the lamp must burn; the project is as it was",
    });
    expect(scripted.asked("revise")).toHaveLength(1);
    expect(git(folder, "status", "--porcelain")).toBe("");
    const decision = readFileSync(join(folder, state.debug, "user_decision.txt"), "utf8");
    expect(decision).toBe("rejected attempt 1: the lamp must burn\n");
    await start({ iteration_id: "it-2" });
    expect(JSON.stringify(scripted.asked("revise")[1])).toMatch(/rejected an attempt and said: .the lamp must burn/);
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

  it("is done where it holds: whole in what the writer is told, in history and commit, with what was judged", async () => {
    const { start, scripted, folder } = await bookRun();
    const { outcome, state } = await start({ feedback });
    expect(outcome).toBe("done");
    expect(state.decision).toBe("accepted");
    const told = `${feedback[0]}\n\n(Not the author's words: that the condition holds was judged before. The lamp burns all night.)`;
    expect(scripted.asked("revise")[0]!.text).toContain(`\n${told}\n`);
    expect(scripted.asked("judge")[0]!.text).toContain(told.replaceAll("\n", "\n> "));
    expect(subjects(folder)[0]).toBe(`[chapters] ${feedback[0]}`);
    const judged = 'Judged: "If the tone is still too light" holds. The lamp burns all night.';
    expect(git(folder, "log", "-1", "--format=%b")).toContain(`${feedback[0]}\n\n${judged}`);
    const { iterations } = JSON.parse(readFileSync(join(folder, "chapter-beats/iteration_history.json"), "utf8"));
    expect(iterations[0]).toMatchObject({ feedback: feedback[0], conditions: [judged] });
  });

  it("tells whoever says what it reaches what was judged", async () => {
    const { start, scripted } = await bookRun();
    await start({ feedback: ["If the tone is still too light, let it rain harder"] });
    expect(scripted.asked("reach")[0]!.text).toContain("was judged before. The lamp burns all night.");
  });

  it("reaches the chapter that its condition names", async () => {
    const { start, scripted } = await bookRun();
    const { state } = await start({ feedback: ["If chapter 2 is still too light, make it darker"] });
    expect(state.reach).toMatchObject({ by: "numbers", files: ["chapter-beats/chapter-02.md"] });
    expect(scripted.asked("reach")).toHaveLength(0);
  });

  it("leaves the other items of a batch", async () => {
    const { start, scripted } = await bookRun({
      script: { condition: [{ json: { holds: false, reasoning: "No." } }] },
    });
    expect((await start({ feedback: [...feedback, "Give Mara a scar"] })).outcome).toBe("done");
    expect(scripted.asked("revise")[0]!.text).not.toContain("darker");
    expect(scripted.asked("revise")[0]!.text).toContain("Give Mara a scar");
  });

  it("is feedback like any other where it only says when or where", async () => {
    const { start, scripted, test } = await bookRun({
      script: { condition: [{ json: { is_condition: false, holds: false, reasoning: "A place in the story." } }] },
    });
    const { outcome, run } = await start({ feedback: ["In case the lamp burns, let it smoke in chapter 2"] });
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "condition-judged")).toEqual([]);
    expect(scripted.asked("revise")[0]!.text).not.toContain("Not the author's words");
  });

  it("is judged by the chapters that it names, where it names some", async () => {
    const { start, scripted } = await bookRun({
      files: written,
      script: { condition: [{ json: { holds: false, reasoning: "It is dark." } }] },
    });
    await start({
      target: "prose",
      feedback: ["If chapter 2 is still too light, let the storm come earlier in chapter 1"],
    });
    const [asked] = scripted.asked("condition");
    expect(asked!.text).toContain("chapters/chapter-02.md");
    expect(asked!.text).not.toMatch(/chapters\/chapter-0[13]\.md/);
  });

  it("is judged by what bears on it in all parts of a long text", async () => {
    const long = Object.fromEntries(
      [1, 2, 3].map((number) => [
        `chapters/chapter-0${number}.md`,
        `# Chapter ${number}: N\n\n${"word ".repeat(12_000)}\n`,
      ]),
    );
    const no = { holds: false, reasoning: "It is dark in chapter 2." };
    const bears = ["", "It is dark here.", ""].map((each) => ({ json: { bears: each } }));
    const { start, scripted } = await bookRun({
      files: { ...written, ...long },
      script: { condition: [...bears, { json: no }] },
    });
    expect((await start({ target: "prose", feedback })).reason).toContain("does not hold: It is dark in chapter 2.");
    const asked = scripted.asked("condition").map(({ text }) => text);
    const places = asked.map((text) => /part \d of \d|in \d parts/.exec(text)?.[0]);
    expect(places).toEqual(["part 1 of 3", "part 2 of 3", "part 3 of 3", "in 3 parts"]);
    expect(asked.join("").match(/\bword\b/g)).toHaveLength(36_000);
    for (const found of ["chapter 1: nothing bears on it.", "chapter 2: It is dark here."])
      expect(asked[3]).toContain(found);
    const wide = await bookRun({ files: { ...written, ...long }, script: { condition: [{ json: no }] } });
    await wide.start({ target: "prose", feedback, windows: { judge: { model: "wide", context: 128_000 } } });
    expect(wide.scripted.asked("condition")).toHaveLength(1);
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
    expect(text).toContain('more rain in chapter 2 (said of "make it better", when asked "Better in which way?")');
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

describe("words at the question of what is reached", () => {
  it("change the list with a reason, and go to the writer", async () => {
    const { start, scripted } = await bookRun({
      answers: {
        ...agreeable,
        reach: [
          "add: 3, because it follows",
          "drop: 3, because it is fine",
          "yes: also 3",
          "yes: not 3",
          "yes: keep the dog",
        ],
      },
    });
    const { outcome, state } = await start();
    expect(outcome).toBe("done");
    expect(state.reach?.files).toEqual(["chapter-beats/chapter-02.md"]);
    expect(scripted.asked("revise")[0]!.text).toContain(
      'When asked which files are to be written (their answer was "yes"): keep the dog',
    );
    expect(state.said?.map(({ text }) => text)).toEqual([
      ...["chapter 3: it follows", "chapter 3: it is fine", "keep the dog"],
    ]);
  });

  it("add and drop in one answer, each with its reason, which proposal and writer have", async () => {
    const reach = ["add: 3, where James arrives, and add 1", "drop: 3, because the sigh is right and drop 1", "yes"];
    const { start, scripted, test } = await bookRun({ answers: { ...agreeable, reach } });
    const { outcome, state, run } = await start();
    expect(outcome).toBe("done");
    expect(state.reach?.files).toEqual(["chapter-beats/chapter-02.md"]);
    expect((await notesOf(test, run, "reach-proposed"))[1]).toMatchObject({
      files: [{ why: "you added it" }, {}, { why: "you added it: where James arrives" }],
    });
    const { text } = scripted.asked("revise")[0]!;
    expect(text).toContain("These files are to be written too: chapter 3: where James arrives");
    expect(text).toContain("These files stay as they are: chapter 3: the sigh is right");
  });

  it("take a reason that follows a comma alone, and ask again where a list names no file", async () => {
    const reach = ["yes: also 3, he must be carefree there", "yes: not 99, he is dull", "drop: 3, it is fine", "yes"];
    const { start, scripted, test } = await bookRun({ answers: { ...agreeable, reach } });
    const { outcome, state, run } = await start();
    expect(outcome).toBe("done");
    expect(state.reach?.files).toEqual(["chapter-beats/chapter-02.md"]);
    expect((await notesOf(test, run, "reach-proposed"))[1]!.files.at(-1)).toMatchObject({
      why: "you added it: he must be carefree there",
    });
    expect(await notesOf(test, run, "reach-refused")).toHaveLength(1);
    expect(scripted.asked("revise")[0]!.text).toContain("These files stay as they are: chapter 3: it is fine");
  });

  it("keep the reason of a no", async () => {
    const { start } = await bookRun({ answers: { ...agreeable, reach: ["cancel: it is chapter 4"] } });
    const { outcome, reason, state } = await start();
    expect(outcome).toBe("declined");
    expect(reason).toBe("the iteration was cancelled before anything was written: it is chapter 4");
    expect(state.said).toHaveLength(1);
  });
});
