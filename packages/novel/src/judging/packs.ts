// A change in parts that fit a question each. What is judged is in exactly one of them, whole: a text that was not shown is
// never judged. A part holds files as long as there is room; a file that is too long for one goes on in the next.
// What is usual fits a window of 32,768 tokens; in a smaller one there are more parts, and what goes along is cut to what is left.

import { countTokens, type RenderedPrompt } from "@loopwright/models";
import { byPath, changedPaths } from "../diff/lines.ts";
import { nameOfFile } from "../level/names.ts";
import type { NovelTask } from "../task.ts";
import type { FileBlock } from "../types.ts";
import type { RenderedQuestion } from "../writing/questions.ts";
import { changesText, compareUnits, isChangedUnit, type Unit, unitText } from "./changed-text.ts";

/** Tokens of text in a part: with what goes along it fits a window of 32,768. */
export const PART_TOKENS = 16_000;

/** A file of a part, as it is told. */
export interface ShownFile {
  path: string;
  text: string;
  /** Such as `2 of 3`; "" where the file is whole. */
  piece: string;
}

/** What is told of each file: what changed with what is around it (all of a file in which much did), or what changed alone. */
export type Telling = "around" | "changes";

/** Paragraphs around a change; and the share of changed paragraphs from which a file is told whole. */
const AROUND = 1;
const MUCH = 0.3;

/** What a part has room for. */
interface PackRoom {
  /** Tokens of text. */
  most: number;
  /** Tokens that each file takes beside its text. */
  each: number;
}

/** The files that differ, as parts. */
export function packChange(
  before: readonly FileBlock[],
  after: readonly FileBlock[],
  telling: Telling,
  room: PackRoom = { most: PART_TOKENS, each: 0 },
): ShownFile[][] {
  const [old, now] = [byPath(before), byPath(after)];
  const files = changedPaths(before, after).map((path) => {
    const units: Unit[] = compareUnits(old.get(path) ?? "", now.get(path) ?? "");
    return { path, texts: telling === "changes" ? changesText(units) : textsAround(units) };
  });
  return packTexts(files, room);
}

/** The passages of some files that changed, as they read now, as far as there is room: for those who write or judge another file. */
export function changesInShort(
  before: readonly FileBlock[],
  after: readonly FileBlock[],
  paths: readonly string[],
  room: number,
): string {
  const [old, now] = [byPath(before), byPath(after)];
  let left = room;
  const texts = changedPaths(before, after)
    .filter((path) => paths.includes(path))
    .map((path) => {
      const units = compareUnits(old.get(path) ?? "", now.get(path) ?? "").filter(isChangedUnit);
      const told = units.flatMap(({ now: text }) => {
        left -= text === "" ? 0 : countTokens(text) + 1;
        return text === "" || left < 0 ? [] : [text];
      });
      return [`${nameOfFile(path)}:`, ...told, ...(told.length < units.length ? ["[…]"] : [])].join("\n\n");
    });
  return texts.join("\n\n");
}

function textsAround(units: readonly Unit[]): string[] {
  const share = units.filter(isChangedUnit).length / Math.max(1, units.length);
  return share > MUCH ? units.map(unitText) : changesText(units, AROUND);
}

/** Texts of files in parts of at most so many tokens; one paragraph that is longer goes on in the next part. */
function packTexts(
  files: readonly { path: string; texts: readonly string[] }[],
  { most, each }: PackRoom,
): ShownFile[][] {
  const parts: ShownFile[][] = [[]];
  let used = 0;
  for (const { path, texts } of files) {
    const pieces = splitTexts(
      texts.flatMap((text) => splitLong(text, most)),
      most,
    );
    for (const [at, { text, tokens }] of pieces.entries()) {
      if (used > 0 && used + tokens + each > most) {
        parts.push([]);
        used = 0;
      }
      parts.at(-1)!.push({ path, text, piece: pieces.length > 1 ? `${at + 1} of ${pieces.length}` : "" });
      used += tokens + each;
    }
  }
  return parts.filter((part) => part.length > 0);
}

