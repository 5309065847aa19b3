// /generate, /variants, feedback and /resume: what has something written; and /ask, which changes nothing.

import { type Ceilings, type Json, LoopwrightError } from "@loopwright/core";
import { filesNamed } from "../../level/names.ts";
import { isBegun } from "../../manuscript/files/layout.ts";
import type { Manuscript } from "../../manuscript/files/open.ts";
import type { NovelNotes } from "../../notes.ts";
import { type FileBlock, type Level, levels } from "../../types.ts";
import type { Commands } from "../command-table.ts";
import { startIteration } from "../drive.ts";
import { askText } from "../input/input.ts";
import {
  beginIteration,
  drop,
  findUnfinished,
  newIterationId,
  offerUnfinished,
  type Request,
  requireWriter,
} from "../iterations.ts";
import type { Session } from "../session.ts";
import { firstWord, messages, notFound, readLevel, targetIs } from "../words/words.ts";

export const commands: Commands = { generate, variants: writeVariants, ask: askAboutBook, resume };

/** /generate LEVEL [IDEA] */
async function generate(session: Session, rest: string): Promise<void> {
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
const answers = new Set(
  "yes y no n q skip all diff cancel cull-all keep-all view-partial drop stop again retry".split(" "),
);

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
async function resume(session: Session, rest = ""): Promise<void> {
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

/** Turns of the talk that go along with the next question. */
const REMEMBERED = 3;

/** /ask QUESTION */
async function askAboutBook(session: Session, rest: string): Promise<void> {
  const question = rest.trim();
  if (question === "") throw new LoopwrightError("USAGE", "Ask something: /ask QUESTION");
  requireWriter(session);
  const target = session.target ?? levels[0];
  const result = await startIteration(session, {
    ...{ kind: "ask", target, feedback: [question], iteration_id: newIterationId(), scope: "model" },
    ...{ has_judge: false, has_second_judge: false, has_summarizer: false },
    ...(session.talk.length > 0 && { talk: session.talk.slice(-REMEMBERED) }),
  });
  if (result.outcome !== "done") return drop(session, result.run);
  for await (const event of session.novel.project.events(result.run)) {
    if (event.type !== "loop-noted" || event.name !== "answered") continue;
    const { text } = event.data as Json & NovelNotes["answered"];
    session.talk.push({ question, answer: text });
  }
}

const USAGE =
  'Say it as /variants [2|3] [FILE] ["words of a passage"] FEEDBACK, such as /variants 3 chapter-3 make it colder';

/** /variants [2|3] [FILE] ["PASSAGE"] FEEDBACK */
async function writeVariants(session: Session, rest: string): Promise<void> {
  const [, count = "2", words = ""] = /^(?:([23])\s+(?=\S))?([\s\S]*)$/.exec(rest.trim()) ?? [];
  const { target } = session;
  if (target === undefined) throw new LoopwrightError("NO_TARGET", messages.noTarget);
  const files = await (await session.manuscript()).read(target);
  const [name, afterName] = firstWord(words.replace(/^chapter\s+(?=\d)/i, "chapter-"));
  const found = name === "" ? undefined : filesNamed(files, name)[0];
  // Of prose one chapter is written, of any other level all of it.
  if (!found && (target === "prose" || /^(?:chapter-)?\d+$/i.test(name)))
    throw new LoopwrightError("USAGE", `There is no one file '${name}' in ${target}. ${USAGE}`);
  const file = found ?? (files.length === 1 ? files[0] : undefined);
  const { passage, feedback } = file ? readPassage(found ? afterName : words, file) : { feedback: words.trim() };
  if (feedback === "") throw new LoopwrightError("USAGE", USAGE);
  const variants = count === "3" ? 3 : 2;
  await beginIteration(session, {
    ...{ kind: "iterate", target, feedback: [feedback], variants },
    ...(file && (found || passage !== undefined) && { file: file.path }),
    ...(passage !== undefined && { passage }),
  });
}

const MARKS_AROUND = /^<!--\s*keep\s*-->\s*|\s*<!--\s*\/\s*keep\s*-->$/gi;

/** The paragraph that holds the quoted words, without keep marks round it; they must say which one is meant. */
function readPassage(text: string, { path, content }: FileBlock): { passage?: string; feedback: string } {
  const [all, ...groups] = /^(?:"([^"]+)"|“([^”]+)”|„([^“”"]+)[“”"]|»([^«]+)«|«([^»]+)»)/u.exec(text.trim()) ?? [];
  const words = groups.find((group) => group !== undefined)?.trim();
  if (all === undefined || words === undefined) return { feedback: text.trim() };
  const found = content.split(/\n[ \t]*\n/).filter((paragraph) => paragraph.includes(words));
  if (found.length === 1)
    return { passage: found[0]!.trim().replace(MARKS_AROUND, ""), feedback: text.trim().slice(all.length).trim() };
  const why = found.length === 0 ? "is in no paragraph" : `is in ${found.length} paragraphs`;
  throw new LoopwrightError(
    "PASSAGE_UNKNOWN",
    `"${words}" ${why} of ${path}: quote words that only the passage has (the target is what /iterate shows)`,
  );
}

const ITEM = /^[ \t]*(?:[-*+•][ \t]+|\(?(?:\d{1,2}|[a-z])[.)][ \t]+)(.*)$/i;
const MOST_ITEMS = 50;

/** The items of feedback: those of a list, where it is one and nothing else; a first line with a colon goes with each. */
export function parseFeedback(text: string): string[] {
  const whole = text.replace(/\r\n?/g, "\n").trim();
  if (whole === "") return [];
  const lines = whole.split("\n");
  const intro = /:\s*$/.test(lines[0]!) && !ITEM.test(lines[0]!) ? lines.shift()!.trim() : undefined;
  const items: string[] = [];
  let isAfterBlank = false;
  for (const line of lines) {
    const item = ITEM.exec(line)?.[1];
    if (item !== undefined) items.push(item.trim());
    else if (line.trim() === "") {
      isAfterBlank = true;
      continue;
    } else {
      // A paragraph of its own beside the list: the list is a part of what is said, and not all of it.
      const continues = items.length > 0 && (/^\s/.test(line) || !isAfterBlank);
      if (!continues) return [whole];
      items[items.length - 1] += `\n${line.trim()}`;
    }
    isAfterBlank = false;
  }
  const kept = items.map((item) => item.trim()).filter((item) => item !== "");
  if (kept.length < 2 || kept.length > MOST_ITEMS) return [whole];
  return intro === undefined ? kept : kept.map((item) => `${intro} ${item}`);
}
