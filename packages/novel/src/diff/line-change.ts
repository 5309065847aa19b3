// A change between two texts in lines, for who must follow it: what is gone, and what stands in its place.

import { alignTexts, type Hunk, hunksBetween, toLines } from "./lines.ts";

/** Of a long paragraph that stays for the most part, so many signs are shown on each side of what changed. */
const AROUND = 160;

/** Each changed stretch of lines, `-` before what is gone and `+` before what came; cut to a length, and said so. */
export function renderLineChange(before: string, after: string, longest = 12_000): string {
  const [old, now] = [toLines(before), toLines(after)];
  const hunks = hunksBetween(alignTexts(old, now), old.length, now.length);
  const blocks = hunks.map((hunk) => blockOf(hunk, old, now)).filter((block) => block !== "");
  const text = blocks.join("\n…\n");
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/\n[^\n]*$/, "")}\n… (more changed)`;
}

function blockOf({ oldFrom, oldTo, newFrom, newTo }: Hunk, old: readonly string[], now: readonly string[]): string {
  const [gone, come] = [old.slice(oldFrom, oldTo), now.slice(newFrom, newTo)];
  const pairs = gone.length === come.length ? gone.map((line, at) => aroundChange(line, come[at]!)) : undefined;
  const lines = pairs
    ? pairs.flatMap(([was, is]) => [`- ${was}`, `+ ${is}`])
    : [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)];
  return lines.filter((line) => line.trim().length > 1).join("\n");
}

/** Two versions of a line, without most of what they share at their ends. */
function aroundChange(was: string, is: string): [string, string] {
  const shortest = Math.min(was.length, is.length);
  let from = 0;
  while (from < shortest && was[from] === is[from]) from++;
  let end = 0;
  while (end < shortest - from && was.at(-1 - end) === is.at(-1 - end)) end++;
  const [before, after] = [from - AROUND, end - AROUND];
  const cut = (line: string) => {
    const head = before > 0 ? `…${line.slice(line.indexOf(" ", before))}` : line;
    const dropped = after > 0 ? head.slice(0, head.lastIndexOf(" ", head.length - after)) : undefined;
    return dropped === undefined ? head : `${dropped} …`;
  };
  return [cut(was), cut(is)];
}
