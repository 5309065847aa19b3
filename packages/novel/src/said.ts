// How the loop's gates are asked, in the document's own words; and what the author says beside their choice: the writer and the judge are told.

import type { Answer, GateWords } from "@loopwright/core";
import type { AuthorNote, NovelState } from "./task.ts";

/** The choice that stands for words of the author's own. */
export const SAY = "say";

/** What was said so far, with what was said now. */
export function withNote(
  { said = [] }: Pick<NovelState, "said">,
  gate: string,
  { choice, note }: Answer,
  attempt?: number,
  files: readonly string[] = [],
): { said?: AuthorNote[] } {
  const text = note?.trim() ?? "";
  if (text === "") return {};
  const about = { ...(attempt !== undefined && { attempt }), ...(files.length > 0 && { files: [...files] }) };
  return { said: [...said, { gate, choice, ...about, text }] };
}

/** What the author said, in a sentence each, for whoever writes or judges next. */
export function saidToText({ said = [] }: Pick<NovelState, "said">): string[] {
  return said.map(({ gate, choice, attempt, text }) => {
    if (gate === "clarify") return text;
    if (gate === "accept" && choice === "some") return `Of attempt ${attempt} they took ${text}`;
    if (gate === "accept") return `On attempt ${attempt}, which they did not take as it was: ${text}`;
    if (gate === "continue") return `On attempt ${attempt}, beside the judge's words: ${text}`;
    if (gate === "variant" && choice === "none") return `On the versions before, none of which they took: ${text}`;
    if (gate === "variant") return `On version ${choice} of those before, which they want with a change: ${text}`;
    return text;
  });
}

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
    // An attempt that a judge does not approve is shown whole or not.
    question: ({ choices }) => (choices.includes("skip") ? "View detailed text diff?" : "View full?"),
    synonyms: { no: "skip", q: "skip" },
    empty: "skip",
  },
  variant: { ...own, question: () => "Which one?" },
  accept: { ...own, question: () => "Accept these changes?", unlisted: [SAY, "again"], noted: [SAY, "some", "again"] },
};
