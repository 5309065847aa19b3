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

const asked: Readonly<Record<string, string>> = {
  reach: "When asked which files are to be written",
  kept: "When asked about passages that may not change",
  downstream: "When asked what becomes of the levels below",
  edited: "When asked about an edit by hand",
  continue: "When asked whether to go on with the judge's feedback",
};

/** What the author said, in a sentence each, for whoever writes or judges next. */
export function saidToText({ said = [] }: Pick<NovelState, "said">): string[] {
  return said.flatMap(({ gate, choice, attempt, text }) => {
    // What is wanted next is no matter of this iteration.
    if (gate === "accept" && choice === "yes") return [];
    if (gate === "accept" && choice === "some") return [`Of attempt ${attempt} they took ${text}`];
    if (gate === "accept") return [`On attempt ${attempt}, which they rejected: ${text}`];
    if (gate === "continue" && choice === "yes") return [`On attempt ${attempt}, beside the judge's words: ${text}`];
    if (gate === "variant" && choice === "none") return [`On the versions before, none of which they took: ${text}`];
    if (gate === "variant") return [`On version ${choice} of those before, which they want with a change: ${text}`];
    if (gate === "reach" && choice === "drop") return [`These files stay as they are: ${text}`];
    if (gate === "reach" && choice === "add") return [`These files are to be written too: ${text}`];
    return [`${asked[gate] ?? "On another question"} (their answer was "${choice}"): ${text}`];
  });
}
