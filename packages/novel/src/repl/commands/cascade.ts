// /cascade: levels are brought in line, one iteration after the other. What is stale is the record of what is left to do.

import { LoopwrightError } from "@loopwright/core";
import { levelsAbove } from "../../manuscript/files/layout.ts";
import type { NovelTask } from "../../task.ts";
import { type Level, levels } from "../../types.ts";
import type { Commands } from "../command-table.ts";
import { beginIteration, requireWriter } from "../iterations.ts";
import type { Session } from "../session.ts";
import { messages, targetIs } from "../words/words.ts";

export const commands: Commands = { cascade };

interface Step {
  target: Level;
  feedback: string;
  follows: NonNullable<NovelTask["follows"]>;
}

/** /cascade [up] */
async function cascade(session: Session, rest: string): Promise<void> {
  const word = rest.trim().toLowerCase();
  if (word !== "" && word !== "up")
    throw new LoopwrightError("USAGE", "/cascade brings what is stale in line; /cascade up what is above the target");
  requireWriter(session);
  await (word === "up" ? upward(session) : downward(session));
}

/** What is stale, from the top; what a step makes stale below it comes after it. */
async function downward(session: Session): Promise<void> {
  const seen = new Set<Level>();
  const next = async (): Promise<Step | undefined> => {
    const stale = (await session.manuscript()).stale();
    const found = stale.find(({ level }) => level !== "analysis" && !seen.has(level));
    if (!found || found.level === "analysis") return undefined;
    const [target, from] = [found.level, found.because.at(-1)!];
    seen.add(target);
    return {
      target,
      feedback: `Bring the ${target} in line with what changed above it, in the ${because(found.because)}: follow all the changes that are shown, wherever they reach, and change nothing else.`,
      follows: { direction: "down", level: from },
    };
  };
  const first = await next();
  if (!first) return session.output.note("Nothing is stale: every level agrees with what it was made from");
  await runSteps(session, first, next, "/cascade");
}

/** The levels above the target follow what its last iteration changed, nearest first. */
async function upward(session: Session): Promise<void> {
  const { target, output } = session;
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const manuscript = await session.manuscript();
  const last = (await manuscript.history(target)).at(-1);
  if (!last) return output.note(`Nothing was changed in the ${target} yet`);
  const { iteration_id, feedback } = last;
  const steps = levelsAbove(target)
    .filter(manuscript.has)
    .reverse()
    .map((level) => ({
      target: level,
      feedback: `Bring the ${level} in line with the ${target} below it, which changed (last: ${feedback.trim()}): take over what is said there now, such as names and facts, and change nothing else.`,
      follows: { direction: "up" as const, level: target, iteration: iteration_id },
    }));
  const first = steps.shift();
  if (!first) return output.note(`There is nothing above the ${target} to bring in line`);
  await runSteps(session, first, async () => steps.shift(), "/cascade up");
}

/** Step after step, until nothing is left or one is not accepted. The target stays what it was. */
async function runSteps(
  session: Session,
  first: Step,
  next: () => Promise<Step | undefined>,
  again: string,
): Promise<void> {
  const { output, target } = session;
  let left: Step | undefined = first;
  for (; left && !session.isOver; left = await next()) {
    output.say(`\n[Cascade: ${left.target}]`, "bold");
    const { feedback, ...step } = left;
    const result = await beginIteration(session, { kind: "iterate", feedback: [feedback], ...step });
    if (result?.outcome !== "done") break;
  }
  if (left) output.note(`The cascade ended at the ${left.target}. ${again} begins again`);
  else output.say("✓ Cascade complete", "green");
  if (target === undefined || session.isOver) return;
  session.target = target;
  output.note(targetIs(target));
}

function because(from: readonly Level[]): string {
  return levels.filter((level) => from.includes(level)).join(" and the ");
}
