// Every choice of every gate: where it leads, and what becomes of the project.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  approved,
  beats,
  blocks,
  bookRun,
  darker,
  type GateAnswers,
  notesOf,
  phasesOf,
  planned,
  refused,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git, subjects, treeOf } from "../../../test/fixtures/novel-repository/project.ts";
import { novel } from "./index.ts";
import { openManuscript } from "./manuscript/files/open.ts";

/** What of a project git and a person see: the run's own folders left out. */
function visible(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(treeOf(folder)).filter(([path]) => !path.startsWith(".agentic/")));
}

function agreeing(more: GateAnswers): GateAnswers {
  return { ...agreeable, ...more };
}

describe("the gate 'downstream'", () => {
  it("is not asked where nothing is below", async () => {
    const { start, test } = await bookRun({ answers: { detail: ["skip"], accept: ["yes"] } });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    expect(JSON.stringify(await test.chain(run))).not.toContain('"name":"downstream"');
  });

  it("waits with what is below in its question, and cancels by default", async () => {
    const { start, test } = await bookRun({ files: written, answers: {} });
    const { outcome, gate } = await start();
    expect(outcome).toBe("waiting");
    expect(gate).toMatchObject({
      name: "downstream",
      choices: ["cull-all", "keep-all", "cancel", "say"],
      default: "cancel",
    });
    expect(gate!.question).toContain("prose (3)");
    expect(test.events.filter(({ type }) => type === "effect-started")).toHaveLength(1);
  });

  it("is not asked where nothing but reports of an analysis is below: they are no level", async () => {
    const report = { "analysis/length.md": "# Length\n\nNothing.\n" };
    const { start, folder } = await bookRun({
      files: { ...planned, ...report },
      answers: { detail: ["skip"], accept: ["yes"] },
    });
    expect((await start()).outcome).toBe("done");
    expect(readFileSync(join(folder, "analysis/length.md"), "utf8")).toBe(report["analysis/length.md"]);
  });

  it("cancel ends the run as declined before any model is asked", async () => {
    const { start, test, scripted, folder } = await bookRun({ files: written, answers: { downstream: ["cancel"] } });
    const before = visible(folder);
    const { outcome, run } = await start();
    expect(outcome).toBe("declined");
    expect(scripted.sent).toEqual([]);
    expect(visible(folder)).toEqual(before);
    expect(await notesOf(test, run, "declined")).toMatchObject([{ debug: "" }]);
  });

  it("keep-all leaves what is below, and it is stale from then on", async () => {
    const { start, folder } = await bookRun({ files: written, answers: agreeing({ downstream: ["keep-all"] }) });
    expect((await start()).outcome).toBe("done");
    expect(existsSync(join(folder, "chapters/chapter-01.md"))).toBe(true);
    expect((await openManuscript(folder)).stale()).toEqual([
      {
        level: "prose",
        because: ["chapters"],
        files: [{ path: "chapters/chapter-02.md", because: ["chapter-beats/chapter-02.md"] }],
      },
    ]);
  });

  it("cull-all removes it in the same commit, and only once the change is accepted", async () => {
    const { start, folder, test } = await bookRun({ files: written, answers: agreeing({ downstream: ["cull-all"] }) });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    expect(existsSync(join(folder, "chapters/chapter-01.md"))).toBe(false);
    expect(git(folder, "show", "--format=", "--name-status", "HEAD").split("\n")).toEqual([
      "M\tchapter-beats/chapter-02.md",
      "A\tchapter-beats/iteration_history.json",
      "D\tchapters/chapter-01.md",
      "D\tchapters/chapter-02.md",
      "D\tchapters/chapter-03.md",
      "A\tstaleness.json",
    ]);
    expect(await notesOf(test, run, "finalised")).toMatchObject([{ culled: [{ level: "prose", count: 3 }] }]);
  });

  it("a cull that was chosen is not carried out when the change is rejected", async () => {
    const { start, folder } = await bookRun({
      files: written,
      answers: agreeing({ downstream: ["cull-all"], accept: ["no"] }),
    });
    const before = visible(folder);
    expect((await start()).outcome).toBe("declined");
    expect(visible(folder)).toEqual(before);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });
});

