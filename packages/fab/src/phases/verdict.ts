// verdict: opinions, problems and votes come to a verdict, which is written as a file and as words.

import { type Finding, readVerdict } from "@loopwright/core";
import { reportPage } from "../report.ts";
import type { FabContext, FabState } from "../task.ts";
import { buildVerdict } from "../verdict/build.ts";
import { type GateVerdict, verdictToText } from "../verdict/gate-verdict.ts";
import { judge } from "../verdict/standing.ts";

export async function giveVerdict(state: FabState, ctx: FabContext) {
  const { gate, work, iteration_index, hard_before } = ctx.input;
  const problems = state.problems as Finding[];
  const { requirements, nothing } = state.asked;
  const judged = judge({ looks: state.looks as never, problems, requirements }, gate);
  const { verdict, next } = buildVerdict(judged, gate, {
    run: ctx.run,
    assetId: state.asset_id,
    ...(work && { kind: work.kind }),
    nothing,
    index: iteration_index,
    before: hard_before,
    figures: state.figures,
    ...(state.votes && { votes: state.votes }),
    artifacts: {
      ...(state.asset && { asset: state.asset.path }),
      report: REPORT,
      renders: Object.fromEntries(state.renders.map(({ view, style, picture }) => [`${style}_${view}`, picture.path])),
    },
    startedAt: state.started_at,
    finishedAt: ctx.clock.now(),
  });
  await ctx.save(REPORT, await makeReport(state, ctx, verdict), "run");
  await ctx.save("verdict/gate_verdict.json", verdictToText(verdict), "run");
  await ctx.tell("gate-verdict", JSON.parse(JSON.stringify(verdict)));
  ctx.verdict(
    readVerdict({
      verdict: verdict.verdict,
      score: verdict.scores.overall,
      findings: judged.findings,
      reason: verdict.verdict_reason,
    }),
  );
  if (work) return ctx.to(next.action, { verdict, ...(next.action === "escalate" && { escalation: next.reason }) });
  const details = { reason: verdict.verdict_reason, patch: { verdict } };
  if (next.action === "done") return ctx.end("done", details);
  return ctx.end(next.action === "escalate" ? "escalated" : "failed", details);
}

const REPORT = "asset.html";

/** The page: the canonical views are in it, the turntable beside it. */
async function makeReport({ views, renders }: FabState, ctx: FabContext, verdict: GateVerdict): Promise<string> {
  const { gate, prompt } = ctx.input;
  const all = [...renders.filter(({ style }) => style === "beauty"), ...views];
  const isTurning = ({ view, style }: { view: string; style: string }) =>
    view.startsWith("turntable_") && style === "beauty";
  const pictures = await Promise.all(
    all
      .filter((each) => !isTurning(each))
      .map(async ({ view, style, picture }) => ({ view, style, png: await ctx.load(picture) })),
  );
  return reportPage({
    verdict,
    gate,
    prompt,
    pictures,
    turntable: renders.filter(isTurning).map(({ picture }) => picture.path),
  });
}
