// A question about the book, and what of the book it is asked with: the levels above whole, and the prose as whoever reads feedback is
// shown it. Once the model may say which chapters it must read, and which words are to be looked for.

import { FormatError, pass } from "@loopwright/core";
import { answerOf } from "@loopwright/models";
import { chapterNumber, isTold } from "../manuscript/files/layout.ts";
import { type Manuscript, openManuscript } from "../manuscript/files/open.ts";
import { tell } from "../notes.ts";
import { projectOf } from "../saved.ts";
import type { NovelContext } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { ask, makeQuestion } from "../writing/questions.ts";
import { filesInWords, nameOfFile } from "./names.ts";
import { fitting, type Looking, wantedIn } from "./reading.ts";
import { isShownWhole, surveyLevel } from "./survey.ts";

/** A question about the book is answered, and what the answer was made from is said. */
export async function answerQuestion(ctx: NovelContext) {
  const { talk: earlier = [], feedback } = ctx.input;
  const question = feedback.join("\n");
  const folder = projectOf(ctx);
  // What was asked before tells what "it" is.
  const asked = [...earlier.slice(-1).map((turn) => turn.question), question];
  const look = (scope: NovelContext, key: string, looking: Looking) =>
    scope.effect<Shown>(key, {
      input: { asked, ...looking },
      run: async () => showFor(await openManuscript(folder), asked, looking),
    });
  let shown = await look(ctx, "look", { mayLook: true });
  const form = () => makeQuestion(ctx, "talk", { question, earlier, ...shown });
  const { failure, work } = await ask<string>(ctx, {
    ...(await form()),
    follow: async (scope, { text }) => {
      const wanted = shown.may_look ? wantedIn(text, shown.paths) : undefined;
      if (!wanted) return undefined;
      await tell(scope, "read-looked", { words: wanted.words, files: wanted.open.map(nameOfFile) });
      shown = await look(scope, "look-more", { mayLook: false, ...wanted });
      return form();
    },
    read: (text) => {
      if (!wantedIn(text, shown.paths)) return answerOf(text).trim();
      throw new FormatError("ANSWER_ASKS", "No more is opened: answer the question with what you are shown.");
    },
  });
  if (failure)
    return ctx.end("failed", { reason: `the question was not answered: ${failure.message.split("\n", 1)[0]}` });
  await tell(ctx, "answered", { question, text: work as string, shown: shown.description });
  ctx.verdict(pass(1, "the question was answered; nothing was changed"));
  return ctx.end("done", { reason: "the question was answered; nothing was changed" });
}

/** What is shown to whoever answers, and what that is in words for people. */
interface Shown {
  premise: string;
  treatment: string;
  plan: FileBlock[];
  /** The prose, a chapter each. */
  files: ReturnType<typeof surveyLevel>;
  paths: string[];
  may_look: boolean;
  description: string[];
}

async function showFor(manuscript: Manuscript, asked: readonly string[], looking: Looking): Promise<Shown> {
  const [[premise], [treatment], plan, all] = await Promise.all([
    manuscript.read("premise"),
    manuscript.read("treatment"),
    manuscript.read("chapters"),
    manuscript.read("prose"),
  ]);
  const prose = all.filter(({ path }) => isTold(path));
  const open = fitting(looking.open ?? [], prose);
  const isWhole = isShownWhole("prose", prose);
  const short = open.length > 0 ? `the prose of ${filesInWords(open)}, the rest in short` : "the prose in short";
  return {
    ...{ premise: premise?.content ?? "", treatment: treatment?.content ?? "", plan },
    files: surveyLevel("prose", prose, plan, { feedback: asked, words: looking.words ?? [], open }),
    paths: prose.map(({ path }) => path),
    may_look: looking.mayLook && !isWhole,
    description: [
      ...(premise ? ["the premise"] : []),
      ...(treatment ? ["the treatment"] : []),
      ...(plan.length > 0 ? [`the plan of ${plan.filter(({ path }) => chapterNumber(path)).length} chapters`] : []),
      ...(prose.length === 0 ? [] : [isWhole ? `the prose of all ${prose.length} chapters` : short]),
    ],
  };
}
