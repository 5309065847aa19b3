// How a file is written: its indentation, line ends, quotes and semicolons, which inserted text must follow.

import type { Syntax } from "../syntax/tree.ts";

export interface Style {
  /** One step of indentation. */
  unit: string;
  eol: "\n" | "\r\n";
  quote: "'" | '"';
  /** What ends a simple statement. */
  end: "" | ";";
  /** Whether a lone statement under a condition stands on its line without braces. */
  isTerse: boolean;
}

/** The style of a text. */
export function readStyle(text: string, isPython: boolean): Style {
  return {
    unit: unitOf(text, isPython),
    eol: text.includes("\r\n") ? "\r\n" : "\n",
    quote: count(text, /'/g) > count(text, /"/g) ? "'" : '"',
    end: !isPython && count(text, /;[ \t]*\r?$/gm) > 0 ? ";" : "",
    isTerse: isPython || /\bif \(.*\) [\w.]+[^{]*$/m.test(text) || !/\bif \(.*\) \{/.test(text),
  };
}

/** The white space before the statement's line. */
export function indentOf(node: Syntax): string {
  const { source, start } = node;
  const line = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function unitOf(text: string, isPython: boolean): string {
  const steps = new Map<string, number>();
  let before = "";
  for (const [, indent = ""] of text.matchAll(/^([ \t]*)\S/gm)) {
    if (indent.length > before.length && indent.startsWith(before)) {
      const step = indent.slice(before.length);
      steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    before = indent;
  }
  const [commonest] = [...steps].sort((a, b) => b[1] - a[1]);
  return commonest?.[0] ?? (isPython ? "    " : "  ");
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
