// A question about the book, and what of the book it is asked with: the levels above whole, and of the prose the chapters that have most
// to do with it.

import { pass } from "@loopwright/core";
import { obtainText } from "@loopwright/models";
import { projectOf } from "../debug-store.ts";
import { chapterNumber, isTold } from "../manuscript/files/layout.ts";
import { type Manuscript, openManuscript } from "../manuscript/files/open.ts";
import { searchBook, wordsToLookFor } from "../manuscript/search.ts";
import { countWords } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import type { NovelContext } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion } from "../writing/questions.ts";
import { fileCalled, filesInWords, nameOfFile } from "./names.ts";

/** Words of prose that go along with a question. */
const MOST_WORDS = 12_000;

/** A question about the book is answered, and what the answer was made from is said. */
export async function answerQuestion(ctx: NovelContext) {
  const { talk: earlier = [] } = ctx.input;
  const question = ctx.input.feedback.join("\n");
  const folder = projectOf(ctx);
  const shown = await ctx.effect<Shown>("look", {
    input: { question },
    run: async () => showFor(await openManuscript(folder), `${earlier.at(-1)?.question ?? ""}\n${question}`),
  });
  const asked = await makeQuestion(ctx, "talk", { question, earlier, ...shown });
  const text = await obtainText(ctx, "answer", asked);
  await tell(ctx, "answered", { question, text: text.trim(), shown: shown.description });
  ctx.verdict(pass(1, "the question was answered; nothing was changed"));
  return ctx.end("done", { reason: "the question was answered; nothing was changed" });
}

/** What is shown to whoever answers, and what that is in words for people. */
interface Shown {
  premise: string;
  treatment: string;
  plan: FileBlock[];
  prose: FileBlock[];
  /** Of the chapters that are not among them, the passages with words of the question. */
  others: string[];
  description: string[];
}

/** What is shown with a question about the book. */
async function showFor(manuscript: Manuscript, question: string): Promise<Shown> {
  const [[premise], [treatment], plan, prose] = await Promise.all([
    manuscript.read("premise"),
    manuscript.read("treatment"),
    manuscript.read("chapters"),
    manuscript.read("prose"),
  ]);
  const told = prose.filter(({ path }) => isTold(path));
  const chosen = nearest(told, question);
  const rest = told.filter((file) => !chosen.includes(file));
  return {
    premise: premise?.content ?? "",
    treatment: treatment?.content ?? "",
    plan,
    prose: chosen,
    others: searchBook(rest, wordsToLookFor(question)).map(
      ({ path, excerpts }) => `${nameOfFile(path)}: ${excerpts.join(" … ")}`,
    ),
    description: [
      ...(premise ? ["the premise"] : []),
      ...(treatment ? ["the treatment"] : []),
      ...(plan.length > 0 ? [`the plan of ${plan.filter(({ path }) => chapterNumber(path)).length} chapters`] : []),
      ...(chosen.length === 0 ? [] : [`the prose of ${proseWords(chosen, told)}`]),
    ],
  };
}

function proseWords(chosen: readonly FileBlock[], all: readonly FileBlock[]): string {
  if (chosen.length === all.length) return `all ${all.length} chapters`;
  return `${filesInWords(chosen.map(({ path }) => path))} (${chosen.length} of ${all.length})`;
}

/** The chapters that a question names by number, and those that have most to do with it, as far as there is room; in the book's order. */
function nearest(prose: readonly FileBlock[], question: string): FileBlock[] {
  const paths = prose.map(({ path }) => path);
  const named = (question.match(/\d+/g) ?? []).flatMap((number) => fileCalled(number, paths) ?? []);
  const ranked = [...named, ...searchBook(prose, wordsToLookFor(question)).map(({ path }) => path), ...paths];
  const chosen = new Set<string>();
  let left = MOST_WORDS;
  for (const path of new Set(ranked)) {
    const words = countWords(prose.find((file) => file.path === path)!.content);
    if (words > left && chosen.size > 0) continue;
    chosen.add(path);
    left -= words;
  }
  return prose.filter(({ path }) => chosen.has(path));
}
