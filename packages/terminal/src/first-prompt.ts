// The first prompt of a run, as `--dry-run` shows it.

import type { FirstPrompt, Terminal } from "@loopwright/core";
import { plainLine, plainText } from "./text.ts";

/** Who would be asked, and how much of it there is. */
export function promptHead({ role, model, id, tokens, images }: FirstPrompt): string {
  const pictures = images === 0 ? [] : [images === 1 ? "1 picture" : `${images} pictures`];
  const parts = [`${role} (${model ?? "no model is configured"})`, ...(id ? [id] : []), `about ${tokens} tokens`];
  return plainLine([...parts, ...pictures].join(" · "));
}

/** Prints the texts of a prompt whole, and what was done to reach it. */
export function printPrompt(terminal: Pick<Terminal, "print" | "style">, { system, user, does }: FirstPrompt): void {
  for (const [name, text] of Object.entries({ system, user }))
    if (text !== undefined) terminal.print(`\n${terminal.style("bold", `── ${name}`)}\n${plainText(text)}`);
  terminal.print();
  if (does !== undefined) terminal.print(`To reach the prompt, it ${does}.`);
}
