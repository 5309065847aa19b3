// Beginning an iteration: what stands in the way is said before a run is started.

import { randomBytes } from "node:crypto";
import { LoopwrightError, type RunResult } from "@loopwright/core";
import type { CascadeStep } from "../cascade/plan.ts";
import type { FileBlock, Level } from "../layout.ts";
import type { Manuscript } from "../manuscript/index.ts";
import type { NovelTask } from "../task.ts";
import { startIteration } from "./drive.ts";
import { offerUnfinished } from "./offer-unfinished.ts";
import type { Roles } from "./roles.ts";
import type { Session } from "./session.ts";
import { findUnfinished } from "./unfinished.ts";
import { messages } from "./words/words.ts";

/** What is to be done to a level. */
export interface Request {
  kind: NovelTask["kind"];
  target: Level;
  feedback: readonly string[];
  edited?: readonly FileBlock[];
  chapters?: number | undefined;
  cascade?: CascadeStep;
  variants?: 2 | 3;
  file?: string;
  passage?: string;
  isFollowUp?: boolean;
}

/** Begins an iteration; undefined where it was not begun. */
export async function beginIteration(session: Session, request: Request): Promise<RunResult | undefined> {
  const { novel } = session;
  if (request.kind !== "edit") requireWriter(session);
  if (!(await mayBegin(session))) return undefined;
  const { project } = await session.manuscript();
  const mayAskBack = !session.context.isSet("yes");
  return startIteration(session, taskOf(request, { project, roles: novel.roles, mayAskBack }));
}

/** What the run of a request is given. */
export function taskOf(
  request: Request,
  { project, roles, mayAskBack }: { project: Manuscript["project"]; roles: Roles; mayAskBack: boolean },
): NovelTask {
  return {
    kind: request.kind,
    target: request.target,
    feedback: [...request.feedback],
    ...(request.edited && { edited: request.edited.map(({ path, content }) => ({ path, content })) }),
    iteration_id: newIterationId(),
    judges: project.models?.["second-judge"] === undefined ? 1 : 2,
    has_judge: roles.has("judge"),
    has_summarizer: roles.has("summarizer"),
    windows: windowsOf(roles),
    ...(project.language !== undefined && { language: project.language }),
    ...(request.kind === "iterate" && { may_ask_back: mayAskBack }),
    ...(request.chapters !== undefined && { chapters: request.chapters }),
    ...(request.cascade && { cascade: { ...request.cascade, files: request.cascade.files } }),
    ...(request.variants && { variants: request.variants, file: request.file }),
    ...(request.isFollowUp === true && { is_follow_up: true }),
    ...(request.passage !== undefined && { passage: request.passage }),
  };
}

function windowsOf({ nameOf, windowOf }: Roles): NonNullable<NovelTask["windows"]> {
  const known = (["judge", "summarizer"] as const).flatMap((role) => {
    const [model, context] = [nameOf(role), windowOf(role)];
    return model === undefined || context === undefined ? [] : [[role, { model, context }]];
  });
  return Object.fromEntries(known);
}

/** Refuses what needs a model where there is none. */
export function requireWriter({ novel }: Session): void {
  if (!novel.roles.has("writer")) throw new LoopwrightError("NO_MODEL", messages.noModel);
}

/** Whether an iteration can begin. Another that is unfinished is asked about: two at once would each be made from a text that
 * the other changes. */
export async function mayBegin(session: Session): Promise<boolean> {
  const refused = await session.novel.repository.check();
  if (refused !== undefined) throw new LoopwrightError("REPOSITORY_STATE", refused);
  const unfinished = await findUnfinished(session.novel.project);
  if (!unfinished) return true;
  const word = await offerUnfinished(session, unfinished, { isInTheWay: true });
  if (word === "no") session.output.note("Nothing new was begun: one iteration at a time");
  return word === "drop";
}

/** A name for an iteration: when it began, and something of its own. */
export function newIterationId(now = new Date()): string {
  const time = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  return `${time}-${randomBytes(4).toString("hex")}`;
}
