// Cascades in a session: the levels below a change, or above it, are brought in line one after the other. Each step is an
// iteration with all its questions; where one is not accepted the cascade rests, and what is left of it stays on record.

import type { RunResult } from "@loopwright/core";
import { type CascadeStep, cascadeUp, nextStep, pendingCascade, stepFeedback } from "../cascade/plan.ts";
import { vanishedNames } from "../cascade/vanished-names.ts";
import { type Level, levelOf, levelsAbove } from "../layout.ts";
import type { Cascade, Manuscript } from "../manuscript/index.ts";
import type { NovelTask } from "../task.ts";
import { askWord } from "./ask.ts";
import type { Session } from "./session.ts";

/** Goes on after an iteration that was accepted: with what is left of a cascade, or by offering one. */
export async function afterIteration(session: Session, task: NovelTask): Promise<void> {
  if (session.isCascading) return;
  const manuscript = await session.manuscript();
  const pending = pendingCascade(manuscript);
  if (pending && (task.cascade || pending.iteration_id === task.iteration_id)) return runCascade(session, pending);
  if (!task.cascade && (task.kind === "iterate" || task.kind === "edit")) await offerUpward(session, manuscript, task);
}

/** Brings level after level in line, until nothing is left or a step is not accepted. */
export async function runCascade(session: Session, first: Cascade): Promise<void> {
  const { voice } = session;
  const { target } = session;
  session.isCascading = true;
  try {
    let cascade: Cascade | undefined = first;
    for (; cascade; cascade = pendingCascade(await session.manuscript())) {
      const { target: level, step } = nextStep(await session.manuscript(), cascade);
      voice.say(`\n[Cascade: ${level}${restWords(step)}]`, "bold");
      const result = await beginStep(session, level, step);
      if (result?.outcome !== "done") return voice.note(leftWords(cascade));
    }
    voice.say("✓ Cascade complete", "green");
  } finally {
    session.isCascading = false;
    if (target !== undefined) session.target = target;
  }
}

async function beginStep(session: Session, target: Level, cascade: CascadeStep): Promise<RunResult | undefined> {
  const { beginIteration } = await import("./iterations.ts");
  return beginIteration(session, { kind: "iterate", target, feedback: [stepFeedback(target, cascade)], cascade });
}

/** Offers what is left of a cascade when a project is opened. */
export async function offerCascade(session: Session): Promise<void> {
  const { voice } = session;
  const pending = pendingCascade(await session.manuscript());
  if (!pending) return;
  voice.say(`\nA cascade from the ${pending.from} is unfinished: ${pending.levels.join(", then ")}`, "bold");
  const word = await askWord(session, "Go on with it?", ["yes", "no"], "no");
  if (word === "yes") await runCascade(session, pending);
  else voice.note(leftWords(pending));
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
  );
  if (found.names.length === 0) return;
  const names = found.names.map((name) => `'${name}'`).join(", ");
  const question = `${names} no longer stands in the ${task.target}, but in ${found.levels.join(", ")}. Bring these in line?`;
  // In a script the next line was written for something else.
  if (!session.input.isInteractive && !session.context.isSet("yes"))
    return session.voice.note(`${question} /cascade up does it`);
  if ((await askWord(session, question, ["yes", "no"], "no")) !== "yes")
    return session.voice.note("/cascade up offers it again");
  const feedback = task.feedback.join("; ");
  const cascade = cascadeUp(manuscript, task.target, task.iteration_id, feedback);
  const left = cascade?.levels.filter((level) => found.levels.includes(level)) ?? [];
  if (cascade && left.length > 0) await runCascade(session, { ...cascade, levels: left });
}

function restWords({ levels }: CascadeStep): string {
  return levels.length === 0 ? "" : `, then ${levels.join(", ")}`;
}

function leftWords({ levels }: Cascade): string {
  return `What is left of the cascade (${levels.join(", ")}) is kept: /cascade goes on with it, /cascade drop forgets it`;
}
