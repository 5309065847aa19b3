// The voice of a book as its own prose has it: a few passages, and what can be counted of its sentences.

import { countWords, withoutComments } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";

const SAMPLE_WORDS = 320;
const SHORTEST_PARAGRAPH = 12;
const QUOTES: readonly (readonly [RegExp, string])[] = [
  [/“[^”]+”/g, "“ and ”"],
  [/„[^“”]+[“”]/g, "„ and “"],
  [/«[^»]+»/g, "« and »"],
  [/»[^«]+«/g, "» and «"],
  [/「[^」]+」/g, "「 and 」"],
  [/"[^"\n]+"/g, '" and "'],
  [/^[—–] ?\S/gm, "a dash at the beginning of a paragraph"],
];

/** style.md of a book that was imported: its voice, from its own prose; undefined where there is too little of it. */
export function styleFromProse(prose: readonly FileBlock[]): string | undefined {
  const chapters = prose.map(({ content }) => paragraphsOf(content)).filter((found) => found.length > 0);
  const sample = samplePassages(chapters);
  if (sample === "") return undefined;
  const rules = countedRules(chapters.flat());
  return `# Style

<!-- What stands here is told to the writer and to the judge as rules. Change it as you like; it was made from the imported prose. -->

## Rules

${rules.map((rule) => `- ${rule}`).join("\n")}

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

function countedRules(paragraphs: readonly string[]): string[] {
  const text = paragraphs.join("\n\n");
  const sentences = text.split(/(?<=[.!?…。！？]["”’»」]?)\s+|\n{2,}/).filter((sentence) => countWords(sentence) > 0);
  const mean = Math.round(countWords(text) / Math.max(1, sentences.length));
  const quotes = QUOTES.map(([pattern, name]) => ({ name, count: text.match(pattern)?.length ?? 0 })).sort(
    (a, b) => b.count - a.count,
  )[0]!;
  const spoken = paragraphs.filter((paragraph) => /[“„«»「"]|^[—–]/.test(paragraph)).length / paragraphs.length;
  return [
    `Over the whole book sentences have about ${mean} words on average; short and long ones change as in the sample.`,
    ...(quotes.count > 0
      ? [`What is spoken stands between ${quotes.name}.`.replace("between a dash", "behind a dash")]
      : []),
    `Over the whole book about ${Math.round(spoken * 20) * 5}% of the paragraphs hold something spoken; a chapter keeps its own share.`,
  ];
}
