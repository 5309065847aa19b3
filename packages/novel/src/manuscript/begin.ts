// The files that a person begins a level with by hand: its form, with nothing in it.

import type { FileBlock, Level } from "../types.ts";
import { type BookPart, chapterPath, FOUNDATION_PATH, PREMISE_PATH, partPath, TREATMENT_PATH } from "./files/layout.ts";
import { headingsOf } from "./language/headings.ts";
import { wordsOf } from "./language/words.ts";

/** A level as it is begun. */
export function blankLevel(
  level: Level,
  { title, language }: { title: string; language?: string | undefined },
): FileBlock[] {
  const h = headingsOf(language);
  const sections = (names: readonly string[]) => names.map((name) => `## ${name}\n`).join("\n");
  if (level === "premise")
    return [{ path: PREMISE_PATH, content: `${JSON.stringify(blankPremise(title), null, 2)}\n` }];
  if (level === "treatment")
    return [{ path: TREATMENT_PATH, content: `# ${title}\n\n${sections([1, 2, 3].map((act) => `${h.act} ${act}`))}` }];
  if (level === "prose") return [{ path: chapterPath("prose", 1), content: `# ${h.chapter} 1\n\n` }];
  const beats = [h.act_of, h.pov, h.events, h.development, h.beat, h.information, h.hook];
  return [
    { path: FOUNDATION_PATH, content: `# ${h.foundation}\n\n${sections([h.metadata, h.characters, h.world])}` },
    { path: chapterPath("chapters", 1), content: `# ${h.chapter} 1${h.colon} \n\n${sections(beats)}` },
  ];
}

/** A part without a number as it is begun: front and back matter have no title of their own. */
export function blankPart(part: BookPart, language: string | undefined): FileBlock {
  const { prologue, epilogue } = wordsOf(language);
  const title = part === "prologue" ? prologue : part === "epilogue" ? epilogue : "";
  return { path: partPath("prose", part), content: title === "" ? "" : `# ${title}\n\n` };
}

function blankPremise(title: string) {
  return {
    ...{ title, logline: "", premise: "", genre: "", themes: [""], tone: "", setting: "" },
    protagonist: { name: "", want: "", need: "", flaw: "" },
    ...{ antagonist: "", stakes: "", hook: "" },
  };
}
