// /generate, feedback and /resume: what has something written.

import { type Ceilings, LoopwrightError } from "@loopwright/core";
import { bookPart, isBegun, isTold, type Level, levels } from "../../layout.ts";
import type { Manuscript } from "../../manuscript/index.ts";
import { partsNamed } from "../../manuscript/language/part-names.ts";
import { askText } from "../ask.ts";
import { beginIteration, requireWriter } from "../iterations.ts";
import { confirmLanguage } from "../language.ts";
import { offerUnfinished } from "../offer-unfinished.ts";
import type { Session } from "../session.ts";
import { findUnfinished } from "../unfinished.ts";
import { plainAnswer } from "../words/answer-words.ts";
import { firstWord } from "../words/command-words.ts";
import { messages, notFound, plural, readLevel, targetIs } from "../words/words.ts";

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
    const { derivingRequests } = await import("./import.ts");
    const requests = plural(derivingRequests(manuscript, [target]), "request");
    session.output.note(`Made from what is below it, in about ${requests}; Ctrl-C stops, and /resume goes on`);
    await beginIteration(session, { kind: "derive", target, feedback: [] });
    return;
  }
  const above = levels[levels.indexOf(target) - 1];
  if (above !== undefined && !isBegun(manuscript.paths(above)))
    throw new LoopwrightError("LEVEL_MISSING", notFound(above));
  const { words, chapters } = readCount(target, more);
  const idea = words === "" && target === "premise" && !manuscript.has("premise") ? await askIdea(session) : words;
  if (idea === undefined) return session.output.note("Nothing was generated: a premise begins with an idea");
  if (target === "premise") await confirmLanguage(session, manuscript, idea);
  const feedback = idea === "" ? [] : [idea];
  const result = await beginIteration(session, { kind: "generate", target, feedback, chapters });
  if (result?.outcome !== "done") return;
  if (target === "chapters" || target === "prose") await tellParts(session, idea);
  if (target === "premise" && LENGTH.test(idea) && manuscript.project.chapter_words === undefined)
    session.output.note(
      "A length said in the idea is told to the writer; chapter_words in project.yaml has it measured",
    );
}

/** "of 400 words each", "400 parole" */
const LENGTH = /\d\s*(?:words?|wörter[n]?|worte[n]?|mots|palabras|parole|palavras|woorden|słów|ord|слов)(?!\p{L})/iu;

/** A part that the book's idea speaks of and that no generation writes is begun by hand. */
async function tellParts(session: Session, idea: string): Promise<void> {
  const { novel, output } = session;
  const said = `${await novel.repository.wordsOf("[premise] generate")}\n${idea}`;
  const manuscript = await session.manuscript();
  const files = [...manuscript.paths("chapters"), ...manuscript.paths("prose")].map(bookPart);
  const missing = partsNamed(said).filter(({ part }) => isTold(`${part}.md`) && !files.includes(part));
  for (const { part } of missing)
    output.note(
      `The ${part} has no number and is not among the chapters: /edit ${part} begins it, and feedback can have it written`,
    );
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
const answers = new Set(
  "yes y no n q skip all diff cancel cull-all keep-all cascade view-partial drop stop release leave".split(" "),
);

/** Anything that is no command: feedback on the target; a follow-up was said along with the yes to the iteration before. */
export async function giveFeedback(session: Session, text: string, isFollowUp = false): Promise<void> {
  const { target } = session;
  if (answers.has(plainAnswer(text, session.language).trim().toLowerCase()))
    throw new LoopwrightError("NOT_ASKED", messages.notAsked(text.trim()));
  if (!session.hasNovel || target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  if (!(await session.manuscript()).has(target)) throw new LoopwrightError("LEVEL_MISSING", notFound(target));
  const { parseFeedback } = await import("../../manuscript/index.ts");
  await beginIteration(session, { kind: "iterate", target, feedback: parseFeedback(text), isFollowUp });
}

/** /resume [drop|CEILING=N] */
export async function resume(session: Session, rest = ""): Promise<void> {
  const word = rest.trim();
  const isDropped = word.toLowerCase() === "drop";
  const raised = isDropped ? {} : readCeiling(word);
  const unfinished = await findUnfinished(session.novel.project);
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
