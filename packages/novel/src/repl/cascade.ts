// Cascades in a session: the levels below a change, or above it, are brought in line one after the other. Each step is an
// iteration with all its questions; where one is not accepted the cascade rests, and what is left of it stays on record.

import type { RunResult } from "@loopwright/core";
import {
  type CascadeStep,
  cascadeUp,
  nextStep,
  pendingCascade,
  requestsLeft,
  stepFeedback,
  stepNumber,
} from "../cascade/plan.ts";
import { vanishedNames } from "../cascade/vanished-names.ts";
import { type Level, levelOf, levelsAbove } from "../layout.ts";
import type { Cascade, Manuscript } from "../manuscript/index.ts";
import { renamedName } from "../reach/renamed.ts";
import type { NovelTask } from "../task.ts";
import { askWord } from "./ask.ts";
import { dropCascade } from "./drop-cascade.ts";
import type { Session } from "./session.ts";
import { findUnfinished } from "./unfinished.ts";
import { beginWanted } from "./wanted-next.ts";
import { cascadeLine, plural, targetIs, upwardWords } from "./words/words.ts";

/** Goes on after an iteration that was accepted: with what is wanted next, what is left of a cascade, or by offering one. */
export async function afterIteration(session: Session, task: NovelTask): Promise<void> {
  // What is left of a cascade upward would be lost to one downward: what is wanted next comes after it.
  if (task.cascade?.direction !== "up") await beginWithin(session, task);
  if (session.isCascading || !(await isAtRest(session))) return;
  const manuscript = await session.manuscript();
  const pending = pendingCascade(manuscript);
  // A step that was resumed: the target is again what the cascade began with.
  if (task.cascade) session.target = task.cascade.from;
  if (pending && task.cascade) return runCascade(session, pending);
  if (pending?.iteration_id === task.iteration_id)
    return (await import("./cascade-at-end.ts")).beginCascade(session, pending);
  // What was wanted next came in the middle of it, and the session that would go on is gone.
  if (pending && task.is_follow_up && !session.isFollowing) return offerCascade(session);
  if (task.cascade) return tellComplete(session);
  if (task.kind === "iterate" || task.kind === "edit") await offerUpward(session, manuscript, task);
}

/** Begins with what is wanted next; after a step that was resumed it is a part of the cascade as well. */
async function beginWithin(session: Session, { cascade }: NovelTask): Promise<void> {
  const { isCascading } = session;
  session.isCascading = isCascading || cascade !== undefined;
  try {
    await beginWanted(session);
  } finally {
    session.isCascading = isCascading;
  }
}

/** Brings level after level in line, until nothing is left or a step is not accepted. The target stays what it was. */
export async function runCascade(session: Session, first: Cascade): Promise<void> {
  const { target } = session;
  await tellPlan(session, first);
  let left: Cascade | undefined;
  session.isCascading = true;
  try {
    left = await runSteps(session, first);
  } finally {
    session.isCascading = false;
    if (target !== undefined) session.target = target;
  }
  if (left) await tellLeft(session, left);
  else tellComplete(session);
}

/** Step after step; gives back what is left where one is not accepted. */
async function runSteps(session: Session, first: Cascade): Promise<Cascade | undefined> {
  for (let cascade: Cascade | undefined = first; cascade; cascade = pendingCascade(await session.manuscript())) {
    const { target, step } = nextStep(await session.manuscript(), cascade);
    const { step: number, of } = stepNumber(cascade);
    session.output.say(`\n[Cascade, step ${number} of ${of}: ${target}]`, "bold");
    const result = await beginStep(session, target, step);
    if (result?.outcome !== "done") return cascade;
    if (!(await isAtRest(session))) return pendingCascade(await session.manuscript()) ?? cascade;
  }
  return undefined;
}

