// What the author says at a gate beside the choice: "no, because it is too cute". The writer and the judge are told.

import type { Answer } from "@loopwright/core";
import type { AuthorNote, NovelState } from "../task.ts";

/** What was said so far, with what was said now. */
export function withNote(
  { said = [] }: Pick<NovelState, "said">,
  gate: string,
  { choice, note }: Answer,
  attempt?: number,
): { said?: AuthorNote[] } {
  const text = note?.trim() ?? "";
  if (text === "") return {};
  return { said: [...said, { gate, choice, ...(attempt !== undefined && { attempt }), text }] };
}

/** What the author said, in a sentence each, for whoever writes or judges next. */
export function saidToText({ said = [] }: Pick<NovelState, "said">): string[] {
  return said.flatMap(({ gate, choice, attempt, text }) => {
    // What is wanted next is no matter of this iteration.
    if (gate === "accept" && choice === "yes") return [];
    if (gate === "accept") return [`On attempt ${attempt}, which they rejected: ${text}`];
    if (gate === "continue" && choice === "yes") return [`On attempt ${attempt}, beside the judge's words: ${text}`];
    return [`On the question '${gate}', which they answered with ${choice}: ${text}`];
  });
}
