// Counts in words, for prompts and people. Pure.

/** A count of lines. */
export function lineCount(lines: number): string {
  return lines === 1 ? "1 line" : `${lines} lines`;
}
