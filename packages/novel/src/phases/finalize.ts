// finalize: content, cull, history and staleness go into one commit, and the work tree is brought to it.
//
// What the commit holds is worked out and recorded first; the commit is made of that record and found again by the
// iteration's id, so that doing it again after a crash completes what is left. A file that a person edited since the
// iteration began is never written over: the edit has a commit of its own by then, and is joined with what was accepted where the two
// touch different paragraphs; else the iteration begins anew from it. The last word of a run, whatever ended it, is a note in its folder.

import type { Ending, FinishContext } from "@loopwright/core";
import {
  type Accepted,
  type Committed,
  historyEntry,
  iterationSubject,
  makeCommit,
  type Planned,
  planCommit,
} from "../committing/plan-commit.ts";
import { filesInWords } from "../level/names.ts";
import { tell } from "../notes.ts";
import { SAY } from "../said.ts";
import { keepForDebugging, loadAttempt, loadBefore, loadContext, loadValue, projectOf } from "../saved.ts";
import { type Attempt, baseOf, chosenAttempt, type NovelContext, type NovelState, type NovelTask } from "../task.ts";
import type { Change } from "../types.ts";
import { feedbackOf } from "../writing/rounds.ts";

/** Commits the chosen attempt. */
export async function finalize(state: NovelState, ctx: NovelContext) {
  const { target, iteration_id } = ctx.input;
  const { is_first } = baseOf(state);
  const folder = projectOf(ctx);
  const attempt = chosenAttempt(state);
  const [before, files = [], { seen = {} }] = await Promise.all([
    loadBefore(ctx, state),
    loadAttempt(ctx, attempt),
    loadContext(ctx, state),
  ]);
  const entry = historyEntry(ctx.input, state, before, files, ctx.clock.now());
  const accepted: Accepted = { task: ctx.input, state, before, files, entry, seen };
  const planned = await ctx.effect<Planned>("plan", {
    input: { iteration_id, chosen: state.chosen ?? 0 },
    run: (effect) => planCommit(folder, accepted, effect),
  });
  if (planned.refused !== undefined) return ctx.end("failed", { reason: planned.refused });
  if (planned.edited !== undefined) {
    await tell(ctx, "edit-met", { paths: planned.edited, is_joined: false });
    return ctx.to("check");
  }
  const { plan } = planned;
  if (plan.joined.length > 0) await tell(ctx, "edit-met", { paths: plan.joined, is_joined: true });
  const subject = iterationSubject(ctx.input, is_first);
  // What was asked back makes feedback clear that says too little by itself.
  const asked = (state.said ?? [])
    .filter(({ gate, choice }) => gate === "clarify" && choice === SAY)
    .map(({ text }) => text);
  const words = [...feedbackOf(ctx.input, is_first), ...asked, ...(state.plan?.conditions ?? []), state.summary ?? ""];
  const body = words.filter((text) => text !== "").join("\n\n");
  const change = await loadValue<Change>(ctx, plan.change);
  const committed = await ctx.effect<Committed>("commit", {
    input: { id: iteration_id, subject, body, on: plan.on, change: plan.change.digest },
    run: () =>
      makeCommit(folder, { id: iteration_id, subject, body, change, base: plan.on === "" ? undefined : plan.on }),
  });
  if (committed.refused !== undefined) return ctx.end("failed", { reason: committed.refused });
  const { part_of } = attempt;
  const part = part_of && `, but for ${filesInWords(part_of.left)} of attempt ${part_of.attempt}`;
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": `accepted${part ?? ""}\n` });
  const { sha } = committed;
  const { change: _, on: __, joined: ___, ...figures } = plan;
  const verdict = attempt.judgment?.verdict ?? "none";
  await tell(ctx, "finalised", { target, ...figures, commit: sha, subject, attempts: entry.judge_attempts, verdict });
  const reason = `iteration ${iteration_id} is committed as ${sha.slice(0, 10)}`;
  return ctx.end("done", { reason, patch: { commit: sha, decision: "accepted" } });
}

/** Writes `iteration.md`. */
export async function finish(state: NovelState, ending: Ending, ctx: FinishContext<NovelTask>): Promise<void> {
  const { target, kind, iteration_id } = ctx.input;
  const feedback = feedbackOf(ctx.input, state.base?.is_first ?? true);
  const { plan } = state;
  const named = filesInWords(plan?.files.map(({ path }) => path) ?? []);
  const reached = plan?.is_whole ? "the whole level" : named || "no file";
  const lines = [
    `# ${kind} ${target}`,
    "",
    `- iteration: ${iteration_id}`,
    `- ended: ${ending.outcome}, ${ending.reason}`,
    ...(plan ? [`- reaches: ${reached}`] : []),
    ...(state.commit === undefined ? [] : [`- commit: ${state.commit}`]),
    ...(state.debug === "" ? [] : [`- every answer: ${state.debug}`]),
    ...(feedback.length === 0 ? [] : ["", "## Feedback", "", ...feedback.map((item) => `- ${item}`)]),
    ...(state.attempts.length === 0 ? [] : ["", "## Attempts", "", ...state.attempts.map(describeAttempt)]),
    ...(state.summary === undefined ? [] : ["", "## What changed", "", state.summary]),
  ];
  await ctx.save("iteration.md", `${lines.join("\n")}\n`);
}

function describeAttempt({ number, judgment, problems, words }: Attempt): string {
  if (problems.length > 0) return `${number}. no usable form: ${problems.join(" ")}`;
  const verdict = judgment ? `${judgment.verdict}: ${judgment.reasoning}` : "not judged";
  return `${number}. ${words} words, ${verdict}`;
}
