import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agreeable, bookRun, prose, written } from "../../../../test/fakes/book-runs.ts";
import { subjects } from "../../../../test/fixtures/novel-repository/project.ts";
import { releaseMarks } from "../manuscript/kept.ts";
import { keptNamed } from "./kept-named.ts";
import { quotedIn, readQuoted } from "./quotes.ts";

const HORN = "A horn sounded from the dark.";
const path = "chapters/chapter-02.md";
const content = prose(2).replace(HORN, `<!-- keep -->\n${HORN}\n<!-- /keep -->`);
const files = [{ path, content }];

describe("keptNamed", () => {
  it.each(['"a horn sounded"', "„A horn sounded“", "»horn sounded from«", "«A horn sounded»", "“A horn sounded…”"])(
    "finds the kept passage that is quoted: %s",
    (quote) => {
      const { passages, has_rest } = keptNamed({ feedback: [`Make ${quote} louder`] }, files, [path]);
      expect(passages.map(({ passage }) => passage.trim())).toEqual([HORN]);
      expect(has_rest).toBe(true);
    },
  );

  it("finds none in what is not kept, stands elsewhere too, or is out of reach", () => {
    const found = (each: string, reached = [path]) => keptNamed({ feedback: [each] }, files, reached).passages;
    expect(found('Let "Mara climbed" be slower')).toEqual([]);
    expect(found("Make it louder")).toEqual([]);
    expect(found('Make "horn sounded" louder', ["chapters/chapter-01.md"])).toEqual([]);
    const twice = [{ path, content: `${content}\nThe horn sounded from afar.\n` }];
    expect(keptNamed({ feedback: ['Make "horn sounded" louder'] }, twice, undefined).passages).toEqual([]);
  });

  it("finds all that is kept where nothing else is reached, and the passage that variants are wanted of", () => {
    const whole = [{ path, content: `# Chapter 2\n\n<!-- keep -->\n${HORN}\n<!-- /keep -->\n` }];
    expect(keptNamed({ feedback: ["Darker"] }, whole, [path])).toMatchObject({ has_rest: false });
    const variants = { feedback: ["Darker"], file: path, passage: HORN };
    expect(keptNamed(variants, files, undefined)).toMatchObject({ passages: [{ path }], has_rest: false });
  });
});

it("feedback that quotes nothing is likely to be about a kept passage where its words stand there alone", () => {
  const eagle = "An eagle took the child, and they found the island.";
  const chapter = [
    { path, content: `# Two\n\nThe sea was gray, and the boat lay by.\n\n<!-- keep -->\n${eagle}\n<!-- /keep -->\n` },
  ];
  const found = (said: string, reached?: string[]) => keptNamed({ feedback: [said] }, chapter, reached).passages.length;
  expect(found("The legend of the eagle should be sadder", [path])).toBe(1);
  expect(found("The boat by the gray sea should leak, far from the island", [path])).toBe(0);
  expect(found("The legend of the eagle should be sadder")).toBe(0);
});

describe("quotes", () => {
  it("are read wherever they stand, and at the beginning with what follows", () => {
    expect(quotedIn('„eins“ und »zwei«, “three” or "four" et « cinq »')).toEqual([
      ...["eins", "zwei", "three", "four", "cinq"],
    ]);
    expect(readQuoted("„Das Horn“ lauter")).toEqual({ words: "Das Horn", rest: "lauter" });
    expect(readQuoted('make "it" louder')).toBeUndefined();
  });
});

describe("feedback on a kept passage", () => {
  const feedback = ['In chapter 2, make "a horn sounded" louder'];
  const run = (kept: string) =>
    bookRun({
      files: { ...written, [path]: content },
      script: { "revise-prose": [prose(2).replace(HORN, "A horn roared.")] },
      answers: { ...agreeable, kept: [kept] },
    });

  it("is asked about before any model is; a stop leaves all as it is", async () => {
    const { start, scripted, folder } = await run("stop");
    const before = subjects(folder);
    const { outcome, reason } = await start({ target: "prose", feedback });
    expect([outcome, reason]).toEqual(["declined", `nothing was written, for it is kept: chapter 2 ('${HORN}')`]);
    expect(scripted.sent).toHaveLength(0);
    expect(subjects(folder)).toEqual(before);
    // Also where a model would be asked which files are reached.
    const bell = prose(2).replace(HORN, "<!-- keep -->\nA bell rang below.\n<!-- /keep -->");
    const other = await bookRun({ files: { ...written, [path]: bell }, answers: { ...agreeable, kept: ["stop"] } });
    const { outcome: end } = await other.start({ target: "prose", feedback: ['Make "a bell rang" louder'] });
    expect(end).toBe("declined");
    expect(other.scripted.sent).toHaveLength(0);
  });

  it("is carried out where the passage is released, in a commit of its own", async () => {
    const { start, folder } = await run("release");
    expect((await start({ target: "prose", feedback })).outcome).toBe("done");
    expect(subjects(folder).slice(0, 2)).toEqual([
      `[prose] ${feedback[0]}`,
      "[prose] release what was kept in chapter 2",
    ]);
    expect(readFileSync(join(folder, path), "utf8")).toContain("A horn roared.");
  });

  it("stays released where the change is then not accepted, and the end says so", async () => {
    const { start, folder } = await bookRun({
      files: { ...written, [path]: content },
      script: { "revise-prose": [prose(2).replace(HORN, "A horn roared.")] },
      answers: { ...agreeable, kept: ["release"], accept: ["no"] },
    });
    const { reason, outcome } = await start({ target: "prose", feedback });
    expect(outcome).toBe("declined");
    expect(reason).toBe(
      "the changes were not accepted; the text is as it was; what was released stays released (/undo takes that back)",
    );
    expect(subjects(folder)[0]).toBe("[prose] release what was kept in chapter 2");
  });

  it("tells writer and judge to leave it and do the rest", async () => {
    const { start, scripted } = await bookRun({
      files: { ...written, [path]: content },
      script: { "revise-prose": [content.replace("burned low", "was out")] },
      answers: { ...agreeable, kept: ["leave"] },
    });
    expect((await start({ target: "prose", feedback })).outcome).toBe("done");
    for (const prompt of ["revise-prose", "judge"])
      expect(scripted.asked(prompt)[0]!.text).toContain(`leave what is kept to the letter, chapter 2 ('${HORN}')`);
  });

  it("tells whoever says which files are reached that it stays", async () => {
    const bell = prose(2).replace(HORN, "<!-- keep -->\nA bell rang below.\n<!-- /keep -->");
    const { start, scripted } = await bookRun({
      files: { ...written, [path]: bell },
      script: {
        reach: [{ json: { files: [{ file: "chapter-2", why: "The lamp burns there." }] } }],
        "revise-prose": [bell.replace("burned low", "was out")],
      },
      answers: { ...agreeable, kept: ["leave"] },
    });
    expect(
      (await start({ target: "prose", feedback: ['Make "a bell rang" louder, and let the lamp go out'] })).outcome,
    ).toBe("done");
    expect(scripted.asked("reach")[0]!.text).toContain("leave what is kept to the letter, chapter 2");
  });
});

describe("releaseMarks", () => {
  it("takes away the marks of some passages, and their lines", () => {
    expect(releaseMarks(content, [HORN])).toBe(prose(2));
    const two = "a <!-- keep -->b<!-- /keep --> c <!-- keep -->d<!-- /keep -->";
    expect(releaseMarks(two, ["b"])).toBe("a b c <!-- keep -->d<!-- /keep -->");
  });
});
