// A chapter that is too long for one answer is written in parts, which together are the chapter to the letter.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  approved,
  bookRun,
  notesOf,
  planned,
  prose,
  reaches,
  refused,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { novel } from "../index.ts";
import { countWords } from "../manuscript/words.ts";
import { asPart, pieceName, piecesOf, splitText } from "./pieces.ts";

/** A chapter of so many paragraphs of a hundred words each. */
function long(paragraphs: number, end = "\n\n"): string {
  const text = (at: number) => `Paragraph ${at} rests ${"and the sea went on beyond the wall ".repeat(12)}there.`;
  return ["# Chapter 1: Night 1", ...Array.from({ length: paragraphs }, (_, at) => text(at))].join(end).concat("\n");
}

describe("pieces of chapters", () => {
  it("are the chapters, and of a long one parts of about the same length", () => {
    const words: Record<string, string | number> = { a: 7_000, b: 16_000, c: 0, d: long(80), e: "# One\n" };
    const pieces = piecesOf(Object.keys(words), (path) => words[path]!);
    expect(pieces.map((piece) => `${piece.path} ${pieceName(piece)}`.trim())).toEqual([
      ...["a", "b 1 of 4", "b 2 of 4", "b 3 of 4", "b 4 of 4", "c", "d 1 of 2", "d 2 of 2", "e"],
    ]);
  });

  it.each<[string, string]>([
    ["paragraphs", long(40)],
    ["paragraphs with the line ends of another system", long(40).replaceAll("\n", "\r\n")],
    ["paragraphs with more space between them", long(40, "\n  \n\n")],
    ["lines alone", long(40, "\n")],
    ["one paragraph", `# One\n\n${"The lamp burned on. ".repeat(900)}\n`],
    ["one that is long, and short ones", `# One\n\n${"The lamp burned on. ".repeat(900)}\n\nA.\n\nB.\n\nC.\n`],
    ["no spaces", `# 一\n\n${"灯が点いた。".repeat(500)}\n`],
  ])("of %s are the text to the letter, and none is empty", (_what, text) => {
    const parts = splitText(text, 3);
    expect(parts.join("")).toBe(text);
    const share = countWords(text) / 3;
    for (const part of parts) expect(Math.abs(countWords(part) - share)).toBeLessThanOrEqual(share / 2);
  });

  it("have in one of them what is kept", () => {
    const text = long(40).replace("Paragraph 10 ", "<!-- keep -->$&").replace("Paragraph 18 ", "$&<!-- /keep -->");
    const parts = splitText(text, 4);
    expect(parts.join("")).toBe(text);
    expect(parts.map((part) => part.includes("keep -->"))).toEqual([false, true, false, false].slice(0, parts.length));
    const all = `<!-- keep -->${long(40)}<!-- /keep -->\n`;
    expect(splitText(all, 4)).toEqual([all]);
  });

  it("have the space between them that stands there", () => {
    const part = { path: "a", nth: 1, of: 2 };
    expect(asPart("New.\n", part, "Old.\r\n\r\n")).toBe("New.\r\n\r\n");
    expect(asPart("New.", part, undefined)).toBe("New.\n\n");
    expect(asPart("New.", { ...part, nth: 2 }, undefined)).toBe("New.\n");
    expect(asPart("New.", { ...part, of: 1 }, "Old.\n\n")).toBe("New.");
  });
});

