// /cascade: the levels that no longer agree with a change are brought in line, downward or upward.

import { LoopwrightError } from "@loopwright/core";
import { cascadeOfStale, cascadeUp, pendingCascade } from "../../cascade/plan.ts";
import { levelOf } from "../../layout.ts";
import { runCascade } from "../cascade.ts";
import { dropCascade } from "../drop-cascade.ts";
import { newIterationId, requireWriter } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { messages, readLevel } from "../words/words.ts";

/** /cascade [end|up [LEVEL]|drop] */
export async function cascade(session: Session, rest: string): Promise<void> {
  const [word, more] = firstWord(rest.toLowerCase());
  if (word === "drop") return dropCascade(session);
  if (!["", "up", "down", "end"].includes(word))
    throw new LoopwrightError(
      "USAGE",
      "/cascade goes on or brings what is stale in line; /cascade end decides once, at the end; /cascade up [LEVEL]; /cascade drop",
    );
  requireWriter(session);
  if (word === "up") return upward(session, more.trim());
  const manuscript = await session.manuscript();
  const found = pendingCascade(manuscript) ?? cascadeOfStale(manuscript, newIterationId());
  if (!found) return session.output.note("Nothing is stale: every level agrees with what it was made from");
  if (word === "end") return (await import("../cascade-at-end.ts")).runAtEnd(session, found);
  await runCascade(session, found);
}

/** What was changed last in the target goes up to the levels above, or to one of them. */
async function upward(session: Session, word: string): Promise<void> {
  const { target, novel, output } = session;
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const only = word === "" ? undefined : readLevel(word);
  if (word !== "" && only === undefined) throw new LoopwrightError("TARGET_INVALID", messages.invalidTarget);
  await novel.repository.commitHandEdits();
  const last = await novel.repository.lastChangeOf((path) => levelOf(path) === target);
  if (!last) return output.note(`Nothing was changed in the ${target} yet`);
  const manuscript = await session.manuscript();
  const history = await manuscript.history(target);
  const feedback = history.find(({ iteration_id }) => iteration_id === last.id)?.feedback ?? "";
  const found = cascadeUp(manuscript, target, last.id, feedback);
  const levels = found?.levels.filter((level) => only === undefined || level === only) ?? [];
  if (!found || levels.length === 0) return output.note(`There is nothing above the ${target} to bring in line`);
  await runCascade(session, { ...found, levels, of: levels.length });
}