/** How many steps there are, and about how many requests, before the first is made. */
async function tellPlan(session: Session, cascade: Cascade): Promise<void> {
  const { novel, output } = session;
  const manuscript = await session.manuscript();
  const { least, most } = requestsLeft(manuscript, cascade, {
    judges: novel.roles.has("judge") ? (manuscript.project.models?.["second-judge"] === undefined ? 1 : 2) : 0,
    hasSummarizer: novel.roles.has("summarizer"),
  });
  const requests = least === most ? plural(most, "request") : `${least} to ${plural(most, "request")}`;
  output.say(`\n[${cascadeLine(cascade)}]`, "bold");
  output.say(`  • About ${requests}; more where an answer is asked for again or the judge wants a revision`);
  output.say(
    `  • Each step is shown to you${session.decidesAtEnd ? ", and all are accepted at the end" : " before it is committed"}`,
  );
}

/** Whether nothing is unfinished: two iterations at once would each be made from a text that the other changes. */
async function isAtRest({ isOver, novel }: Session): Promise<boolean> {
  return !isOver && (await findUnfinished(novel.project)) === undefined;
}

async function beginStep(session: Session, target: Level, cascade: CascadeStep): Promise<RunResult | undefined> {
  const { beginIteration } = await import("./iterations.ts");
  return beginIteration(session, { kind: "iterate", target, feedback: [stepFeedback(target, cascade)], cascade });
}

function tellComplete({ output, target }: Session): void {
  output.say("✓ Cascade complete", "green");
  if (target) output.note(targetIs(target));
}

/** What is left where a step was not accepted; a cascade whose first step was not is on no record. */
async function tellLeft(session: Session, { direction, levels }: Cascade): Promise<void> {
  const { output, target } = session;
  const pending = pendingCascade(await session.manuscript());
  const again = direction === "up" ? "/cascade up" : "/cascade";
  if (pending) output.note(leftWords(pending));
  else output.note(`The cascade stopped before anything was changed (${levels.join(", ")}): ${again} begins it again`);
  if (target) output.note(targetIs(target));
}

/** Offers what is left of a cascade when a project is opened. */
export async function offerCascade(session: Session): Promise<void> {
  const { output } = session;
  const pending = pendingCascade(await session.manuscript());
  if (!pending) return;
  output.say(`\nA cascade from the ${pending.from} is unfinished: ${pending.levels.join(", then ")}`, "bold");
  output.note("yes: goes on with it · no: keeps it for later · drop: forgets it, and what is stale stays as it is");
  const word = await askWord(session, "Go on with it?", ["yes", "no", "drop"], "no");
  if (word === "drop") return dropCascade(session);
  if (word !== "yes") return output.note(leftWords(pending));
  session.target = pending.from;
  await runCascade(session, pending);
}

/** A name that is gone from a level but stands in those above is offered to them. */
async function offerUpward(session: Session, manuscript: Manuscript, task: NovelTask): Promise<void> {
  const above = levelsAbove(task.target).filter(manuscript.has);
  if (above.length === 0 || !session.novel.roles.has("writer")) return;
  const last = await session.novel.repository.lastDiff();
  if (last?.iteration.id !== task.iteration_id) return;
  const before = last.files.flatMap(({ path, before = "" }) => (levelOf(path) === task.target ? [before] : []));
  const [now, ...texts] = await Promise.all([task.target, ...above].map((level) => manuscript.read(level)));
  const found = vanishedNames(
    before,
    now!.map(({ content }) => content),
    above.map((level, at) => ({ level, text: texts[at]!.map(({ content }) => content).join("\n\n") })),
    renamedName(task.feedback),
  );
  if (found.names.length === 0) return;
  const cascade = cascadeUp(manuscript, task.target, task.iteration_id, task.feedback.join("; "))!;
  const left = cascade.levels.filter((level) => found.levels.includes(level));
  const { question, later } = upwardWords(found.names, task.target, left, cascade.levels);
  // In a script the next line was written for something else.
  if (!session.input.isInteractive && !session.context.isSet("yes")) return session.output.note(`${question} ${later}`);
  if ((await askWord(session, question, ["yes", "no"], "no")) !== "yes") return session.output.note(later);
  await runCascade(session, { ...cascade, levels: left, of: left.length });
}

function leftWords({ levels }: Cascade): string {
  return `What is left of the cascade (${levels.join(", ")}) is kept: /cascade goes on with it, /cascade drop forgets it`;
}
