// repair: what is wrong becomes an issue of its own, with precise instructions, and a run of its own takes it up.

import { tracked } from "../issues.ts";
import { repairIssue } from "../repair-issue.ts";
import type { FabContext, FabInput, FabState } from "../task.ts";

export async function repair({ asset, code, figures, verdict, views }: FabState, ctx: FabContext) {
  const { file: _, ...input } = ctx.input;
  const work = ctx.input.work!;
  const { choice, note } = ctx.answer ?? {};
  const template = templateOf(ctx, verdict!, choice);
  const next = repairIssue(ctx.input, ctx.run, verdict!, { ...(template && { template }), ...(note && { note }) });
  const issue = await tracked(ctx, "repair-issue", async (tracker) => {
    const { hard, soft } = verdict!.failures;
    const lastReport = `runs/${ctx.run}/verdict/gate_verdict.json`;
    await tracker.update(work.issue, { iteration: { lastReport, lastFailCodes: [...hard, ...soft] } });
    const failed = await tracker.get(work.issue);
    const { id } = await tracker.repair({ root: work.root, failed: work.issue }, next(failed!));
    // The next run is this process's too: nobody else is to find the issue ready meanwhile.
    await tracker.claim(id);
    return id;
  });
  const { template: __, note: ___, ...same } = work;
  const repairs = verdict!.next_actions.flatMap(({ code, priority, instructions }) =>
    code === undefined ? [] : [{ code, priority, instructions }],
  );
  const shown = views.filter(({ style }) => style === "shaded").map(({ view, picture }) => ({ view, picture }));
  const by: FabInput = {
    ...input,
    iteration_index: input.iteration_index + 1,
    hard_before: [...input.hard_before, verdict!.failures.hard],
    work: {
      ...same,
      issue,
      ...(asset && { last: { run: ctx.run, asset, ...(code && { code }), figures, repairs, views: shown } }),
      ...(template && { template }),
      ...(note && { note }),
    },
  };
  return ctx.end("superseded", { reason: `${verdict!.verdict_reason}: repaired as ${issue}`, by });
}

/** The template that the next run begins with: where a person says so, or where repairs of the geometry do not help. */
function templateOf({ input }: FabContext, verdict: NonNullable<FabState["verdict"]>, choice?: string) {
  const { templates } = input.gate.iteration.template_fallback;
  const isAsked = choice === "template" || verdict.next_actions.some(({ action }) => action === "fallback_to_template");
  return isAsked ? (templates[input.work!.kind] ?? templates[input.gate.kind]) : undefined;
}
