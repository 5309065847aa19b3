// How much of a change one question can show. What is usual fits a window of 32,768 tokens; for a smaller one the change is shown
// in more parts, and what goes along is cut to what is left. What is judged is whole in either case.

import { countTokens, type RenderedPrompt, toRequest } from "@loopwright/models";
import type { z } from "zod";
import type { NovelTask } from "../task.ts";
import type { RenderedQuestion } from "../writing/questions.ts";
import { PART_TOKENS, type PackRoom } from "./packs.ts";

/** In a smaller window there is no room for a text beside what must be told of it. */
export const LEAST_WINDOW = 8_192;
const USUAL_WINDOW = 32_768;
const LONGEST_ANSWER = 4_096;
/** What fitting keeps free, and what of the rest a text gets: a reminder of the form and what goes along have the other part. */
const MARGIN = 0.1;
const SHARE = 0.7;
/** Tokens that a file takes beside its text: its name, and the words that set it apart. */
const BESIDE_FILE = 60;

export interface QuestionRoom extends PackRoom {
  /** The question as it fits the window. */
  fit(question: RenderedQuestion): RenderedQuestion;
}

/** What a window has room for; `bare` is the question without any text. */
export async function roomIn(
  window: number | undefined,
  bare: () => Promise<RenderedQuestion>,
  schema: z.ZodType,
): Promise<QuestionRoom> {
  if (window === undefined || window >= USUAL_WINDOW)
    return { most: PART_TOKENS, each: 0, fit: (question) => question };
  const answer = Math.min(LONGEST_ANSWER, Math.floor(window / 4));
  const question = await bare();
  const request = toRequest(question, { schema });
  const fixed = question.prompt.parts.filter(({ floor }) => floor === undefined);
  const beside = [request.system ?? "", JSON.stringify(request.schema ?? ""), ...fixed.map(({ text }) => text)];
  const taken = beside.reduce((sum, text) => sum + countTokens(text) + 1, 0);
  const free = Math.floor((window - answer) * (1 - MARGIN)) - taken;
  const most = Math.min(PART_TOKENS, Math.max(200, Math.floor(free * SHARE)));
  return { most, each: BESIDE_FILE, fit: (given) => narrowed(given, answer) };
}

/** A question of which everything but the text and what must be told may be cut. */
function narrowed(question: RenderedQuestion, answer: number): RenderedQuestion {
  const prompt: RenderedPrompt = question.prompt;
  const parts = prompt.parts.map((part) => (part.floor === undefined ? part : { ...part, floor: 0 }));
  return { ...question, prompt: { ...prompt, parts, maxTokens: answer } };
}

/** Why the judge cannot be asked at all; undefined where it can. */
export function refuseWindow({ windows, has_judge }: Pick<NovelTask, "windows" | "has_judge">): string | undefined {
  const { judge } = windows ?? {};
  if (!has_judge || !judge || judge.context >= LEAST_WINDOW) return undefined;
  const [window, least] = [judge.context, LEAST_WINDOW].map((tokens) => tokens.toLocaleString("en"));
  return `the judge ${judge.model} has a window of ${window} tokens, too small to be shown a text: it takes ${least}. Raise its 'context' in loopwright.yaml if its server has more room, or choose another with /model judge=ENDPOINT:MODEL`;
}

/** Whether a summarizer has room for a text. */
export function hasRoom(window: number | undefined): boolean {
  return window === undefined || window >= LEAST_WINDOW;
}
