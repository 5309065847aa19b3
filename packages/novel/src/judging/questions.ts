// What judges are asked: each the whole change, in as many parts as it takes, with what stands above and beside it.

import { measureChange } from "../diff/index.ts";
import { nameOf } from "../manuscript/files/layout.ts";
import { keptOf } from "../manuscript/kept.ts";
import { tell } from "../notes.ts";
import { findMentions } from "../reach/mentions.ts";
import { mayReopen } from "../reach/plan.ts";
import { restRoom, restWithin } from "../reach/rest.ts";
import { saidToText } from "../said/author-notes.ts";
import { authorsWords } from "../said/authors-words.ts";
import { loadBefore, loadContext } from "../saved.ts";
import { figuresToText } from "../semantic-diff.ts";
import { countChanges, measureAttempt } from "../style/measured.ts";
import { rulesText } from "../style/rules.ts";
import { type NovelContext, type NovelState, variantOf } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { makeQuestion, type RenderedQuestion, splitChange } from "../writing/questions.ts";
import { roundsOf } from "../writing/rounds.ts";
import { packChange } from "./packs.ts";
import { beatsOf } from "./plans.ts";
import { roomIn } from "./room.ts";
import { judgeForm, type Shown } from "./rulings.ts";
import { aboveOf } from "./told.ts";

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
  const told = {
    ...variables,
    feedback,
    ...{ level, findings },
    rules: await rulesText(ctx, variables, "judge"),
    said: saidToText(state),
    is_edit: ctx.input.kind === "edit",
    ...variantOf(ctx.input),
    rounds: roundsOf(state.attempts.slice(0, -1)),
    figures: [figuresToText(measureChange(before, files)), ...wordsOfEach(before, files)].join("; "),
    kept: keptOf(files.filter(({ path }) => changed.includes(path))).map(({ passage }) => passage.trim()),
    rest_count: unchanged.length,
    asks_elsewhere: unchanged.length > 0 && mayReopen(state, ctx.input),
  };
  const bare = {
    ...told,
    seat: 2,
    shown: [],
    part: 1,
    parts: 2,
    other_paths: changed,
    rest: "",
    others: "",
    beats: "",
  };
  const window = await roomIn(
    ctx.input.windows?.judge?.context,
    () => makeQuestion(ctx, "judge", bare),
    judgeForm({ feedback, isPart: true, asksElsewhere: told.asks_elsewhere }),
  );
  const parts = packChange(before, files, "whole", window);
  const mentions = findMentions(authorsWords(ctx.input), files, variables);
  const rest = restWithin(unchanged, mentions);
  const above = aboveOf(level, variables);
  const untouched = unchanged.map(({ path }) => path);
  const asked = Array.from({ length: ctx.input.judges }, (_, at) => at + 1).flatMap((seat) =>
    parts.map(async (shown, at): Promise<JudgeQuestion> => {
      const paths = [...new Set(shown.map(({ path }) => path))];
      const others = new Set(parts.flatMap((part, index) => (index === at ? [] : part.map(({ path }) => path))));
      const elsewhere = files.filter(({ path }) => others.has(path) && !paths.includes(path));
      const beats = beatsOf(variables, paths);
      const room = restRoom([...above, beats, ...shown.map(({ text }) => text)]);
      const own = {
        ...told,
        seat,
        shown,
        ...{ part: at + 1, parts: parts.length },
        other_paths: [...others],
        rest: rest({ changed: paths, room }),
        others: restWithin(elsewhere, mentions)({ changed: paths, room }),
        beats,
      };
      return {
        key: parts.length === 1 ? `judge-${seat}` : `judge-${seat}-part-${at + 1}`,
        ...{ seat, feedback, files: paths, untouched, isPart: parts.length > 1 },
        asksElsewhere: told.asks_elsewhere,
        question: window.fit(await makeQuestion(ctx, "judge", own)),
      };
    }),
  );
  return Promise.all(asked);
}

/** How many words each changed file had and has, where these are few enough to be read. */
function wordsOfEach(before: readonly FileBlock[], files: readonly FileBlock[]): string[] {
  const counted = countChanges(before, files);
  if (counted.length > MOST_COUNTED) return [];
  return counted.map(({ path, before: had, after: has }) => `${nameOf(path)}: ${had} words before, ${has} after`);
}

const MOST_COUNTED = 12;
