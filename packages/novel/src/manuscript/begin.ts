// The files that a person begins a level with by hand: its form, with nothing in it.

import type { FileBlock, Level } from "../types.ts";
import { type BookPart, chapterPath, FOUNDATION_PATH, PREMISE_PATH, partPath, TREATMENT_PATH } from "./files/layout.ts";
import { beatParts, foundationParts } from "./format/chapters.ts";

/** A level as it is begun. */
export function blankLevel(level: Level, { title }: { title: string }): FileBlock[] {
  const sections = (names: readonly string[]) => names.map((name) => `## ${name}\n`).join("\n");
  if (level === "premise")
    return [{ path: PREMISE_PATH, content: `${JSON.stringify(blankPremise(title), null, 2)}\n` }];
  if (level === "treatment")
    return [{ path: TREATMENT_PATH, content: `# ${title}\n\n${sections(["Act 1", "Act 2", "Act 3"])}` }];
  if (level === "prose") return [{ path: chapterPath("prose", 1), content: "# Chapter 1\n\n" }];
  return [
    { path: FOUNDATION_PATH, content: `# Foundation\n\n${sections(foundationParts)}` },
    { path: chapterPath("chapters", 1), content: `# Chapter 1: \n\n${sections(beatParts)}` },
  ];
}

/** A part without a number as it is begun: front and back matter have no title of their own. */
export function blankPart(part: BookPart): FileBlock {
  const title = titleOfPart(part);
  return { path: partPath("prose", part), content: title === "" ? "" : `# ${title}\n\n` };
}

/** What a part without a number is called; "" where it needs no title. */
export function titleOfPart(part: BookPart): string {
  return part === "prologue" ? "Prologue" : part === "epilogue" ? "Epilogue" : "";
}

function blankPremise(title: string) {
  return {
    ...{ title, logline: "", premise: "", genre: "", themes: [""], tone: "", setting: "" },
    protagonist: { name: "", want: "", need: "", flaw: "" },
    ...{ antagonist: "", stakes: "", hook: "" },
  };
}
