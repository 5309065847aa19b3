// Writers that do not do as they are told: each answer is asked for again with what was wrong; when that is spent, the attempt
// is on record as failed, its words are kept, the project is as it was, and the person is asked.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scripted } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  beatFiles,
  beats,
  blocks,
  bookRun,
  darker,
  type Files,
  notesOf,
  phasesOf,
  planned,
} from "../../../test/fakes/book-runs.ts";
import { git } from "../../../test/fixtures/novel-repository/project.ts";

const two = blocks(Object.fromEntries(Object.entries(beatFiles).filter(([path]) => !path.endsWith("03.md"))));
const kept = "<!-- keep -->\nThe oil smells of fish.\n<!-- /keep -->\n";
const withKept: Files = { ...planned, "chapter-beats/chapter-01.md": `${beats(1)}\n${kept}` };

/** Feedback that reaches the whole level. */
const everywhere = { feedback: ["Make it darker"] };

/** Answers without a usable form, and what the writer and the person are told of each. */
const misshapen: [name: string, answer: Scripted, says: RegExp, files?: Files][] = [
  ["prose instead of files", "I made chapter 2 darker, as you asked.", /holds no files/],
  ["one chapter less than there were", two, /2 chapters where there must be 3.*chapter-03\.md/],
  ["the old text unchanged", blocks(beatFiles), /unchanged/],
  ["a text that stops in the middle", darker().slice(0, -60), /stops in the middle/],
  ["a length that was reached", { answer: { text: darker(), finishReason: "length" } }, /cut off/],
  ["nothing at all", "", /empty|nothing/i],
  ["a thought and no answer", "<think>hm</think>", /no answer|nothing|empty|thought/i],
  ["a chapter without its headings", darker().replace("## Hook", "## Bait"), /Hook/],
  ["a file of another level", `${darker()}===FILE: ../../etc/passwd===\nx\n===END FILE===\n`, /no file of the level/],
  ["a changed kept passage", darker(), /kept passage/i, withKept],
];

it.each(misshapen)(
  "a writer that gives %s is told so and asked again; nothing else fails the attempt, and the next one counts",
  async (_name, answer, says, files = planned) => {
    const good = files === withKept ? darker().replace(/(?=\n?===END FILE===\n===FILE: \S*02)/, `\n${kept}`) : darker();
    const { start, test, scripted, folder } = await bookRun({
      ...{ files, script: { revise: [answer, answer, answer, answer, good] }, answers: { continue: ["yes"] } },
    });
    const { run, gate, state } = await start(everywhere);
    expect(gate?.name).toBe("detail");
    expect(state.attempts).toMatchObject([
      { number: 1, problems: [expect.any(String)] },
      { number: 2, problems: [] },
    ]);
    expect(scripted.asked("revise")).toHaveLength(5);
    expect(scripted.asked("revise")[1]!.text).toMatch(says);
    const asked = (await test.chain(run)).flatMap((event) => (event.type === "gate-opened" ? [event.gate] : []));
    expect(asked[0]).toMatchObject({ name: "continue", choices: ["yes", "no", "say"], default: "yes" });
    expect(asked[0]!.question).toMatch(says);
    expect((await notesOf(test, run, "format-refused"))[0]!.problems.join(" ")).toMatch(says);
    const raw = ["attempt_1_raw.md", ...[1, 2, 3].map((number) => `attempt_1_try_${number}_raw.md`)];
    expect(readdirSync(join(folder, state.debug))).toEqual(expect.arrayContaining(raw));
    const text = typeof answer === "string" ? answer : "answer" in answer ? answer.answer.text : "";
    expect(readFileSync(join(folder, state.debug, "attempt_1_raw.md"), "utf8")).toBe(text);
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(scripted.asked("judge")).toHaveLength(1);
  },
);

