// finalize: content, cull, history and staleness go into one commit, and the work tree is brought to it.
//
// What the commit holds is worked out and recorded first; the commit is made of that record and found again by the
// iteration's id, so that doing it again after a crash completes what is left. A file that a person edited since the
// iteration began is never written over unasked: the edit has a commit of its own by then, and the person says what happens.
// One that the iteration left alone stays as they made it.

import { historyEntry, iterationSubject } from "../committing/history-entry.ts";
import {
  type Accepted,
  type CommitPlan,
  type Committed,
  type Edits,
  makeCommit,
  type Planned,
  planCommit,
} from "../committing/plan-commit.ts";
import { keepForDebugging, projectOf } from "../debug-store.ts";
import { tell } from "../notes.ts";
import { filesInWords } from "../reach/words.ts";
import { conditionsToText } from "../said/conditions.ts";
import { loadAttempt, loadBefore, loadContext, loadValue } from "../saved.ts";
import { baseOf, chosenAttempt, type NovelContext, type NovelState } from "../task.ts";
import type { Change } from "../types.ts";
import { feedbackOf } from "../writing/rounds.ts";

/** Commits the chosen attempt. */
export async function finalize(state: NovelState, ctx: NovelContext) {
  const { target, iteration_id } = ctx.input;
  const { is_first } = baseOf(state);
  const attempt = chosenAttempt(state);
  const [before, files = [], { seen = {} }] = await Promise.all([
    loadBefore(ctx, state),
    loadAttempt(ctx, attempt),
    loadContext(ctx, state),
  ]);
  const entry = historyEntry(ctx.input, state, before, files, ctx.clock.now());
  const accepted = { task: ctx.input, state, before, files, entry, seen };
  let planned = await planInEffect(ctx, "plan", accepted, "named");
  if (planned.edited) {
    const choice = await askAboutEdit(ctx, planned);
    if (choice === "again") return ctx.to("check");
    if (choice === "no") return keepEdit(ctx, state);
    planned =
      choice === "join"
        ? await planInEffect(ctx, "plan-join", accepted, "joined")
        : await planInEffect(ctx, "plan-over", accepted, "overwritten");
  }
  // Edited once more, where it can no longer be joined.
  if (planned.edited) return ctx.to("finalize");
  if (planned.refused !== undefined) return ctx.end("failed", { reason: planned.refused });
  const { plan } = planned;
  const subject = iterationSubject(ctx.input, is_first);
  const words = [...feedbackOf(ctx.input, is_first), ...conditionsToText(ctx.input), state.summary ?? ""].filter(
    (text) => text !== "",
  );
  const committed = await commitInEffect(ctx, plan, subject, words.join("\n\n"));
  if (committed.refused !== undefined) return ctx.end("failed", { reason: committed.refused });
  const part =
    attempt.part_of && `, but for ${filesInWords(attempt.part_of.left)} of attempt ${attempt.part_of.attempt}`;
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": `accepted${part ?? ""}\n` });
  const { sha } = committed;
  const { change: _, on: __, ...figures } = plan;
  const verdict = attempt.judgment?.verdict ?? "none";
  await tell(ctx, "finalised", { target, ...figures, commit: sha, subject, attempts: entry.judge_attempts, verdict });
  const patch = { commit: sha, decision: "accepted" } as const;
  if (state.next !== undefined) return ctx.to("follow", patch);
  const reason = `iteration ${iteration_id} is committed as ${sha.slice(0, 10)}`;
  return ctx.end("done", { reason, patch });
}

function planInEffect(ctx: NovelContext, key: string, accepted: Accepted, edits: Edits): Promise<Planned> {
  const folder = projectOf(ctx);
  return ctx.effect<Planned>(key, {
    input: { iteration_id: ctx.input.iteration_id, chosen: accepted.state.chosen ?? 0 },
    run: (effect) => planCommit(folder, accepted, effect, edits),
  });
}

async function commitInEffect(ctx: NovelContext, plan: CommitPlan, subject: string, body: string): Promise<Committed> {
  const folder = projectOf(ctx);
  const change = await loadValue<Change>(ctx, plan.change);
  const { iteration_id: id } = ctx.input;
  return ctx.effect<Committed>("commit", {
    input: { id, subject, body, on: plan.on, change: plan.change.digest },
    run: () => makeCommit(folder, { id, subject, body, change, base: plan.on === "" ? undefined : plan.on }),
  });
}

async function askAboutEdit(ctx: NovelContext, { edited, canJoin }: { edited: readonly string[]; canJoin: boolean }) {
  const join = canJoin ? "Have both (they touch different paragraphs), b" : "B";
  const { choice } = await ctx.ask({
    name: "edited",
    question: `Edited by hand since this iteration began: ${edited.join(", ")}. The edit has a commit of its own. ${join}egin again from it, put the accepted text in its place, or leave it and drop the iteration?`,
    choices: canJoin ? ["join", "again", "overwrite", "no"] : ["again", "overwrite", "no"],
    default: canJoin ? "join" : "again",
    accepting: canJoin ? ["join", "overwrite"] : ["overwrite"],
    about: [...edited],
  });
  return choice;
}

async function keepEdit(ctx: NovelContext, state: NovelState) {
  const reason = "the text was edited by hand meanwhile, and the edit stays";
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "rejected\n" });
  await tell(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { decision: "rejected" } });
}
