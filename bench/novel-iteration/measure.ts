// What one sentence of feedback costs in requests and in tokens of prompts, with a model that answers by a script.

import type { Model, ModelRequest } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { countTokens } from "@loopwright/models";
import { NovelTask, novel } from "@loopwright/novel";
import { createManuscript } from "@loopwright/novel/manuscript";
import { book, CHAPTERS, chapter, WORDS } from "./book.ts";
import { beginRepository } from "./book-folder.ts";

export interface Cost {
  requests: number;
  prompt_tokens: number;
  /** Tokens by the prompt that they were for. */
  by_prompt: Record<string, number>;
  /** How much of the prompts stood at the beginning of one before, where a provider's cache has it: in percent. */
  cached_percent: number;
}

/** What is asked of the 30 chapters, the chapters that it is read to reach, and what a chapter becomes. */
export interface Asked {
  feedback: string;
  scope?: NovelTask["scope"];
  reach: readonly number[];
  revise: (number: number) => string;
}

/** The cost of one iteration of the prose. */
export async function costOf(folder: string, { feedback, scope, reach, revise }: Asked): Promise<Cost> {
  await makeBook(folder);
  const cost: Cost = { requests: 0, prompt_tokens: 0, by_prompt: {}, cached_percent: 0 };
  const seen: string[] = [];
  let cached = 0;
  const model: Model = {
    estimate: () => ({ tokens: 1, usd: 0 }),
    call: async (request) => {
      const id = (request.id ?? "").split("@")[0]!;
      const prompt = textOf(request);
      const whole = `${request.system ?? ""}\n${prompt}`;
      const tokens = countTokens(whole);
      cached += countTokens(whole.slice(0, Math.max(0, ...seen.map((each) => samePrefix(each, whole)))));
      seen.push(whole);
      cost.cached_percent = Math.round((100 * cached) / (cost.prompt_tokens + tokens));
      cost.requests++;
      cost.prompt_tokens += tokens;
      cost.by_prompt[id] = (cost.by_prompt[id] ?? 0) + tokens;
      return {
        text: answerTo(id, prompt, { reach, revise }),
        model: "script",
        usage: { tokens, usd: 0 },
        finishReason: "stop",
      } as never;
    },
  };
  const { engine } = memoryEngine({
    models: () => model,
    project: folder,
    answers: ({ name, default: fallback }) => ({ choice: name === "accept" ? "yes" : fallback, by: "flag" }),
  });
  const task = NovelTask.parse({
    kind: "iterate",
    target: "prose",
    feedback: [feedback],
    iteration_id: "bench",
    scope,
  });
  const { outcome, reason } = await engine.start(novel, task, { seed: 1 });
  if (outcome !== "done") throw new Error(`the iteration ended as ${outcome}: ${reason}`);
  return cost;
}

/** Chapter 3 with every second paragraph in other words. */
export function darker(number: number): string {
  const [old, other] = [chapter(number), chapter(number, 23)].map(({ content }) => content.split("\n\n"));
  return old!.map((text, at) => (at > 0 && at % 2 === 0 ? other![at]! : text)).join("\n\n");
}

export function renamed(number: number): string {
  return chapter(number).content.replaceAll("Marcus", "Tobias");
}

function answerTo(id: string, prompt: string, { reach, revise }: Pick<Asked, "reach" | "revise">): string {
  const files = reach.map((number) => ({
    file: `chapter-${number}`,
    kind: "heart",
    why: "it happens there",
    does: "carry it out",
  }));
  if (id === "read") return JSON.stringify({ files });
  if (id === "judge") return JSON.stringify({ verdict: "approved", reasoning: "It is met.", items: [{ met: true }] });
  if (id === "semantic-diff") return JSON.stringify({ summary: "It is so now." });
  return revise(Number(/^# Chapter (\d+) of \d+/m.exec(prompt)?.[1]));
}

function textOf({ prompt }: ModelRequest): string {
  return typeof prompt === "string" ? prompt : prompt.map(({ text }) => text).join("\n\n");
}

async function makeBook(folder: string): Promise<void> {
  await createManuscript(folder, {
    title: "The Mill",
    genre: "fantasy",
    target_words: CHAPTERS * WORDS,
    chapters: CHAPTERS,
  });
  const git = beginRepository(folder, book());
  git("add", "-A");
  git("commit", "-qm", "a novel");
}

/** How many signs two texts begin with that are the same. */
function samePrefix(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
