// How the loop's gates are asked and answered: the document's own words, shown with each question.

import type { GateWords } from "@loopwright/core";
import { SAY } from "./said.ts";

const own = { unlisted: [SAY], noted: [SAY], empty: null };

/** An empty line asks again where nothing else is said, so that no work is lost by one key too many. */
export const gates: Readonly<Record<string, GateWords>> = {
  downstream: { ...own, question: () => "Action:", synonyms: { yes: "cull-all", no: "keep-all" } },
  clarify: { ...own, question: ({ question }) => question, empty: "skip" },
  // An attempt without a usable form never came before the judge.
  continue: {
    ...own,
    question: ({ choices }) => (choices.includes("view-partial") ? "Continue with judge feedback?" : "Try again?"),
  },
  detail: {
    ...own,
    question: () => "View detailed text diff?",
    synonyms: { no: "skip", q: "skip" },
    empty: "skip",
  },
  full: { ...own, question: () => "View full?" },
  variant: { ...own, question: () => "Which one?" },
  accept: { ...own, question: () => "Accept these changes?", unlisted: [SAY, "again"], noted: [SAY, "some", "again"] },
};
