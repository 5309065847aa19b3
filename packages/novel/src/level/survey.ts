// A level as whoever reads feedback is shown it: of each file its title, its plan, what it says in short and which words stand in it;
// of a level that is short, all of it. Words are looked for as they are written, also inside longer ones.

import { countTokens } from "@loopwright/models";
import { readBeat } from "../manuscript/format/format.ts";
import { planOf } from "../manuscript/history/staleness.ts";
import { wordsToLookFor } from "../manuscript/search.ts";
import { plainLines, shorten } from "../manuscript/words.ts";
import type { FileBlock, Level } from "../types.ts";
import { digestOf, plainList, rarityIn } from "./digest.ts";
import { nameOfFile } from "./names.ts";

/** Signs of all files together, where they are told in short; of one of them, at least and at most. */
const ROOM = 28_000;
const ROOM_BESIDE_OPEN = 9_000;
const [SHORTEST, LONGEST] = [200, 3_000];
/** The same of their plans. */
const ROOM_OF_PLANS = 9_000;
const [SHORTEST_PLAN, LONGEST_PLAN] = [80, 280];
/** Tokens of a level that is shown whole, being short. */
const SHORT_LEVEL = 9_000;
/** More signs than a token has in the mean in any language. */
const SIGNS_PER_TOKEN = 5;
/** Excerpts of all files together that are shown for words which the reader has looked for; of one of them, at least and at most. */
const EXCERPTS = 140;
const [FEWEST, MOST] = [2, 12];

/** Whether all of a level is shown, so that nothing has to be looked for in it. */
export function isShownWhole(level: Level, files: readonly FileBlock[]): boolean {
  if (level !== "prose") return true;
  const text = files.map(({ content }) => content).join("\n");
  return text.length <= SIGNS_PER_TOKEN * SHORT_LEVEL && countTokens(text) <= SHORT_LEVEL;
}

/** The files of a level with what is told of each; `plan` are the chapter plans, `words` are looked for in place of those of the feedback,
 * and `open` files are shown whole. */
export function surveyLevel(
  level: Level,
  files: readonly FileBlock[],
  plan: readonly FileBlock[],
  asked: { feedback: readonly string[]; words?: readonly string[]; open?: readonly string[] },
) {
  const { feedback, words = [], open = [] } = asked;
  const isWhole = isShownWhole(level, files);
  const mentions =
    words.length > 0
      ? mentionsOf(words, files, Math.min(MOST, Math.max(FEWEST, Math.floor(EXCERPTS / files.length))))
      : mentionsOf(tellingWords(feedback.join("\n"), files), files);
  const opened = files.filter(({ path }) => open.includes(path)).reduce((sum, { content }) => sum + content.length, 0);
  const room = Math.max(ROOM_BESIDE_OPEN, ROOM - opened / 2);
  const longest = Math.min(LONGEST, Math.max(SHORTEST, room / files.length));
  const planned = Math.min(LONGEST_PLAN, Math.max(SHORTEST_PLAN, ROOM_OF_PLANS / files.length));
  const telling = { longest, rarity: rarityIn(files) };
  return files.map((file) => {
    const isOpen = isWhole || open.includes(file.path);
    const { title, words: count, text } = digestOf(file, telling);
    return {
      ...{ name: nameOfFile(file.path), title, words: count },
      // "" where there is no plan, or where it is the plan itself.
      planned: level === "prose" ? plannedFor(file.path, plan, planned) : "",
      digest: isOpen ? "" : text,
      mentions: isWhole ? "" : (mentions.get(file.path) ?? ""),
      text: isOpen ? file.content : "",
    };
  });
}

/** The words of feedback that tell files apart: what stands in most of them says nothing of any. */
function tellingWords(feedback: string, files: readonly FileBlock[]): string[] {
  const texts = files.map(({ content }) => content.toLowerCase());
  const countOf = (word: string) => texts.filter((text) => text.includes(word.toLowerCase())).length;
  return wordsToLookFor(feedback).filter((word) => word.length > 3 && countOf(word) <= files.length / 3);
}

function plannedFor(path: string, plan: readonly FileBlock[], longest: number): string {
  const own = plan.find((file) => file.path === planOf(path))?.content ?? "";
  return shorten(plainList(readBeat(own, "Key Events") ?? ""), longest);
}

/** So many words are told of, the rarest; and so many signs around one are shown. */
const MOST_WORDS = 16;
const EXCERPT = 120;

interface Looked {
  pattern: RegExp;
  /** In how many places. */
  total: number;
}

/** For each file in which one of the words stands, a line: `Mara ×12, lamp ×1 ("She lit the lamp.")`, with so many excerpts at most. */
export function mentionsOf(words: readonly string[], files: readonly FileBlock[], most = 1): Map<string, string> {
  const texts = files.map(({ path, content }) => ({ path, text: plainLines(content).replace(/\s+/g, " ") }));
  const counted = [...new Set(words.map((word) => word.trim().toLowerCase()).filter(Boolean))]
    .map((word) => ({ word, pattern: patternOf(word) }))
    .map((each) => ({ ...each, counts: texts.map(({ text }) => [...text.matchAll(each.pattern)].length) }))
    .map((each) => ({ ...each, total: each.counts.reduce((sum, count) => sum + count, 0) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => a.total - b.total)
    .slice(0, MOST_WORDS);
  const lines = texts.flatMap(({ path, text }, at): [string, string][] => {
    const here = counted.filter(({ counts }) => counts[at]! > 0);
    if (here.length === 0) return [];
    const counts = here.map(({ word, counts }) => `${word} ×${counts[at]}`).join(", ");
    return [[path, `${counts} (${excerptsOf(text, here, most).join(" … ")})`]];
  });
  return new Map(lines);
}

/** What stands around the words: once for each, the rarest first, then once more for each; no place is shown twice. */
function excerptsOf(text: string, words: readonly Looked[], most: number): string[] {
  const places = words.map(({ pattern }) => [...text.matchAll(pattern)].map(({ index }) => index));
  const longest = Math.max(...places.map(({ length }) => length));
  const inTurn = Array.from({ length: longest }, (_, turn) => places.flatMap((each) => each[turn] ?? [])).flat();
  const chosen: number[] = [];
  for (const place of inTurn) {
    if (chosen.length === most) break;
    if (chosen.every((other) => Math.abs(other - place) > EXCERPT / 2)) chosen.push(place);
  }
  return chosen.sort((a, b) => a - b).map((place) => `"${around(text, place)}"`);
}

/** Whole words around a place. */
function around(text: string, place: number): string {
  const from = Math.max(0, place - EXCERPT / 2);
  const to = Math.min(text.length, place + EXCERPT / 2);
  const cut = text.slice(from, to);
  return (from > 0 ? cut.replace(/^\S*\s/, "") : cut).replace(to < text.length ? /\s\S*$/ : "", "").trim();
}

/** A word also inside longer ones; one of few letters only where a word begins with it. */
function patternOf(word: string): RegExp {
  const isShort = word.length < 5 && /^[\p{L}\p{N}]/u.test(word) && !/\p{Ideographic}/u.test(word);
  return new RegExp((isShort ? "(?<![\\p{L}\\p{N}])" : "") + word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), "giu");
}
