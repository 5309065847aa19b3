import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  beatFiles,
  beats,
  blocks,
  bookRun,
  type GateAnswers,
  notesOf,
  phasesOf,
  summary,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { subjects } from "../../../../test/fixtures/novel-repository/project.ts";
import { readSome, saysSome } from "../reach/words.ts";

const both = blocks({
  ...beatFiles,
  "chapter-beats/chapter-02.md": beats(2, "Mara lets the lamp go out."),
  "chapter-beats/chapter-03.md": beats(3, "Nobody comes."),
});
const feedback = ["Make chapters 2 and 3 darker"];

/** An iteration of two chapters, answered so at the question about accepting. */
async function twoChapters(accept: readonly string[], more: GateAnswers = {}) {
  const book = await bookRun({
    files: written,
    script: { revise: [both], "semantic-diff": [summary, summary] },
    answers: { ...agreeable, ...more, accept },
  });
  const result = await book.start({ feedback });
  const read = (number: number) => readFileSync(join(book.folder, `chapter-beats/chapter-0${number}.md`), "utf8");
  return { ...book, result, read };
}

describe("Some of the files", () => {
  it.each(["some: 2", "yes: only 2", "yes: not 3", "some: without chapter 3, because it must stay light"])(
    "are committed, and the others stay byte for byte: '%s'",
    async (answer) => {
      const { result, read, folder } = await twoChapters([answer, "yes"]);
      expect(result.outcome).toBe("done");
      expect(read(2)).toContain("Mara lets the lamp go out.");
      expect(read(3)).toBe(beats(3));
      expect(subjects(folder)[0]).toBe("[chapters] Make chapters 2 and 3 darker");
    },
  );

  it("are shown again before they are accepted, with a summary of what is left of the change", async () => {
    const { result, test, scripted } = await twoChapters(["some: 2", "no"]);
    expect(result.outcome).toBe("declined");
    const phases = await phasesOf(test, result.run);
    expect(phases.slice(-6)).toEqual(["summarize", "inspect", "accept", "summarize", "inspect", "accept"]);
    const [whole, part] = scripted.asked("semantic-diff").map(({ text }) => text);
    expect(whole).toContain("Nobody comes.");
    expect(part).not.toContain("Nobody comes.");
    const [, shown] = await notesOf(test, result.run, "semantic-diff");
    expect(shown!.text).toContain("Files changed: 1 of");
    expect(shown!.text).toContain("attempt 1 without chapter 3, which the judge saw with it");
  });

  it("are nobody's verdict: the history says who chose them, and what was left", async () => {
    const { folder, result } = await twoChapters(["some: 2, because 3 is too much", "yes"]);
    const { iterations } = JSON.parse(readFileSync(join(folder, "chapter-beats/iteration_history.json"), "utf8"));
    expect(iterations[0]).toMatchObject({ judge_verdict: "none", judge_attempts: 1, accepted_by: "user" });
    expect(iterations[0].said).toEqual(["chapter 2 only, without chapter 3: 3 is too much"]);
    const decision = readFileSync(join(folder, result.state.debug, "user_decision.txt"), "utf8");
    expect(decision).toBe("accepted, but for chapter 3 of attempt 1\n");
  });

  it("make only what was made from them stale", async () => {
    const { folder } = await twoChapters(["some: 2", "yes"]);
    const { openManuscript } = await import("../manuscript/index.ts");
    const stale = (await openManuscript(folder)).stale().flatMap(({ files }) => files.map(({ path }) => path));
    expect(stale).toEqual(["chapters/chapter-02.md"]);
  });

  it("are in line with what is above, and the others of a level that is generated again are not", async () => {
    const old = { "treatment/treatment.md": "0123456789abcdef" };
    const paths = ["chapter-beats/chapter-02.md", "chapter-beats/chapter-03.md"];
    const staleness = { generated_from: {}, files: Object.fromEntries(paths.map((path) => [path, old])) };
    const book = await bookRun({
      files: { ...written, "staleness.json": `${JSON.stringify(staleness)}\n` },
      script: { revise: [both], generate: [both] },
      answers: { ...agreeable, accept: ["some: 2", "yes"] },
    });
    const { outcome } = await book.start({ kind: "generate", feedback: [] });
    expect(outcome).toBe("done");
    const { files } = JSON.parse(readFileSync(join(book.folder, "staleness.json"), "utf8"));
    expect(files[paths[0]!]["treatment/treatment.md"]).not.toBe(old["treatment/treatment.md"]);
    expect(files[paths[1]!]["treatment/treatment.md"]).toBe(old["treatment/treatment.md"]);
  });

  it("are all that a later attempt writes", async () => {
    const { result, test } = await twoChapters(["some: 2", "no: too bright still", "yes"]);
    expect(result.outcome).toBe("done");
    expect((await notesOf(test, result.run, "generation-began")).at(-1)).toMatchObject({
      files: ["chapter-beats/chapter-02.md"],
    });
  });

  it.each([
    ["some: 1", "'1' is none of what was changed: chapters 2, 3"],
    ["some: ", "say which, such as 'some: chapter-2'"],
    ["some", "say which, such as 'some: chapter-2'"],
    ["some: 2, 3", "that is all that was changed: 'yes' accepts it"],
    ["yes: not 2 and 3", "nothing would be left to accept: 'no' rejects it all"],
  ])("that cannot be told are asked about again: '%s'", async (answer, message) => {
    const { result, test, read } = await twoChapters([answer, "no"]);
    expect(result.outcome).toBe("declined");
    expect((await notesOf(test, result.run, "reach-refused")).at(-1)).toEqual({ message });
    expect(read(2)).toBe(beats(2));
  });

  it("that would leave the level without its form are refused with the reason", async () => {
    const four = blocks({
      ...beatFiles,
      "chapter-beats/chapter-04.md": beats(4),
      "chapter-beats/chapter-05.md": beats(5),
    });
    const { start, test } = await bookRun({
      script: { revise: [four] },
      answers: { ...agreeable, reach: ["all"], accept: ["some: 5", "no"] },
    });
    const { run } = await start({ feedback: ["Add two chapters at the end"] });
    const [refused] = await notesOf(test, run, "reach-refused");
    expect(refused?.message).toMatch(/^chapter 5 cannot be taken alone: /);
  });

  it("are not offered where one file changed", async () => {
    const { start } = await bookRun({ answers: { ...agreeable, accept: [] } });
    const { gate } = await start();
    expect(gate?.choices).toEqual(["yes", "no", "diff", "stop"]);
  });
});

describe("readSome", () => {
  const paths = ["chapters/prologue.md", "chapters/chapter-03.md", "chapters/chapter-04.md", "chapters/chapter-05.md"];
  it.each([
    ["3, 5", ["chapter-03", "chapter-05"], ""],
    ["only the prologue", ["prologue"], ""],
    ["3-4, because 5 drags", ["chapter-03", "chapter-04"], "5 drags"],
    ["nur Kapitel 3", ["chapter-03"], ""],
    ["sauf le 4", ["prologue", "chapter-03", "chapter-05"], ""],
    ["not 4, it is fine as it is", ["prologue", "chapter-03", "chapter-05"], "it is fine as it is"],
  ])("'%s'", (note, names, reason) => {
    const some = readSome(note, paths);
    expect(some).toMatchObject({ taken: names.map((name) => `chapters/${name}.md`), reason });
  });

  it.each(["not so loud, please", "only if it rains", "bring the brother back", "just a little shorter"])(
    "'%s' says nothing of files",
    (note) => expect(saysSome(note)).toBe(false),
  );
});
