// Beginning an iteration: what stands in the way is said before a run is started.

import { randomBytes } from "node:crypto";
import { LoopwrightError, type RunResult } from "@loopwright/core";
import type { CascadeStep } from "../cascade/plan.ts";
import type { FileBlock, Level } from "../layout.ts";
import type { NovelTask } from "../task.ts";
import { startIteration } from "./drive.ts";
import { offerUnfinished } from "./offer-unfinished.ts";
import type { Session } from "./session.ts";
import { findUnfinished } from "./unfinished.ts";
import { messages } from "./words/words.ts";

/** What is to be done to a level. */
export interface Wish {
  kind: NovelTask["kind"];
  target: Level;
  feedback: readonly string[];
  edited?: readonly FileBlock[];
  chapters?: number | undefined;
  cascade?: CascadeStep;
  variants?: 2 | 3;
  file?: string;
  passage?: string;
}

/** Begins an iteration; undefined where it was not begun. */
export async function beginIteration(session: Session, wish: Wish): Promise<RunResult | undefined> {
  const { novel } = session;
  if (wish.kind !== "edit") requireWriter(session);
  const refused = await novel.repository.check();
  if (refused !== undefined) throw new LoopwrightError("REPOSITORY_STATE", refused);
  if (!(await isFree(session))) return undefined;
  const { project } = await session.manuscript();
  const task: NovelTask = {
    kind: wish.kind,
    target: wish.target,
    feedback: [...wish.feedback],
    ...(wish.edited && { edited: wish.edited.map(({ path, content }) => ({ path, content })) }),
    iteration_id: newIterationId(),
    judges: project.judges ?? 1,
    has_judge: novel.roles.has("judge"),
    has_summarizer: novel.roles.has("summarizer"),
    ...(wish.kind === "iterate" && { may_ask_back: !session.context.isSet("yes") }),
    ...(wish.chapters !== undefined && { chapters: wish.chapters }),
    ...(wish.cascade && { cascade: { ...wish.cascade, files: wish.cascade.files } }),
    ...(wish.variants && { variants: wish.variants, file: wish.file }),
    ...(wish.passage !== undefined && { passage: wish.passage }),
  };
  return startIteration(session, task);
}

/** Refuses what needs a model where there is none. */
export function requireWriter({ novel }: Session): void {
  if (!novel.roles.has("writer")) throw new LoopwrightError("NO_MODEL", messages.noModel);
}

/** Whether nothing else is unfinished: two iterations at once would each be made from a text that the other changes. */
async function isFree(session: Session): Promise<boolean> {
  const unfinished = await findUnfinished(session.novel.project);
  if (!unfinished) return true;
  const word = await offerUnfinished(session, unfinished);
  if (word === "no") session.voice.note("Nothing new was begun: one iteration at a time");
  return word === "drop";
}

/** A name for an iteration: when it began, and something of its own. */
export function newIterationId(now = new Date()): string {
  const time = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${time}-${randomBytes(4).toString("hex")}`;
}
