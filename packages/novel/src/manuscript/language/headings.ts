// The headings of a book's levels in its own language, as prompts and new files use them.

import { type PartName, wordsOf } from "./words.ts";

/** Headings by a short name. */
export type BookHeadings = Record<
  | "chapter"
  | "act"
  | "foundation"
  | "pov"
  | "events"
  | "development"
  | "beat"
  | "information"
  | "hook"
  | "metadata"
  | "characters"
  | "world"
  | "act_of"
  | "colon",
  string
>;

/** The headings of a language; English ones where it is not known. */
export function headingsOf(language: string | undefined): BookHeadings {
  const { chapter, act, foundation, parts } = wordsOf(language);
  const named = new Map(parts);
  const part = (name: PartName) => named.get(name)!;
  return {
    ...{ chapter, act, foundation },
    // A no-break space before it, as the French print it.
    colon: /^fr(?:[-_]|$)/i.test(language ?? "") ? "\u00a0:" : ":",
    act_of: part("Act"),
    pov: part("POV"),
    events: part("Key Events"),
    development: part("Character Development"),
    beat: part("Emotional Beat"),
    information: part("New Information"),
    hook: part("Hook"),
    metadata: part("Metadata"),
    characters: part("Characters"),
    world: part("World"),
  };
}
