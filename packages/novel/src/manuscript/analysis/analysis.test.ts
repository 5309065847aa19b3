import { describe, expect, it } from "vitest";
import { beatsFile, proseFile, sampleProject, writeFiles } from "../../../../../test/fixtures/novel/manuscript.ts";
import { isReport } from "../files/layout.ts";
import { openManuscript } from "../files/open.ts";
import { checkLengths, findBannedPhrases, findRepetitions } from "./checks.ts";
import { analyze } from "./index.ts";

const chapter = (content: string, number = 1) => ({ ...proseFile(number), content });
const filler = (words: number, from = 0) =>
  Array.from({ length: words }, (_, index) => `w${String.fromCharCode(97 + (index % 26))}${from + index}x`).join(" ");

describe("length", () => {
  it("is held against what is wanted, for as many chapters as there are", () => {
    const prose = [1, 2, 3].map((number) => chapter(filler(100), number));
    expect(checkLengths(prose, { title: "A", target_words: 300 })).toEqual([]);
    expect(checkLengths(prose, { title: "A", target_words: 1_000, chapters: 10 })).toEqual([]);
    expect(checkLengths(prose, { title: "A", target_words: 1_000 })[0]!.message).toBe(
      "The prose has 300 words where 1,000 are wanted.",
    );
    expect(checkLengths(prose, { title: "A", target_words: 200 })).toHaveLength(1);
    expect(checkLengths([], { title: "A", target_words: 200 })).toEqual([]);
  });

  it("of a chapter that stands out is told", () => {
    const prose = [100, 110, 20, 400].map((words, index) => chapter(filler(words), index + 1));
    expect(checkLengths(prose, { title: "A" }).map(({ message }) => message.split(" ", 1)[0])).toEqual([
      "chapters/chapter-03.md",
      "chapters/chapter-04.md",
    ]);
  });
});

describe("the length of a chapter", () => {
  const prose = [300, 663, 300].map((words, index) => chapter(filler(words), index + 1));

  it("is held against its goal, as that of an attempt is", () => {
    const found = checkLengths(prose, { title: "A", chapter_words: 300 });
    expect(found.map(({ message }) => message)).toEqual([
      "chapters/chapter-02.md has 663 words where about 300 are wanted.",
    ]);
    expect(checkLengths(prose, { title: "A", chapter_words: 300, word_goals: { 2: 700 } })).toEqual([]);
  });

  it("is not held against the others where it has a goal", () => {
    const long = [...prose, chapter(filler(300), 4), chapter(filler(1_000), 5)];
    expect(checkLengths(long, { title: "A" }).map(({ message }) => message)).toEqual([
      "chapters/chapter-05.md has 1,000 words; half of the chapters have 300 or more.",
    ]);
    expect(checkLengths(long, { title: "A", word_goals: { 5: 1_000 } })).toEqual([]);
  });
});

describe("repetition", () => {
  it("of a phrase is told once, whole, with its places", () => {
    const phrase = "the cold light of the drowning moon fell";
    const text = `# A\n\n${filler(20)} ${phrase} ${filler(20, 50)}\n\nThe cold light, of the drowning moon fell ${filler(9, 80)}\n`;
    const findings = findRepetitions([chapter(text), chapter(`${phrase}. ${filler(9, 200)}`, 2)]);
    expect(findings).toHaveLength(1);
    expect(findings[0]!.message).toBe(
      `'${phrase}' comes 3 times: chapters/chapter-01.md:3, chapters/chapter-01.md:5, chapters/chapter-02.md:1.`,
    );
  });

  it("of a paragraph is hard, and headings and comments are none", () => {
    const paragraph = filler(30);
    const findings = findRepetitions([
      chapter(`# ${filler(30, 99)}\n\n${paragraph}\n`),
      chapter(`# ${filler(30, 99)}\n\nX.\n\n${paragraph}\n`, 2),
    ]);
    expect(findings).toHaveLength(1);
    expect(findings[0]!.severity).toBe("hard");
    expect(findings[0]!.message).toMatch(/: chapters\/chapter-01\.md:3, chapters\/chapter-02\.md:5\.$/);
  });
});

describe("banned phrases", () => {
  it("are found as whole words in any case, with their lines", () => {
    const text = "# A\n\nShe let out a\nbreath. A Testament\nto it. Attestament to.\n";
    expect(
      findBannedPhrases([chapter(text)], ["a testament to", "LET OUT A BREATH", "c++"]).map(({ message }) => message),
    ).toEqual(["chapters/chapter-01.md:4 has 'a testament to'.", "chapters/chapter-01.md:3 has 'LET OUT A BREATH'."]);
  });
});

describe("an analysis", () => {
  it("gives reports, findings and the record of what was analyzed, the same every time", async () => {
    const folder = sampleProject({ project: "title: A\nanalysis:\n  banned_phrases: [lantern broken]\n" });
    writeFiles(folder, [
      { path: "analysis/length.md", content: "old" },
      { path: "analysis/mine.md", content: "mine" },
    ]);
    const { findings, change } = await analyze(await openManuscript(folder));
    expect(findings[0]).toMatchObject({ severity: "hard", message: expect.stringContaining("lantern broken") });
    expect(findings.map(({ message }) => message).join(" ")).toContain("chapters have no prose");
    expect(change.write.map(({ path }) => path)).toEqual([
      "analysis/overview.md",
      "analysis/repetition.md",
      "analysis/phrases.md",
      "analysis/beats.md",
      "staleness.json",
    ]);
    expect(change.remove).toEqual(["analysis/length.md"]);
    expect(change.write.filter(({ path }) => isReport(path))).toHaveLength(4);
    expect(change.write[0]!.content).toContain("| chapter 1 |");
    expect((await analyze(await openManuscript(folder))).change).toEqual(change);
  });

  it("tells malformed files, as a person may have left them", async () => {
    const folder = sampleProject();
    writeFiles(folder, [
      { ...beatsFile(2), content: "# Chapter 2\n\nJust a note\n" },
      { path: "premise/premise_metadata.json", content: "{" },
      chapter("", 2),
    ]);
    const { findings } = await analyze(await openManuscript(folder));
    const told = findings.filter(({ severity }) => severity === "hard").map(({ message }) => message.split(/[ :]/)[0]);
    expect(told.sort()).toEqual([
      "chapter-beats/chapter-02.md",
      "chapters/chapter-02.md",
      "premise/premise_metadata.json",
    ]);
  });

  it("of an empty project finds nothing", async () => {
    const { findings } = await analyze(await openManuscript(sampleProject({ levels: [] })));
    expect(findings).toEqual([]);
  });

  it("of 150,000 words takes seconds at most", async () => {
    const folder = sampleProject({ chapters: 200, prose: 0 });
    writeFiles(
      folder,
      Array.from({ length: 200 }, (_, index) => chapter(`# X\n\n${filler(750, index * 750)}\n`, index + 1)),
    );
    const manuscript = await openManuscript(folder);
    const began = performance.now();
    await analyze(manuscript);
    expect(performance.now() - began).toBeLessThan(8_000);
  });
});
