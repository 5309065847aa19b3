// The rounds of an iteration: which attempt comes next, and what it is told of those before it.

import { detectStuck, type Stuck, type StuckRules, signSet } from "@loopwright/core";
import { tell } from "../notes.ts";
import type { Attempt, Base, NovelContext, NovelTask } from "../task.ts";

/** Rounds that go on by default; past them a person must say so. */
const DEFAULT_ROUNDS = 5;

/** The choice that a round's question has by default: a few rounds cost little, many without anyone looking do. */
export function defaultChoice(attempts: readonly Attempt[]): "yes" | "no" {
  return attempts.length < DEFAULT_ROUNDS ? "yes" : "no";
}

/** A judge who finds the same in two rounds running has not been heard. */
const stuckRules: StuckRules = { repeats: { findings: 2 } };

/** Whether the last rounds found the same issues. An attempt that never came before the judge is no round. */
export function repeatedFindings(attempts: readonly Attempt[]): Stuck | undefined {
  const rounds = attempts.flatMap(({ number, judgement }) =>
    judgement ? [{ iteration: number, findings: signSet(judgement.specific_issues.map(plainWords)) }] : [],
  );
  return detectStuck(rounds, stuckRules);
}

/** An issue without what a judge may write otherwise and mean the same. */
function plainWords(issue: string): string {
  return (issue.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

/** What the iteration is about, as items; a task without words of its own gets ours. */
export function feedbackOf({ kind, target, feedback }: NovelTask, isFirst: boolean): string[] {
  if (feedback.length > 0) return [...feedback];
  if (kind === "edit") return [`Edited by hand: ${target}`];
  if (kind === "derive") return [`Derive the ${target} from what is below`];
  return isFirst ? [] : [`Generate the ${target} anew from what is above`];
}

/** What came of a round, as the next attempt is told it. */
export interface Round {
  attempt: number;
  /** Empty where the attempt never came before the judge. */
  reasoning: string;
  issues: string[];
  suggestions: string[];
  /** Why the attempt had no usable form; empty where it had. */
  problems: string[];
}

/** All rounds so far, oldest first. */
export function roundsOf(attempts: readonly Attempt[]): Round[] {
  return attempts.map(({ number, judgement, problems }) => ({
    attempt: number,
    reasoning: judgement?.reasoning ?? "",
    issues: (judgement?.specific_issues ?? []).map(toLine),
    suggestions: (judgement?.suggestions ?? []).map(toLine),
    problems,
  }));
}

/** A judge's point on one line, so that nothing in it reads as a part of the prompt. */
function toLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Says that an attempt begins. */
export async function announceAttempt(
  ctx: NovelContext,
  base: Base,
  before: readonly Attempt[],
  plan?: readonly string[],
): Promise<void> {
  const { input } = ctx;
  if (input.kind === "edit") return;
  const share = plan && base.chapters > 0 ? Math.min(1, plan.length / base.chapters) : 1;
  await tell(ctx, "generation-began", {
    target: input.target,
    attempt: before.length + 1,
    context: base.description,
    feedback: feedbackOf(input, base.is_first),
    judge_rounds: before.filter(({ judgement }) => judgement !== undefined).length,
    words_before: Math.round(base.words * share),
    ...(base.chapters > 0 && { chapters: plan?.length ?? base.chapters }),
    ...(plan && !base.is_first && { files: [...plan] }),
  });
}
