// What a run of the hull loop is given, and what it remembers. The names are those of the run folder's files.

import { type Ceilings, type Context, type Json, MAX_RETRIES, MaxRetries } from "@loopwright/core";
import { viewNames } from "@loopwright/mesh";
import { z } from "zod";
import { SearchState } from "../search/search.ts";

const unit = z.number().min(0).max(1);
const json = z.json() as unknown as z.ZodType<Json>;

/** What a task says beside its references. */
export const taskShape = {
  task_description: z.string().min(1),
  workcell: z.enum(["loft", "blender"]).default("loft"),
  builder: z.enum(["search", "model"]).default("search"),
  evaluator: z.enum(["measure", "model", "both"]).default("measure"),
  /** What every picture shows: references must be taken in the same frame. */
  frame: z.strictObject({ center: z.tuple([z.number(), z.number(), z.number()]), meters: z.number().positive() }),
  /** Whether the surface must be closed: an open boat is none, and its rim is no fault where this is `any`; `wanted` costs score alone. */
  closed: z.enum(["required", "wanted", "any"]).default("required"),
  score_threshold: unit.default(0.85),
  /** Becomes the run's ceiling of iterations. */
  max_iterations: z.number().int().min(1).default(10),
  /** The run's other ceilings; those of the project and of the command line hold over them. */
  ceilings: z
    .strictObject({ minutes: z.number().positive(), tokens: z.number().int().positive(), usd: z.number().positive() })
    .partial()
    .optional(),
  /** Re-tries in an iteration; and iterations in a row whose execution failed, after which the run has failed. */
  max_retries: MaxRetries.default(MAX_RETRIES),
  stagnation: z
    .strictObject({ window: z.number().int().min(2).default(3), range: z.number().min(0).default(0.02) })
    .default({ window: 3, range: 0.02 }),
  history_window: z.number().int().min(1).default(5),
  render_size: z.number().int().min(64).max(2048).default(512),
  search: z
    .strictObject({
      /** Evaluations in one iteration. */
      evaluations: z.number().int().min(1).default(250),
      /** The side of its silhouettes in pixels. */
      size: z.number().int().min(32).max(1024).multipleOf(4).default(256),
      /** Whether it tries first what the evaluator's fixes say; on the loft it does not where this is left out. */
      reads_findings: z.boolean().optional(),
    })
    .default({ evaluations: 250, size: 256 }),
  /** Whether the best is made into a game asset at the end: three levels of detail, unwrapped, and an FBX. */
  game_asset: z.boolean().optional(),
  /** Where the hull starts: parameters, or a .blend. Left out, a search draws parameters, and a model begins with nothing. */
  baseline: z.union([z.strictObject({ blend: z.base64() }), z.record(z.string(), z.number())]).optional(),
};

const png = z.base64();

/**
 * A picture of what is wanted. Alone it is one of the three named views, in the task's frame. With more: its mask in that frame,
 * where it was taken from, and whether that says its place too; without a view only models look at it.
 */
export const Reference = z.union([
  png,
  z.strictObject({
    picture: png,
    mask: png.optional(),
    camera: z.strictObject({ azimuth: z.number(), elevation: z.number().min(-90).max(90) }).optional(),
    isPlaced: z.boolean().optional(),
  }),
]);
export type Reference = z.output<typeof Reference>;

const isNamedView = (name: string) => name === "front" || name === "side" || name === "top";

/** What a run is given: the references are in it, so that it depends on no file once it has started. */
export const HullTask = z
  .strictObject({ ...taskShape, references: z.record(z.string().regex(/^[a-z][a-z0-9_-]*$/i), Reference) })
  .refine(
    ({ references, builder }) => builder === "model" || ["front", "side", "top"].every((name) => references[name]),
    {
      path: ["references"],
      message: "builder search needs the references front, side and top",
    },
  )
  .refine(
    ({ references, evaluator }) =>
      evaluator === "model" ||
      Object.entries(references).some(([name, each]) => isNamedView(name) || (typeof each !== "string" && each.camera)),
    {
      path: ["references"],
      message:
        "at least one reference must have a view that is known (view: front, or { azimuth, elevation }), or use evaluator model",
    },
  )
  .refine(({ stagnation, history_window }) => stagnation.window <= history_window, {
    path: ["stagnation", "window"],
    message: "must not exceed history_window: no more scores are remembered",
  })
  .refine(({ workcell, builder }) => workcell === "blender" || builder === "search", {
    path: ["builder"],
    message: "a model builds in Blender: use workcell blender, or builder search",
  })
  .refine(({ workcell, game_asset }) => workcell === "blender" || !game_asset, {
    path: ["game_asset"],
    message: "a game asset is made in Blender: use workcell blender",
  })
  .refine(({ builder, baseline }) => !baseline || (baseline.blend === undefined) === (builder === "search"), {
    path: ["baseline"],
    message: "builder search begins with parameters, and builder model with a .blend",
  });
