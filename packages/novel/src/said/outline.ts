// What of the book a question is asked with: the levels above whole, of many chapters those that the question is about.

import { nameOf } from "../manuscript/files/layout.ts";
import { chapterNumber, countWords, type Manuscript, titleOf } from "../manuscript/index.ts";
import type { FileBlock } from "../types.ts";

/** Words of prose that go along with a question. */
const MOST_WORDS = 12_000;
const FIRST_WORDS = 40;

/** What is shown to whoever answers, and what that is in words for people. */
export interface Shown {
  premise: string;
  treatment: string;
  plan: FileBlock[];
  prose: FileBlock[];
  description: string[];
}

/** What is shown with a question about the book. */
export async function showFor(manuscript: Manuscript, question: string): Promise<Shown> {
  const [[premise], [treatment], plan, prose] = await Promise.all([
    manuscript.read("premise"),
    manuscript.read("treatment"),
    manuscript.read("chapters"),
    manuscript.read("prose"),
  ]);
  const chosen = nearest(prose, question);
  const names = chosen.map(({ path }) => chapterNumber(path) ?? nameOf(path));
  return {
    premise: premise?.content ?? "",
    treatment: treatment?.content ?? "",
    plan,
    prose: chosen,
    description: [
      ...(premise ? ["the premise"] : []),
      ...(treatment ? ["the treatment"] : []),
      ...(plan.length > 0 ? [`the plan of ${plan.filter(({ path }) => chapterNumber(path)).length} chapters`] : []),
      ...(chosen.length === 0
        ? []
        : chosen.length === prose.length
          ? [`the prose of all ${prose.length} chapters`]
          : [`the prose of ${chosen.length} of ${prose.length} chapters (${names.join(", ")})`]),
    ],
  };
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

/** The chapters that a question names; else those that share most of its rarer words, in the order of the book. */
function nearest(prose: readonly FileBlock[], question: string): FileBlock[] {
  const named = new Set(Array.from(question.matchAll(/\b(\d{1,4})\b/g), ([, digits]) => Number(digits)));
  const byNumber = prose.filter(({ path }) => named.has(chapterNumber(path) ?? 0));
  const words = [...new Set(question.toLowerCase().match(/\p{L}{4,}/gu) ?? [])];
  const texts = prose.map(({ content }) => content.toLowerCase());
  const score = (text: string) =>
    words.reduce((sum, word) => {
      const among = texts.filter((each) => each.includes(word)).length;
      return text.includes(word) ? sum + 1 / among : sum;
    }, 0);
  const ranked = prose
    .map((file, index) => ({ file, score: byNumber.includes(file) ? Number.POSITIVE_INFINITY : score(texts[index]!) }))
    .sort((a, b) => b.score - a.score);
  const chosen = new Set<FileBlock>();
  let left = MOST_WORDS;
  for (const { file } of ranked) {
    left -= countWords(file.content);
    if (left < 0 && chosen.size > 0) break;
    chosen.add(file);
  }
  return prose.filter((file) => chosen.has(file));
}
