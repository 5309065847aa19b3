// What to type next, as lines: a command stays whole, and what it does stands beside it where there is room.

import type { NextStep } from "@loopwright/core";
import { plainLine, type Terminal, widthOf } from "@loopwright/terminal";

/** The lines of some steps. */
export function stepLines(steps: readonly NextStep[], terminal: Terminal): string[] {
  return steps.flatMap(({ command, does }) => {
    const remark = `# ${plainLine(does)}`;
    const fits = widthOf(command) + widthOf(remark) + 4 < terminal.columns;
    return fits
      ? [`  ${command}  ${terminal.style("dim", remark)}`]
      : [`  ${terminal.style("dim", remark)}`, `  ${command}`];
  });
}
