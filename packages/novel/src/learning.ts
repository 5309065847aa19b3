// How iterations went: how often the author decided as the judge did, and how often not, and what the models took; and what of it
// is told to whoever writes and judges next. Agreement teaches nothing, and costs no tokens. What was taken is in the histories, what
// was rejected in the debug store, for a rejected iteration leaves the project as it was.

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { showCount, showDollars } from "@loopwright/terminal";
import { z } from "zod";
import { readText } from "./manuscript/files/files.ts";
import type { Manuscript } from "./manuscript/files/open.ts";
import { shorten } from "./manuscript/words.ts";
import { keepForDebugging } from "./saved.ts";
import type { Attempt, NovelContext } from "./task.ts";
import { type HistoryEntry, type Level, levels } from "./types.ts";

const FOLDER = ".agentic/learning";

const Decision = z.object({
  iteration_id: z.string(),
  level: z.enum(levels),
  feedback: z.string(),
  verdict: z.enum(["approved", "needs_revision", "none"]),
  is_accepted: z.boolean(),
  /** Another attempt was wanted, and the iteration went on. */
  is_again: z.boolean().optional(),
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
  {
    feedback,
    reason = "",
    ...more
  }: { feedback: readonly string[]; reason?: string | undefined; debug: string; is_again: boolean },
): Promise<void> {
  const { iteration_id, target: level } = ctx.input;
  const { verdict = "none", reasoning: judge = "", by: models } = judgment ?? {};
  const at = new Date(ctx.clock.now()).toISOString();
  const decision: Decision = {
    ...{ iteration_id, level, feedback: feedback.join("\n"), verdict },
    ...{ is_accepted: false, reason, judge, models, at, ...more },
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

type Decided = Pick<Decision, "verdict" | "is_accepted" | "is_again">;

/** The figures of some decisions; that another attempt was wanted is none yet. */
export function calibrate(decisions: readonly Decided[]) {
  const judged = decisions.filter(({ verdict, is_again }) => verdict !== "none" && !is_again);
  const rejected_approved = judged.filter(({ verdict, is_accepted }) => verdict === "approved" && !is_accepted).length;
  const accepted_refused = judged.filter(({ verdict, is_accepted }) => verdict !== "approved" && is_accepted).length;
  const followed = judged.length - rejected_approved - accepted_refused;
  return { decided: judged.length, followed, rejected_approved, accepted_refused };
}

/** What models took for a book, in all that was asked for it; no dollars where no price is known. */
export interface Spent {
  runs: number;
  tokens: number;
  usd: number;
}

/** How the iterations of a book went, as lines of text. A first generation and an import follow no feedback. */
export async function statisticsLines(manuscript: Manuscript, spent: Spent): Promise<string[]> {
  const histories = await Promise.all(levels.map(async (level) => ({ level, all: await manuscript.history(level) })));
  const accepted = histories.flatMap(({ level, all }) =>
    all.flatMap((entry) => (entry.kind === "generate" || entry.kind === "import" ? [] : [{ level, ...entry }])),
  );
  const decisions = await readDecisions(manuscript);
  const known = new Set(accepted.map(({ iteration_id }) => iteration_id));
  const rejected = new Map(
    decisions.flatMap(({ iteration_id: id, level, is_again }) =>
      known.has(id) || is_again ? [] : [[id, level] as const],
    ),
  );
  const cost = spent.usd > 0 ? showDollars(spent.usd) : "no cost on record";
  const models = `Models: ${showCount(spent.tokens, "token")} in ${showCount(spent.runs, "run")}, ${cost}`;
  const taken = spent.runs > 0 ? [models] : [];
  if (accepted.length + rejected.size === 0) return ["No iterations yet.", ...taken];
  // A judge's word on a person's own edit is advice.
  const against = accepted.filter(({ kind, judge_verdict }) => judge_verdict === "needs_revision" && kind !== "edit");
  const judged = accepted.flatMap(({ judge_attempts }) => (judge_attempts > 0 ? [judge_attempts] : []));
  const mean = judged.reduce((sum, rounds) => sum + rounds, 0) / Math.max(1, judged.length);
  const byLevel = levels.flatMap((level) => {
    const yes = accepted.filter((each) => each.level === level).length;
    const all = yes + [...rejected.values()].filter((each) => each === level).length;
    return all > 0 ? [`${level} ${yes}/${all}`] : [];
  });
  return [
    `Iterations: ${accepted.length + rejected.size} (${accepted.length} accepted, ${rejected.size} rejected${against.length > 0 ? `, ${against.length} accepted against the judge` : ""})`,
    `Judge rounds: ${mean.toFixed(1)} on average`,
    ...calibrationLines(decisions),
    ...taken,
    `By level: ${byLevel.join(", ")}`,
  ];
}

/** How well the author and the judge agree. */
export function calibrationLines(decisions: readonly Decided[]): string[] {
  const all = calibrate(decisions);
  const share = Math.round((all.followed / all.decided) * 100);
  return all.decided === 0 ? [] : [`Judge calibration: ${share}% (you went with the judge in ${figures(all)})`];
}

function figures({ decided, followed, rejected_approved, accepted_refused }: ReturnType<typeof calibrate>): string {
  return `${followed} of ${decided}; rejected what it approved: ${rejected_approved}; accepted what it did not: ${accepted_refused}`;
}

/** Sentences for the writer, and for the judge. */
export interface Lessons {
  writer: string[];
  judge: string[];
}

/** So many of each are told, the newest. */
const MOST = 6;

/** The lessons of a project for a level; its own decisions come first where there are too many. */
export async function readLessons(manuscript: Manuscript, target: Level): Promise<Lessons> {
  const decisions = await readDecisions(manuscript);
  return lessonsOf(decisions.toSorted((a, b) => Number(a.level === target) - Number(b.level === target)));
}

/** What decisions show. */
export function lessonsOf(decisions: readonly Decision[]): Lessons {
  const rejected = decisions.filter(({ is_accepted, reason }) => !is_accepted && reason !== "");
  const tooKind = rejected.filter(({ verdict }) => verdict === "approved").slice(-MOST);
  const tooStrict = decisions.filter(({ verdict, is_accepted }) => verdict === "needs_revision" && is_accepted);
  const { decided, followed, rejected_approved, accepted_refused } = calibrate(decisions);
  const judge = [
    `Of ${decided} decisions the author went with the judge in ${followed}; of the rest they rejected ${rejected_approved} that the judge had approved, and took ${accepted_refused} that it had not.`,
    ...tooKind.map(
      ({ feedback, reason }) =>
        `A judge approved an attempt at ${named(feedback)}; the author rejected it and said: ${quoted(reason)}`,
    ),
    ...tooStrict.slice(-MOST).map(({ feedback, judge: words, reason }) => {
      const said = reason === "" ? "without a word on why" : `having said during the iteration: ${quoted(reason)}`;
      return `A judge did not approve ${named(feedback)} and said: ${quoted(words)}; the author took it all the same, ${said}`;
    }),
  ];
  return {
    writer: rejected
      .slice(-MOST)
      .map(
        ({ feedback, reason }) => `On ${named(feedback)} the author rejected an attempt and said: ${quoted(reason)}`,
      ),
    judge: judge.length > 1 ? judge : [],
  };
}

function quoted(words: string): string {
  return `“${shorten(words, 160)}”`;
}

function named(feedback: string): string {
  return `"${shorten(feedback, 80)}"`;
}