describe("the gate 'continue'", () => {
  it("yes: the writer goes on with the feedback, all of the judge's words, and its last attempt", async () => {
    const { start, test, scripted } = await bookRun({
      script: { judge: [refused, refused, approved], revise: [darker("first"), darker("second"), darker("third")] },
      answers: agreeing({ continue: ["yes"] }),
    });
    const { outcome, run, state } = await start();
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toEqual([
      ...["check", "read", "write", "judge", "consider", "write", "judge", "consider", "write", "judge"],
      ...["summarize", "accept", "finalize"],
    ]);
    const [first, second, third] = scripted.asked("revise").map(({ text }) => text);
    expect(first).not.toContain("What was said of your attempts");
    expect(second!.match(/Chapter 2 is still bright\./g)).toHaveLength(1);
    expect(third!.match(/Chapter 2 is still bright\./g)).toHaveLength(2);
    for (const words of ["The lamp burns.", "Let it go out.", "Make chapter 2 darker"]) expect(third).toContain(words);
    expect(second).toContain("as your last attempt has them");
    expect(second).toContain("first\n[[before: Mara lights the lamp.]]");
    expect(third).toContain("second\n[[before: Mara lights the lamp.]]");
    const began = await notesOf(test, run, "generation-began");
    expect(began.map(({ attempt, judge_rounds }) => [attempt, judge_rounds])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(state.attempts.map(({ judgment }) => judgment?.verdict)).toEqual([
      ...["needs_revision", "needs_revision", "approved"],
    ]);
  });

  it("no, then accept: what the judge did not approve is committed as the person's decision", async () => {
    const { start, folder } = await bookRun({ script: { judge: [refused] }, answers: agreeing({ continue: ["no"] }) });
    const { outcome, score } = await start();
    expect({ outcome, score }).toEqual({ outcome: "done", score: 0 });
    const history = JSON.parse(readFileSync(join(folder, "chapter-beats/iteration_history.json"), "utf8"));
    expect(history.iterations).toMatchObject([
      {
        iteration_id: "it-1",
        judge_attempts: 1,
        judge_verdict: "needs_revision",
        judge_reasoning: "Chapter 2 is still bright.",
        accepted_by: "user",
        files_changed: 1,
        kind: "iterate",
      },
    ]);
  });

  it("view-partial: the change is shown and the question asked again; no second summary is asked for later", async () => {
    const { start, test, scripted } = await bookRun({
      script: { judge: [refused] },
      answers: agreeing({ continue: ["view-partial", "no"], detail: ["yes", "skip"] }),
    });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    expect((await phasesOf(test, run)).slice(3, 7)).toEqual(["judge", "consider", "consider", "summarize"]);
    const [shown] = await notesOf(test, run, "partial-shown");
    expect(shown).toMatchObject({ attempt: 1, figures: { files_changed: 1, files_total: 4 } });
    expect(shown!.text).toContain("the lamp goes out");
    const [full] = await notesOf(test, run, "full-shown");
    expect(full!.files.map(({ path }) => path)).toEqual(["chapter-beats/chapter-02.md"]);
    expect(scripted.asked("semantic-diff")).toHaveLength(1);
  });

  it("takes yes by default for up to five rounds, and then no", async () => {
    const { start, test } = await bookRun({
      script: { judge: [refused], revise: [1, 2, 3, 4, 5, 6].map((n) => darker(`round ${n}`)) },
      answers: agreeing({ continue: ["yes", "yes", "yes", "yes", "no"] }),
    });
    await start();
    const opened = test.events.flatMap((event) => (event.type === "gate-opened" ? [event.gate] : []));
    const defaults = opened.filter(({ name }) => name === "continue").map((gate) => gate.default);
    expect(defaults).toEqual(["yes", "yes", "yes", "yes", "no"]);
  });
});

describe("the gate 'detail'", () => {
  it("offers the files that changed, shows each, and comes back until it is skipped", async () => {
    const changed = blocks({
      "chapter-beats/foundation.md": planned["chapter-beats/foundation.md"]!.replace("quiet", "dark"),
      "chapter-beats/chapter-01.md": planned["chapter-beats/chapter-01.md"]!,
      "chapter-beats/chapter-02.md": beats(2, "It goes out."),
      "chapter-beats/chapter-03.md": planned["chapter-beats/chapter-03.md"]!,
    });
    const { start, test } = await bookRun({
      script: { revise: [changed] },
      answers: agreeing({ detail: ["chapter-2", "all", "foundation", "skip"] }),
    });
    const { outcome, run } = await start({ feedback: ["Make it darker"] });
    expect(outcome).toBe("done");
    const gate = test.events.find((event) => event.type === "gate-opened" && event.gate.name === "detail");
    expect(gate).toMatchObject({
      gate: { choices: ["foundation", "chapter-2", "all", "skip", "say"], default: "skip" },
    });
    const shown = await notesOf(test, run, "detail-shown");
    expect(shown.map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
      ["chapter-2", ["chapter-beats/chapter-02.md"]],
      ["all", ["chapter-beats/foundation.md", "chapter-beats/chapter-02.md"]],
      ["foundation", ["chapter-beats/foundation.md"]],
    ]);
    const [section] = shown[0]!.files[0]!.sections;
    expect(section!.old.map(({ text }) => text).join("")).toContain("Mara lights the lamp.");
    expect(section!.new.map(({ text }) => text).join("")).toContain("It goes out.");
  });
});

