// repair: what is wrong becomes an issue of its own, with precise instructions, and a run of its own takes it up.

import { showScore } from "@loopwright/terminal";
import type { Issue, NewIssue, Priority } from "@loopwright/tracker";
import { type Asset, tracked } from "../issues.ts";
import type { FabContext, FabInput, FabState } from "../task.ts";
import { type GateVerdict, requirementToLine, verdictToFields } from "../verdict/gate-verdict.ts";

export async function repair(state: FabState, ctx: FabContext) {
  const { asset, code, figures, scene, verdict, views, asked } = state;
  const { file: _, ...input } = ctx.input;
  const work = ctx.input.work!;
  const { choice } = ctx.answer ?? {};
  // What nobody has acted on holds on.
  const { template: wanted, note: said } = scene ? {} : work;
  const note = ctx.answer?.note ?? said;
  const template = templateOf(ctx, verdict!, choice) ?? wanted;
  const next = repairIssue(ctx.input, ctx.run, verdict!, { ...(template && { template }), ...(note && { note }) });
  const issue = await tracked(ctx, "repair-issue", async (tracker) => {
    const lastReport = `runs/${ctx.run}/verdict/gate_verdict.json`;
    await tracker.update(work.issue, { iteration: { lastReport, ...verdictToFields(verdict!) } });
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
    asked,
    work: {
      ...same,
      issue,
      parent: ctx.run,
      ...(asset && { last: { asset, ...(code && { code }), figures, repairs, views: shown } }),
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

interface More {
  template?: string;
  note?: string;
}

/** Makes the issue from the one that failed; it is the same one however often it is made. */
export function repairIssue(input: FabInput, run: string, verdict: GateVerdict, { template, note }: More) {
  const { gate, iteration_index } = input;
  const { hard, soft } = verdict.failures;
  const index = iteration_index + 1;
  const title = input.work!.title;
  return (failed: Issue<Asset>): NewIssue<Asset> & { key: string } => ({
    key: `repair of ${run}`,
    title: `[REPAIR] ${title} (iter ${index})`,
    description: describe(input, run, verdict, { ...(template && { template }), ...(note && { note }) }),
    priority: moreUrgent(failed.priority, gate.iteration.priority_escalation),
    tags: [
      `@attempt:${index}`,
      "@auto-generated",
      `@gate:${gate.gate_config_id}`,
      ...hard.slice(0, 3).map((code) => `@fail:${code}`),
    ],
    asset: { ...failed.asset!, ...(template && { template }) },
    iteration: { index, parentRun: run, gateConfig: gate.gate_config_id, lastFailCodes: [...hard, ...soft] },
  });
}

function moreUrgent(priority: Priority, escalation: FabInput["gate"]["iteration"]["priority_escalation"]): Priority {
  return (escalation[`${priority}_to` as keyof typeof escalation] as Priority | undefined) ?? priority;
}

function describe(input: FabInput, run: string, verdict: GateVerdict, { template, note }: More): string {
  const { gate, iteration_index, work } = input;
  const { hard, soft } = verdict.failures;
  const list = (codes: readonly string[]) => codes.map((code) => `- ${code}`).join("\n") || "- none";
  const scores = Object.entries(verdict.scores.by_critic).map(([name, score]) => {
    const floor = gate.critics[name as keyof typeof gate.critics]?.floor;
    const isBelow = score !== null && floor !== undefined && score < floor;
    const status = score === null ? "not judged" : isBelow ? "below" : "ok";
    return `| ${name} | ${score === null ? "–" : showScore(score, 2)} | ${floor?.toFixed(2) ?? "–"} | ${status} |`;
  });
  const todo = verdict.next_actions
    .filter(({ action }) => action === "repair")
    .map(({ code, priority, instructions }, at) => `${at + 1}. **${code}** (priority ${priority})\n\n${instructions}`);
  return `## Repair task for: ${work!.title}

### Iteration: ${iteration_index + 1} of ${gate.iteration.max_iterations}

### Gate verdict: FAIL (${verdict.verdict_reason})

### Failures to address

**Hard fails (must fix):**
${list(hard)}

**Soft fails (improve):**
${list(soft)}

### Scores

| Critic | Score | Floor | Status |
|--------|-------|-------|--------|
${scores.join("\n")}
| overall | ${showScore(verdict.scores.overall, 2)} | ${verdict.scores.threshold.toFixed(2)} | ${verdict.scores.margin < 0 ? "below" : "ok"} |

### What was asked for
${list(verdict.requirements.map(requirementToLine))}

### Repair instructions

${todo.join("\n\n")}

### Reference renders

${verdict.artifacts.asset ? `runs/${run}/views/shaded_front_3q.png, and the other views beside it` : "none: there is no asset"}${Object.keys(verdict.artifacts.renders).length > 0 ? `; renders by Blender in runs/${run}/render/` : ""}.

### Full report

runs/${run}/${verdict.artifacts.report}
${template ? `\n### Template\n\nBegin again from ${template}.\n` : ""}${note ? `\n### From the review\n\n${note}\n` : ""}`;
}
