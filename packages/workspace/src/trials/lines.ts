// Lines from what V8 counts: ranges of a script's text, each inside an earlier one or after it, executed or not.

/** A range of a script's text, and whether it was executed: 1 or 0. */
export type CoveredRange = readonly [start: number, end: number, isExecuted: number];

/** The lines, from 1, that have something on them which was executed. */
export function rangesToLines(source: string, ranges: readonly CoveredRange[]): number[] {
  // What no range says anything of was never reached: a script that was loaded has one around all of it.
  const executed = new Uint8Array(source.length);
  for (const [start, end, isExecuted] of ranges) executed.fill(isExecuted, start, end);
  const lines: number[] = [];
  let offset = 0;
  for (const [index, line] of source.split("\n").entries()) {
    if (hasExecuted(line, offset, executed)) lines.push(index + 1);
    offset += line.length + 1;
  }
  return lines;
}

/** Whether anything of a line was executed, brackets and the like left out. */
function hasExecuted(line: string, offset: number, executed: Uint8Array): boolean {
  for (const { index } of line.matchAll(/[\p{L}\p{N}_$"'`]/gu)) if (executed[offset + index] === 1) return true;
  return false;
}
