// Every decision of the author about an attempt: what was taken is in the histories, what was rejected in the debug store,
// for a rejected iteration leaves the project as it was.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { keepForDebugging } from "../debug-store.ts";
import { readText } from "../manuscript/files/files.ts";
import type { Manuscript } from "../manuscript/files/open.ts";
import type { Attempt, NovelContext } from "../task.ts";
import { type HistoryEntry, type Level, levels } from "../types.ts";

const FOLDER = ".agentic/learning";

const Decision = z.object({
  iteration_id: z.string(),
  level: z.enum(levels),
  feedback: z.string(),
  verdict: z.enum(["approved", "needs_revision", "none"]),
  is_accepted: z.boolean(),
  /** The author's own words, where they gave any. */
  reason: z.string(),
  /** What the judge had said, and which models it was. */
  judge: z.string(),
  models: z.array(z.string()).optional(),
  at: z.string(),
  /** The folder of what was rejected. */
  debug: z.string().optional(),
});
export type Decision = z.output<typeof Decision>;

/** Keeps that the author rejected an attempt. */
export function keepRejection(
  ctx: NovelContext,
  { number, judgment }: Attempt,
  { feedback, reason = "", debug }: { feedback: readonly string[]; reason?: string | undefined; debug: string },
): Promise<void> {
  const { iteration_id, target: level } = ctx.input;
  const { verdict = "none", reasoning: judge = "", by: models } = judgment ?? {};
  const at = new Date(ctx.clock.now()).toISOString();
  const decision: Decision = {
    ...{ iteration_id, level, feedback: feedback.join("\n"), verdict },
    ...{ is_accepted: false, reason, judge, models, at, debug },
  };
  const file = `${iteration_id}_attempt_${number}.json`;
  return keepForDebugging(ctx, "decision", FOLDER, { [file]: `${JSON.stringify(decision, null, 2)}\n` });
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
function fromEntry(level: Level, { kind = "iterate", iteration_id, feedback, ...entry }: HistoryEntry): Decision[] {
  if (kind !== "iterate") return [];
  const { judge_verdict: verdict, judge_reasoning: judge, judge_models: models, timestamp: at, said = [] } = entry;
  return [{ iteration_id, level, feedback, verdict, is_accepted: true, reason: said.join(" "), judge, models, at }];
}

async function readRejected(folder: string, path: string): Promise<Decision[]> {
  try {
    return [Decision.parse(JSON.parse((await readText(folder, path)) ?? ""))];
  } catch {
    return [];
  }
}
