// How models' answers are read. Pure: what has no usable form is a FormatError (E2) in words that a model can act on.

import { parseObject, planAndCode } from "@loopwright/models";
import { z } from "zod";
import { Feedback } from "../task.ts";

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

/** What the evaluator is asked for. */
export const FeedbackForm = Feedback;

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
