// escalate: a person must look. Their answer leads on: accepted as it is, one more repair, a repair from the template, or the end.

import { tracked } from "../issues.ts";
import type { FabContext, FabState } from "../task.ts";
import { verdictToFields } from "../verdict/gate-verdict.ts";

export async function escalate({ escalation, verdict }: FabState, ctx: FabContext) {
  const work = ctx.input.work!;
  const codes = [...verdict!.failures.hard, ...verdict!.failures.soft];
  if (ctx.answer?.choice === "reject") {
    const reason = `a person said no to it${ctx.answer.note ? `: ${ctx.answer.note}` : ""}`;
    await tracked(ctx, "close", (tracker) => tracker.closeChain(work.root, reason));
    return ctx.end("declined", { reason });
  }
  await tracked(ctx, "escalated", async (tracker) => {
    await tracker.update(work.issue, (issue) => ({
      status: "escalated",
      tags: [...new Set([...issue.tags, "@human-escalated", `@escalate:${escalation}`])],
      iteration: { lastReport: `runs/${ctx.run}/verdict/gate_verdict.json`, ...verdictToFields(verdict!) },
      reason: verdict!.verdict_reason,
    }));
  });
  await ctx.tell("fab-escalated", {
    issue_id: work.issue,
    run_id: ctx.run,
    reason: escalation!,
    iteration_index: ctx.input.iteration_index,
    verdict: verdict!.verdict,
    scores: verdict!.scores,
    last_fail_codes: codes,
    timestamp: new Date(ctx.clock.now()).toISOString(),
  });
  const hasTemplate = Object.keys(ctx.input.gate.iteration.template_fallback.templates).length > 0;
  return ctx.end("escalated", {
    reason: `${escalation}: ${verdict!.verdict_reason}`,
    gate: {
      name: "review",
      question: `${work.title}: ${verdict!.verdict_reason} (${escalation}). What is to be done?`,
      choices: {
        accept: "done",
        reject: "escalate",
        retry: "repair",
        ...(hasTemplate && { template: "repair" as const }),
        later: null,
      },
      default: "later",
      accepting: ["accept"],
    },
  });
}
