// A gate configuration: which critics look at an asset, what each counts, and what the asset must come to.

import { z } from "zod";

/** What a word of a prompt can be measured by; `kind` is the category's, and `nothing` a word that asks for nothing. */
export const measures = [
  ...["nothing", "kind", "wheels", "length", "width", "height"],
  ...["red", "orange", "yellow", "green", "blue", "purple", "pink", "brown", "beige", "white", "black", "grey"],
  ...["sedan", "hatchback", "suv", "van", "sports car"],
] as const;
export type Measure = (typeof measures)[number];

export const criticNames = ["category", "geometry", "alignment", "realism", "material"] as const;
export type CriticName = (typeof criticNames)[number];

const share = z.number().min(0).max(1);
const range = z
  .tuple([z.number().min(0), z.number().positive()])
  .refine(([least, most]) => least <= most, { message: "the least comes first, then the most" });

const Critic = z.strictObject({
  weight: share.describe("what its score counts in the overall score"),
  floor: share.optional().describe("the score that it must reach for itself"),
  by: z
    .enum(["measured", "model", "both", "available"])
    .default("available")
    .describe(
      "who looks (available: a check, and a model where models.critic is configured); of two the lower score holds",
    ),
  optional: z.boolean().default(false).describe("whether the asset can pass though this critic could not look"),
});

const Geometry = z.strictObject({
  length: range.describe("meters, along the way that it faces"),
  width: range.describe("meters, across"),
  height: range.describe("meters, up"),
  triangles: range,
  trivial: z.number().int().min(1).describe("fewer triangles than this are no serious attempt"),
  symmetry: share.describe("the least part of the surface that has its like on the other side"),
  non_manifold: share.describe("the most edges, as a part of all, at a hole or of more than two triangles"),
  normals: share.describe("the least part of the surface whose normals point outward"),
  wheels: z.number().int().min(0).optional().describe("how many are expected"),
});

/** How often it is repaired, when a person must look, and when a template is begun with. */
export const Iteration = z.strictObject({
  max_iterations: z.number().int().min(0).default(5).describe("how often an asset is repaired (5)"),
  escalation: z
    .strictObject({
      on_repeated_hard_fail: z.boolean().default(true).describe("where the same hard finding comes again (yes)"),
      repeated_threshold: z.number().int().min(2).default(2).describe("how often it must come (2)"),
      on_import_crash: z.boolean().default(true).describe("where reading the asset ends Blender (yes)"),
      on_critic_inconsistency: z.boolean().default(true).describe("where votes stay split (yes)"),
      notify_webhook: z.url().optional().describe("who is told, signed as [notify](notify.md) says"),
    })
    .prefault({})
    .describe("when a person must look"),
  template_fallback: z
    .strictObject({
      enabled: z.boolean().default(true).describe("whether a template may be begun with (yes)"),
      suggest_after_iterations: z.number().int().min(0).default(2).describe("after how many repairs (2)"),
      templates: z.record(z.string(), z.string()).default({}).describe("the template of each kind of asset"),
    })
    .prefault({})
    .describe("a template in place of code that stays wrong"),
  priority_escalation: z
    .strictObject({
      P3_to: z.string().default("P2").describe("from P3 (P2)"),
      P2_to: z.string().default("P1").describe("from P2 (P1)"),
      P1_to: z.string().default("P0").describe("from P1 (P0)"),
    })
    .prefault({})
    .describe("the priority that an issue gets when it is repaired again"),
});

/** A gate's file: critics, floors, thresholds and what happens when it fails. */
export const GateConfig = z
  .strictObject({
    gate_config_id: z.string().regex(/^[a-z][a-z0-9_-]*$/, "use a-z, 0-9, _ and -"),
    kind: z.string().regex(/^[a-z][a-z0-9_]*$/, "use a-z, 0-9 and _"),
    pass: share.describe("the overall score from which on an asset passes"),
    uncertainty_band: share.default(0).describe("so near to it, on both sides, model critics are asked to vote"),
    critics: z.partialRecord(z.enum(criticNames), Critic),
    geometry: Geometry,
    unjudged: z
      .enum(["review", "pass"])
      .default("review")
      .describe("what becomes of an asset that would pass, where nobody could judge a word of what was asked for"),
    words: z
      .record(z.string().trim().min(1), z.enum(measures))
      .default({})
      .describe("what words of a prompt are measured by; # stands for a number"),
    iteration: Iteration.prefault({}),
  })
  .refine(({ critics }) => Object.values(critics).some(({ weight }) => weight > 0), {
    path: ["critics"],
    message: "at least one critic must have a weight above 0",
  });
export type GateConfig = z.output<typeof GateConfig>;
