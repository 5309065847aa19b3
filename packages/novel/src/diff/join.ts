// Two changes of one text, each made without the other: what both come to, where they touch different lines. Pure.

import { alignTexts, type Hunk, hunksBetween, toLines } from "./lines.ts";

/** The text with both changes; undefined where they meet, for then a person says which holds. */
export function joinTexts(base: string, mine: string, theirs: string): string | undefined {
  const old = toLines(base);
  const changes = [mine, theirs].map((text) => changesTo(old, toLines(text)));
  const [own = [], other = []] = changes;
  // Changes side by side meet too: where one ends the other may have meant to begin.
  if (own.some((each) => other.some((one) => each.oldFrom <= one.oldTo && one.oldFrom <= each.oldTo))) return undefined;
  const joined = [...old];
  for (const { oldFrom, oldTo, lines } of [...own, ...other].sort((a, b) => b.oldFrom - a.oldFrom))
    joined.splice(oldFrom, oldTo - oldFrom, ...lines);
  return `${joined.join("\n")}\n`;
}

function changesTo(old: readonly string[], now: readonly string[]): (Hunk & { lines: string[] })[] {
  return hunksBetween(alignTexts(old, now), old.length, now.length).map((hunk) => ({
    ...hunk,
    lines: now.slice(hunk.newFrom, hunk.newTo),
  }));
}
