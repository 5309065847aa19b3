// What the author wants next, said along with a yes ("yes, but …"): begun at once on the level that it was said of, and named
// where it never was.

import type { Project } from "@loopwright/core";
import type { Level } from "../layout.ts";
import { parseFeedback } from "../manuscript/feedback.ts";
import type { NovelState, NovelTask } from "../task.ts";
import { attempt } from "./attempt.ts";
import type { Session } from "./session.ts";

/** What is wanted next, and the level that it was said of. */
export interface WantedNext {
  target: Level;
  feedback: string;
}

/** Begins with what is wanted next, oldest first; the target is what it was afterwards. */
export async function beginWanted(session: Session): Promise<void> {
  const { target, isFollowing } = session;
  const first = session.wanted.shift();
  session.isFollowing = true;
  for (let wanted = first; wanted && !session.isOver; wanted = session.wanted.shift()) {
    const { feedback } = wanted;
    session.target = wanted.target;
    session.output.say(`\n> ${feedback}`);
    await attempt(session, async () => (await import("./commands/generate.ts")).giveFeedback(session, feedback, true));
  }
  session.isFollowing = isFollowing;
  if (first && target !== undefined) session.target = target;
}

/** Says what was wanted next and never begun. */
export async function tellNotBegun({ novel: { project }, output }: Session): Promise<void> {
  for (const { target, feedback } of await wantedOf(project))
    output.note(
      `You wanted to go on with "${feedback}", which was not begun. To begin: /iterate ${target}, then type it`,
    );
}

/** What the runs of a project leave to be begun, oldest first. An iteration that was begun with other words ends the wait. */
export async function wantedOf(project: Pick<Project, "list" | "state">): Promise<WantedNext[]> {
  const last: { task: NovelTask; next: string | undefined }[] = [];
  for (const listed of (await project.list()).toReversed()) {
    if ("fault" in listed || listed.loop !== "novel" || listed.parent !== undefined) continue;
    const { input, state } = await project.state(listed.run);
    const task = input as unknown as NovelTask;
    if (task.is_question) continue;
    last.unshift({ task, next: listed.status === "done" ? (state as Partial<NovelState>).next : undefined });
    if (!task.cascade && !task.is_follow_up && listed.after === undefined) break;
  }
  return last.reduce<WantedNext[]>((wanted, { task: { target, feedback }, next }) => {
    const begun = wanted.findIndex((each) => each.target === target && isSame(each.feedback, feedback));
    return [...wanted.filter((_, at) => at !== begun), ...(next === undefined ? [] : [{ target, feedback: next }])];
  }, []);
}

function isSame(wanted: string, feedback: readonly string[]): boolean {
  return parseFeedback(wanted).join("\n") === feedback.join("\n");
}
