// Where a text stands in files: as it is, or as a regular expression where it is a sound one.
//
// The pattern is a model's, and one that backtracks for ever must not hang the run: the search is made under a limit of time that
// ends it in the middle of a match. What was found until then is kept.

import { createContext, Script } from "node:vm";
import type { FileBlock } from "@loopwright/workspace";

export interface Found {
  /** The first places, how many there are in all, and in how many files. */
  places: { path: string; line: number; text: string }[];
  count: number;
  files: number;
  /** Why the pattern is no regular expression here, and only a text. */
  problem?: string;
  /** Whether the pattern was too much, and the search was ended. */
  isEnded: boolean;
}

/** How long a search may take, and how many places are kept, in all and of one file. */
export const MOST_MS = 1_000;
export const MOST_PLACES = 60;
export const MOST_OF_A_FILE = 20;

/** What runs under the limit: nothing of it is the model's but the pattern, which is data. */
const search = new Script(`
  let expression;
  try { expression = new RegExp(source, flags); } catch (error) { found.problem = String(error.message); }
  for (const [path, lines] of files) {
    let own = 0;
    for (let at = 0; at < lines.length; at++) {
      if (!lines[at].includes(pattern) && !(expression && expression.test(lines[at]))) continue;
      found.count++;
      if (own++ === 0) found.files++;
      if (own <= ${MOST_OF_A_FILE} && found.places.length < ${MOST_PLACES})
        found.places.push({ path, line: at + 1, text: lines[at] });
    }
  }
`);

/** Looks for a pattern, line by line, in the order of the files. Flags stand in it as other languages have them: `(?i)todo`. */
export function grep(files: readonly FileBlock[], pattern: string, ms = MOST_MS): Found {
  const inner = [...pattern.matchAll(/\(\?([ims]+)\)/g)].map(([, each]) => each!).join("");
  const [flags, source] = [[...new Set(inner)].join(""), pattern.replaceAll(/\(\?[ims]+\)/g, "")];
  const lines = files.map(({ path, content }) => [path, content.split("\n")]);
  const found: Omit<Found, "isEnded"> = { places: [], count: 0, files: 0 };
  try {
    search.runInContext(createContext({ files: lines, pattern, source, flags, found }), { timeout: ms });
    return { ...found, isEnded: false };
  } catch {
    // Out of time, or a pattern that no engine can hold.
    return { ...found, isEnded: true };
  }
}
