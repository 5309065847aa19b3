// What of the ranked files is shown within a budget of tokens: pieces of them, definitions whole, those first that say the most of the
// task in the files that it is most about; what there is no room for is said, to the model and to the person.

import { countTokens } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { showSpans } from "../showing/excerpts.ts";
import { factsOf, identifiersIn } from "./facts.ts";
import { type Piece, piecesOf } from "./pieces.ts";
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

/** So many files are looked into. */
const MOST_FILES = 80;
/** What has less than this share of the first one's worth is left out. */
const LEAST_SHARE = 0.05;
/** What a file is worth by itself beside what its best pieces say. */
const OF_FILE = 0.3;
const NAMED = 0.5;
const TRACED = 2;
const SATURATION = 1.2;
const LENGTH = 0.5;
/** How much more the best piece of a file is worth than its others: better a little of many files than much of few. */
const FIRST = 2;
/** What the frame of one file costs in a prompt, and a line that says what is left out. */
const FRAME = 40;
const GAP = 14;
const MOST_CUT = 12;

/** Chooses the best pieces; nothing exceeds the budget. */
export function chooseFiles(ranked: readonly Ranked[], files: readonly FileBlock[], budget: number): Chosen {
  const contents = new Map(files.map((file) => [file.path, file]));
  const looked = ranked.slice(0, MOST_FILES).map((each) => ({ ...each, file: contents.get(each.path)! }));
  const candidates = weighPieces(looked);
  const chosen = new Map<string, Piece[]>();
  const least = (candidates[0]?.worth ?? 0) * LEAST_SHARE;
  let left = budget;
  for (const { path, piece, text, worth } of candidates) {
    if (worth < least || left < 2 * FRAME) break;
    const own = chosen.get(path);
    const cost = countTokens(text) + GAP + (own ? 0 : FRAME);
    if (cost > left) continue;
    chosen.set(path, [...(own ?? []), piece]);
    left -= cost;
  }
  const shown = [...chosen].map(([path, pieces]) => {
    const text = showSpans(contents.get(path)!.content, pieces);
    const isWhole = text === contents.get(path)!.content.replace(/\n$/, "");
    const { why } = ranked.find((each) => each.path === path)!;
    return { path, content: isWhole ? contents.get(path)!.content : text, tokens: countTokens(text), isWhole, why };
  });
  const used = shown.reduce((sum, { tokens }) => sum + tokens + FRAME, 0);
  const cut = ranked.filter(({ path }) => !chosen.has(path)).slice(0, MOST_CUT);
  return {
    ...{ budget, used, files: shown },
    cut: cut.map(({ path }) => ({ path, lines: contents.get(path)!.content.split("\n").length })),
  };
}

interface Weighed {
  path: string;
  piece: Piece;
  text: string;
  worth: number;
}

/** The pieces of these files, the most telling first. */
function weighPieces(ranked: readonly (Ranked & { file: FileBlock })[]): Weighed[] {
  const all = ranked.flatMap((each) => {
    const lines = each.file.content.split("\n");
    const { definitions } = factsOf(each.file);
    const count = termCounter(each.words);
    return piecesOf(each.file).map((piece) => {
      const text = lines.slice(piece.from - 1, piece.to).join("\n");
      const isIn = (line: number) => line >= piece.from && line <= piece.to;
      const names = new Set(definitions.filter(({ line }) => isIn(line)).map(({ name }) => name));
      const named = each.names.findIndex((name) => names.has(name));
      return {
        ...{ ranked: each, piece, text, counts: count(identifiersIn(text)) },
        ...{ isTraced: each.lines.some(isIn), named: named < 0 ? 0 : 1 / (1 + named) },
      };
    });
  });
  const mean = all.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, all.length);
  const said = all.map(({ ranked: { words }, text, counts }) => {
    const norm = SATURATION * (1 - LENGTH + (LENGTH * text.length) / mean);
    return [...counts].reduce((sum, [term, n]) => sum + (words.get(term)! * n * (SATURATION + 1)) / (n + norm), 0);
  });
  const most = Math.max(1e-9, ...said);
  const first = Math.max(1e-9, ...ranked.map(({ score }) => score));
  const weighed = all.map(({ ranked: { path, score }, piece, text, isTraced, named }, at) => {
    const own = said[at]! / most + (isTraced ? TRACED : 0) + NAMED * named;
    return { path, piece, text, worth: (score / first) * (OF_FILE + own) };
  });
  const byWorth = (a: Weighed, b: Weighed) => b.worth - a.worth || a.piece.from - b.piece.from;
  const byFile = Map.groupBy(weighed.sort(byWorth), ({ path }) => path);
  return [...byFile.values()]
    .flatMap(([best, ...others]) => [{ ...best!, worth: FIRST * best!.worth }, ...others])
    .sort(byWorth);
}
