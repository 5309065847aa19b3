import { describe, expect, it } from "vitest";
import { beatsFiles } from "../../../../test/fixtures/novel/manuscript.ts";
import { readAnswer, readChapter } from "./answer/answer.ts";
import { filesToText } from "./context.ts";
import { checkKept, keptPassages, restoreMarks } from "./format/text.ts";

const path = "chapters/chapter-03.md";
const chapter = (content: string, at = path) => [{ path: at, content }];
const kept = "# Three\n\nIt rained.\n\n<!-- keep -->\nThe lamp said: stay.\nHe stayed.\n<!-- /keep -->\n\nThen dawn.\n";

describe("kept passages", () => {
  it("are found with marks in any form, and to the end where one is never closed", () => {
    expect(keptPassages(kept)).toEqual(["\nThe lamp said: stay.\nHe stayed.\n"]);
    expect(keptPassages("a <!--KEEP-->b<!--/keep--> c <!-- keep -->d\r\ne")).toEqual(["b", "d\ne"]);
    expect(keptPassages("<!-- keeper -->x<!-- /keep -->")).toEqual([]);
  });

  it("may have everything changed around them", () => {
    expect(checkKept(chapter(kept), chapter(kept.replace("It rained.", "It poured.")))).toEqual([]);
    expect(checkKept(chapter(kept), chapter(kept.replaceAll("\n", "\r\n")))).toEqual([]);
  });

  it("that were changed are told with their place and their beginning", () => {
    expect(checkKept(chapter(kept), chapter(kept.replace("He stayed.", "He went.")))).toEqual([
      "A kept passage of chapter 3 ('The lamp said: stay. He stayed.') was changed: give it word for word between <!-- keep --> and <!-- /keep --> in chapters/chapter-03.md.",
    ]);
    expect(checkKept(chapter(kept), chapter("# Three\n\nIt rained.\n"))).toHaveLength(1);
  });

  it("that come twice must come twice", () => {
    const twice = `${kept}\n<!-- keep -->The lamp said: stay.\nHe stayed.<!-- /keep -->\n`;
    expect(checkKept(chapter(twice), chapter(kept))).toHaveLength(1);
    expect(checkKept(chapter(twice), chapter(twice))).toEqual([]);
  });

  it("stay in their chapter, unless chapters are numbered anew", () => {
    const other = { path: "chapters/chapter-04.md", content: "# Four\n\nText.\n" };
    const before = [...chapter(kept), other];
    const moved = [...chapter("# Three\n\nNew.\n"), { ...other, content: kept }];
    expect(checkKept(before, moved)[0]).toContain("is there, but not where it was");
    expect(checkKept(before, chapter(kept, "chapters/chapter-01.md"))).toEqual([]);
  });

  it("get their marks back where a writer has left out only those", () => {
    const bare = kept.replace("<!-- keep -->\n", "").replace("<!-- /keep -->\n", "").replace("rained", "poured");
    const [restored] = restoreMarks(chapter(kept), chapter(bare));
    expect(checkKept(chapter(kept), [restored!])).toEqual([]);
    expect(restored!.content).toContain("<!-- keep -->\nThe lamp said: stay.\nHe stayed.\n<!-- /keep -->");
    const twice = bare + bare;
    expect(restoreMarks(chapter(kept), chapter(twice))).toEqual(chapter(twice));
  });

  it("are checked when an answer is read", () => {
    const previous = { path, content: kept };
    const read = (text: string) => readChapter(text, { number: 3, previous });
    expect(read(kept.replace("He stayed.", "He left.")).problems[0]).toContain("A kept passage of chapter 3");
    expect(read(kept.replace("It rained.", "It poured.")).problems).toEqual([]);
    expect(read(kept.replace(/<!--.*?-->\n/g, "")).file!.content).toContain("<!-- keep -->");
    const beats = beatsFiles(2).map((file) => ({
      ...file,
      content: file.content.replace("Unease.", "<!-- keep -->Unease.<!-- /keep -->"),
    }));
    const changed = beats.map((file) => ({ ...file, content: file.content.replace("Unease", "Dread") }));
    const options = { previous: beats, project: { title: "A" }, isFirst: false, feedback: ["Darker"] };
    expect(readAnswer("chapters", filesToText(changed), options).problems).toHaveLength(2);
  });

  it("hold emoji, right-to-left text and marks of Markdown as they are", () => {
    const text = "# X\n\n<!-- keep -->«مرحبا» 🕯️ **stay** [x](y) $& $1<!-- /keep --> end.\n";
    expect(checkKept(chapter(text), chapter(text.replace("end", "END")))).toEqual([]);
    const bare = text.replaceAll(/<!--.*?-->/g, "");
    expect(restoreMarks(chapter(text), chapter(bare))[0]!.content).toBe(text);
  });
});
