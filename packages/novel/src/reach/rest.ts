// The files of a level that are not sent whole, a few lines for each: what a change must not contradict.

import { countTokens } from "@loopwright/models";
import { chapterNumber } from "../manuscript/files/layout.ts";
import { shorten } from "../manuscript/words.ts";
import type { FileBlock } from "../types.ts";
import { digestOf } from "./digest.ts";
import type { Mentions } from "./mentions.ts";
import { filesInWords, nameOfFile } from "./words.ts";

/** How much of a prompt they may take, and within which bounds in tokens. */
const SHARE = 0.15;
const LEAST = 500;
const MOST = 4_200;
/** Signs of a file that is told in a line. */
const LINE = 140;

/** Files as lines: what each is called, its title, and what it says in short. */
export function restLines(files: readonly FileBlock[]): string {
  return files.map(toTold).map(fullLine).join("\n");
}

/** The tokens that files in short may take beside texts of a prompt. */
export function restRoom(beside: readonly string[]): number {
  const tokens = beside.reduce((sum, text) => sum + countTokens(text), 0);
  return Math.min(MOST, Math.max(LEAST, Math.floor((tokens * SHARE) / (1 - SHARE))));
}

/** Where a prompt's own files lie, and how many tokens there are for the others. */
export interface Beside {
  changed: readonly string[];
  room: number;
}

/** Files in short within a number of tokens: first those beside what changed, then those that mention what the feedback is about;
 * what is left out is said. */
export function restWithin(files: readonly FileBlock[], mentions: Mentions): (beside: Beside) => string {
  const told = files.map((file) => ({ ...toTold(file), ...(mentions.get(file.path) ?? NONE) }));
  return ({ changed, room }) => {
    const numbers = changed.flatMap((path) => chapterNumber(path) ?? []);
    const ranked = told
      .map((each) => ({ ...each, distance: distanceTo(each.path, numbers) }))
      .sort(
        (a, b) => Number(b.distance === 1) - Number(a.distance === 1) || b.weight - a.weight || a.distance - b.distance,
      );
    const lines = new Map<string, string>();
    let left = room;
    for (const line of [shortLine, fullLine]) {
      for (const each of ranked) {
        const [text, before] = [line(each), lines.get(each.path)];
        const cost = countTokens(text) - (before === undefined ? 0 : countTokens(before));
        if (cost > left || (before === undefined && line === fullLine)) continue;
        lines.set(each.path, text);
        left -= cost;
      }
    }
    const missing = told.filter(({ path }) => !lines.has(path)).map(({ path }) => path);
    return [
      ...told.flatMap(({ path }) => lines.get(path) ?? []),
      ...(missing.length === 0 ? [] : [`Left out for want of room: ${filesInWords(missing)}.`]),
    ].join("\n");
  };
}

const NONE = { lines: [] as string[], weight: 0 };

interface Told {
  path: string;
  name: string;
  text: string;
  lines?: readonly string[];
}

function toTold(file: FileBlock): Told {
  const { title, text } = digestOf(file);
  return { path: file.path, name: `${nameOfFile(file.path)}${title === "" ? "" : ` (${title})`}`, text };
}

function fullLine({ name, text, lines = [] }: Told): string {
  return `- ${name}: ${text}${mentioned(lines)}`;
}

function shortLine({ name, text, lines = [] }: Told): string {
  return `- ${name}: ${shorten(text, LINE)}${mentioned(lines)}`;
}

function mentioned(lines: readonly string[]): string {
  return lines.length === 0 ? "" : ` [words of the feedback in it: ${lines.join(" · ")}]`;
}

/** How many chapters lie between a file and the nearest one that changed; what all chapters share is near to each. */
function distanceTo(path: string, numbers: readonly number[]): number {
  const own = chapterNumber(path);
  return own === undefined ? 0 : Math.min(...numbers.map((number) => Math.abs(number - own)), 10_000);
}
