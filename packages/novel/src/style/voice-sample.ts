// The voice of a book as its own prose has it: a few passages.

import { countWords, withoutComments } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";

const SAMPLE_WORDS = 320;
const SHORTEST_PARAGRAPH = 12;
/** style.md of a book that was imported: its voice, from its own prose; undefined where there is too little of it. */
export function styleFromProse(prose: readonly FileBlock[]): string | undefined {
  const chapters = prose.map(({ content }) => paragraphsOf(content)).filter((found) => found.length > 0);
  const sample = samplePassages(chapters);
  if (sample === "") return undefined;
  return `# Style

<!-- What stands here is told to the writer and to the judge as rules. Change it as you like; it was made from the imported prose. -->

## Rules

## Voice sample

${sample}
`;
}

/** Paragraphs of prose: no headings, rules or comments. */
function paragraphsOf(content: string): string[] {
  return withoutComments(content)
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "" && !/^(?:#|>|```|(?:[*_-][ \t]*){3,}$)/.test(paragraph));
}

/** The opening, and a passage from the middle of a chapter in the middle: how it begins, and how it goes. */
function samplePassages(chapters: readonly (readonly string[])[]): string {
  const opening = passage(chapters[0] ?? [], 0);
  const middle = chapters[chapters.length >> 1] ?? [];
  const going = passage(middle, middle.length >> 1);
  return [opening, ...(going === "" || going === opening ? [] : [going])].join("\n\n***\n\n");
}

function passage(paragraphs: readonly string[], from: number): string {
  const start = paragraphs.findIndex((text, at) => at >= from && countWords(text) >= SHORTEST_PARAGRAPH);
  const taken: string[] = [];
  let left = SAMPLE_WORDS / 2;
  for (const paragraph of start < 0 ? [] : paragraphs.slice(start)) {
    const words = countWords(paragraph);
    if (taken.length > 0 && words > left) break;
    taken.push(paragraph);
    left -= words;
  }
  return taken.join("\n\n");
}