describe("the gate 'accept'", () => {
  it("no: the run is declined, the tree is byte-identical, git status clean, and the decision on record", async () => {
    const { start, folder, test } = await bookRun({ answers: agreeing({ accept: ["no"] }) });
    const before = visible(folder);
    const head = git(folder, "rev-parse", "HEAD");
    const { outcome, run, state } = await start();
    expect(outcome).toBe("declined");
    expect(visible(folder)).toEqual(before);
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(git(folder, "rev-parse", "HEAD")).toBe(head);
    expect(readFileSync(join(folder, state.debug, "user_decision.txt"), "utf8")).toBe("rejected\n");
    expect(await notesOf(test, run, "declined")).toHaveLength(1);
  });

  it("is no by default, and a pass of the judge alone commits nothing", async () => {
    const { start, folder } = await bookRun({ answers: { detail: ["skip"] } });
    const { outcome, gate } = await start();
    expect(outcome).toBe("waiting");
    expect(gate).toMatchObject({ name: "accept", default: "no", choices: ["yes", "no", "diff", "again", "say"] });
    expect(subjects(folder)).toHaveLength(1);
  });

  it("diff: the texts of all that changed are shown, and it is asked again", async () => {
    const { start, test, scripted } = await bookRun({ answers: agreeing({ accept: ["diff", "yes"] }) });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    const shown = await notesOf(test, run, "detail-shown");
    expect(shown.map(({ files }) => files.map(({ path }) => path))).toEqual([["chapter-beats/chapter-02.md"]]);
    expect(scripted.asked("semantic-diff")).toHaveLength(1);
  });
});

