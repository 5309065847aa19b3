// summarize: what the chosen attempt changed, in words and figures, and file by file as often as the author likes.
//
// The semantic diff, in the summarizer's words, is asked for once for each attempt. Where no usable answer can be had, or there is no
// summarizer, the figures stand alone: a summary decides nothing.

import { parseObject } from "@loopwright/models";
import { z } from "zod";
import { askAuthor } from "../asking.ts";
import { changedPaths, figuresToText, measureChange } from "../diff/lines.ts";
import { renderSemanticDiff } from "../diff/render.ts";
import { diffFiles } from "../diff/sections.ts";
import { hasRoom, packChange, roomIn } from "../judging/packs.ts";
import { beatsOf } from "../judging/questions.ts";
import { filesCalled, nameOfFile } from "../level/names.ts";
import { tell } from "../notes.ts";
import { saidToText } from "../said.ts";
import { keepForDebugging, loadAttempt, loadBefore, loadContext, loadValue, toArtifactText } from "../saved.ts";
import { countChanges } from "../style/rules.ts";
import { type Attempt, baseOf, chosenAttempt, type NovelContext, type NovelState, variantOf } from "../task.ts";
import type { ChangeFigures, FileBlock } from "../types.ts";
import { ask, makeQuestion, type RenderedQuestion } from "../writing/questions.ts";
import { feedbackOf } from "../writing/rounds.ts";

/** Says what changed, keeps it, and shows the texts. */
export async function summarize(state: NovelState, ctx: NovelContext) {
  const chosen = chosenAttempt(state);
  const [before, after = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, chosen)]);
  const told = state.shown === chosen.number ? {} : await tellSummary(state, ctx, chosen, [before, after]);
  const paths = changedPaths(before, after);
  const names = paths.map(nameOfFile);
  const answer = await askAuthor(ctx, {
    name: "detail",
    question: "View detailed text diff?",
    choices: [...names, "all", "skip"],
    default: "skip",
    about: { attempt: chosen.number, paths },
    means: {
      ...Object.fromEntries(names.map((name) => [name, `the changes of ${name} are shown`])),
      all: "the changes of all files are shown",
      skip: "nothing more is shown",
    },
    files: names,
  });
  const patch = { ...told, shown: chosen.number };
  if (answer.choice === "skip") return ctx.to("accept", patch);
  const isAll = answer.choice === "all" && (answer.files ?? []).length === 0;
  const shown = isAll ? paths : filesCalled([answer.choice, ...(answer.files ?? [])], paths);
  const files = diffFiles(before, after).filter(({ path }) => shown.includes(path));
  if (files.length > 0) await tell(ctx, "detail-shown", { name: answer.choice, files });
  return ctx.to("summarize", patch);
}

async function tellSummary(state: NovelState, ctx: NovelContext, chosen: Attempt, sides: [FileBlock[], FileBlock[]]) {
  await tell(ctx, "summary-began", { attempt: chosen.number });
  const { text, summary, figures, attempt } = await explainAttempt(ctx, state, chosen);
  await keepForDebugging(ctx, "debug", state.debug, { "final_semantic_diff.md": `${text.trimEnd()}\n` });
  const is_approved = attempt.judgment?.verdict === "approved";
  await tell(ctx, "semantic-diff", { attempt: attempt.number, text, summary, figures, is_approved });
  await tell(ctx, "words-counted", { files: countChanges(...sides) });
  const attempts = state.attempts.map((each) => (each.number === attempt.number ? attempt : each));
  return { attempts, summary };
}

const text = z.string().refine((value) => value.trim() !== "", "it is empty");
const texts = z.array(z.string()).default([]);
const Change = z.object({
  /** Such as `Chapter 3`. */
  where: text,
  what: text,
  before: z.string().optional(),
  after: z.string().optional(),
  /** More places of the same change, each with what was there and what is. */
  pairs: z.array(z.object({ before: z.string(), after: z.string() })).default([]),
  details: texts,
});

const Summary = z.object({
  /** One or two sentences, for the history. */
  summary: text,
  foundation: z.array(z.object({ text })).default([]),
  major: z.array(Change).default([]),
  moderate: z.array(Change).default([]),
  minor: z.array(Change).default([]),
  why_it_works: z.string().default(""),
  impact: texts,
  risks: texts,
});
/** A summary of a change in plain words, as the summarizer gives it. */
export type SemanticDiff = z.output<typeof Summary>;

