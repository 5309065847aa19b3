// The rounds of an iteration: which attempt comes next, and what it is told of those before it.

import { detectStuck, type Stuck, type StuckRules, signSet } from "@loopwright/core";
import { fileCalled, filesInWords } from "../level/names.ts";
import { filesToWrite } from "../level/plan.ts";
import { tell } from "../notes.ts";
import { type Attempt, type Base, baseOf, type NovelContext, type NovelState, type NovelTask } from "../task.ts";

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
  const rounds = attempts.flatMap(({ number, judgment }) =>
    judgment ? [{ iteration: number, findings: signSet(judgment.specific_issues.map(plainWords)) }] : [],
  );
  return detectStuck(rounds, stuckRules);
}

/** An issue without what a judge may write otherwise and mean the same. */
function plainWords(issue: string): string {
  return (issue.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

/** What the iteration is about, as items; a task without words of its own gets ours. */
export function feedbackOf({ kind, target, feedback, edited = [] }: NovelTask, isFirst: boolean): string[] {
  if (feedback.length > 0) return [...feedback];
  const isOneFile = target === "premise" || target === "treatment";
  if (kind === "edit")
    return [`Edited by hand: ${isOneFile ? `the ${target}` : filesInWords(edited.map(({ path }) => path))}`];
  if (kind === "split") return ["Take the text apart where its chapters begin"];
  if (kind === "derive") return [`Derive the ${target} from what is below`];
  return isFirst ? [] : [`Generate the ${target} anew from what is above`];
}

/** The same for those who write and judge: without what hung on a condition that does not hold, and with what was judged of others. */
export function feedbackTold(task: NovelTask, { plan, base }: NovelState): string[] {
  return plan ? [...plan.feedback] : feedbackOf(task, base?.is_first ?? true);
}

/** All rounds so far, oldest first; `commit` is what is written on now. For whoever writes one of several files, without what is said of another. */
export function roundsOf(attempts: readonly Attempt[], commit?: string, one?: { path: string; of: readonly string[] }) {
  const isOwn = (line: string) => {
    const about = one && fileCalled(line.split(":", 1)[0]!, one.of);
    return about === undefined || about === one?.path;
  };
  return attempts.map(({ number, judgment, problems, on }) => ({
    attempt: number,
    reasoning: judgment?.reasoning ?? "",
    is_approved: judgment?.verdict === "approved",
    // Whether the author has edited the text since: this attempt is not in what stands there now.
    is_before_edit: commit !== undefined && on !== undefined && on !== commit,
    issues: (judgment?.specific_issues ?? []).map(toLine).filter(isOwn),
    suggestions: (judgment?.suggestions ?? []).map(toLine).filter(isOwn),
    problems: problems.filter(isOwn),
  }));
}

/** A judge's point on one line, so that nothing in it reads as a part of the prompt. */
function toLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Says that an attempt begins. */
export async function announceAttempt(ctx: NovelContext, state: NovelState): Promise<void> {
  const { input } = ctx;
  const { attempts, said = [] } = state;
  const base = baseOf(state);
  if (input.kind === "edit") return;
  // What a judge approved and the author did not take goes on with the author's words.
  const isSentBack = (number: number) => said.some(({ gate, attempt }) => gate === "accept" && attempt === number);
  const rounds = attempts.filter(
    ({ judgment, number }) => judgment && !(judgment.verdict === "approved" && isSentBack(number)),
  );
  const notes = attempts.length === 0 ? [] : said.map(({ text }) => text);
  const plan = filesToWrite(state, input);
  const written = input.variants === undefined ? plan?.length : 1;
  const share = written !== undefined && base.chapters > 0 ? Math.min(1, written / base.chapters) : 1;
  await tell(ctx, "generation-began", {
    target: input.target,
    attempt: attempts.length + 1,
    context: base.description,
    feedback: feedbackOf(input, base.is_first),
    judge_rounds: rounds.length,
    ...(notes.length > 0 && { said: notes }),
    words_before: Math.round(base.words * share),
    ...(input.variants !== undefined ? variantsOf(input) : filesOf(base, plan)),
  });
}

function filesOf(base: Base, plan: readonly string[] | undefined) {
  return {
    ...(base.chapters > 0 && { chapters: plan?.length || base.chapters }),
    ...(plan && plan.length > 0 && !base.is_first && { files: [...plan] }),
  };
}

function variantsOf({ variants = 2, file, passage }: NovelTask) {
  return { ...(file !== undefined && { files: [file] }), variants, ...(passage !== undefined && { passage }) };
}
