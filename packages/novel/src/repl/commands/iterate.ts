// /iterate: shows or sets what feedback is about.

import { LoopwrightError } from "@loopwright/core";
import type { Session } from "../session.ts";
import { loadedLine, messages, notFound, plural, previousIterations, readLevel, targetIs } from "../words/words.ts";

/** /iterate [LEVEL] */
export async function iterate(session: Session, rest: string): Promise<void> {
  const { output } = session;
  const word = rest.trim();
  const manuscript = await session.manuscript();
  if (word === "") {
    const { target } = session;
    if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
    output.say(`[Current iteration target: ${target}]`);
    output.say(`[Iteration history: ${plural((await manuscript.history(target)).length, "iteration")}]`);
    return;
  }
  const level = readLevel(word);
  if (level === undefined) throw new LoopwrightError("TARGET_INVALID", messages.invalidTarget);
  if (!manuscript.has(level)) throw new LoopwrightError("LEVEL_MISSING", notFound(level));
  const { length } = await manuscript.history(level);
  session.target = level;
  output.say(`[${targetIs(level)}]`);
  output.say(`[${loadedLine(level, (name) => manuscript.has(name), manuscript.taxonomy !== undefined)}]`);
  output.say(`[${previousIterations(length)}]`);
}
