// /help: what can be typed.

import { pad } from "@loopwright/terminal";
import { findReplCommand, type ReplCommand, replCommands } from "../command-table.ts";
import type { Session } from "../session.ts";
import { textWidth, wrap } from "../words/output.ts";

export async function showHelp({ output }: Session, rest: string): Promise<void> {
  const name = rest.trim().replace(/^\//, "");
  const found = name === "" ? undefined : findReplCommand(name);
  if (found && "unknown" in found) return output.fail(found.unknown);
  const shown = found ? [found] : replCommands;
  const columns = output.terminal.stdout.isTTY ? textWidth(output.terminal.columns) : Number.POSITIVE_INFINITY;
  for (const line of helpLines(shown, columns)) output.say(line);
  if (found) return;
  output.say();
  for (const line of wrap(AFTER, columns)) output.say(line);
}

const AFTER = `Anything else is feedback for the iteration target. Nothing is changed without your yes; a level that is not there yet has nothing to be compared with: /generate commits it at once, and /undo takes it back.
Passages between <!-- keep --> and <!-- /keep --> are never changed.
While a question is open, /full [ATTEMPT] [FILE] shows the whole text of an attempt.`;

/** The longest command that its help stands beside; under a longer one it stands in the next line. */
const LONGEST = 36;

/** Each command with its help beside it, broken to stay in its own column. */
export function helpLines(commands: readonly ReplCommand[], columns: number): string[] {
  const usages = commands.map(({ name, words }) => `  /${name} ${words}`.trimEnd());
  const width = Math.min(LONGEST, Math.max(...usages.map((usage) => usage.length)));
  return commands.flatMap(({ help }, at) => {
    const usage = usages[at]!;
    const lines = wrap(help, Math.max(20, columns - width - 2)).map((line) => `${" ".repeat(width + 2)}${line}`);
    return usage.length > width ? [usage, ...lines] : [pad(usage, width) + lines[0]!.slice(width), ...lines.slice(1)];
  });
}
