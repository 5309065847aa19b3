// How the loop's gates are asked and answered, in the words that a writer knows.

import type { GateWords } from "@loopwright/core";

/** An empty line asks again where nothing else is said, so that no work is lost by one key too many. */
export const gates: Readonly<Record<string, GateWords>> = {
  reach: { question: ({ question }) => question, synonyms: { no: "cancel" }, noted: ["add", "drop"] },
  unreadable: {
    question: () => "The judge cannot be understood: ask it again, accept unjudged, or stop?",
    empty: null,
  },
  kept: { question: ({ question }) => question, synonyms: { no: "stop" }, empty: null },
  downstream: { question: () => "Action:", synonyms: { yes: "cull-all", no: "keep-all" }, empty: null },
  continue: {
    // An attempt without a usable form never came before the judge.
    question: ({ choices }) => (choices.includes("view-partial") ? "Continue with judge feedback?" : "Try again?"),
    empty: null,
  },
  detail: {
    question: () => "View detailed text diff?",
    synonyms: { yes: "all", no: "skip", none: "skip", q: "skip" },
    empty: "skip",
  },
  // A no for good is offered to whoever rejects with a reason.
  accept: {
    question: () => "Accept these changes?",
    synonyms: { all: "yes" },
    noted: ["some"],
    unlisted: ["stop"],
    empty: null,
  },
  full: { question: () => "View full?", empty: null },
  next: { empty: null },
  variant: {
    noted: ["parts"],
    question: ({ choices }) =>
      choices.includes("parts")
        ? `Which one? Or parts of them, such as 1:1-4 2:5-${choices.length > 4 ? " 3:9" : ""}`
        : "Which one?",
    empty: null,
  },
  clarify: { empty: "skip" },
};
