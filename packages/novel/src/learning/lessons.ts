// What the author's decisions show, for whoever writes and judges next. One decision against the judge is told with its
// words; agreement teaches nothing and costs no tokens.

import type { Manuscript } from "../manuscript/index.ts";
import { shorten } from "../manuscript/words.ts";
import type { Level } from "../types.ts";
import { type Decision, readDecisions } from "./decisions.ts";
import { calibrate } from "./statistics.ts";

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
