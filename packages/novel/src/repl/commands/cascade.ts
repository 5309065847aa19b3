// /cascade: the levels that no longer agree with a change are brought in line, downward or upward.

import { LoopwrightError } from "@loopwright/core";
import { cascadeOfStale, cascadeUp, pendingCascade } from "../../cascade/plan.ts";
import { levelOf } from "../../layout.ts";
import { runCascade } from "../cascade.ts";
import { commitChange } from "../changes.ts";
import { newIterationId, requireWriter } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { messages, readLevel } from "../words/words.ts";

/** /cascade [up [LEVEL]|drop] */
export async function cascade(session: Session, rest: string): Promise<void> {
  const [word, more] = firstWord(rest.toLowerCase());
  if (word === "drop") return dropCascade(session);
  if (word !== "" && word !== "up" && word !== "down")
    throw new LoopwrightError(
      "USAGE",
      "/cascade goes on or brings what is stale in line; /cascade up [LEVEL]; /cascade drop",
    );
  requireWriter(session);
  if (word === "up") return upward(session, more.trim());
  const manuscript = await session.manuscript();
  const found = pendingCascade(manuscript) ?? cascadeOfStale(manuscript, newIterationId());
  if (!found) return session.voice.note("Nothing is stale: every level agrees with what it was made from");
  await runCascade(session, found);
}

/** What was changed last in the target goes up to the levels above, or to one of them. */
async function upward(session: Session, word: string): Promise<void> {
  const { target, novel, voice } = session;
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const only = word === "" ? undefined : readLevel(word);
  if (word !== "" && only === undefined) throw new LoopwrightError("TARGET_INVALID", messages.invalidTarget);
  await novel.repository.commitHandEdits();
  const last = await novel.repository.lastChangeOf((path) => levelOf(path) === target);
  if (!last) return voice.note(`Nothing was changed in the ${target} yet`);
  const manuscript = await session.manuscript();
  const history = await manuscript.history(target);
  const feedback = history.find(({ iteration_id }) => iteration_id === last.id)?.feedback ?? "";
  const found = cascadeUp(manuscript, target, last.id, feedback);
  const levels = found?.levels.filter((level) => only === undefined || level === only) ?? [];
  if (!found || levels.length === 0) return voice.note(`There is nothing above the ${target} to bring in line`);
  await runCascade(session, { ...found, levels });
}

async function dropCascade(session: Session): Promise<void> {
  const { voice } = session;
  const { toFile } = await import("../../manuscript/history/staleness.ts");
  const { staleness } = await session.manuscript();
  if (!staleness.cascade) return voice.note("No cascade is left");
  const { cascade: _, ...rest } = staleness;
  await commitChange(session, "project", "drop the cascade", { write: [toFile(rest)], remove: [] });
  voice.note("What was left of the cascade is forgotten. /status shows what is stale");
}
