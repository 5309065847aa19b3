// The title line of a chapter's text: its number moved along, or another title put in.

import { sectionsOf } from "../manuscript/headings.ts";
import { bareTitle, readChapterTitle, renumberTitle } from "../manuscript/language/chapter-title.ts";

/** A text whose title counts so many more. A bare figure is a number only where it is the chapter's own. */
export function shiftTitle(text: string, by: number, own: number): string {
  if (by === 0) return text;
  return changeTitle(text, (title) => {
    const found = readChapterTitle(title);
    if (!found || (found.lead === "" && found.number !== own)) return title;
    return renumberTitle(title, Math.max(1, found.number + by));
  });
}

/** A text with other words in its title; the number stays. */
export function retitle(text: string, words: string): string {
  return changeTitle(text, (title) => {
    const found = readChapterTitle(title);
    if (!found) return words === "" ? `${title} (2)` : words;
    const bare = bareTitle(title);
    const rest = bare === "" ? "" : found.rest.slice(0, found.rest.lastIndexOf(bare));
    if (words === "") return `${found.lead}${found.written}${/章|장/.exec(rest)?.[0] ?? ""}`;
    return `${found.lead}${found.written}${rest === "" ? ": " : rest}${words}`;
  });
}

/** A text's body below its title. */
export function bodyOf(text: string): string {
  const [first] = sectionsOf(text);
  return first?.depth === 1 ? text.split("\n").slice(first.line).join("\n").trim() : text.trim();
}

/** A text with another body below its title. */
export function withBody(text: string, body: string): string {
  const [first] = sectionsOf(text);
  const head = first?.depth === 1 ? `${text.split("\n").slice(0, first.line).join("\n").trimEnd()}\n\n` : "";
  return `${head}${body.trim()}\n`;
}

function changeTitle(text: string, change: (title: string) => string): string {
  const [first] = sectionsOf(text);
  if (first?.depth !== 1) return text;
  const lines = text.split("\n");
  lines[first.line - 1] = lines[first.line - 1]!.replace(
    /^( {0,3}#[ \t]+)(.*?)([ \t]*\r?)$/,
    (_, mark, title, end) => `${mark}${change(title)}${end}`,
  );
  return lines.join("\n");
}
