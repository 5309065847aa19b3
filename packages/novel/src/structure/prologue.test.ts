// A prologue is reached, written, judged and shown like a chapter, by its name.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { beats, begin, bookRun, notesOf, prose, written } from "../../../../test/fakes/book-runs.ts";
import { openManuscript } from "../manuscript/index.ts";
import { namedFiles } from "../reach/named.ts";
import { readFileList } from "../reach/words.ts";
import { fitsName } from "../repl/words/file-names.ts";
import { showFor } from "../said/outline.ts";

const PROLOGUE = "chapters/prologue.md";
const text = (line: string) => `# Prologue\n\nBefore it all, ${line}.\n\n<!-- keep -->The oath.<!-- /keep -->\n`;
const plan = beats(1, "The oath is sworn.").replace("# Chapter 1: Night 1", "# Prologue");
const files = { ...written, [PROLOGUE]: text("the lamp was lit"), "chapter-beats/prologue.md": plan };

describe("feedback that names the prologue", () => {
  const paths = ["chapters/front-matter.md", PROLOGUE, "chapters/chapter-01.md", "chapters/epilogue.md"];

  it.each([
    ["The prologue is too long", [PROLOGUE]],
    ["Der Prolog ist zu lang", [PROLOGUE]],
    ["Shorten the epilogue", ["chapters/epilogue.md"]],
    ["The front matter needs a dedication", ["chapters/front-matter.md"]],
  ])("reaches it without a reader: %s", (feedback, found) => {
    expect(namedFiles([feedback], paths)).toEqual(found);
  });

  it.each([
    "Make the prologue and chapter 1 dark",
    "After the prologue she is afraid",
    "Make it like the prologue everywhere",
  ])("takes a reader where more may be meant, or less: %s", (feedback) =>
    expect(namedFiles([feedback], paths)).toBeUndefined(),
  );

  it("is named at the question and in commands in any language", () => {
    expect(readFileList("the prologue, 1", paths).files).toEqual([PROLOGUE, "chapters/chapter-01.md"]);
    for (const name of ["prologue", "Prolog", "prologue.md"]) expect(fitsName(PROLOGUE, name), name).toBe(true);
    expect(fitsName("chapters/epilogue.md", "prologue")).toBe(false);
  });
});

describe("a prologue", () => {
  it("is written with its plan and what follows it, judged, told of and committed", async () => {
    const { start, test, scripted, folder } = await bookRun({
      files,
      script: { "revise-prose": ["# Prologue\n\nShort.\n", text("it was dark")] },
    });
    const { outcome, run, state } = await start({ target: "prose", feedback: ["The prologue is too long"] });
    expect(outcome).toBe("done");
    expect(state.reach).toMatchObject({ files: [PROLOGUE], by: "numbers" });
    const [asked] = scripted.asked("revise-prose");
    expect(asked!.text).toContain("# Prologue, as it is");
    expect(asked!.text).toContain("The oath is sworn.");
    expect(asked!.text).toMatch(/# The prose that follows it[\s\S]*# Chapter 1: Night 1/);
    // The first answer had lost the kept passage.
    expect(scripted.asked("revise-prose")).toHaveLength(2);
    for (const id of ["judge", "semantic-diff"]) {
      const shown = scripted.asked(id)[0]!.text;
      expect(shown, id).toContain("Before it all, it was dark.");
      expect(shown, id).toContain("The oath is sworn.");
    }
    expect(await notesOf(test, run, "chapter-finished")).toMatchObject([{ part: "prologue", at: 1, count: 1 }]);
    expect(readFileSync(join(folder, PROLOGUE), "utf8")).toBe(text("it was dark"));
    expect((await openManuscript(folder)).text("chapters/chapter-01.md")).toBe(prose(1));
  });

  it("is stale when its plan changes, and a cascade brings it in line", async () => {
    const { test, folder } = await bookRun({ files, script: { "revise-prose": [text("it was dark")] } });
    const edited = [{ path: "chapter-beats/prologue.md", content: plan.replace("sworn", "broken") }];
    await begin(test, { kind: "edit", edited });
    const stale = (await openManuscript(folder)).stale().flatMap((each) => each.files.map(({ path }) => path));
    expect(stale).toEqual([PROLOGUE]);
    const cascade = {
      direction: "down",
      from: "chapters",
      levels: [],
      files: stale,
      iteration_id: "a",
      feedback: "",
    } as const;
    const feedback = ["Bring it in line"];
    expect(
      (await begin(test, { iteration_id: "b", target: "prose", feedback, cascade: { ...cascade, levels: [] } }))
        .outcome,
    ).toBe("done");
    expect((await openManuscript(folder)).stale()).toEqual([]);
  });

  it("can be all the prose that there is", async () => {
    const alone = Object.fromEntries(Object.entries(files).filter(([path]) => !/^chapters.chapter/.test(path)));
    const { start, folder } = await bookRun({ files: alone, script: { "revise-prose": [text("it was dark")] } });
    expect((await start({ target: "prose", feedback: ["Darker"] })).outcome).toBe("done");
    expect((await openManuscript(folder)).text(PROLOGUE)).toBe(text("it was dark"));
  });

  it("has variants, and is shown to whoever answers a question about it", async () => {
    const { start, folder, scripted } = await bookRun({
      files,
      script: { variant: [text("it rained"), text("it snowed")] },
      answers: { variant: ["2"], detail: ["skip"], accept: ["yes"] },
    });
    expect((await start({ target: "prose", feedback: ["Colder"], variants: 2, file: PROLOGUE })).outcome).toBe("done");
    expect(scripted.asked("variant")[0]!.text).toContain("The oath is sworn.");
    const manuscript = await openManuscript(folder);
    expect(manuscript.text(PROLOGUE)).toBe(text("it snowed"));
    const long = { ...manuscript, read: async (level: never) => (await manuscript.read(level)).map(makeLong) };
    expect((await showFor(long, "What is the prologue for?")).prose[0]!.path).toBe(PROLOGUE);
  });
});

function makeLong<Block extends { content: string }>(file: Block): Block {
  return { ...file, content: `${file.content}\n${"a prologue for all of it ".repeat(2_500)}` };
}
