// What a run is given, and what it remembers: a file to judge, or an issue to produce an asset for.

import { type Context, MaxRetries } from "@loopwright/core";
import { z } from "zod";
import { criticNames, GateConfig } from "./gate/schema.ts";
import { Answer, Reading } from "./requirements.ts";
import { GateVerdict, VotePack } from "./verdict/gate-verdict.ts";

export const profiles = ["draft", "standard", "final"] as const;
export type ProfileName = (typeof profiles)[number];

export const builders = ["search", "model"] as const;

export type Saved = z.output<typeof Saved>;
const Saved = z.object({ path: z.string(), digest: z.string(), size: z.number() });
const Figures = z.record(z.string(), z.union([z.number(), z.string()]));

/** What to produce: for an issue, from its prompt, or from what the run before has made. */
const Work = z.object({
  issue: z.string(),
  /** The issue that all of the chain is for. */
  root: z.string(),
  title: z.string(),
  builder: z.enum(builders),
  kind: z.string(),
  /** Begin with this template, whatever there was. */
  template: z.string().optional(),
  /** The run before, which this one takes over from. */
  parent: z.string().optional(),
  /** What the runs before have made, and what is wrong with it. */
  last: z
    .object({
      asset: Saved,
      /** The code that it was built by, where a model wrote it. */
      code: Saved.optional(),
      figures: Figures,
      repairs: z.array(z.object({ code: z.string(), priority: z.number(), instructions: z.string() })),
      views: z.array(z.object({ view: z.string(), picture: Saved })),
    })
    .optional(),
  /** What a person has said to it. */
  note: z.string().optional(),
});
export type Work = z.output<typeof Work>;

/** What a run is given: an asset to judge, or an issue to produce one for. */
export const FabInput = z.object({
  /** The asset's file; left out where it is built. */
  file: z.string().optional(),
  /** Left out where a file is only judged. */
  work: Work.optional(),
  gate: GateConfig,
  prompt: z.string().min(1).optional(),
  profile: z.enum(profiles).default("standard"),
  /** 0 for a first try; a repair's is its parent's + 1. */
  iteration_index: z.number().int().min(0).default(0),
  /** The hard codes of the verdicts before this one, the latest last. */
  hard_before: z.array(z.array(z.string())).default([]),
  max_retries: MaxRetries.optional(),
  /** What is asked for, as the first run of the chain has read it. */
  asked: Reading.optional(),
});
export type FabInput = z.output<typeof FabInput>;

const FindingForm = z.object({
  code: z.string(),
  severity: z.enum(["hard", "soft"]),
  priority: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)]),
  message: z.string(),
  fix: z.string().optional(),
});
const OpinionForm = z.object({
  score: z.number(),
  findings: z.array(FindingForm),
  reason: z.string(),
  answers: z.array(Answer).optional(),
});
const Looked = z.union([z.object({ opinion: OpinionForm }), z.object({ missing: z.string() })]);

export const FabState = z.object({
  started_at: z.number(),
  /** Everything that was asked for. */
  asked: Reading,
  /** What the builder means to do, and the scene that it made. */
  plan: z.string(),
  scene: Saved.extend({ snapshot: z.string() }).optional(),
  /** What made the asset. */
  code: Saved.optional(),
  asset: Saved.optional(),
  asset_id: z.string(),
  /** Where its front looks, in degrees from +x towards +y. */
  front: z.number(),
  figures: Figures,
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
  /** Why a person must look. */
  escalation: z.string().optional(),
});
export type FabState = z.output<typeof FabState>;

export type FabContext = Context<FabInput, FabState>;

/** What is known before anything was looked at. */
export function initialState(): FabState {
  return {
    started_at: 0,
    asked: { requirements: [], nothing: [] },
    plan: "",
    asset_id: "",
    front: 0,
    figures: {},
    problems: [],
    renders: [],
    views: [],
    looks: {},
  };
}
