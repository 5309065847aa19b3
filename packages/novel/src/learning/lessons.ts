// What the author's decisions show, for whoever writes and judges next. One decision against the judge is told with its
// words; agreement teaches nothing and costs no tokens.

import { kindOfFeedback } from "../manuscript/feedback.ts";
import type { Manuscript } from "../manuscript/index.ts";
import { countOf, shorten } from "../manuscript/words.ts";
import type { Level } from "../types.ts";
import { type Calibration, calibrate } from "./calibration.ts";
import { type Decision, readDecisions } from "./decisions.ts";

/** Sentences for the writer, and for the judge. */
export interface Lessons {
  writer: string[];
  judge: string[];
}

/** So many of each are told, the newest. */
const MOST = 6;
/** Kinds of feedback that were rejected so often are named. */
const OFTEN = 2;
const LONGEST = 160;

/** The lessons of a project for a level; its own decisions come first where there are too many. */
export async function readLessons(manuscript: Manuscript, target: Level): Promise<Lessons> {
  const decisions = await readDecisions(manuscript);
  return lessonsOf(decisions.toSorted((a, b) => Number(a.level === target) - Number(b.level === target)));
}

/** What decisions show. */
export function lessonsOf(decisions: readonly Decision[]): Lessons {
  const rejected = decisions.filter(({ is_accepted, reason }) => !is_accepted && reason !== "");
  const reasons = rejected
    .slice(-MOST)
    .map(({ feedback, reason }) => `On ${named(feedback)} the author rejected an attempt and said: ${quoted(reason)}`);
  return { writer: [...kindLines(decisions), ...reasons], judge: judgeLines(decisions) };
}

function kindLines(decisions: readonly Decision[]): string[] {
  const kinds = new Map<string, { accepted: number; rejected: number }>();
  for (const { feedback, is_accepted } of decisions) {
    const kind = kindOfFeedback(feedback);
    const { accepted, rejected } = kinds.get(kind) ?? { accepted: 0, rejected: 0 };
    kinds.set(kind, { accepted: accepted + Number(is_accepted), rejected: rejected + Number(!is_accepted) });
  }
  return [...kinds]
    .filter(([, { rejected }]) => rejected >= OFTEN)
    .map(
      ([kind, { accepted, rejected }]) =>
        `Feedback on ${kind}: the author accepted ${countOf(accepted, "attempt")} and rejected ${rejected}.`,
    );
}

function judgeLines(decisions: readonly Decision[]): string[] {
  const tooKind = decisions.filter(
    ({ verdict, is_accepted, reason }) => verdict === "approved" && !is_accepted && reason !== "",
  );
  const tooStrict = decisions.filter(({ verdict, is_accepted }) => verdict === "needs_revision" && is_accepted);
  if (tooKind.length + tooStrict.length === 0) return [];
  return [
    calibrationLine(calibrate(decisions)),
    ...tooKind
      .slice(-MOST)
      .map(
        ({ feedback, reason }) =>
          `A judge approved an attempt at ${named(feedback)}; the author rejected it and said: ${quoted(reason)}`,
      ),
    ...tooStrict.slice(-MOST).map(({ feedback, judge, reason }) => {
      const said = reason === "" ? "without a word on why" : `having said during the iteration: ${quoted(reason)}`;
      return `A judge did not approve ${named(feedback)} and said: ${quoted(judge)}; the author took it all the same, ${said}`;
    }),
  ];
}

function calibrationLine({ decided, followed, rejected_approved, accepted_refused }: Calibration): string {
  return `Of ${decided} decisions the author went with the judge in ${followed}; of the rest they rejected ${rejected_approved} that the judge had approved, and took ${accepted_refused} that it had not.`;
}

function quoted(words: string): string {
  return `“${shorten(words, LONGEST)}”`;
}

function named(feedback: string): string {
  return `"${shorten(feedback, 80)}"`;
}
