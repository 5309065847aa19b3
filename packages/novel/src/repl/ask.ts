// Questions of the REPL's own, beside the gates of runs.

import { LoopwrightError } from "@loopwright/core";
import type { Input } from "./input/input.ts";
import { type Output, textWidth, wrap } from "./words/output.ts";
import { messages } from "./words/words.ts";

/** Whether a line typed at a question is meant to leave: `/quit`, or a beginning of it. */
export function isQuit(text: string): boolean {
  return /^\/(?:q|qu|qui|quit|exit|bye)$/i.test(text.trim());
}

/** What it takes to ask. */
export interface Asking {
  output: Output;
  input: Input;
  context: { isSet(flag: string): boolean };
}

/** One of some words, or an unambiguous beginning of it; undefined at the end of input. `--yes` takes the default. */
export async function askWord<Word extends string>(
  { output, input, context }: Asking,
  question: string,
  words: readonly Word[],
  fallback: Word,
): Promise<Word | undefined> {
  const prompt = `${question} (${words.join("/")}): `;
  if (context.isSet("yes")) {
    output.say(`${prompt}${fallback}`);
    return fallback;
  }
  if (output.terminal.isJson) output.line("novel-asked", { question, choices: words, default: fallback });
  for (;;) {
    const line = await input.read({ prompt: promptFor(output, prompt), isAnswer: true, words });
    if (line === undefined) return undefined;
    const typed = line.trim().toLowerCase();
    const fitting = words.filter((word) => typed !== "" && word.startsWith(typed));
    if (fitting.length === 1) return fitting[0];
    output.say(isQuit(line) ? messages.leave : `Please answer with one of: ${words.join(", ")}`);
  }
}

/** A line of free text; undefined at the end of input, or where nothing was said. */
export async function askText({ output, input, context }: Asking, question: string): Promise<string | undefined> {
  if (context.isSet("yes")) return undefined;
  if (output.terminal.isJson) output.line("novel-asked", { question });
  const line = (await input.read({ prompt: promptFor(output, question), isAnswer: true, words: [] }))?.trim();
  return line === "" ? undefined : line;
}

/** A question as a prompt. Of one that is longer than a line the last line alone is: the others are said before it, so that no
 * word is broken. */
export function promptFor(output: Output, question: string): string {
  const { stdout, columns } = output.terminal;
  const lines = stdout.isTTY ? wrap(question, textWidth(columns) - 2) : [question];
  if (lines.length > 1) output.say(lines.slice(0, -1).join("\n"));
  return `${lines.at(-1)!.trimEnd()} `;
}

/** Does one thing of a session; an error is told, and the session goes on. */
export async function attempt({ output }: { output: Output }, body: () => Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    output.fail(error instanceof Error ? error.message : String(error));
    const isKnown = error instanceof LoopwrightError && process.env.LOOPWRIGHT_DEBUG !== "1";
    if (!isKnown && error instanceof Error) output.terminal.warn(error.stack ?? "");
  }
}
