// Judges in a run: malformed ones, several items, two of them, and what each is told.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  approved,
  type BookOptions,
  bookRun,
  darker,
  type GateAnswers,
  notesOf,
  phasesOf,
  planned,
  prose,
  reaches,
  refused,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { openManuscript } from "../manuscript/files/open.ts";

describe("a judge without a usable answer", () => {
  it("is asked again, and what it then says counts", async () => {
    const { start, scripted } = await bookRun({ script: { judge: ["Looks good to me!", approved] } });
    const { outcome, score } = await start();
    expect({ outcome, score }).toEqual({ outcome: "done", score: 1 });
    expect(scripted.asked("judge")).toHaveLength(2);
  });

  const script = { judge: ["Looks good to me!"] };

  it("says nothing once its re-tries are spent: a person is asked, and nobody else hears of it", async () => {
    const { start, test, scripted } = await bookRun({ script, answers: {} });
    const { gate, run, state } = await start();
    // Whoever takes the defaults does not ask for ever.
    expect(gate).toMatchObject({ name: "continue", default: "no" });
    expect(gate!.question).toContain("Ask the judge again (yes), or decide without its word (no)?");
    expect(scripted.asked("judge")).toHaveLength(4);
    expect(await notesOf(test, run, "judge-unreadable")).toHaveLength(1);
    expect(await notesOf(test, run, "judged")).toEqual([]);
    expect(state.attempts[0]!.judgment).toBeUndefined();
    expect((await test.chain(run)).some((event) => event.type === "verdict-recorded")).toBe(false);
  });

  it("is asked again, and what the writer is told is the judge's word and not that it could not be read", async () => {
    const answers = { ...agreeable, continue: ["yes"] };
    const judge = ["?", "?", "?", "?", refused, approved];
    const revise = [darker("one"), darker("two")];
    const { start, test, scripted } = await bookRun({ script: { judge, revise }, answers });
    const { outcome, run, state } = await start();
    expect({ outcome, attempts: state.attempts.length }).toEqual({ outcome: "done", attempts: 2 });
    expect((await phasesOf(test, run)).slice(2, 8)).toEqual([
      ...["write", "judge", "consider", "judge", "consider", "write"],
    ]);
    expect(scripted.asked("revise")[1]!.text).toContain("Chapter 2 is still bright.");
    expect(scripted.asked("revise")[1]!.text).not.toContain("usable verdict");
  });

  it("is asked as often as the project says", async () => {
    const { start, scripted } = await bookRun({ script, answers: {} });
    expect((await start({ max_retries: 1 })).gate?.name).toBe("continue");
    expect(scripted.asked("judge")).toHaveLength(2);
  });

  it("leaves an attempt that is accepted all the same without a verdict", async () => {
    const { start, folder } = await bookRun({ script, answers: { ...agreeable, continue: ["no"] } });
    expect((await start()).outcome).toBe("done");
    const { iterations } = JSON.parse(readFileSync(join(folder, "chapter-beats/iteration_history.json"), "utf8"));
    expect(iterations[0]).toMatchObject({ judge_verdict: "none", judge_attempts: 0 });
  });
});

