// Beginning an iteration, and going on with one that was left. What stands in the way is said before a run is started.

import { randomBytes } from "node:crypto";
import {
  type Ceilings,
  isFinal,
  type Loop,
  LoopwrightError,
  type Outcome,
  type Project,
  type RunResult,
} from "@loopwright/core";
import { plainLine, showAge, showCount } from "@loopwright/terminal";
import type { Manuscript } from "../manuscript/files/open.ts";
import type { Part } from "../repository/types.ts";
import type { NovelTask } from "../task.ts";
import type { Change, FileBlock } from "../types.ts";
import { resumeIteration, startIteration } from "./drive.ts";
import { askWord } from "./input/input.ts";
import type { RoleName, Roles, Session } from "./session.ts";
import { summaryText } from "./words/note-words.ts";
import { quote } from "./words/output.ts";
import { Renderer } from "./words/renderer.ts";
import { messages, questionOf } from "./words/words.ts";

/** What is to be done to a level. */
export interface Request
  extends Pick<NovelTask, "kind" | "target" | "follows" | "variants" | "file" | "passage" | "chapters"> {
  feedback: readonly string[];
  edited?: readonly FileBlock[];
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
  { feedback, edited, ...request }: Request,
  { project, roles, mayAskBack }: { project: Manuscript["project"]; roles: Roles; mayAskBack: boolean },
): NovelTask {
  return {
    ...request,
    feedback: [...feedback],
    ...(edited && { edited: edited.map(({ path, content }) => ({ path, content })) }),
    iteration_id: newIterationId(),
    scope: project.scope ?? "model",
    has_judge: roles.has("judge"),
    has_second_judge: roles.has("second-judge"),
    has_summarizer: roles.has("summarizer"),
    windows: windowsOf(roles),
    ...(project.max_retries !== undefined && { max_retries: project.max_retries }),
    ...(request.kind === "iterate" && { may_ask_back: mayAskBack }),
  };
}

