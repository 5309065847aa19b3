// A change between two texts in lines, for who must follow it: what is gone, and what stands in its place.

import { alignTexts, hunksBetween, toLines } from "./lines.ts";

/** Each changed stretch of lines, `-` before what is gone and `+` before what came; cut to a length, and said so. */
export function renderLineChange(before: string, after: string, longest = 12_000): string {
  const [old, now] = [toLines(before), toLines(after)];
  const hunks = hunksBetween(alignTexts(old, now), old.length, now.length);
  const blocks = hunks.map(({ oldFrom, oldTo, newFrom, newTo }) =>
    [...old.slice(oldFrom, oldTo).map((line) => `- ${line}`), ...now.slice(newFrom, newTo).map((line) => `+ ${line}`)]
      .filter((line) => line.trim().length > 1)
      .join("\n"),
  );
  const text = blocks.filter((block) => block !== "").join("\n…\n");
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/\n[^\n]*$/, "")}\n… (more changed)`;
}