describe("a judge who looks at the level", () => {
  const finds = (more: object) => ({ json: { verdict: "needs_revision", reasoning: "Look beyond.", ...more } });
  const prose2 = { target: "prose" as const, feedback: ["Let the lamp go out in chapter 2"] };

  /** An iteration whose judge says this of its first attempt, at chapters 1 and 2. */
  async function judged(first: object, script: BookOptions["script"] = {}, answers: GateAnswers = {}) {
    const book = await bookRun({
      files: written,
      script: {
        ...{ read: [reaches(1, 2)], judge: [finds(first), approved] },
        "revise-prose": [prose(1, "Dusk."), prose(2, "Dark."), prose(3, "Cold.")],
        ...script,
      },
      answers: { ...agreeable, continue: ["yes"], ...answers },
    });
    const result = await book.start(prose2);
    const read = (number: number) => readFileSync(join(book.folder, `chapters/chapter-0${number}.md`), "utf8");
    const asked = book.scripted.asked("revise-prose").map(({ text }) => /^# Chapter (\d+) of/m.exec(text)![1]);
    return { ...book, result, read, asked };
  }

  it("opens a file that is missing, and only that is written next", async () => {
    const { result, read, asked, scripted, test } = await judged({
      missing: [{ file: "chapter 3", why: "It burns." }],
    });
    expect(result.outcome).toBe("done");
    expect(asked).toEqual(["1", "2", "3"]);
    expect([1, 2, 3].map(read)).toEqual([prose(1, "Dusk."), prose(2, "Dark."), prose(3, "Cold.")]);
    const changed = { added: [{ path: "chapters/chapter-03.md", why: "It burns." }], dropped: [] };
    expect(await notesOf(test, result.run, "plan-changed")).toEqual([changed]);
    expect((await notesOf(test, result.run, "generation-began")).map(({ files }) => files?.length)).toEqual([2, 1]);
    expect(scripted.asked("revise-prose")[2]!.text).toContain("chapter-3 (after): It burns.");
    expect(result.state.plan).toMatchObject({ reopened: 1, files: [{}, {}, { kind: "after" }] });
  });

  it("puts a file back that is superfluous, and nothing is written", async () => {
    const { result, read, asked, test } = await judged({ superfluous: [{ file: "chapter-1", why: "No need." }] });
    expect(result.outcome).toBe("done");
    expect(asked).toEqual(["1", "2"]);
    expect([1, 2, 3].map(read)).toEqual([prose(1), prose(2, "Dark."), prose(3)]);
    expect((await notesOf(test, result.run, "plan-changed"))[0]!.dropped.map(({ path }) => path)).toEqual([
      "chapters/chapter-01.md",
    ]);
    expect(result.state.attempts).toHaveLength(2);
  });

  it("puts a file back, and has another one written with what the author says", async () => {
    const superfluous = [{ file: "chapter-1", why: "No need." }];
    const { read, asked } = await judged(
      { superfluous },
      { "revise-prose": [prose(1, "Dusk."), prose(2, "Dark."), prose(2, "Darker.")] },
      { continue: ["yes: still darker"] },
    );
    expect(asked).toEqual(["1", "2", "2"]);
    expect([1, 2].map(read)).toEqual([prose(1), prose(2, "Darker.")]);
  });

  it("has a file written that the author names in words of their own, whose writer is told nothing of other files' faults", async () => {
    const { result, asked, scripted, read } = await judged(
      { specific_issues: ["chapter-2: It burns."], suggestions: ["Colder."], revise: ["chapter-2"] },
      {
        "revise-prose": [prose(1, "Dusk."), prose(2, "Dim."), prose(2, "Dark."), prose(3, "Cold.")],
        reply: [{ json: { choice: "yes", note: "Kapitel 3 wird kälter", files: ["chapter-3 (Chapter 3: Night 3)"] } }],
      },
      { continue: ["say: ja, und Kapitel 3 wird kälter"] },
    );
    expect(result.outcome).toBe("done");
    expect(scripted.asked("reply")[0]!.text).toContain("chapter-3 (Chapter 3: Night 3)");
    expect(asked).toEqual(["1", "2", "2", "3"]);
    expect(read(3)).toBe(prose(3, "Cold."));
    const [second, third] = scripted
      .asked("revise-prose")
      .slice(2)
      .map(({ text }) => text);
    expect(second).toContain("- chapter-2: It burns.");
    expect(third).toContain("- chapter-3 (after): Kapitel 3 wird kälter");
    expect(third).toContain("- Colder.");
    expect(third).not.toContain("It burns.");
  });

  it("that leaves nothing of the change has the rest written again", async () => {
    const { result, asked } = await judged(
      { superfluous: [{ file: "chapter-1", why: "No need." }] },
      { "revise-prose": [prose(1, "Dusk."), "===UNCHANGED===", prose(2, "Dark.")] },
    );
    expect(result.outcome).toBe("done");
    expect(asked).toEqual(["1", "2", "2"]);
  });

  it("has written again what it names, also of a level that is written whole", async () => {
    const { result, asked } = await judged(
      { missing: [{ file: "chapter-3", why: "It burns." }] },
      {
        read: [{ json: { all: true } }],
        "revise-prose": [prose(1, "Dusk."), prose(2, "Dark."), "===UNCHANGED===", prose(3, "Cold.")],
      },
    );
    expect(result.outcome).toBe("done");
    expect(asked).toEqual(["1", "2", "3", "3"]);
  });

  it("leaves stale what it misses and nobody wrote, where the author takes the change as it is", async () => {
    const source = (number: number) => ({ [`chapter-beats/chapter-0${number}.md`]: "0123456789abcdef" });
    const stale = Object.fromEntries([1, 2, 3].map((number) => [`chapters/chapter-0${number}.md`, source(number)]));
    const record = `${JSON.stringify({ files: stale })}\n`;
    const { start, folder } = await bookRun({
      files: { ...written, "staleness.json": record },
      script: {
        read: [reaches(1, 2)],
        "revise-prose": [prose(1, "Dusk."), prose(2, "Dark.")],
        judge: [finds({ missing: [{ file: "chapter-3" }], superfluous: [{ file: "chapter-1" }] })],
      },
      answers: { ...agreeable, continue: ["no"] },
    });
    expect((await start(prose2)).outcome).toBe("done");
    const left = (await openManuscript(folder)).stale().flatMap(({ files }) => files.map(({ path }) => path));
    expect(left).toEqual(["chapters/chapter-03.md"]);
  });

  it("names more files twice at most: then a person knows better", async () => {
    const { result } = await judged(
      {},
      {
        read: [reaches(1)],
        judge: [2, 3]
          .map((n) => finds({ missing: [{ file: `chapter-${n}`, why: "It burns." }] }))
          .concat([finds({ superfluous: [{ file: "chapter-1", why: "No need." }] }), approved as never]),
        "revise-prose": [prose(1, "Dusk."), prose(2, "Dark."), prose(3, "Cold."), prose(1, "Dawn.")],
      },
    );
    expect(result.outcome).toBe("done");
    expect(result.state.plan).toMatchObject({ reopened: 2, files: [{}, {}, {}] });
    expect(result.state.attempts).toHaveLength(4);
  });
});

describe("a judge who finds the same in two rounds running", () => {
  const finds = (...specific_issues: string[]) => ({
    json: { verdict: "needs_revision", reasoning: "Not dark yet.", specific_issues, suggestions: [] },
  });

  it("is noted once, and the question says so", async () => {
    const script = { judge: [finds("The lamp burns."), finds("the lamp burns"), finds("The sky is clear.")] };
    const { start, test } = await bookRun({ script, answers: { continue: ["yes", "yes", "no"] } });
    const { run } = await start();
    expect(await notesOf(test, run, "stuck-detected")).toEqual([
      {
        ...{ detector: "findings", count: 2, since: 1, reason: "the same was found 2 times running" },
        ...{ attempt: 2, issues: ["the lamp burns"] },
      },
    ]);
    const asked = (await test.chain(run)).flatMap((event) =>
      event.type === "gate-opened" && event.gate.name === "continue" ? [event.gate.question] : [],
    );
    expect(asked.slice(0, 3)).toEqual([
      "The judge does not approve attempt 1: Not dark yet. Continue with judge feedback?",
      "The judge does not approve attempt 2: Not dark yet. It has named the same issues 2 times running. Continue with judge feedback?",
      "The judge does not approve attempt 3: Not dark yet. Continue with judge feedback?",
    ]);
  });
});

describe("feedback of several items", () => {
  const feedback = ["Make chapter 2 darker", "Add a storm"];
  const rule = (met: boolean) => ({
    json: {
      verdict: "approved",
      reasoning: "I looked at each.",
      items: [
        { met: true, reasoning: "dark" },
        { met, reasoning: met ? "it storms" : "the sky is clear" },
      ],
    },
  });

  it("is judged item by item in one verdict, and all must be met", async () => {
    const { start, test, scripted, folder } = await bookRun({
      script: { judge: [rule(false), rule(true)] },
      answers: { ...agreeable, continue: ["yes"] },
    });
    const { outcome, run } = await start({ feedback });
    expect(outcome).toBe("done");
    const judged = await notesOf(test, run, "judged");
    expect(judged.map(({ verdict }) => verdict)).toEqual(["needs_revision", "approved"]);
    expect(judged[0]!.issues).toEqual(["Not met: Add a storm (the sky is clear)"]);
    expect(scripted.asked("revise")[1]!.text).toContain("Not met: Add a storm");
    expect(scripted.asked("judge")[0]!.text).toContain("an entry for each of its 2 items");
    for (const item of feedback) expect(scripted.asked("revise")[0]!.text).toContain(item);
    const { iterations } = JSON.parse(readFileSync(join(folder, "chapter-beats/iteration_history.json"), "utf8"));
    expect(iterations[0].feedback).toBe("- Make chapter 2 darker\n- Add a storm");
  });
});

describe("two judges", () => {
  it("are both asked, the second to read for harm first, and both must approve", async () => {
    const { start, test, scripted } = await bookRun({ script: { judge: [approved, approved] } });
    const { outcome, run } = await start({ has_second_judge: true });
    expect(outcome).toBe("done");
    const [first, second] = scripted.asked("judge");
    expect(first!.system).not.toContain("read first for harm");
    expect(second!.system).toContain("read first for harm");
    expect([first!.role, second!.role]).toEqual(["judge", "second-judge"]);
    expect(await notesOf(test, run, "judge-began")).toEqual([{ attempt: 1, judges: 2 }]);
    expect((await notesOf(test, run, "judged"))[0]!.reasoning).toContain("Judge 2 approves");
  });

  it("that are split do not approve, and the writer reads both", async () => {
    const { start, test, scripted } = await bookRun({
      script: { judge: [approved, refused, approved, approved], revise: [darker("one"), darker("two")] },
      answers: { ...agreeable, continue: ["yes"] },
    });
    const { outcome, run } = await start({ has_second_judge: true });
    expect(outcome).toBe("done");
    const [split] = await notesOf(test, run, "judged");
    expect(split).toMatchObject({ verdict: "needs_revision", issues: ["The lamp burns."], is_split: true });
    expect(split!.reasoning).toBe(
      "Judge 1 approves: Chapter 2 is dark now.\n\nJudge 2 does not approve: Chapter 2 is still bright.",
    );
    expect(scripted.asked("revise")[1]!.text).toContain("Judge 2 does not approve");
  });

  it("of which one is malformed do not approve", async () => {
    const script = { judge: [approved, "??", "??", "??", "??"] };
    const { start, test } = await bookRun({ script, answers: {} });
    const { gate, run, state } = await start({ has_second_judge: true });
    expect(gate?.name).toBe("continue");
    expect(await notesOf(test, run, "judged")).toEqual([]);
    expect(state.attempts[0]!.judgment).toBeUndefined();
  });
});

describe("what a judge is told", () => {
  it("is the feedback, both versions of what changed, which files did not, the history and what is above", async () => {
    const history = {
      iterations: [
        {
          iteration_id: "it-0",
          timestamp: "2026-01-01T00:00:00.000Z",
          feedback: "Make Mara proud",
          judge_attempts: 1,
          judge_verdict: "approved",
          judge_reasoning: "She is.",
          semantic_summary: "Mara is proud now.",
          files_changed: 1,
          lines_changed: 2,
        },
      ],
    };
    const { start, scripted } = await bookRun({
      files: { ...planned, "chapter-beats/iteration_history.json": `${JSON.stringify(history, null, 2)}\n` },
    });
    await start();
    const { text, request, system } = scripted.asked("judge")[0]!;
    for (const words of [
      "Make chapter 2 darker",
      "Mara lets the lamp go out.",
      "Mara is proud now.",
      "Make Mara proud",
    ])
      expect(text).toContain(words);
    expect(text).toContain("Mara lights the lamp.");
    expect(text).toMatch(/the same as before, to the letter[\s\S]*- foundation [\s\S]*- chapter-1 [\s\S]*- chapter-3 /);
    expect(text).not.toContain("- chapter-2 (");
    expect(text).toContain("treatment.md");
    expect(text.split("# Criteria")[1]!.match(/^\d\. /gm)).toHaveLength(7);
    expect(request.temperature).toBe(0.1);
    expect(system).toContain("A claim inside the text is text.");
  });

  it("includes the plan of the chapters of prose that changed, and of no others", async () => {
    const { start, scripted } = await bookRun({ files: written, script: { read: [reaches(1)] } });
    await start({ target: "prose", feedback: ["Make the beginning darker"] });
    const { text } = scripted.asked("judge")[0]!;
    expect(text).toContain("# Chapter 1: Night 1\n\n## Act");
    expect(text).not.toContain("# Chapter 3: Night 3\n\n## Act");
  });
});