/** The windows that a change must fit: two judges are shown the same, so that of them the narrower one counts. */
function windowsOf({ nameOf, windowOf }: Roles): NonNullable<NovelTask["windows"]> {
  const narrowest = (...roles: RoleName[]) =>
    roles
      .flatMap((role) => {
        const [model, context] = [nameOf(role), windowOf(role)];
        return model === undefined || context === undefined ? [] : { model, context };
      })
      .sort((a, b) => a.context - b.context)[0];
  const [judge, summarizer] = [narrowest("judge", "second-judge"), narrowest("summarizer")];
  return { ...(judge && { judge }), ...(summarizer && { summarizer }) };
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
  const unfinished = await findUnfinished(session);
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

/** Commits a change that is no iteration: a cull, an import, an analysis. Hand edits are committed on their own first. */
export async function commitChange(
  { novel, output }: Session,
  part: Part,
  words: string,
  change: Change,
  id = newIterationId(),
): Promise<{ sha: string; subject: string }> {
  const { repository } = novel;
  const refused = await repository.check();
  if (refused !== undefined) throw new LoopwrightError("REPOSITORY_STATE", refused);
  for (const { subject, paths } of await repository.commitHandEdits())
    output.note(`Hand edit kept: "${subject}" (${showCount(paths.length, "file")})`);
  const { commitSubject } = await import("../repository/log.ts");
  const base = await repository.head();
  return repository.commitIteration({ id, subject: commitSubject(part, words), change, base });
}

/** An iteration that was left: by a closed laptop, a Ctrl-C, a dead network, a kill. */
interface Unfinished {
  run: string;
  at: number;
  /** Whether another process is at it. */
  isHeld: boolean;
}

/** The iteration of a project that can go on; the newest where there are several. */
export async function findUnfinished({
  novel,
}: {
  novel: { project: Pick<Project, "list"> };
}): Promise<Unfinished | undefined> {
  const found = (await novel.project.list()).findLast((listed) => {
    if ("fault" in listed || listed.loop !== "novel" || listed.parent !== undefined) return false;
    return listed.status === "waiting" || listed.status === "open" || !isFinal(listed.status as Outcome);
  });
  return found && !("fault" in found) ? { run: found.run, at: found.at, isHeld: found.isHeld } : undefined;
}

interface Offer {
  raised?: Partial<Ceilings>;
  /** What was said of it already. */
  wanted?: "yes" | "drop";
  /** Whether something else is to begin, which waits for this one. */
  isInTheWay?: boolean;
}

/** Shows an unfinished iteration and asks what is to become of it, where that is not said already. */
export async function offerUnfinished(
  session: Session,
  { run, at, isHeld }: Unfinished,
  { raised = {}, wanted, isInTheWay = false }: Offer = {},
): Promise<"yes" | "no" | "drop"> {
  const { output } = session;
  const { task, renderer, question } = await recallRun(session, run);
  // A question that was never answered is asked again by whoever still wants to know.
  if (task.kind === "ask" && !isHeld) {
    await drop(session, run);
    return "drop";
  }
  output.say();
  output.say(`An iteration on ${task.target} is unfinished (${showAge(Date.now() - at)} ago):`, "bold");
  if (task.feedback.length > 0) output.say(quote(task.feedback.join("\n"), output.terminal.columns));
  for (const { attempt, verdict, reasoning } of renderer.judged) {
    output.say(`Judge feedback on attempt ${attempt} (${verdict === "approved" ? "✓ APPROVED" : "✗ NEEDS REVISION"}):`);
    output.say(quote(reasoning, output.terminal.columns));
  }
  if (question !== undefined) output.say(`It waits for an answer to: ${question}`);
  if (isHeld) {
    output.note("Another process is at it right now");
    return "no";
  }
  const word = wanted ?? (await askWhatBecomes(session, isInTheWay)) ?? "no";
  if (word === "yes") {
    session.target = task.target;
    if (renderer.summary !== undefined) output.say(`\n${summaryText(renderer.summary, output.terminal.columns)}\n`);
    const { outcome } = await resumeIteration(session, { run, task, renderer, raised });
    if (task.kind === "derive" && outcome === "done")
      await (await import("./commands/exchange.ts")).offerDerivation(session);
  } else if (word === "drop") {
    const sha = await session.novel.repository.shaOf(task.iteration_id);
    await drop(session, run);
    output.note(
      sha === undefined
        ? "The iteration was dropped. The manuscript is as it was"
        : `The iteration was dropped, but its change had been committed (${sha.slice(0, 7)}): /undo takes it back`,
    );
  } else output.note("It is kept. /resume goes on with it");
  return word;
}

function askWhatBecomes(session: Session, isInTheWay: boolean): Promise<"yes" | "no" | "drop" | undefined> {
  const no = isInTheWay ? "keeps it for /resume, and nothing new begins" : "keeps it for /resume";
  session.output.note(`yes: goes on where it stopped · no: ${no} · drop: ends it, and the book stays as it is`);
  return askWord(session, "Go on with it?", ["yes", "no", "drop"], "no");
}

/** Ends an iteration for good. Nothing of it is in the manuscript. */
export async function drop(session: Session, run: string): Promise<void> {
  const { project } = session.novel;
  const { novel } = await import("../index.ts");
  await project.cancel(run);
  await project.resume(novel as unknown as Loop, run);
}

/** A run's past, as a renderer knows it, and the question that it waits at. */
async function recallRun(session: Session, run: string) {
  const { project } = session.novel;
  const { input, gate } = await project.state(run);
  const task = input as unknown as NovelTask;
  const renderer = new Renderer(session.output, { isStep: task.follows !== undefined });
  for await (const event of project.events(run)) renderer.recall(event);
  // What was paged then is not paged again.
  renderer.takePages();
  return { task, renderer, question: gate && plainLine(questionOf(gate)) };
}
