// /generate, feedback and /resume: what has something written.

import { type Ceilings, LoopwrightError } from "@loopwright/core";
import { isBegun, type Level, levels } from "../../layout.ts";
import { parseFeedback } from "../../manuscript/feedback.ts";
import type { Manuscript } from "../../manuscript/index.ts";
import { askText } from "../ask.ts";
import { beginIteration, findUnfinished, offerUnfinished, type Request, requireWriter } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { messages, notFound, readLevel, targetIs } from "../words/words.ts";

/** /generate LEVEL [IDEA] */
export async function generate(session: Session, rest: string): Promise<void> {
  const manuscript = await session.manuscript();
  const request = readGeneration(rest, manuscript);
  requireWriter(session);
  if (request.kind === "derive") session.output.note("Made from what is below it; Ctrl-C stops, and /resume goes on");
  const idea = lacksIdea(request, manuscript) ? await askText(session, "What is the story about?") : "";
  if (idea === undefined) return session.output.note("Nothing was generated: a premise begins with an idea");
  await beginIteration(session, idea === "" ? request : { ...request, feedback: [idea] });
}

/** What is asked for after /generate: a level from what is above it, or after an import from what is below it. */
export function readGeneration(rest: string, { paths }: Pick<Manuscript, "paths">): Request {
  const [word, words] = firstWord(rest);
  const next = levels.find((level) => !isBegun(paths(level))) ?? "prose";
  if (word === "") throw new LoopwrightError("USAGE", `Name a level: /generate ${next}. Levels: ${levels.join(", ")}`);
  const target = readLevel(word);
  if (target === undefined) throw new LoopwrightError("USAGE", messages.invalidTarget);
  const [above, below] = [levels[levels.indexOf(target) - 1], levels[levels.indexOf(target) + 1]];
  const isOverText = !isBegun(paths(target)) && below !== undefined && isBegun(paths(below));
  if (isOverText && (above === undefined ? words === "" : !isBegun(paths(above))))
    return { kind: "derive", target, feedback: [] };
  if (above !== undefined && !isBegun(paths(above))) throw new LoopwrightError("LEVEL_MISSING", notFound(above));
  // A lone number is how many chapters.
  const isCount = (target === "chapters" || target === "prose") && /^\d{1,4}$/.test(words) && Number(words) > 0;
  if (isCount) return { kind: "generate", target, feedback: [], chapters: Number(words) };
  return { kind: "generate", target, feedback: words === "" ? [] : [words] };
}

/** Whether a premise is to be made of nothing. */
export function lacksIdea({ kind, target, feedback }: Request, { has }: Pick<Manuscript, "has">): boolean {
  return kind === "generate" && target === "premise" && feedback.length === 0 && !has("premise");
}

/** Words that answer questions. On their own they are no feedback: a script may have got out of step. */
const answers = new Set("yes y no n q skip all diff cancel cull-all keep-all view-partial drop stop".split(" "));

/** Anything that is no command: feedback on the target. */
export async function giveFeedback(session: Session, text: string): Promise<void> {
  const { target } = session;
  if (answers.has(text.trim().toLowerCase())) throw new LoopwrightError("NOT_ASKED", messages.notAsked(text.trim()));
  if (!session.hasNovel) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  await beginIteration(session, readFeedback(text, target, await session.manuscript()));
}

/** What feedback on a target asks for. */
export function readFeedback(text: string, target: Level | undefined, { has }: Pick<Manuscript, "has">): Request {
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  if (!has(target)) throw new LoopwrightError("LEVEL_MISSING", notFound(target));
  return { kind: "iterate", target, feedback: parseFeedback(text) };
}

/** /resume [drop|CEILING=N] */
export async function resume(session: Session, rest = ""): Promise<void> {
  const word = rest.trim();
  const isDropped = word.toLowerCase() === "drop";
  const raised = isDropped ? {} : readCeiling(word);
  const unfinished = await findUnfinished(session);
  if (unfinished) await offerUnfinished(session, unfinished, { raised, wanted: isDropped ? "drop" : "yes" });
  else
    session.output.note(
      session.target ? `Nothing is unfinished. ${targetIs(session.target)}` : "Nothing is unfinished",
    );
}

const ceilingNames = ["tokens", "usd", "minutes", "iterations", "phaseMinutes"] as const;

function readCeiling(text: string): Partial<Ceilings> {
  if (text === "") return {};
  const [, name, figure] = /^(\w+)\s*=\s*([\d_.,]+)$/.exec(text) ?? [];
  const known = ceilingNames.find((each) => each.toLowerCase() === name?.toLowerCase());
  const value = Number(figure?.replace(/[_,]/g, ""));
  if (known === undefined || !(value > 0))
    throw new LoopwrightError("USAGE", `Say it as /resume tokens=4000000. Ceilings: ${ceilingNames.join(", ")}`);
  return { [known]: value };
}
