// What judges are asked: each the whole change, in as many parts as it takes, with what stands above and beside it.

import { measureChange } from "../diff/index.ts";
import { chapterNumber, type WritingVariables } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { restLines } from "../reach/rest.ts";
import { saidToText } from "../said/author-notes.ts";
import { loadBefore, loadContext } from "../saved.ts";
import { figuresToText } from "../semantic-diff.ts";
import { measureAttempt } from "../style/measured.ts";
import { rulesText } from "../style/rules.ts";
import type { NovelContext, NovelState } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion, type RenderedQuestion, splitChange } from "../writing/questions.ts";
import { roundsOf } from "../writing/rounds.ts";
import { packChange } from "./packs.ts";
import type { Shown } from "./rulings.ts";

/** A question to a judge, and what it is shown in it. */
export interface JudgeQuestion extends Shown {
  /** Such as `judge-1`, or `judge-1-part-2`. */
  key: string;
  seat: number;
  question: RenderedQuestion;
}

/** A question for each judge and each part; the second judge is told to read for harm first. */
export async function judgeQuestions(
  ctx: NovelContext,
  state: NovelState,
  files: readonly FileBlock[],
  feedback: readonly string[],
): Promise<JudgeQuestion[]> {
  const [before, { variables, project }] = await Promise.all([loadBefore(ctx, state), loadContext(ctx, state)]);
  const { unchanged, changed } = splitChange(before, files);
  const level = ctx.input.target;
  const findings = measureAttempt({ level, before, after: files, changed, feedback, project, variables });
  if (findings.length > 0) await tell(ctx, "measured", { attempt: state.attempts.at(-1)!.number, findings });
  const parts = packChange(before, files, "whole");
  const told = {
    ...variables,
    feedback,
    ...{ level, findings },
    rules: await rulesText(ctx, variables, "judge"),
    said: saidToText(state),
    is_edit: ctx.input.kind === "edit",
    rounds: roundsOf(state.attempts.slice(0, -1)),
    figures: figuresToText(measureChange(before, files)),
    rest: restLines(unchanged),
    rest_count: unchanged.length,
    parts: parts.length,
  };
  const untouched = unchanged.map(({ path }) => path);
  const asked = Array.from({ length: ctx.input.judges }, (_, at) => at + 1).flatMap((seat) =>
    parts.map(async (shown, at): Promise<JudgeQuestion> => {
      const paths = [...new Set(shown.map(({ path }) => path))];
      const others = new Set(parts.flatMap((part, index) => (index === at ? [] : part.map(({ path }) => path))));
      const elsewhere = files.filter(({ path }) => others.has(path) && !paths.includes(path));
      const own = {
        ...told,
        seat,
        shown,
        part: at + 1,
        other_paths: [...others],
        others: restLines(elsewhere),
        beats: beatsOf(variables, paths),
      };
      return {
        key: parts.length === 1 ? `judge-${seat}` : `judge-${seat}-part-${at + 1}`,
        ...{ seat, feedback, files: paths, untouched, isPart: parts.length > 1 },
        question: await makeQuestion(ctx, "judge", own),
      };
    }),
  );
  return Promise.all(asked);
}

/** The plan of the chapters that are shown, against which prose is held. */
function beatsOf({ chapters }: WritingVariables, shown: readonly string[]): string {
  const numbers = new Set(shown.map(chapterNumber));
  return chapters
    .filter(({ number }) => numbers.has(number))
    .map(({ text }) => text.trim())
    .join("\n\n");
}