describe("a hand edit made while a change waits to be accepted", () => {
  const path = "chapter-beats/chapter-02.md";
  const mine = beats(2, "Mara sleeps, and I wrote it myself.");
  const beside = "chapter-beats/chapter-03.md";
  const mineBeside = beats(3, "Nobody asked for this one.");

  /** A run whose level is edited by hand while it waits to be accepted, and then accepted. It writes chapter 2 alone. */
  async function editedMeanwhile(
    answers: GateAnswers,
    script = {},
    edits: Readonly<Record<string, string>> = { [path]: mine },
  ) {
    const book = await bookRun({ answers: { detail: ["skip"], ...answers }, script });
    const waiting = await book.start();
    expect(waiting.gate?.name).toBe("accept");
    for (const [edited, text] of Object.entries(edits)) writeFileSync(join(book.folder, edited), text);
    await book.test.engine.answer(waiting.run, "yes");
    const { folder: _, ...result } = await book.test.engine.resume(novel, waiting.run);
    return { ...book, ...result };
  }

  it("in the same lines gets its own commit, and the iteration begins anew from it", async () => {
    const kept = blocks({ ...pick(planned, "chapter-beats/"), [path]: beats(2, "Dark.") });
    const { gate, scripted, test, run, folder } = await editedMeanwhile({}, { revise: [darker(), kept] });
    expect(gate?.name).toBe("accept");
    expect(subjects(folder)[0]).toBe("[chapters] hand edit");
    expect(readFileSync(join(folder, path), "utf8")).toBe(mine);
    expect(await notesOf(test, run, "edit-met")).toEqual([{ paths: [path], is_joined: false }]);
    expect(scripted.asked("revise")[1]!.text).toContain("I wrote it myself");
    expect(scripted.asked("revise")[1]!.text).toMatch(
      /The judge approved it:[\s\S]*Since then the author has edited the text by hand/,
    );
    expect((await notesOf(test, run, "generation-began")).map(({ attempt }) => attempt)).toEqual([1, 2]);
    await test.engine.answer(run, "yes");
    expect((await test.engine.resume(novel, run)).outcome).toBe("done");
  });

  it("stays where the attempt from before it is all that could be read", async () => {
    const { outcome, reason, folder } = await editedMeanwhile({ continue: ["no"] }, { revise: [darker(), "no files"] });
    expect(outcome).toBe("declined");
    expect(reason).toContain("no attempt could be used");
    expect(readFileSync(join(folder, path), "utf8")).toBe(mine);
  });

  it("in other paragraphs is joined, and the iteration's commit has its own change alone", async () => {
    const near = planned[path]!.replace("## Hook", "I wrote this myself.\n\n## Hook");
    const { outcome, folder, test, run } = await editedMeanwhile({}, {}, { [path]: near });
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "edit-met")).toEqual([{ paths: [path], is_joined: true }]);
    const text = readFileSync(join(folder, path), "utf8");
    expect(text).toBe(beats(2, "Mara lets the lamp go out.").replace("## Hook", "I wrote this myself.\n\n## Hook"));
    expect(git(folder, "show", "HEAD", "--", path)).not.toContain("+I wrote this myself");
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("of files that the iteration left alone stays, and so do files that were added", async () => {
    const added = "chapter-beats/chapter-04.md";
    const edits = { [beside]: mineBeside, [added]: beats(4, "One more, by hand.") };
    const { outcome, folder } = await editedMeanwhile({}, {}, edits);
    expect(outcome).toBe("done");
    expect(subjects(folder).slice(0, 2)).toEqual(["[chapters] Make chapter 2 darker", "[chapters] hand edit"]);
    for (const [edited, text] of Object.entries(edits)) expect(readFileSync(join(folder, edited), "utf8")).toBe(text);
    expect(git(folder, "show", "--name-only", "--format=", "HEAD", "--", "*.md")).toBe(path);
    expect(git(folder, "status", "--porcelain")).toBe("");
  });
});

function pick(files: Readonly<Record<string, string>>, prefix: string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([path]) => path.startsWith(prefix)));
}

describe("what is said at a gate", () => {
  it("stands in the summary of the iteration, under its feedback", async () => {
    const { start, test } = await bookRun({
      script: { judge: [refused, approved], revise: [darker("first"), darker("second")] },
      answers: agreeing({ continue: ["yes: keep every other word"] }),
    });
    const { run } = await start();
    const [shown] = await notesOf(test, run, "semantic-diff");
    expect(shown?.text).toContain(
      'User feedback:\n  "Make chapter 2 darker"\n  You also said: "keep every other word"\n',
    );
  });
});