function splitTexts(texts: readonly string[], most: number): { text: string; tokens: number }[] {
  const pieces: { text: string; tokens: number }[] = [];
  let held: string[] = [];
  let tokens = 0;
  const close = () => {
    if (held.length > 0) pieces.push({ text: held.join("\n\n"), tokens });
    [held, tokens] = [[], 0];
  };
  for (const text of texts) {
    const size = countTokens(text) + 1;
    if (tokens > 0 && tokens + size > most) close();
    held.push(text);
    tokens += size;
  }
  close();
  return pieces;
}

/** A paragraph that is too long for a part, at the ends of its lines or sentences; one without any, between its words. */
function splitLong(text: string, most: number): string[] {
  if (text.length * 3 <= most || countTokens(text) <= most) return [text];
  const pieces = [/(?<=\n)/, /(?<=[.!?…。！？]["”»’)]*)(?=\s)/u, /(?<=\s)/].map((at) => text.split(at));
  const fine = pieces.find((each) => each.every((piece) => countTokens(piece) <= most)) ?? [...text];
  const joined: string[] = [];
  let tokens = 0;
  for (const piece of fine) {
    const size = countTokens(piece) + 1;
    if (joined.length > 0 && tokens + size <= most) joined[joined.length - 1] += piece;
    else joined.push(piece);
    tokens = joined.at(-1) === piece ? size : tokens + size;
  }
  return joined.map((piece) => piece.trim()).filter((piece) => piece !== "");
}

/** In a smaller window there is no room for a text beside what must be told of it. */
const LEAST_WINDOW = 8_192;
const USUAL_WINDOW = 32_768;
const LONGEST_ANSWER = 4_096;
/** Of a small window, what a text gets: what must be told, a reminder of the form and what goes along have the rest. */
const SHARE = 0.4;
/** Tokens that a file takes beside its text: its name, and the words that set it apart. */
const BESIDE_FILE = 60;

interface QuestionRoom extends PackRoom {
  /** The question as it fits the window. */
  fit(question: RenderedQuestion): RenderedQuestion;
}

/** What a window has room for. */
export function roomIn(window = USUAL_WINDOW): QuestionRoom {
  if (window >= USUAL_WINDOW) return { most: PART_TOKENS, each: 0, fit: (question) => question };
  const answer = Math.min(LONGEST_ANSWER, Math.floor(window / 4));
  const most = Math.floor((window - answer) * SHARE);
  return { most, each: BESIDE_FILE, fit: (given) => narrowed(given, answer) };
}

/** A question of which everything but the text and what must be told may be cut. */
function narrowed(question: RenderedQuestion, answer: number): RenderedQuestion {
  const prompt: RenderedPrompt = question.prompt;
  const parts = prompt.parts.map((part) => (part.floor === undefined ? part : { ...part, floor: 0 }));
  return { ...question, prompt: { ...prompt, parts, maxTokens: answer } };
}

/** Why the judge cannot be asked at all; undefined where it can. */
export function refuseWindow({ windows, has_judge }: Pick<NovelTask, "windows" | "has_judge">): string | undefined {
  const { judge } = windows ?? {};
  if (!has_judge || !judge || judge.context >= LEAST_WINDOW) return undefined;
  const [window, least] = [judge.context, LEAST_WINDOW].map((tokens) => tokens.toLocaleString("en"));
  return `the judge ${judge.model} has a window of ${window} tokens, too small to be shown a text: it takes ${least}. Raise its 'context' in loopwright.yaml if its server has more room, or choose another with /model judge=ENDPOINT:MODEL`;
}

/** Whether a summarizer has room for a text. */
export function hasRoom(window: number | undefined): boolean {
  return window === undefined || window >= LEAST_WINDOW;
}
