// /help: what can be typed.

import { pad } from "@loopwright/terminal";
import { findReplCommand, type ReplCommand, replCommands } from "../command-table.ts";
import type { Session } from "../session.ts";

export async function showHelp({ voice }: Session, rest: string): Promise<void> {
  const name = rest.trim().replace(/^\//, "");
  const found = name === "" ? undefined : findReplCommand(name);
  if (found && "unknown" in found) return voice.fail(found.unknown);
  const shown = found ? [found] : replCommands;
  const usage = ({ name, words }: ReplCommand) => `  /${name} ${words}`.trimEnd();
  const width = Math.max(...shown.map((command) => usage(command).length));
  for (const command of shown) voice.say(`${pad(usage(command), width)}  ${command.help}`);
  if (found) return;
  voice.say();
  voice.say("Anything else is feedback for the iteration target. Nothing is changed without your yes.");
  voice.say("Passages between <!-- keep --> and <!-- /keep --> are never changed.");
}
