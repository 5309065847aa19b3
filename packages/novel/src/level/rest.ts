// The files of a level that are not sent whole, a line for each: what a change must not contradict.

import { countTokens } from "@loopwright/models";
import { chapterNumber } from "../manuscript/files/layout.ts";
import { shorten } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";
import { digestOf } from "./digest.ts";
import { filesInWords, nameOfFile } from "./names.ts";

/** Signs of a file that is told in a line. */
const LINE = 200;

/** Files as lines: what each is called, its title, and what it says in short. Those that are nearest to what changed are told at length,
 * the others in a line, as far as there is room; what is left out is said. */
export function restLines(files: readonly FileBlock[], near: readonly string[] = [], room = 4_000): string {
  const numbers = near.flatMap((path) => chapterNumber(path) ?? []);
  const told = files
    .map((file, at) => ({ at, path: file.path, distance: distanceTo(file.path, numbers), ...digestOf(file) }))
    .sort((a, b) => a.distance - b.distance || a.at - b.at);
  const lines = new Map<string, string>();
  let left = room;
  for (const longest of [LINE, Number.POSITIVE_INFINITY])
    for (const { path, title, text } of told) {
      const before = lines.get(path);
      const line = `- ${nameOfFile(path)}${title === "" ? "" : ` (${title})`}: ${shorten(text, longest)}`;
      const cost = countTokens(line) - (before === undefined ? 0 : countTokens(before));
      if (cost > left || (before === undefined && longest !== LINE)) continue;
      lines.set(path, line);
      left -= cost;
    }
  const missing = files.map(({ path }) => path).filter((path) => !lines.has(path));
  return [
    ...files.flatMap(({ path }) => lines.get(path) ?? []),
    ...(missing.length === 0 ? [] : [`Left out for want of room: ${filesInWords(missing)}.`]),
  ].join("\n");
}

/** How many chapters lie between a file and the nearest one that changed; what all chapters share is near to each. */
function distanceTo(path: string, numbers: readonly number[]): number {
  const own = chapterNumber(path);
  return own === undefined ? 0 : Math.min(...numbers.map((number) => Math.abs(number - own)), 10_000);
}