/** Says what an attempt changed: the whole summary as it is shown, a sentence or two for the history, and the attempt with its summary kept. */
export async function explainAttempt(ctx: NovelContext, state: NovelState, attempt: Attempt) {
  const [before, after] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
  const figures = measureChange(before, after ?? []);
  const kept = attempt.summary && (await loadValue<SemanticDiff>(ctx, attempt.summary));
  const diff = kept ?? (await askForSummary(ctx, state, attempt, before, after ?? [], figures));
  const isNew = diff !== undefined && kept === undefined;
  const summary = isNew ? await ctx.save(`summary-${attempt.number}.json`, toArtifactText(diff)) : attempt.summary;
  const rendered = renderSemanticDiff(diff, {
    level: ctx.input.target,
    feedback: feedbackOf(ctx.input, baseOf(state).is_first),
    isStep: ctx.input.follows !== undefined,
    said: (state.said ?? []).map(({ text: note }) => note),
    figures,
    changed: changedPaths(before, after ?? []),
    attempts: state.attempts.filter(({ number, judgment }) => number <= attempt.number && judgment).length,
    approvedOn: attempt.judgment?.verdict === "approved" ? attempt.number : undefined,
    partOf: attempt.part_of,
  });
  return {
    text: rendered,
    summary: diff?.summary ?? figuresToText(figures),
    figures,
    attempt: { ...attempt, ...(summary && { summary }) },
  };
}

/** Asks for the summary, of as many parts as the change is shown in; undefined where one could not be had. */
async function askForSummary(
  ctx: NovelContext,
  state: NovelState,
  { judgment }: Attempt,
  before: readonly FileBlock[],
  after: readonly FileBlock[],
  figures: ChangeFigures,
): Promise<SemanticDiff | undefined> {
  const window = ctx.input.windows?.summarizer?.context;
  if (!ctx.input.has_summarizer || !hasRoom(window)) return undefined;
  const { variables } = await loadContext(ctx, state);
  const told = {
    ...variables,
    level: ctx.input.target,
    ...variantOf(ctx.input),
    feedback: feedbackOf(ctx.input, baseOf(state).is_first),
    verdict: judgment?.verdict ?? "nothing",
    reasoning: judgment?.reasoning ?? "",
    issues: judgment?.verdict === "needs_revision" ? judgment.specific_issues : [],
    figures: figuresToText(figures),
    said: saidToText(state),
  };
  const room = roomIn(window);
  const parts = packChange(before, after, "changes", room);
  const bodies = parts.map((shown, at): [string, (own: NovelContext) => Promise<SemanticDiff | string>] => [
    `part-${at + 1}`,
    async (own) => {
      const beats = beatsOf(
        variables,
        shown.map(({ path }) => path),
      );
      const question = { ...told, part: at + 1, parts: parts.length, shown, beats };
      return askOnce(own, room.fit(await makeQuestion(ctx, "semantic-diff", question)));
    },
  ]);
  const answers = Object.values(await ctx.all(Object.fromEntries(bodies)));
  const failure = answers.find((answer) => typeof answer === "string");
  if (failure === undefined) return joinSummaries(answers as SemanticDiff[]);
  const message = `there is no summary in words, only the figures: ${failure}`;
  await tell(ctx, "warning", { code: "SUMMARY_UNREADABLE", message });
  return undefined;
}

/** One answer of the summarizer, or why there is none. */
async function askOnce(ctx: NovelContext, question: RenderedQuestion): Promise<SemanticDiff | string> {
  const { failure, work } = await ask<SemanticDiff>(ctx, {
    ...question,
    schema: Summary,
    read: (answer) => parseObject(answer, Summary),
  });
  return failure ? failure.message.split("\n", 1)[0]! : (work as SemanticDiff);
}

/** The summaries of the parts of one change as one. */
function joinSummaries(parts: readonly SemanticDiff[]): SemanticDiff {
  const [first] = parts;
  if (parts.length === 1) return first!;
  const texts = (pick: (part: SemanticDiff) => string) => [
    ...new Set(parts.map(pick).filter((each) => each.trim() !== "")),
  ];
  return {
    summary: texts(({ summary }) => summary).join(" "),
    foundation: parts.flatMap(({ foundation }) => foundation),
    major: parts.flatMap(({ major }) => major),
    moderate: parts.flatMap(({ moderate }) => moderate),
    minor: parts.flatMap(({ minor }) => minor),
    why_it_works: texts(({ why_it_works }) => why_it_works).join(" "),
    impact: [...new Set(parts.flatMap(({ impact }) => impact))],
    risks: [...new Set(parts.flatMap(({ risks }) => risks))],
  };
}
