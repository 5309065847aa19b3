// What a judgment is given, and what it remembers.

import type { Context } from "@loopwright/core";
import { z } from "zod";
import { criticNames, GateConfig } from "./gate/schema.ts";
import { GateVerdict, VotePack } from "./verdict/gate-verdict.ts";

export const profiles = ["draft", "standard", "final"] as const;
export type ProfileName = (typeof profiles)[number];

export const JudgeInput = z.object({
  /** The asset's file. */
  file: z.string(),
  gate: GateConfig,
  prompt: z.string().min(1).optional(),
  profile: z.enum(profiles).default("standard"),
  /** 0 for a first try; a repair's is its parent's + 1. */
  iteration_index: z.number().int().min(0).default(0),
  /** The hard codes of the verdicts before this one, the latest last. */
  hard_before: z.array(z.array(z.string())).default([]),
});
export type JudgeInput = z.output<typeof JudgeInput>;

const Saved = z.object({ path: z.string(), digest: z.string(), size: z.number() });
const FindingForm = z.object({
  code: z.string(),
  severity: z.enum(["hard", "soft"]),
  priority: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  message: z.string(),
  fix: z.string().optional(),
});
const Looked = z.union([
  z.object({ opinion: z.object({ score: z.number(), findings: z.array(FindingForm), reason: z.string() }) }),
  z.object({ missing: z.string() }),
]);

export const JudgeState = z.object({
  started_at: z.number(),
  asset: Saved.optional(),
  asset_id: z.string(),
  /** Where its front looks, in degrees from +x towards +y. */
  front: z.number(),
  figures: z.record(z.string(), z.union([z.number(), z.string()])),
  /** What went wrong before a critic could look. */
  problems: z.array(FindingForm),
  /** By a clean Blender, and by our own rasterizer. */
  renders: z.array(z.object({ view: z.string(), style: z.enum(["beauty", "clay"]), picture: Saved })),
  /** Why there are none by Blender. */
  no_renders: z.string().optional(),
  views: z.array(z.object({ view: z.string(), style: z.enum(["shaded", "clay"]), picture: Saved })),
  looks: z.partialRecord(z.enum(criticNames), z.object({ measured: Looked.optional(), model: Looked.optional() })),
  votes: VotePack.optional(),
  verdict: GateVerdict.optional(),
});
export type JudgeState = z.output<typeof JudgeState>;

export type JudgeContext = Context<JudgeInput, JudgeState>;

/** What is known before anything was looked at. */
export function initialState(): JudgeState {
  return {
    started_at: 0,
    asset_id: "",
    front: 0,
    figures: {},
    problems: [],
    renders: [],
    views: [],
    looks: {},
  };
}
