// The REPL: a line is a command, or feedback for the target. Whatever goes wrong is said, and the session goes on.

import type { CommandContext } from "@loopwright/core";
import { asCommand, findReplCommand } from "./command-table.ts";
import { findNovel, openNovel } from "./commands/project.ts";
import { attempt, openInput } from "./input/input.ts";
import { isNovel, novelHere, Session } from "./session.ts";
import { Output } from "./words/output.ts";
import { messages } from "./words/words.ts";

/** Runs a session until the person leaves or the input ends; gives back the exit code. */
export async function runRepl(context: CommandContext): Promise<number> {
  const output = new Output(context.terminal);
  let session: Session | undefined;
  using input = await openInput(context.terminal, () => (session?.hasNovel ? session.novel.folder : undefined));
  using _ = closeOnSignals(() => input.close());
  session = new Session(context, output, input);
  try {
    await begin(session);
    while (!session.isOver && !input.isOver) {
      output.say();
      const line = await input.read({ prompt: "> " });
      if (line === undefined) break;
      await runLine(session, line);
    }
    return session.exitCode;
  } finally {
    await session.close();
  }
}

/** Opens the project that was named, or the folder's own; without one the session begins without. */
async function begin(session: Session): Promise<void> {
  const { context, output } = session;
  const name = context.arguments[0] ?? context.text("dir");
  // A project that was asked for and cannot be opened is the command's own fault, not a matter for the session.
  if (name !== undefined)
    return openNovel(session, findNovel(session, name, `\`loopwright init ${name} --loop novel\``));
  const here = novelHere(context);
  if (isNovel(here)) await attempt(session, () => openNovel(session, here));
  else output.note(messages.noProject);
}

/** Carries out a line. */
async function runLine(session: Session, line: string): Promise<void> {
  const text = asCommand(line.trim());
  if (text === "") return;
  const [, name, rest = ""] = /^\/(\S*)([\s\S]*)$/.exec(text) ?? [];
  await attempt(session, async () => {
    if (name === undefined) return (await import("./commands/generate.ts")).giveFeedback(session, text);
    const command = findReplCommand(name);
    if ("unknown" in command) return session.output.fail(command.unknown);
    await (await command.load())(session, rest.trim());
  });
}

/** A terminal that was closed, or a polite end, ends the session as the end of input does. */
function closeOnSignals(close: () => void): Disposable {
  const names: NodeJS.Signals[] = ["SIGTERM", "SIGHUP"];
  for (const name of names) process.on(name, close);
  return {
    [Symbol.dispose]: () => {
      for (const name of names) process.off(name, close);
    },
  };
}
