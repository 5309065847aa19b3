// How iterations went: success by kind of feedback, judge rounds, and what the models took.

import {
  type Calibration,
  calibrate,
  calibrateModels,
  calibrationText,
  modelLines,
} from "../../learning/calibration.ts";
import { readDecisions } from "../../learning/decisions.ts";
import { isRestructured } from "../../structure/restructured.ts";
import { type HistoryEntry, type Level, levels } from "../../types.ts";
import { kindOfFeedback } from "../feedback.ts";
import type { Manuscript } from "../files/open.ts";
import { countOf } from "../words.ts";

/** What a history file does not know: that the author rejected what came of an iteration. */
export interface IterationFacts {
  iteration_id: string;
  level: Level;
  feedback: string;
  judge_attempts: number;
  decision: "accepted" | "declined";
  /** What the judge said of the attempt that was decided about. */
  verdict?: "approved" | "needs_revision" | "none";
}

/** What models took for a book, in all that was asked for it. */
export interface Spent {
  runs: number;
  tokens: number;
  /** 0 where no price is known. */
  usd: number;
}

/** How iterations of one kind went. */
export interface KindStatistics {
  kind: string;
  iterations: number;
  accepted: number;
  /** Approved by the judge in the first round. */
  approved_first: number;
  /** Mean over the iterations that a judge saw. */
  judge_rounds: number;
}

/** How the iterations of a book went. */
export interface Statistics {
  iterations: number;
  accepted: number;
  declined: number;
  /** Taken although the judge had not approved. */
  overruled: number;
  judge_rounds: number;
  calibration: Calibration;
  /** The same for each model that judged, as far as it is known which. */
  by_judge: { model: string; calibration: Calibration }[];
  by_kind: KindStatistics[];
  by_level: { level: Level; iterations: number; accepted: number }[];
  /** Files of iterations that were taken back one by one. */
  files_undone: number;
  spent?: Spent;
}

interface Known {
  level: Level;
  kind: string;
  attempts: number;
  isAccepted: boolean;
  isApproved: boolean;
  isOverruled: boolean;
}

/** How iterations went, from the histories and what else is known. */
export async function statistics(
  manuscript: Manuscript,
  others: readonly IterationFacts[] = [],
  spent?: Spent,
): Promise<Statistics> {
  const histories = await Promise.all(levels.map((level) => manuscript.history(level)));
  const accepted = levels.flatMap((level, index) => histories[index]!.flatMap((entry) => fromEntry(level, entry)));
  const recorded = new Set(histories.flat().map(({ iteration_id }) => iteration_id));
  const declined = others.filter((each) => each.decision === "declined" && !recorded.has(each.iteration_id));
  const known = [...accepted, ...declined.map(fromFacts)];
  const decisions = await readDecisions(manuscript);
  const kept = new Set(decisions.map(({ iteration_id }) => iteration_id));
  // Those of an older version are in the journal alone.
  const older = declined.filter(({ iteration_id }) => !kept.has(iteration_id));
  const kinds = [...new Set(known.map(({ kind }) => kind))];
  return {
    iterations: known.length,
    accepted: accepted.length,
    declined: declined.length,
    overruled: known.filter(({ isOverruled }) => isOverruled).length,
    judge_rounds: meanRounds(known),
    calibration: calibrate([...decisions, ...older.map(({ verdict = "none" }) => ({ verdict, is_accepted: false }))]),
    by_judge: calibrateModels(decisions),
    by_kind: kinds
      .map((kind) =>
        ofKind(
          kind,
          known.filter((each) => each.kind === kind),
        ),
      )
      .sort((a, b) => b.iterations - a.iterations || (a.kind < b.kind ? -1 : 1)),
    by_level: levels.flatMap((level) => {
      const own = known.filter((each) => each.level === level);
      return own.length > 0 ? [{ level, iterations: own.length, accepted: countAccepted(own) }] : [];
    }),
    files_undone: histories.flat().filter(isFileUndo).length,
    ...(spent && { spent }),
  };
}

/** Statistics as lines of text. */
export function renderStatistics(given: Statistics): string[] {
  const { iterations, accepted, declined, overruled, judge_rounds, by_kind, by_level, files_undone, spent } = given;
  const taken = spent && spent.runs > 0 ? [spentText(spent)] : [];
  if (iterations === 0) return ["No iterations yet.", ...taken];
  const calibration = calibrationText(given.calibration);
  const width = Math.max(...by_kind.map(({ kind }) => kind.length));
  return [
    `Iterations: ${iterations} (${accepted} accepted, ${declined} rejected${overruled > 0 ? `, ${overruled} accepted against the judge` : ""})`,
    `Judge rounds: ${judge_rounds.toFixed(1)} on average`,
    ...(calibration === undefined ? [] : [calibration, ...modelLines(given.by_judge)]),
    ...(files_undone > 0 ? [`Taken back since: ${countOf(files_undone, "file")}`] : []),
    ...taken,
    `By level: ${by_level.map((each) => `${each.level} ${each.accepted}/${each.iterations}`).join(", ")}`,
    "By kind of feedback:",
    ...by_kind.map(
      (each) =>
        `  ${each.kind.padEnd(width)}  ${each.accepted}/${each.iterations} accepted, ${each.approved_first} approved at once, ${each.judge_rounds.toFixed(1)} rounds`,
    ),
  ];
}

function spentText({ runs, tokens, usd }: Spent): string {
  const cost = usd > 0 ? `$${usd.toFixed(usd < 0.1 ? 4 : 2)}` : "no cost on record";
  return `Models: ${tokens.toLocaleString("en")} tokens in ${countOf(runs, "run")}, ${cost}`;
}

/** One file of an iteration taken back: /undo ITERATION FILE. */
function isFileUndo({ kind, judge_verdict, feedback }: HistoryEntry): boolean {
  return kind === "edit" && judge_verdict === "none" && /^undo in \S+: /.test(feedback);
}

/** Generations, imports, and what a command did to the files follow no feedback. */
function fromEntry(level: Level, entry: HistoryEntry): Known[] {
  if (entry.kind === "generate" || entry.kind === "import" || isFileUndo(entry) || isRestructured(entry)) return [];
  const isApproved = entry.judge_verdict === "approved";
  // A judge's word on a person's own edit is advice.
  const isOverruled = entry.judge_verdict === "needs_revision" && entry.kind !== "edit";
  const { judge_attempts: attempts, feedback } = entry;
  return [{ level, kind: kindOfFeedback(feedback), attempts, isAccepted: true, isApproved, isOverruled }];
}

function fromFacts({ level, feedback, judge_attempts }: IterationFacts): Known {
  const kind = kindOfFeedback(feedback);
  return { level, kind, attempts: judge_attempts, isAccepted: false, isApproved: false, isOverruled: false };
}

function ofKind(kind: string, own: readonly Known[]): KindStatistics {
  return {
    kind,
    iterations: own.length,
    accepted: countAccepted(own),
    approved_first: own.filter(({ isApproved, attempts }) => isApproved && attempts === 1).length,
    judge_rounds: meanRounds(own),
  };
}

function countAccepted(known: readonly Known[]): number {
  return known.filter(({ isAccepted }) => isAccepted).length;
}

function meanRounds(known: readonly Known[]): number {
  const judged = known.filter(({ attempts }) => attempts > 0);
  return judged.length === 0 ? 0 : judged.reduce((sum, { attempts }) => sum + attempts, 0) / judged.length;
}