describe("an attempt without a usable form", () => {
  it("is followed by another one that is told of it, where the person wants one", async () => {
    const { start, test, scripted } = await bookRun({
      script: { revise: [two, two, two, two, darker()] },
      answers: { ...agreeable, continue: ["yes"] },
    });
    const { outcome, run, state } = await start(everywhere);
    expect(outcome).toBe("done");
    expect(state.attempts.map(({ problems }) => problems.length)).toEqual([1, 0]);
    expect(await phasesOf(test, run)).toEqual([
      ...["check", "read", "write", "consider", "write", "judge", "summarize", "accept", "finalize"],
    ]);
    expect(scripted.asked("revise")[4]!.text).toMatch(/## Attempt 1[\s\S]*2 chapters where there must be 3/);
    expect(await notesOf(test, run, "finalised")).toMatchObject([{ attempts: 1, verdict: "approved" }]);
  });

  it("ends the run as declined where no attempt could be used and no more is wanted", async () => {
    const { start, folder } = await bookRun({ script: { revise: [two] }, answers: { continue: ["no"] } });
    const { outcome, reason, state } = await start(everywhere);
    expect(outcome).toBe("declined");
    expect(reason).toContain("2 chapters where there must be 3");
    expect(readFileSync(join(folder, state.debug, "user_decision.txt"), "utf8")).toBe("rejected\n");
  });

  it("leaves an earlier attempt to decide about", async () => {
    const refusal: Scripted = { json: { verdict: "needs_revision", reasoning: "Not dark enough." } };
    const { start, folder } = await bookRun({
      script: { revise: [darker("a little dark"), two], judge: [refusal] },
      answers: { ...agreeable, continue: ["yes", "no"] },
    });
    const { outcome, state } = await start();
    expect({ outcome, chosen: state.chosen }).toEqual({ outcome: "done", chosen: 1 });
    expect(readFileSync(join(folder, "chapter-beats/chapter-02.md"), "utf8")).toContain("a little dark");
  });
});

describe("answers that are odd and right", () => {
  it("all in a code fence, with line ends of another system, in any script and with emoji", async () => {
    const events = "מרה כובה את המנורה. 🕯️ العربية";
    const fenced = `\`\`\`markdown\n${darker(events)}\`\`\``.replaceAll("\n", "\r\n");
    const { start, folder } = await bookRun({ script: { revise: [fenced] } });
    expect((await start()).outcome).toBe("done");
    const text = readFileSync(join(folder, "chapter-beats/chapter-02.md"), "utf8");
    expect(text).toBe(beats(2, events));
    expect(git(folder, "show", "--format=", "--name-only", "HEAD").split("\n")).toEqual([
      ...["chapter-beats/chapter-02.md", "chapter-beats/iteration_history.json", "staleness.json"],
    ]);
  });

  it("a file with carriage returns keeps them, and those that did not change are not touched", async () => {
    const crlf = beats(1).replaceAll("\n", "\r\n");
    const { start, folder } = await bookRun({ files: { ...planned, "chapter-beats/chapter-01.md": crlf } });
    expect((await start()).outcome).toBe("done");
    expect(readFileSync(join(folder, "chapter-beats/chapter-01.md"), "utf8")).toBe(crlf);
  });

  it("fewer chapters that the feedback asks for remove the surplus file", async () => {
    const { start, folder, test } = await bookRun({
      script: { revise: [`===CHAPTERS: 2===\n${two.replace("lights the lamp", "sleeps")}`] },
    });
    const { outcome, run } = await start({ feedback: ["Cut the book down to 2 chapters"] });
    expect(outcome).toBe("done");
    expect(existsSync(join(folder, "chapter-beats/chapter-03.md"))).toBe(false);
    expect(await notesOf(test, run, "finalised")).toMatchObject([{ files: 1, removed: 1 }]);
  });

  it("200 chapters are revised in one iteration", { timeout: 120_000 }, async () => {
    const many: Record<string, string> = { "chapter-beats/foundation.md": beatFiles["chapter-beats/foundation.md"]! };
    for (let n = 1; n <= 200; n++) many[`chapter-beats/chapter-${String(n).padStart(2, "0")}.md`] = beats(n);
    const answer = blocks({ ...many, "chapter-beats/chapter-100.md": beats(100, "All is dark.") });
    const { start, test } = await bookRun({ files: { ...planned, ...many }, script: { revise: [answer] } });
    const { outcome, run } = await start(everywhere);
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "finalised")).toMatchObject([{ files: 1, removed: 0 }]);
    expect(await notesOf(test, run, "semantic-diff")).toMatchObject([
      { figures: { files_changed: 1, files_total: 201 } },
    ]);
  });
});

describe("the other levels", () => {
  const levels: [level: "premise" | "treatment", bad: Scripted, good: Scripted, says: RegExp][] = [
    [
      "premise",
      { json: { title: "The Lamp" } },
      { json: { ...JSON.parse(planned["premise/premise_metadata.json"]!), tone: "dark" } },
      /logline/,
    ],
    [
      "treatment",
      "# The Lamp\n\nIt all ends well.\n",
      planned["treatment/treatment.md"]!.replace("is saved", "is lost"),
      /act/i,
    ],
  ];
  it.each(levels)("a %s without its form is asked for again", async (target, bad, good, says) => {
    const { start, scripted } = await bookRun({
      script: { revise: [bad, good] },
      answers: { ...agreeable, downstream: ["keep-all"] },
    });
    expect((await start({ target })).outcome).toBe("done");
    expect(scripted.asked("revise")[1]!.text).toMatch(says);
  });
});
