// What judges are asked: each the whole change, in as many parts as it takes, with what stands above and beside it.

import { changedPaths, figuresToText, measureChange } from "../diff/lines.ts";
import { restLines } from "../level/digest.ts";
import { heartsOf } from "../level/plan.ts";
import type { WritingVariables } from "../manuscript/context.ts";
import { nameOf } from "../manuscript/files/layout.ts";
import { keptOf } from "../manuscript/format/text.ts";
import { planOf } from "../manuscript/history/staleness.ts";
import { tell } from "../notes.ts";
import { saidToText } from "../said.ts";
import { loadBefore, loadContext } from "../saved.ts";
import { countChanges, measureAttempt, rulesText } from "../style/rules.ts";
import { isPersonsOwn, type NovelContext, type NovelState, variantOf } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion, plannedLines, type RenderedQuestion } from "../writing/questions.ts";
import { roundsOf } from "../writing/rounds.ts";
import { changesInShort, packChange, roomIn, type ShownFile } from "./packs.ts";
import type { Shown } from "./rulings.ts";

/** A question to a judge, and what it is shown in it. */
export interface JudgeQuestion extends Shown {
  /** Such as `judge-1`, or `judge-1-part-2`. */
  key: string;
  seat: number;
  role: "judge" | "second-judge";
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
  const changed = changedPaths(before, files);
  const unchanged = files.filter(({ path }) => !changed.includes(path));
  const level = ctx.input.target;
  const findings = measureAttempt({ level, before, after: files, changed, project });
  if (findings.length > 0) await tell(ctx, "measured", { attempt: state.attempts.at(-1)!.number, findings });
  const told = {
    ...variables,
    feedback,
    ...{ level, findings, scope: ctx.input.scope },
    rules: await rulesText(ctx, variables, "judge"),
    said: saidToText(state),
    planned: plannedLines(state),
    is_edit: ctx.input.kind === "edit",
    ...variantOf(ctx.input),
    rounds: roundsOf(state.attempts.slice(0, -1)),
    figures: [figuresToText(measureChange(before, files)), ...wordsOfEach(before, files)].join("; "),
    kept: keptOf(files.filter(({ path }) => changed.includes(path))).map(({ passage }) => passage.trim()),
    rest_count: unchanged.length,
  };
  const window = roomIn(ctx.input.windows?.judge?.context);
  const parts = packChange(before, files, "around", window);
  const seats = ctx.input.has_second_judge ? [1, 2] : [1];
  const asked = seats.flatMap((seat) =>
    parts.map(async (shown, at): Promise<JudgeQuestion> => {
      const part = partOf(shown, parts, files, unchanged, variables);
      const hearts = heartsOf(state.plan).filter((path) => !part.paths.includes(path));
      const heart = changesInShort(before, files, hearts, MOST_OF_HEART);
      const own = { ...told, seat, shown, heart, ...{ part: at + 1, parts: parts.length }, ...part.told };
      return {
        key: parts.length === 1 ? `judge-${seat}` : `judge-${seat}-part-${at + 1}`,
        role: seat === 2 ? "second-judge" : "judge",
        ...{ seat, feedback, files: part.paths, isPart: parts.length > 1 },
        untouched: unchanged.map(({ path }) => path),
        asksReach: unchanged.length > 0 && !isPersonsOwn(ctx.input),
        question: window.fit(await makeQuestion(ctx, "judge", own)),
      };
    }),
  );
  return Promise.all(asked);
}

/** What one part is told beside its own text: the files of the others and those that did not change, in short, and the plans. */
function partOf(
  shown: readonly ShownFile[],
  parts: readonly (readonly ShownFile[])[],
  files: readonly FileBlock[],
  unchanged: readonly FileBlock[],
  variables: WritingVariables,
) {
  const paths = [...new Set(shown.map(({ path }) => path))];
  const other_paths = [...new Set(parts.flat().map(({ path }) => path))].filter((path) => !paths.includes(path));
  const elsewhere = files.filter(({ path }) => other_paths.includes(path));
  const beats = beatsOf(variables, paths);
  const rest = restLines(unchanged, paths, MOST_OF_REST);
  return { paths, told: { other_paths, beats, rest, others: restLines(elsewhere, paths, MOST_OF_OTHERS) } };
}

/** The plans of files of prose as one text; "" where they have none. */
export function beatsOf({ chapters }: Pick<WritingVariables, "chapters">, shown: readonly string[]): string {
  const plans = new Set(shown.map(planOf));
  return chapters
    .filter(({ path }) => plans.has(path))
    .map(({ text }) => text.trim())
    .join("\n\n");
}

/** How many words each changed file had and has, where these are few enough to be read. */
function wordsOfEach(before: readonly FileBlock[], files: readonly FileBlock[]): string[] {
  const counted = countChanges(before, files);
  if (counted.length > MOST_COUNTED) return [];
  return counted.map(({ path, before: had, after: has }) => `${nameOf(path)}: ${had} words before, ${has} after`);
}

const MOST_COUNTED = 12;
/** Tokens of the heart's passages for those who are shown another part, of the files that did not change, and of those of other parts. */
const MOST_OF_HEART = 1_500;
const MOST_OF_REST = 3_200;
const MOST_OF_OTHERS = 1_000;
