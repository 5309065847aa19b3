// What of the ranked files is shown within a budget of tokens: pieces of them, definitions whole, those first that say the most of the
// task in the files that it is most about; what there is no room for is said, to the model and to the person.

import { countTokens } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { showSpans } from "../showing/excerpts.ts";
import { factsOf, type Identifiers, identifiersIn } from "./facts.ts";
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
/** What a file is worth by itself beside what its best pieces say; a piece for a name of the task that it defines, for a line that a trace
 * goes through, and for what it defines of the names that the best pieces use. */
const OF_FILE = 0.3;
const NAMED = 0.5;
const TRACED = 2;
const USED = 0.6;
/** So many pieces lead to others, by names that few pieces hold. */
const LEADING = 6;
const RARE = 0.3;
/** What imports and other lines outside of any definition are worth of what they say. */
const BARE = 0.7;
const SATURATION = 1.2;
const LENGTH = 0.9;
/** How much more the best piece of a file is worth than its others: better a little of many files than much of few. */
const FIRST = 1.5;
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
  const all = ranked.flatMap(readPieces);
  const mean = all.reduce((sum, { text }) => sum + text.length, 0) / Math.max(1, all.length);
  const said = all.map(({ of: { words }, piece, names, text, counts }) => {
    const norm = SATURATION * (1 - LENGTH + (LENGTH * text.length) / mean);
    const sum = [...counts].reduce((all, [term, n]) => all + (words.get(term)! * n * (SATURATION + 1)) / (n + norm), 0);
    return sum * (names.size === 0 ? BARE : 1) * (piece.from === 1 ? BARE : 1);
  });
  const most = Math.max(1e-9, ...said);
  const first = Math.max(1e-9, ...ranked.map(({ score }) => score));
  const weighed = all.map((each, at) => {
    const own = said[at]! / most + (each.isTraced ? TRACED : 0) + NAMED * each.named;
    return { ...each, path: each.of.path, worth: (each.of.score / first) * (OF_FILE + own) };
  });
  const rarityOf = rarityIn(all.map(({ identifiers }) => identifiers));
  const used = new Set(
    weighed
      .sort(byWorth)
      .slice(0, LEADING)
      .flatMap(({ identifiers }) => [...identifiers.keys()]),
  );
  for (const each of weighed.slice(LEADING)) {
    const rarest = Math.max(0, ...[...each.names].map((name) => (used.has(name) ? rarityOf(name) - RARE : 0)));
    each.worth += (each.of.score / first) * USED * rarest;
  }
  const byFile = Map.groupBy(weighed.sort(byWorth), ({ path }) => path);
  const raised = [...byFile.values()].flatMap(([best, ...others]) => [
    { ...best!, worth: FIRST * best!.worth },
    ...others,
  ]);
  return raised.sort(byWorth);
}

/** A file's pieces, each with what is told of it by its names and words. */
function readPieces(of: Ranked & { file: FileBlock }) {
  const lines = of.file.content.split("\n");
  const { definitions } = factsOf(of.file);
  const count = termCounter(of.words);
  return piecesOf(of.file).map((piece) => {
    const text = lines.slice(piece.from - 1, piece.to).join("\n");
    const isIn = (line: number) => line >= piece.from && line <= piece.to;
    const names = new Set(definitions.filter(({ line }) => isIn(line)).map(({ name }) => name));
    const named = of.names.findIndex((name) => names.has(name));
    const identifiers = identifiersIn(text);
    return {
      ...{ of, piece, text, names, identifiers, counts: count(identifiers) },
      ...{ isTraced: of.lines.some(isIn), named: named < 0 ? 0 : 1 / (1 + named) },
    };
  });
}

function byWorth(a: Weighed, b: Weighed): number {
  return b.worth - a.worth || a.piece.from - b.piece.from;
}

/** From 1 for a name that one of these holds to nearly 0 for one that all do. */
function rarityIn(all: readonly Identifiers[]): (name: string) => number {
  const holders = new Map<string, number>();
  for (const each of all) for (const name of each.keys()) holders.set(name, (holders.get(name) ?? 0) + 1);
  return (name) => Math.log(1 + all.length / (holders.get(name) ?? 1)) / Math.log(1 + all.length);
}
