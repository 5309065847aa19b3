// Where a text stands in files: as it is, or as a regular expression where it is a sound one.
//
// The pattern is a model's, and one that backtracks for ever must not hang the run: the search is made under a limit of time that
// ends it in the middle of a match. What was found until then is kept.

import { createContext, Script } from "node:vm";
import type { FileBlock } from "@loopwright/workspace";

export interface Place {
  path: string;
  line: number;
  text: string;
}

export interface Found {
  /** The first places, and how many there are in all. */
  places: Place[];
  count: number;
  /** How many files hold one. */
  files: number;
  /** Whether the pattern was too much, and the search was ended. */
  isEnded: boolean;
}

export interface GrepLimits {
  ms: number;
  /** Places that are kept, in all and of one file. */
  most: number;
  ofOneFile: number;
}

export const grepLimits: GrepLimits = { ms: 1_000, most: 60, ofOneFile: 20 };

/** What runs under the limit: nothing of it is the model's but the pattern, which is data. */
const search = new Script(`
  let expression;
  try { expression = new RegExp(pattern); } catch { expression = undefined; }
  for (const [path, lines] of files) {
    let own = 0;
    for (let at = 0; at < lines.length; at++) {
      if (!lines[at].includes(pattern) && !(expression && expression.test(lines[at]))) continue;
      found.count++;
      if (own++ === 0) found.files++;
      if (own <= limits.ofOneFile && found.places.length < limits.most) found.places.push([path, at + 1]);
    }
  }
`);

/** Looks for a pattern, line by line, in the order of the files. */
export function grep(files: readonly FileBlock[], pattern: string, limits: GrepLimits = grepLimits): Found {
  const lines = files.map(({ path, content }) => [path, content.split("\n")] as const);
  const found = { places: [] as [string, number][], count: 0, files: 0 };
  let isEnded = false;
  try {
    search.runInContext(createContext({ files: lines, pattern, limits, found }), { timeout: limits.ms });
  } catch {
    // Out of time, or a pattern that no engine can hold.
    isEnded = true;
  }
  const texts = new Map(lines);
  const places = found.places.map(([path, line]) => ({ path, line, text: texts.get(path)![line - 1]! }));
  return { places, count: found.count, files: found.files, isEnded };
}