describe("a chapter of 16,000 words", () => {
  const chapter = long(158);
  const files = { ...written, "chapters/chapter-01.md": chapter };
  const task = { target: "prose" as const, feedback: ["Let it stir"] };
  const passage = (number: number) =>
    `===PASSAGE===\nParagraph ${number} rests\n===BECOMES===\nParagraph ${number} stirs\n===END PASSAGE===`;
  const same = "===UNCHANGED===";
  const read = (folder: string) => readFileSync(join(folder, "chapters/chapter-01.md"), "utf8");

  it("is revised part by part, each with what stands around it, and the rest stays byte for byte", async () => {
    const parts = splitText(chapter, 4);
    const { start, scripted, folder, test } = await bookRun({
      files,
      script: { read: [reaches(1)], "revise-prose": [same, passage(50), same, passage(150)] },
    });
    const { outcome, run } = await start(task);
    expect(outcome).toBe("done");
    const asked = scripted.asked("revise-prose").map(({ text }) => text);
    expect(asked).toHaveLength(4);
    for (const [at, text] of asked.entries()) {
      expect(text).toContain(`this is part ${at + 1} of 4 of it`);
      expect(text).toContain(parts[at]!.trim());
    }
    expect(asked[0]).toContain("`# Chapter 1: Night 1`");
    expect(asked[1]).toContain("without a heading");
    // The part before as it is by now, and the part after.
    expect(asked[2]).toMatch(/# The prose just before it[\s\S]*Paragraph 50 stirs/);
    expect(asked[2]).toMatch(/# The prose that follows it[\s\S]*Paragraph 150 rests/);
    expect(read(folder)).toBe(chapter.replace(/Paragraph (50|150) rests/g, "Paragraph $1 stirs"));
    const finished = await notesOf(test, run, "chapter-finished");
    expect(finished.map(({ piece, is_unchanged }) => [piece, is_unchanged])).toEqual([
      ...[
        ["1 of 4", true],
        ["2 of 4", false],
        ["3 of 4", true],
        ["4 of 4", false],
      ],
    ]);
  });

  it("is shown with what each paragraph was, though its parts begin at others since the last attempt", async () => {
    const more = long(30).replaceAll("rests", "grows").split("\n\n").slice(1).join("\n\n");
    const grown = `===PASSAGE===\nParagraph 3 rests\n===BECOMES===\n${more}\n\nParagraph 3 stirs\n===END PASSAGE===`;
    const { start, scripted } = await bookRun({
      files,
      script: {
        read: [reaches(1)],
        "revise-prose": [grown, same, same, passage(150), same, same, same, same, same],
        judge: [refused, approved],
      },
      answers: { ...agreeable, continue: ["yes"] },
    });
    expect((await start(task)).outcome).toBe("done");
    const again = scripted
      .asked("revise-prose")
      .slice(4)
      .map(({ text }) => text.match(/^\[\[\w+/gm)?.length ?? 0);
    expect(again).toEqual([31, 0, 0, 0, 1]);
  });

  it("goes on with the part that the network broke off at", async () => {
    const gone = new InfrastructureError("ENDPOINT_GONE", "no answer");
    const { start, test, folder } = await bookRun({
      files,
      script: { read: [reaches(1)], "revise-prose": [passage(3), same, gone] },
    });
    const stopped = await start(task);
    expect(stopped).toMatchObject({ outcome: "failed", state: { written: [{}, {}] } });
    const back = await bookRun({ script: { "revise-prose": [same, passage(150)] } });
    const again = test.other({ ...back.ports, project: folder });
    expect(await again.engine.resume(novel, stopped.run)).toMatchObject({ outcome: "done" });
    expect(back.scripted.asked("revise-prose")).toHaveLength(2);
    expect(read(folder)).toBe(chapter.replace(/Paragraph (3|150) rests/g, "Paragraph $1 stirs"));
  });

  it("may have a part given whole, with a heading that it should not have", async () => {
    const parts = splitText(chapter, 4).map((part) => part.replaceAll("rests", "stirs"));
    const judge = { json: { verdict: "approved", reasoning: "It stirs.", items: [{ met: true, concerns: true }] } };
    const given = [parts[0]!, `# Chapter 1: Night 1\n\n${parts[1]}`, parts[2]!, parts[3]!];
    const { start, folder } = await bookRun({
      files,
      script: { read: [reaches(1)], "revise-prose": given, judge: [judge] },
    });
    expect((await start(task)).outcome).toBe("done");
    expect(read(folder)).toBe(chapter.replaceAll("rests", "stirs"));
  });

  it("is generated in parts too, where so many words are wanted", async () => {
    const project = { "project.yaml": "title: The Lamp\ngenre: literary\ntarget_words: 30000\nchapters: 3\n" };
    const texts = [1, 2, 3].flatMap((number) => [prose(number).trim(), "It went on.", "It ended."]);
    const { start, scripted, folder } = await bookRun({
      ...{ files: { ...planned, ...project }, script: { "generate-prose": texts }, answers: agreeable },
    });
    expect((await start({ kind: "generate", target: "prose" })).outcome).toBe("done");
    const asked = scripted.asked("generate-prose").map(({ text }) => text);
    expect(asked).toHaveLength(9);
    expect(asked[1]).toContain("this is part 2 of 3");
    expect(asked[1]).toContain("Aim at about 3333 words.");
    expect(read(folder)).toBe(`${prose(1)}\nIt went on.\n\nIt ended.\n`);
  });
});
