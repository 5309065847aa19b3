// /generate, feedback and /resume: what has something written.

import { type Ceilings, LoopwrightError } from "@loopwright/core";
import { isBegun, type Level, levels } from "../../layout.ts";
import type { Manuscript } from "../../manuscript/index.ts";
import { askText } from "../ask.ts";
import { beginIteration, findUnfinished, offerUnfinished, requireWriter } from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord } from "../words/command-words.ts";
import { messages, notFound, readLevel, targetIs } from "../words/words.ts";

/** /generate LEVEL [IDEA] */
export async function generate(session: Session, rest: string): Promise<void> {
  const [word, more] = firstWord(rest);
  const manuscript = await session.manuscript();
  if (word === "") {
    const next = levels.find((level) => !isBegun(manuscript.paths(level))) ?? "prose";
    throw new LoopwrightError("USAGE", `Name a level: /generate ${next}. Levels: ${levels.join(", ")}`);
  }
  const target = readLevel(word);
  if (target === undefined) throw new LoopwrightError("USAGE", messages.invalidTarget);
  requireWriter(session);
  if (isDerivable(manuscript, target, more)) {
    session.output.note("Made from what is below it; Ctrl-C stops, and /resume goes on");
    await beginIteration(session, { kind: "derive", target, feedback: [] });
    return;
  }
  const above = levels[levels.indexOf(target) - 1];
  if (above !== undefined && !isBegun(manuscript.paths(above)))
    throw new LoopwrightError("LEVEL_MISSING", notFound(above));
  const { words, chapters } = readCount(target, more);
  const idea = words === "" && target === "premise" && !manuscript.has("premise") ? await askIdea(session) : words;
  if (idea === undefined) return session.output.note("Nothing was generated: a premise begins with an idea");
  await beginIteration(session, { kind: "generate", target, feedback: idea === "" ? [] : [idea], chapters });
}

/** Whether a level can only come from below: after an import there is nothing above it yet, nor an idea. */
export function isDerivable({ paths }: Pick<Manuscript, "paths">, target: Level, words: string): boolean {
  const [above, below] = [levels[levels.indexOf(target) - 1], levels[levels.indexOf(target) + 1]];
  if (isBegun(paths(target)) || below === undefined || !isBegun(paths(below))) return false;
  return above === undefined ? words === "" : !isBegun(paths(above));
}

/** `/generate chapters 12`: a lone number is how many. */
export function readCount(target: Level, words: string): { words: string; chapters?: number } {
  const isCount = (target === "chapters" || target === "prose") && /^\d{1,4}$/.test(words) && Number(words) > 0;
  return isCount ? { words: "", chapters: Number(words) } : { words };
}

function askIdea(session: Session): Promise<string | undefined> {
  return askText(session, "What is the story about?");
}

/** Words that answer questions. On their own they are no feedback: a script may have got out of step. */
const answers = new Set("yes y no n q skip all diff cancel cull-all keep-all view-partial drop stop".split(" "));

/** Anything that is no command: feedback on the target. */
export async function giveFeedback(session: Session, text: string): Promise<void> {
  const { target } = session;
  if (answers.has(text.trim().toLowerCase())) throw new LoopwrightError("NOT_ASKED", messages.notAsked(text.trim()));
  if (!session.hasNovel || target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  if (!(await session.manuscript()).has(target)) throw new LoopwrightError("LEVEL_MISSING", notFound(target));
  const { parseFeedback } = await import("../../manuscript/index.ts");
  await beginIteration(session, { kind: "iterate", target, feedback: parseFeedback(text) });
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