export type HullTask = z.output<typeof HullTask>;

const ArtifactName = z.object({ path: z.string(), digest: z.string(), size: z.number() });

/** The evaluator's word on one look. */
export const Feedback = z.object({
  overall_score: unit,
  category_scores: z.object({ shape_accuracy: unit, proportions: unit, detail_level: unit, surface_quality: unit }),
  detected_issues: z.array(z.string()),
  suggested_fixes: z.array(z.string()),
  positive_aspects: z.array(z.string()),
  /** Recorded; it decides nothing. */
  is_complete: z.boolean(),
});
export type Feedback = z.infer<typeof Feedback>;

/** How an execution went, fast retry included. */
export const Execution = z.object({
  status: z.enum(["succeeded", "failed"]),
  result: json,
  /** The class and message of what the last try failed on. */
  failure: z.object({ class: z.enum(["E1", "E2"]), message: z.string() }).optional(),
  retry_count: z.number().int(),
  errors: z.array(z.string()),
});
export type Execution = z.infer<typeof Execution>;

/** How a run stands, in the words of its final files. */
export const statuses = ["running", "converged", "failed", "budget_exhausted", "stagnant"] as const;

/** What a run remembers. */
export const HullState = z.object({
  /** The scene as the workcell describes it, and as it can be restored. */
  scene_snapshot: json,
  workcell_snapshot: z.string().optional(),
  current_renders: z.partialRecord(z.enum(viewNames), ArtifactName),
  current_glb: ArtifactName.optional(),
  /** Where the workcell has such files. */
  current_blend: ArtifactName.optional(),
  /** The pictures that models are shown; there where a model takes part. */
  references: z.record(z.string(), ArtifactName).optional(),
  /** The last look's picture of what differs, and the outlines in numbers. */
  compared: z.object({ picture: ArtifactName, outlines: z.string() }).optional(),
  /** The builder's answer as it came, until it has been carried out. */
  answer: z.object({ text: z.string(), finishReason: z.string() }).optional(),
  /** The code that made the scene as it stands, where a snapshot does not tell. */
  standing_code: z.string().optional(),
  /** A person's scene that is being judged: where it is kept; nowhere, where it could not be opened. */
  by_hand: z.object({ snapshot: z.string().optional() }).optional(),
  /** The score of the hull that a search stands at, while a person's scene is the last that was judged. */
  standing_score: unit.optional(),
  last_plan: z.string(),
  last_code: z.string(),
  last_execution_result: Execution.optional(),
  evaluator_feedback: Feedback.optional(),
  current_score: unit,
  detected_issues: z.array(z.string()),
  suggested_fixes: z.array(z.string()),
  /** The last iterations only. */
  iteration_history: z.array(
    z.object({
      iteration: z.number(),
      plan: z.string(),
      score: unit,
      issues_count: z.number(),
      by: z.literal("person").optional(),
    }),
  ),
  status: z.enum(statuses),
  /** Why it stops, once it does. */
  status_reason: z.string(),
  /** Re-tries of the last execution. */
  retry_count: z.number().int(),
  consecutive_failures: z.number().int(),
  best: z
    .object({
      iteration: z.number(),
      score: unit,
      glb: ArtifactName,
      blend: ArtifactName.optional(),
      /** Where a workcell can take it up again. */
      snapshot: z.string().optional(),
    })
    .optional(),
  search: SearchState.optional(),
});
export type HullState = z.output<typeof HullState>;

export type HullContext = Context<HullTask, HullState>;

/** What a run knows before its first phase. */
export function initialState(): HullState {
  return {
    scene_snapshot: null,
    current_renders: {},
    last_plan: "",
    last_code: "",
    current_score: 0,
    detected_issues: [],
    suggested_fixes: [],
    iteration_history: [],
    status: "running",
    status_reason: "",
    retry_count: 0,
    consecutive_failures: 0,
  };
}

/** What a task asks of the engine: its own limits. */
export function startOptions(task: HullTask): { slug: string; ceilings: Partial<Ceilings> & { iterations: number } } {
  const { task_description: slug, max_iterations: iterations, ceilings = {} } = task;
  return { slug, ceilings: { iterations, ...(ceilings as Partial<Ceilings>) } };
}
