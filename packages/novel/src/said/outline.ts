// What of the book a question is asked with: the levels above whole, of many chapters those that the question is about.

import { isTold } from "../manuscript/files/layout.ts";
import { chapterNumber, countWords, type Manuscript, titleOf } from "../manuscript/index.ts";
import { mentionsOf } from "../reach/mentions.ts";
import { filesInWords, nameOfFile } from "../reach/words.ts";
import type { FileBlock } from "../types.ts";
import { findFiles, type Hit } from "./search.ts";

/** Words of prose that go along with a question. */
const MOST_WORDS = 12_000;
const FIRST_WORDS = 40;

/** What is shown to whoever answers, and what that is in words for people. */
export interface Shown {
  premise: string;
  treatment: string;
  plan: FileBlock[];
  prose: FileBlock[];
  /** Of the chapters that are not among them, the sentences with words of the question. */
  others: string[];
  description: string[];
}

/** What is shown with a question about the book. */
export async function showFor(manuscript: Manuscript, question: string, before = ""): Promise<Shown> {
  const [[premise], [treatment], plan, prose] = await Promise.all([
    manuscript.read("premise"),
    manuscript.read("treatment"),
    manuscript.read("chapters"),
    manuscript.read("prose"),
  ]);
  const chosen = nearest(prose, question, before);
  const all = prose.filter(({ path }) => isTold(path) || chosen.some((file) => file.path === path));
  const names = filesInWords(chosen.map(({ path }) => path));
  return {
    premise: premise?.content ?? "",
    treatment: treatment?.content ?? "",
    plan,
    prose: chosen,
    others: sentencesElsewhere(prose, chosen, question),
    description: [
      ...(premise ? ["the premise"] : []),
      ...(treatment ? ["the treatment"] : []),
      ...(plan.length > 0 ? [`the plan of ${plan.filter(({ path }) => chapterNumber(path)).length} chapters`] : []),
      ...(chosen.length === 0
        ? []
        : chosen.length === all.length
          ? [
              `the prose of all ${all.length} ${all.some(({ path }) => chapterNumber(path) === undefined) ? "files" : "chapters"}`,
            ]
          : [`the prose of ${names} (${chosen.length} of ${all.length})`]),
    ],
  };
}

function sentencesElsewhere(prose: readonly FileBlock[], chosen: readonly FileBlock[], question: string): string[] {
  const found = mentionsOf([question], prose);
  return prose
    .filter((file) => !chosen.includes(file))
    .flatMap(({ path }) => {
      const lines = found.get(path) ?? [];
      return lines.length === 0 ? [] : [`${nameOfFile(path)}: ${lines.join(" · ")}`];
    });
}

/** Each file in a line: its title, and how it begins. */
export function outlineOf(files: readonly FileBlock[]): string {
  return files
    .map(
      ({ path, content }) => `${path}: ${titleOf(content) ?? ""} (${countWords(content)} words) ${beginning(content)}…`,
    )
    .join("\n");
}

function beginning(content: string): string {
  return content.replace(/^#.*$/gm, "").split(/\s+/).filter(Boolean).slice(0, FIRST_WORDS).join(" ");
}

/** The chapters that a question names, and those that have most to do with it, in the order of the book. */
function nearest(prose: readonly FileBlock[], question: string, before: string): FileBlock[] {
  const found = findFiles(prose, question, before);
  const isWhole = prose.reduce((sum, { content }) => sum + countWords(content), 0) <= MOST_WORDS;
  const isFound = found.some(({ score }) => score > 0);
  const isNear = ({ score }: Hit) => isWhole || !isFound || score > 0;
  const chosen = new Set<FileBlock>();
  let left = MOST_WORDS;
  for (const { file } of found.filter(isNear).sort((a, b) => compareScores(b.score, a.score))) {
    const words = countWords(file.content);
    if (words > left && chosen.size > 0) continue;
    chosen.add(file);
    left -= words;
  }
  return prose.filter((file) => chosen.has(file));
}

function compareScores(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
