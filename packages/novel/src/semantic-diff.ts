// The semantic diff: what an attempt changed, in the summarizer's words and in measured figures.
//
// It is asked for once for each attempt. Where no usable answer can be had, or there is no summarizer, the figures stand
// alone: a summary decides nothing.

import { parseObject, retryWithModel } from "@loopwright/models";
import { z } from "zod";
import { changedPaths, measureChange, renderSemanticDiff } from "./diff/index.ts";
import { tell, tellRefused } from "./notes.ts";
import { loadAttempt, loadBefore, loadContext, loadSummary, toArtifactText } from "./saved.ts";
import { type Attempt, baseOf, type NovelContext, type NovelState, type NovelTask } from "./task.ts";
import type { ChangeFigures, FileBlock, SemanticDiff } from "./types.ts";
import { makeQuestion, splitChange } from "./writing/questions.ts";
import { feedbackOf } from "./writing/rounds.ts";

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const texts = z.array(z.string()).default([]);
const Change = z.object({
  where: text,
  what: text,
  before: z.string().optional(),
  after: z.string().optional(),
  details: texts,
});

const Summary = z.object({
  summary: text,
  foundation: z.array(z.object({ text })).default([]),
  major: z.array(Change).default([]),
  moderate: z.array(Change).default([]),
  minor: z.array(Change).default([]),
  why_it_works: z.string().default(""),
  impact: texts,
  risks: texts,
});

/** An attempt's change, as a person decides by it. */
export interface Explained {
  /** The whole summary in the shape that it is shown in. */
  text: string;
  /** One or two sentences, for the history. */
  summary: string;
  figures: ChangeFigures;
  /** The attempt with its summary kept. */
  attempt: Attempt;
}

/** Says what an attempt changed. */
export async function explainAttempt(ctx: NovelContext, state: NovelState, attempt: Attempt): Promise<Explained> {
  const [before, after] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
  const figures = measureChange(before, after ?? []);
  const kept = await loadSummary(ctx, attempt);
  const diff = kept ?? (await askForSummary(ctx, state, attempt, before, after ?? [], figures));
  const isNew = diff !== undefined && kept === undefined;
  const summary = isNew ? await ctx.save(`summary-${attempt.number}.json`, toArtifactText(diff)) : attempt.summary;
  const rendered = renderSemanticDiff(diff, {
    level: ctx.input.target,
    feedback: feedbackOf(ctx.input, baseOf(state).is_first),
    figures,
    changed: changedPaths(before, after ?? []),
    attempts: judgedUpTo(state, attempt),
    isApproved: attempt.judgement?.verdict === "approved",
  });
  return {
    text: rendered,
    summary: diff?.summary ?? figuresToText(figures),
    figures,
    attempt: { ...attempt, ...(summary && { summary }) },
  };
}

/** How many attempts a judge had seen when this one was judged. */
function judgedUpTo({ attempts }: NovelState, { number }: Attempt): number {
  return attempts.filter((each) => each.number <= number && each.judgement !== undefined).length;
}

/** Figures in a sentence. */
export function figuresToText(figures: ChangeFigures): string {
  const { files_changed, files_total, lines_added, lines_removed, words_before, words_after } = figures;
  return `${files_changed} of ${files_total} files changed, ${lines_added} lines added, ${lines_removed} removed, ${words_before} words before, ${words_after} after`;
}

async function askForSummary(
  ctx: NovelContext,
  state: NovelState,
  { judgement }: Attempt,
  before: readonly FileBlock[],
  after: readonly FileBlock[],
  figures: ChangeFigures,
): Promise<SemanticDiff | undefined> {
  if (!ctx.input.has_summarizer) return undefined;
  const { variables } = await loadContext(ctx, state);
  const question = await makeQuestion(ctx, "semantic-diff", {
    ...splitChange(before, after),
    level: ctx.input.target,
    feedback: feedbackOf(ctx.input, baseOf(state).is_first),
    history: variables.history,
    verdict: judgement?.verdict ?? "nothing",
    reasoning: judgement?.reasoning ?? "",
    figures: figuresToText(figures),
  });
  const { failure, work } = await retryWithModel<NovelTask, NovelState, SemanticDiff, null>(ctx, {
    ...question,
    schema: Summary,
    read: (answer) => withoutAbsent(parseObject(answer, Summary)),
    onRefused: tellRefused("summarizer"),
    execute: async () => null,
  });
  if (!failure) return work;
  const message = `there is no summary in words, only the figures: ${failure.message.split("\n", 1)[0]}`;
  await tell(ctx, "warning", { code: "SUMMARY_UNREADABLE", message });
  return undefined;
}

/** A summary as it is kept: what was left out is not there. */
function withoutAbsent(summary: z.output<typeof Summary>): SemanticDiff {
  return JSON.parse(JSON.stringify(summary)) as SemanticDiff;
}
