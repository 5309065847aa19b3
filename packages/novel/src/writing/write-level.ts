// A premise, a treatment or the chapters, in one answer: the level whole, or those of its files that the feedback reaches.

import { keepForDebugging } from "../debug-store.ts";
import { unwrapFence } from "../manuscript/answer/blocks.ts";
import { type FormatOptions, isUnchanged, readAnswer } from "../manuscript/index.ts";
import { plainLines } from "../manuscript/words.ts";
import { tell } from "../notes.ts";
import { planOf } from "../reach/plan.ts";
import { restLines } from "../reach/rest.ts";
import { filesInWords, nameOfFile } from "../reach/words.ts";
import { loadContext } from "../saved.ts";
import { baseOf, type NovelContext, type NovelState } from "../task.ts";
import type { FileBlock, Level } from "../types.ts";
import { askWriter, rawFiles } from "./ask-writer.ts";
import { attemptNumber, failAttempt, finishAttempt } from "./attempts.ts";
import { hasPassages, revisePassages } from "./passages.ts";
import { answerRoom, currentText, filesToText, makeQuestion, promptFor, writerVariables } from "./questions.ts";
import { feedbackOf } from "./rounds.ts";
import { loadStanding, type Standing, withFiles } from "./standing.ts";

/** Asks for the level, or for the files that are to be written. */
export async function writeLevel(state: NovelState, ctx: NovelContext) {
  const { target, chapters, feedback } = ctx.input;
  const { is_first } = baseOf(state);
  const [standing, { variables, project }] = await Promise.all([loadStanding(ctx, state), loadContext(ctx, state)]);
  const plan = planOf(state, ctx.input);
  const isWritten = ({ path }: FileBlock) => plan?.includes(path) ?? true;
  const own = standing.now.filter(isWritten);
  const told = {
    ...(await writerVariables(ctx, state, variables, { has_attempt: standing.hasAttempt })),
    current: currentText(target, standing.before.filter(isWritten), own),
    has_attempt: standing.hasAttempt,
    only: plan?.join(", ") ?? "",
    rest: plan ? restLines(standing.now.filter((file) => !isWritten(file))) : "",
  };
  const wanted = chapters ?? (target === "chapters" && !plan ? variables.chapter_count : 0);
  const room = answerRoom(target, { current: filesToText(target, own), chapters: wanted });
  const question = await makeQuestion(ctx, promptFor(ctx.input, is_first), told, room);
  const options: FormatOptions = {
    previous: standing.before,
    project,
    isFirst: is_first,
    feedback: is_first ? feedback : feedbackOf(ctx.input, is_first),
    ...(chapters !== undefined && { chapters }),
    mayStay: ctx.input.cascade !== undefined,
  };
  let strayed: string[] = [];
  const written = await askWriter<FileBlock[]>(ctx, question, (text) => {
    const { answer, problems } = withPassages(target, withStanding(target, text, standing), standing.now);
    if (problems.length > 0) return { problems };
    if (!plan) return readWhole(target, answer, options);
    const read = readFiles(answer, plan, standing, options);
    strayed = read.strayed;
    return read;
  });
  if (strayed.length > 0) {
    const message = `the writer also changed ${filesInWords(strayed)}; that was left out, for it is not among what is written`;
    await tell(ctx, "warning", { code: "ANSWER_STRAYED", message });
  }
  await keepForDebugging(ctx, "debug", state.debug, rawFiles(`attempt_${attemptNumber(state)}`, written.raw));
  if (!written.work) return failAttempt(ctx, state, written.problems, written.retry_count);
  return finishAttempt(ctx, state, written.work, written.retry_count, plan);
}

const FILE =
  /^(={3,}[ \t]*FILE:[ \t]*(\S+?)[ \t]*={3,}[ \t]*\n)([\s\S]*?)(?=^={3,}[ \t]*(?:END(?:[ \t]+FILE)?|FILE:.*)[ \t]*={3,}[ \t]*$)/gim;

/** An answer in which every text that was given by its passages stands whole, or what is wrong with them. */
function withPassages(target: Level, given: string, now: readonly FileBlock[]): { answer: string; problems: string[] } {
  const problems: string[] = [];
  const revise = (file: FileBlock, passages: string) => {
    const { content, problems: found } = revisePassages(passages, file.content);
    problems.push(...found.map((problem) => (now.length > 1 ? `${file.path}: ${problem}` : problem)));
    return content ?? passages;
  };
  const text = plainLines(given);
  if (target === "premise" || !hasPassages(text)) return { answer: given, problems };
  if (target === "treatment") return { answer: now[0] ? revise(now[0], unwrapFence(text)) : given, problems };
  const answer = text.replace(FILE, (block: string, mark: string, path: string, content: string) => {
    const file = now.find((each) => nameOfFile(each.path) === nameOfFile(path));
    return file && hasPassages(content) ? `${mark}${plainLines(revise(file, content)).trimEnd()}\n` : block;
  });
  return { answer, problems };
}

const BLOCK = /^={2,}\s*(?:FILE|UNCHANGED):\s*(\S+?)\s*={2,}/gim;

type Read = { work?: FileBlock[] | undefined; problems: string[] };

function readWhole(target: Level, text: string, options: FormatOptions): Read {
  const { files, problems } = readAnswer(target, text, options);
  return { work: files, problems };
}

/** An answer in which a level or a file that is said to be unchanged stands as the last attempt has it, for that is what was shown. */
function withStanding(target: Level, text: string, { now, hasAttempt }: Standing): string {
  if (!hasAttempt) return text;
  if (/^=+\s*UNCHANGED\s*=+$/i.test(text.trim())) return filesToText(target, now);
  return text.replace(/^={2,}\s*UNCHANGED:\s*(\S+?)\s*={2,}[ \t]*$/gim, (line, path: string) => {
    const file = now.find((each) => nameOfFile(each.path) === nameOfFile(path));
    return file ? filesToText("chapters", [file]).trimEnd() : line;
  });
}

/** The files that were asked for, out of an answer; all others stay as the last attempt has them, whatever it says of them. */
function readFiles(
  answer: string,
  plan: readonly string[],
  standing: Standing,
  options: FormatOptions,
): Read & { strayed: string[] } {
  const text = unwrapFence(plainLines(answer).trim());
  const others = standing.now.filter(({ path }) => !plan.includes(path));
  const named = new Set([...text.matchAll(BLOCK)].map(([, path]) => nameOfFile(path!)));
  if (named.size === 0) return { ...readWhole("chapters", answer, options), strayed: [] };
  const left = others.filter(({ path }) => !named.has(nameOfFile(path)));
  const whole = `${text}\n${left.map(({ path }) => `===UNCHANGED: ${path}===`).join("\n")}\n`;
  const { files, problems } = readAnswer("chapters", whole, {
    ...options,
    previous: withFiles(standing.before, others),
  });
  if (!files) return { problems, strayed: [] };
  const given = new Map(files.map((file) => [file.path, file]));
  const strayed = others.filter((file) => !isUnchanged([file], [given.get(file.path) ?? file]));
  const work = withFiles(files, others);
  if (options.mayStay || !isUnchanged(standing.before, work))
    return { work, problems: [], strayed: strayed.map(({ path }) => path) };
  return { problems: [`Nothing was changed in ${plan.join(", ")}: carry out the feedback there.`], strayed: [] };
}
