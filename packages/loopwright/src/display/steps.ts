// What to type next, as lines: a command stays whole, and what it does stands beside it where there is room.

import type { NextStep } from "@loopwright/core";
import { plainLine, type Terminal, widthOf } from "@loopwright/terminal";

interface StepsPlace {
  terminal: Terminal;
  typed: (command: string) => string;
}

/** The lines of some steps, each typed as this command line was. */
export function stepLines(steps: readonly NextStep[], { terminal, typed }: StepsPlace): string[] {
  return steps.flatMap(({ command: plain, does }) => {
    const command = typed(plain);
    const remark = `# ${plainLine(does)}`;
    const fits = widthOf(command) + widthOf(remark) + 4 < terminal.columns;
    return fits
      ? [`  ${command}  ${terminal.style("dim", remark)}`]
      : [`  ${terminal.style("dim", remark)}`, `  ${command}`];
  });
}
