// The characters of a book, from its foundation. A regeneration does not lose them, and a cull does not either: the last
// foundation is in the repository.

import { sectionsOf, shorten } from "../manuscript/words.ts";

export interface Character {
  name: string;
  /** What the foundation says of them, in a line. */
  about: string;
}

const LONGEST = 220;
const SECTION = /\b(?:characters?|cast)\b/i;
const ITEM = /^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/;
/** `**Mara Voss** (58): …`, `Mara: …`, `Mara — …`; a name begins with a capital, or has no case at all. */
const NAMED =
  /^(?:\*\*|__)?(\p{Lu}[\p{L}'’.-]*(?:[ ](?:\p{Lu}|von|van|de|da|of|the|del|la|le|al)[\p{L}'’.-]*){0,4}|\p{Lo}{1,8})(?:\*\*|__)?[ ]*(?:\([^)]*\))?[ ]*(?:\*\*)?[:：—–,][ ]*(?:\*\*)?[ ]*(\S.*)$/u;

/** The characters that a foundation names. */
export function castOf(foundation: string): Character[] {
  const sections = sectionsOf(foundation);
  const at = sections.findIndex(({ title }) => SECTION.test(title));
  if (at < 0) return [];
  const { depth, body } = sections[at]!;
  const end = sections.findIndex((section, index) => index > at && section.depth <= depth);
  const below = sections.slice(at + 1, end < 0 ? undefined : end);
  const named = below.map(({ title, body: text }) => ({ name: plain(title), about: shorten(text, LONGEST) }));
  // A line may name several: what begins in bold after a sentence's end is somebody else.
  const listed = body.split(/\n|(?<=[.!?…])[ ]+(?=\*\*\p{Lu})/u).flatMap((line) => readLine(line.replace(ITEM, "")));
  return unique([...named.filter(({ name }) => name !== ""), ...listed]);
}

function readLine(line: string): Character[] {
  const [, name, about] = NAMED.exec(line.trim()) ?? [];
  return name === undefined || about === undefined ? [] : [{ name: plain(name), about: shorten(about, LONGEST) }];
}

function plain(text: string): string {
  return text
    .replace(/[*_`]/g, "")
    .replace(/\s*[(:—–].*$/, "")
    .trim();
}

/** The same people, each once. */
function unique(cast: readonly Character[]): Character[] {
  return cast.filter(({ name }, index) => cast.findIndex((other) => other.name === name) === index);
}

/** Characters of before whom the new text does not name, and the feedback neither: nobody asked for them to go. */
export function lostCharacters(before: readonly Character[], after: string, feedback: readonly string[]): string[] {
  const [text, asked] = [after.toLowerCase(), feedback.join("\n").toLowerCase()];
  const parts = (name: string) => name.toLowerCase().split(/\s+/);
  return before
    .map(({ name }) => name)
    .filter((name) => !parts(name).some((part) => part.length > 1 && (text.includes(part) || asked.includes(part))));
}
