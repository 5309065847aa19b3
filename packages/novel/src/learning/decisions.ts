// Every decision of the author about an attempt: what was taken is in the histories, what was rejected in the debug store,
// for a rejected iteration leaves the project as it was.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { keepForDebugging } from "../debug-store.ts";
import { readText } from "../manuscript/files/files.ts";
import type { Manuscript } from "../manuscript/index.ts";
import type { Attempt, NovelContext } from "../task.ts";
import { type HistoryEntry, type Level, levels } from "../types.ts";

const FOLDER = ".agentic/learning";

export interface Decision {
  iteration_id: string;
  level: Level;
  feedback: string;
  verdict: "approved" | "needs_revision" | "none";
  is_accepted: boolean;
  /** The author's own words, where they gave any. */
  reason: string;
  /** What the judge had said, and which models it was. */
  judge: string;
  models?: string[] | undefined;
  at: string;
  /** The folder of what was rejected; absent where an older version kept it. */
  debug?: string | undefined;
}

const Rejected = z.object({
  iteration_id: z.string(),
  level: z.enum(levels),
  feedback: z.string(),
  verdict: z.enum(["approved", "needs_revision", "none"]),
  is_accepted: z.literal(false),
  reason: z.string(),
  judge: z.string(),
  models: z.array(z.string()).optional(),
  at: z.string(),
  debug: z.string().optional(),
});

/** Keeps that the author rejected an attempt. */
export function keepRejection(
  ctx: NovelContext,
  { number, judgment }: Attempt,
  { feedback, reason = "", debug }: { feedback: readonly string[]; reason?: string | undefined; debug: string },
): Promise<void> {
  const { iteration_id, target: level } = ctx.input;
  const decision: Decision = {
    ...{ iteration_id, level, feedback: feedback.join("\n"), is_accepted: false, reason },
    verdict: judgment?.verdict ?? "none",
    judge: judgment?.reasoning ?? "",
    ...(judgment?.by && { models: judgment.by }),
    at: new Date(ctx.clock.now()).toISOString(),
    debug,
  };
  const name = `${iteration_id}_attempt_${number}.json`;
  return keepForDebugging(ctx, "decision", FOLDER, { [name]: `${JSON.stringify(decision, null, 2)}\n` });
}

/** All decisions that are known, oldest first. A file that is none of ours is passed over. */
export async function readDecisions(manuscript: Manuscript): Promise<Decision[]> {
  const histories = await Promise.all(
    levels.map(async (level) => (await manuscript.history(level)).flatMap((entry) => fromEntry(level, entry))),
  );
  const names = await readdir(join(manuscript.folder, FOLDER)).catch(() => []);
  const rejected = await Promise.all(
    names.filter((name) => name.endsWith(".json")).map((name) => readRejected(manuscript.folder, `${FOLDER}/${name}`)),
  );
  return [...histories.flat(), ...rejected.flat()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** Generations and imports follow no feedback, and a person's own edit is no decision about the judge. */
function fromEntry(level: Level, entry: HistoryEntry): Decision[] {
  if (entry.kind !== undefined && entry.kind !== "iterate") return [];
  const {
    iteration_id,
    feedback,
    judge_verdict: verdict,
    judge_reasoning: judge,
    timestamp: at,
    said = [],
    judge_models: models,
  } = entry;
  return [{ iteration_id, level, feedback, verdict, is_accepted: true, reason: said.join(" "), judge, models, at }];
}

async function readRejected(folder: string, path: string): Promise<Decision[]> {
  try {
    return [Rejected.parse(JSON.parse((await readText(folder, path)) ?? ""))];
  } catch {
    return [];
  }
}
