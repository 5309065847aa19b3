// Long text, a screen at a time. Where nobody is there to press a key, all of it at once.

import { type Output, safeText } from "../words/output.ts";
import { textWidth, wrap } from "../words/wrapping.ts";
import type { Input } from "./input.ts";

const MORE = "Press Enter for more, 'q' to stop: ";

/** Shows a text under a heading; false where the reader has seen enough. */
export function pageText(heading: string, text: string, output: Output, input: Input): Promise<boolean> {
  return pageLines(heading, wrap(safeText(text.trim()), textWidth(output.terminal.columns)), output, input);
}

/** Shows lines that fit the terminal, and are safe, already. */
export async function pageLines(
  heading: string,
  lines: readonly string[],
  output: Output,
  input: Input,
): Promise<boolean> {
  const { terminal } = output;
  const rows = Math.max(8, (terminal.stdout.rows ?? 24) - 3);
  output.say();
  output.say(`━━━ ${heading} ━━━\n`, "bold");
  const isPaged = input.isInteractive && !terminal.isJson;
  for (let from = 0; from < lines.length; from += rows) {
    output.show(lines.slice(from, isPaged ? from + rows : undefined).join("\n"));
    if (!isPaged || from + rows >= lines.length) break;
    const line = await input.read({ prompt: MORE, isAnswer: true, words: ["q"] });
    if (line === undefined || line.trim().toLowerCase().startsWith("q")) return false;
  }
  output.say();
  return true;
}

/** Shows files one after the other. */
export async function pageFiles(
  files: readonly { title: string; text: string }[],
  output: Output,
  input: Input,
): Promise<void> {
  for (const { title, text } of files) if (!(await pageText(title, text, output, input))) return;
}
