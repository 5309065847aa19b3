// The notes of loops in words: each package says its own, and some mean the same for every loop.

import { FAST_RETRY, type Json, type LoopPackage, type NoteWords } from "@loopwright/core/look";
import { showCount, showNumber } from "@loopwright/terminal";

export type Notes = Readonly<Record<string, NoteWords>>;

/** A note in words; a diff where it shows one. */
export interface Told {
  words: string;
  diff?: string;
}

/** What a note of a loop that says nothing of it means. */
const common: Notes = {
  warning: ({ message }) => message,
  bell: ({ why }) => why,
  [FAST_RETRY]: ({ retry_count, errors }) => {
    const many = retry_count === 1 ? "1 re-try" : `${showNumber(retry_count)} re-tries`;
    return `fast retry, ${many} after ${showCount(errors.length, "failure")}: ${countEach(errors).join("; ")}`;
  },
};

/** Each line once, with how often it came. */
function countEach(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} times)`));
}

/** A note in words. Undefined where its package leaves it out, null where nobody has words for it. */
export function noteToWords(name: string, data: Json, notes: Notes): Told | undefined | null {
  const say = [notes, common].find((table) => Object.hasOwn(table, name))?.[name];
  if (!say) return null;
  try {
    const told = say(data);
    if (told === undefined) return undefined;
    const { words, diff } = typeof told === "string" ? { words: told, diff: undefined } : told;
    return typeof words === "string" ? { words, ...(typeof diff === "string" && { diff }) } : null;
  } catch {
    // Data of another version, or cut to its digest: it is shown as it is.
    return null;
  }
}

/** The same notes, with the commands in their words as they are typed. */
export function typedNotes(notes: Notes, told: (text: string) => string): Notes {
  const typed =
    (say: NoteWords): NoteWords =>
    (data) => {
      const words = say(data);
      if (typeof words === "string") return told(words);
      return words && { ...words, words: told(words.words) };
    };
  return Object.fromEntries(Object.entries(notes).map(([name, say]) => [name, typed(say)]));
}

/** A loop's own words, as they are found from a folder; none where its package cannot be loaded. */
export async function findWords(
  loop: string,
  dir: string,
): Promise<Pick<LoopPackage, "notes" | "gates" | "steps" | "legends" | "passesAt">> {
  try {
    const [{ findPackage }, { loadLoops }] = await Promise.all([import("./find-package.ts"), import("./sources.ts")]);
    return (await findPackage(loop, { loops: await loadLoops(dir) })).package;
  } catch {
    return { notes: {}, gates: {} };
  }
}
