// Questions of the REPL's own, beside the gates of runs.

import type { Input } from "./input/input.ts";
import type { Voice } from "./words/voice.ts";

/** What it takes to ask. */
export interface Asking {
  voice: Voice;
  input: Input;
  context: { isSet(flag: string): boolean };
}

/** One of some words, or an unambiguous beginning of it; undefined at the end of input. `--yes` takes the default. */
export async function askWord<Word extends string>(
  { voice, input, context }: Asking,
  question: string,
  words: readonly Word[],
  fallback: Word,
): Promise<Word | undefined> {
  const prompt = `${question} (${words.join("/")}): `;
  if (context.isSet("yes")) {
    voice.say(`${prompt}${fallback}`);
    return fallback;
  }
  if (voice.terminal.isJson) voice.line("novel-asked", { question, choices: words, default: fallback });
  for (;;) {
    const line = await input.read({ prompt, isAnswer: true, words });
    if (line === undefined) return undefined;
    const typed = line.trim().toLowerCase();
    const fitting = words.filter((word) => typed !== "" && word.startsWith(typed));
    if (fitting.length === 1) return fitting[0];
    voice.say(`Please answer with one of: ${words.join(", ")}`);
  }
}

/** A line of free text; undefined at the end of input, or where nothing was said. */
export async function askText({ voice, input, context }: Asking, question: string): Promise<string | undefined> {
  if (context.isSet("yes")) return undefined;
  if (voice.terminal.isJson) voice.line("novel-asked", { question });
  const line = (await input.read({ prompt: `${question} `, isAnswer: true, words: [] }))?.trim();
  return line === "" ? undefined : line;
}
