// What of the ranked files is shown within a budget of tokens: the first in large parts, the further ones in their few lines that
// matter; what there is no room for is said, to the model and to the person.

import { countTokens } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { excerptOf } from "../showing/excerpts.ts";
import { charactersFor } from "./budget.ts";
import { identifiersIn } from "./facts.ts";
import type { Ranked } from "./rank.ts";
import { termCounter } from "./words.ts";

export interface Chosen {
  budget: number;
  /** The tokens of what is shown. */
  used: number;
  files: (FileBlock & { tokens: number; isWhole: boolean; why: string[] })[];
  /** Files that may matter and of which nothing is shown, with their sizes in lines. */
  cut: { path: string; lines: number }[];
}

/** Of what is left each file may have so much, and never less than the least. */
const SHARE = 0.25;
const LEAST = 350;
/** What the frame of one file costs in a prompt. */
const FRAME = 40;
const MOST_CUT = 12;

/** Chooses from the first on; nothing exceeds the budget. */
export async function chooseFiles(
  ranked: readonly Ranked[],
  files: readonly FileBlock[],
  budget: number,
  share = SHARE,
): Promise<Chosen> {
  const contents = new Map(files.map(({ path, content }) => [path, content]));
  const chosen: Chosen = { budget, used: 0, files: [], cut: [] };
  for (const each of ranked) {
    const content = contents.get(each.path)!;
    const left = budget - chosen.used - FRAME;
    const shown =
      left < LEAST ? undefined : await showPart(each, content, Math.min(left, Math.max(LEAST, left * share)));
    if (shown) {
      chosen.files.push({
        path: each.path,
        content: shown.text,
        tokens: shown.tokens,
        isWhole: shown.isWhole,
        why: each.why,
      });
      chosen.used += shown.tokens + FRAME;
    } else if (chosen.cut.length < MOST_CUT) {
      chosen.cut.push({ path: each.path, lines: content.split("\n").length });
    } else break;
  }
  return chosen;
}

/** A part of a file in so many tokens; none where nothing of use fits. */
async function showPart({ path, names, lines: named, words }: Ranked, content: string, room: number) {
  const lines = [...named, ...linesWith(content, words)];
  for (let characters = charactersFor(room); characters > 200; characters *= 0.8) {
    const { text, isWhole } = await excerptOf(path, content, { names, lines }, Math.floor(characters));
    const tokens = countTokens(text);
    if (tokens <= room) return { text, isWhole, tokens };
  }
  return undefined;
}

const HEAVIEST = 3;
const MOST_LINES = 8;

/** The lines that hold the most of the heaviest words, from 1. */
function linesWith(content: string, words: readonly string[]): number[] {
  const heaviest = new Map(words.slice(0, HEAVIEST).map((word, at) => [word, HEAVIEST - at]));
  const count = termCounter(heaviest);
  const weights = content.split("\n").map((line, at) => {
    const weight = [...count(identifiersIn(line)).keys()].reduce((sum, word) => sum + heaviest.get(word)!, 0);
    return { line: at + 1, weight };
  });
  const telling = weights.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight || a.line - b.line);
  return telling.slice(0, MOST_LINES).map(({ line }) => line);
}
