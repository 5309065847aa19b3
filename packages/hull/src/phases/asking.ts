// What models are asked: a prompt of this loop with what the run knows in place, and the pictures that go with it. No time, no
// run's id and no path goes into any of them, so that the same state asks the same.

import type { Artifact } from "@loopwright/core";
import { viewNames } from "@loopwright/mesh";
import {
  parseObject,
  planAndCode,
  type Question,
  type RenderedPrompt,
  readPrompt,
  renderPrompt,
} from "@loopwright/models";
import { showCount, showScore } from "@loopwright/terminal";
import { z } from "zod";
import { promptsFolder } from "../folders.ts";
import { measuredNames, viewOf } from "../measure/references.ts";
import type { Feedback, HullContext, HullState, Reference } from "../task/task.ts";

type Asked = Question & { prompt: RenderedPrompt };
type Seen = Pick<HullState, "references" | "scene_snapshot" | "current_renders"> & {
  compared?: HullState["compared"] | undefined;
};

/** What the builder is asked for: a plan and code. */
export function builderQuestion(ctx: HullContext, state: HullState): Promise<Asked> {
  return makeQuestion(ctx, "builder", state, {
    score: showScore(state.current_score),
    issues: list(state.detected_issues),
    fixes: list(state.suggested_fixes),
    positives: list(state.evaluator_feedback?.positive_aspects ?? [], ""),
    history: historyToText(state.iteration_history),
    best: state.best ? `iteration ${state.best.iteration}, with ${showScore(state.best.score)}` : "",
    code: state.standing_code ?? "",
    is_first: state.iteration_history.length === 0,
  });
}

/** What the evaluator is asked for; the measured figures stand before it. */
export function evaluatorQuestion(ctx: HullContext, seen: Seen, measured: Feedback): Promise<Asked> {
  const { overall_score, category_scores, detected_issues, suggested_fixes } = measured;
  const isMeasured = measuredNames(ctx.input).length > 0;
  const scores = isMeasured
    ? { overall_score, category_scores }
    : { note: "no reference's view is known: no shape was measured" };
  const figures = { ...scores, detected_issues, suggested_fixes };
  return makeQuestion(ctx, "evaluator", seen, {
    measured: JSON.stringify(figures, null, 1),
    evaluator: ctx.input.evaluator,
  });
}

async function makeQuestion(
  ctx: HullContext,
  id: string,
  { references = {}, scene_snapshot, current_renders, compared }: Seen,
  variables: Readonly<Record<string, unknown>>,
): Promise<Asked> {
  const prompt = await readPrompt(ctx, { loop: "hull", folder: promptsFolder }, id);
  const wanted = Object.keys(ctx.input.references).filter((name) => references[name]);
  const seen = viewNames.filter((view) => current_renders[view]);
  const frame = ctx.input.frame;
  const rendered = await renderPrompt(prompt, {
    task: ctx.input.task_description,
    frame,
    scene: JSON.stringify(scene_snapshot),
    references: wanted.map((name) => describe(name, ctx.input.references[name]!)).join(", "),
    renders: seen.join(", "),
    compared: compared ? measuredNames(ctx.input).join(", ") : "",
    outlines: compared?.outlines ?? "",
    pixel: (frame.meters / ctx.input.render_size).toFixed(3),
    threshold: ctx.input.score_threshold,
    closed: ctx.input.closed,
    ...variables,
  });
  const images: Artifact[] = [
    ...wanted.map((name) => references[name]!),
    ...seen.map((view) => current_renders[view]!),
    ...(compared ? [compared.picture] : []),
  ];
  return { prompt: rendered, images, maxRetries: ctx.input.max_retries };
}

/** A reference in a few words: its name, where it was taken from, and whether its scale is its own. */
function describe(name: string, reference: Reference): string {
  const view = viewOf(name, reference);
  const from =
    view === undefined
      ? ["its view is not known"]
      : typeof view === "string"
        ? []
        : [`from azimuth ${Math.round(view.azimuth)}° and elevation ${Math.round(view.elevation)}°`];
  const scale = view && typeof reference !== "string" && reference.mask ? ["at a scale of its own"] : [];
  const more = [...from, ...scale].join(", ");
  return more ? `reference ${name} (${more})` : `reference ${name}`;
}

function list(lines: readonly string[], nothing = "none"): string {
  return lines.length > 0 ? lines.map((line) => `- ${line}`).join("\n") : nothing;
}

/** The last iterations, a line each. */
export function historyToText(history: HullState["iteration_history"]): string {
  const lines = history.map(
    ({ iteration, plan, score, issues_count }) =>
      `iteration ${iteration}: score ${showScore(score)}, ${showCount(issues_count, "issue")}. ${plan.slice(0, 200)}`,
  );
  return lines.join("\n") || "none yet";
}

export interface Proposal {
  plan: string;
  code: string;
}

/** A builder's plan and its one block of code. Prose is never code. */
export function parseBuilderAnswer(text: string): Proposal {
  return planAndCode(text, { languages: ["python", "py", "bpy"] });
}

const score = z.union([z.number(), z.string().transform(Number)]).pipe(z.number().min(0).max(1));
const words = z.array(z.string()).default([]);

const Loose = z.object({
  overall_score: score,
  category_scores: z
    .object({ shape_accuracy: score, proportions: score, detail_level: score, surface_quality: score })
    .partial()
    .default({}),
  detected_issues: words,
  suggested_fixes: words,
  positive_aspects: words,
  is_complete: z.boolean().default(false),
});

/** An evaluator's feedback; a category that it leaves out has the overall score. */
export function parseEvaluatorAnswer(text: string): Feedback {
  const { category_scores: given, ...rest } = parseObject(text, Loose);
  const all = rest.overall_score;
  const usual = { shape_accuracy: all, proportions: all, detail_level: all, surface_quality: all };
  return { ...rest, category_scores: { ...usual, ...given } };
}
