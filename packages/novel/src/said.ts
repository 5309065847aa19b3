// What the author says at gates beside their choice: the writer and the judge are told.

import type { Answer } from "@loopwright/core";
import type { AuthorNote, NovelState } from "./task.ts";

/** The choice that stands for words of the author's own. */
export const SAY = "say";

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
