// finalize: content, cull, history and staleness go into one commit, and the work tree is brought to it.
//
// What the commit holds is worked out and recorded first; the commit is made of that record and found again by the
// iteration's id. What a person edited since the iteration began has a commit of its own by then: where it touches other
// paragraphs both are had, and else the iteration begins anew from it.

import { historyEntry, iterationSubject } from "../committing/history-entry.ts";
import {
  type Accepted,
  type CommitPlan,
  type Committed,
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
  const planned = await planInEffect(ctx, accepted);
  if (planned.edited) {
    const message = `edited by hand since this iteration began: ${planned.edited.join(", ")}. The edit has a commit of its own, and the iteration begins anew from it`;
    await tell(ctx, "warning", { code: "EDITED_MEANWHILE", message });
    return ctx.to("check");
  }
  if (planned.refused !== undefined) return ctx.end("failed", { reason: planned.refused });
  const { plan } = planned;
  if (plan.joined.length > 0) {
    const message = `edited by hand since this iteration began: ${plan.joined.join(", ")}. Both changes are in it`;
    await tell(ctx, "warning", { code: "EDIT_JOINED", message });
  }
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
  const { change: _, on: __, joined: ___, ...figures } = plan;
  const verdict = attempt.judgment?.verdict ?? "none";
  await tell(ctx, "finalised", { target, ...figures, commit: sha, subject, attempts: entry.judge_attempts, verdict });
  const patch = { commit: sha, decision: "accepted" } as const;
  if (state.next !== undefined) return ctx.to("follow", patch);
  const reason = `iteration ${iteration_id} is committed as ${sha.slice(0, 10)}`;
  return ctx.end("done", { reason, patch });
}

function planInEffect(ctx: NovelContext, accepted: Accepted): Promise<Planned> {
  const folder = projectOf(ctx);
  return ctx.effect<Planned>("plan", {
    input: { iteration_id: ctx.input.iteration_id, chosen: accepted.state.chosen ?? 0 },
    run: (effect) => planCommit(folder, accepted, effect),
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
