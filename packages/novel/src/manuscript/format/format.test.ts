import { describe, expect, it } from "vitest";
import {
  beatsFile,
  beatsFiles,
  foundationFile,
  premiseFile,
  proseFile,
  proseFiles,
  treatmentFile,
} from "../../../../../test/fixtures/novel/manuscript.ts";
import type { FileBlock } from "../../types.ts";
import { checkFormat, readBeat } from "./format.ts";
import { type FormatOptions, findTruncatedEnd } from "./text.ts";

const project = { title: "The Lantern Road" };
const first: FormatOptions = { previous: [], project, isFirst: true };

describe("the format of a level", () => {
  it("is right in the samples", () => {
    expect(checkFormat("premise", [premiseFile], first)).toEqual([]);
    expect(checkFormat("treatment", [treatmentFile], first)).toEqual([]);
    expect(checkFormat("chapters", beatsFiles(3), first)).toEqual([]);
    expect(checkFormat("prose", proseFiles(3), first)).toEqual([]);
  });

  it("is wrong where the level has no file, or another level's", () => {
    expect(checkFormat("premise", [], first)).toEqual(["premise/premise_metadata.json is missing."]);
    expect(checkFormat("treatment", [premiseFile], first)[0]).toBe(
      "premise/premise_metadata.json is no file of the level 'treatment'.",
    );
    expect(checkFormat("prose", beatsFiles(1), first)).toContain(
      "There is no chapter: give each one as a file of its own.",
    );
  });

  it("does not mind a byte order mark and line ends of another system", () => {
    const dos = ({ path, content }: FileBlock) => ({ path, content: `\uFEFF${content.replaceAll("\n", "\r\n")}` });
    expect(checkFormat("chapters", beatsFiles(3).map(dos), first)).toEqual([]);
    expect(checkFormat("treatment", [dos(treatmentFile)], first)).toEqual([]);
  });

  it("leaves a person free in their own work: other chapters, a sentence that is not finished yet", () => {
    const previous = proseFiles(3);
    const open = { ...proseFile(4), content: `${proseFile(4).content}\nAnd then he went down to the water and\n` };
    expect(checkFormat("prose", [...previous, open], { previous, project, isFirst: false })).toEqual([]);
    const asked = checkFormat("prose", [...previous, open], {
      previous,
      project,
      isFirst: false,
      feedback: ["Darker"],
    });
    expect(asked).toHaveLength(2);
  });
});

describe("the beats of a chapter", () => {
  const { path, content } = beatsFile(2);
  const check = (text: string) =>
    checkFormat("chapters", [foundationFile, beatsFile(1), { path, content: text }], first);

  it("may have their parts as headings, or as labels in any usual form", () => {
    const labels =
      "# Chapter 2: Lamp\n\n**Act:** II\n**POV**: Ysolde\n\n**Key Events:**\n- She runs\n- She falls\n\n- **Character Development:** She dares.\nEmotional Beat: Fear\n__New Information:__ None of it was true.\n**Hook** — A knock.\n";
    expect(check(labels)).toEqual([]);
    expect(readBeat(labels, "Key Events")).toBe("- She runs\n- She falls");
    expect(readBeat(labels, "Hook")).toBe("A knock.");
    expect(readBeat(content, "POV")).toBe("Marcus");
    expect(check(content.replaceAll("## ", "### ").replace("### POV\n\nMarcus", "### POV: Marcus"))).toEqual([]);
    expect(readBeat(content, "Key Events")!.split("\n")).toHaveLength(2);
  });

  it("are refused with all that they lack", () => {
    const truncated = content.slice(0, content.indexOf("## Emotional Beat"));
    expect(check(truncated)).toEqual([
      "chapter-beats/chapter-02.md lacks: Emotional Beat, New Information, Hook. Give each as a heading ('## Hook') with text under it.",
    ]);
    expect(check(content.replace("A light where none should be.", ""))[0]).toContain("lacks: Hook.");
    expect(check(content.replace("# Chapter 2: Lamp 2\n", ""))[0]).toContain("does not begin with a title");
  });

  it("may count as their author does: the path says which chapter it is", () => {
    for (const title of ["CHAPTER 28. Ahab.", "Chapter Two", "The Third Lamp"])
      expect(check(content.replace("Chapter 2: Lamp 2", title))).toEqual([]);
  });

  it("are refused with the foundation where that lacks a part", () => {
    const foundation = {
      ...foundationFile,
      content: foundationFile.content.replace("## World\n\nA city that sinks.\n", ""),
    };
    expect(checkFormat("chapters", [foundation, beatsFile(1)], first)).toEqual([
      "chapter-beats/foundation.md has no heading '## World'.",
    ]);
    const nested = foundationFile.content.replace(
      "- Marcus Vell, lamplighter\n- Ysolde, his sister",
      "### Marcus\n\nLamplighter.",
    );
    expect(checkFormat("chapters", [{ ...foundationFile, content: nested }, beatsFile(1)], first)).toEqual([]);
  });
});

describe("a text that is not whole", () => {
  const story = "It rained. It rained hard.\n\n“Stay,” she said.\n\n";
  it.each([
    ["He went to the door and opened it and", true],
    ["He went to the door and opened it,", true],
    ["He went to the door and opened it.", false],
    ["„Ich gehe jetzt nach Hause und bleibe dort“", false],
    ["*And that, in the end, was all of it.*", false],
    ["She wrote it down, and signed it —", false],
    ["The End", false],
    ["- a list of six words or so", false],
    ["He smiled at her for the last time 🙂", false],
    ["Lamps go out <!-- keep -->and he stays there alone.<!-- /keep -->", false],
  ])("stops in the middle of a sentence: %s → %s", (end, isTruncated) => {
    expect(findTruncatedEnd(story + end) !== undefined).toBe(isTruncated);
  });
});
