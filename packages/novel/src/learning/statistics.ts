// How iterations went: how often the author decided as the judge did, and how often not, and what the models took; and what of it
// is told to whoever writes and judges next. Agreement teaches nothing, and costs no tokens.

import type { Manuscript } from "../manuscript/files/open.ts";
import { countOf, shorten } from "../manuscript/words.ts";
import { type Level, levels } from "../types.ts";
import { type Decision, readDecisions } from "./decisions.ts";

interface Calibration {
  /** Decisions about an attempt that a judge had seen. */
  decided: number;
  followed: number;
  /** The judge approved, the author rejected. */
  rejected_approved: number;
  /** The judge did not approve, the author accepted. */
  accepted_refused: number;
}

type Decided = Pick<Decision, "verdict" | "is_accepted">;

/** The figures of some decisions. */
export function calibrate(decisions: readonly Decided[]): Calibration {
  const judged = decisions.filter(({ verdict }) => verdict !== "none");
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
    decisions.flatMap(({ iteration_id: id, level }) => (known.has(id) ? [] : [[id, level] as const])),
  );
  const cost = spent.usd > 0 ? `$${spent.usd.toFixed(spent.usd < 0.1 ? 4 : 2)}` : "no cost on record";
  const models = `Models: ${spent.tokens.toLocaleString("en")} tokens in ${countOf(spent.runs, "run")}, ${cost}`;
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

function figures({ decided, followed, rejected_approved, accepted_refused }: Calibration): string {
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
