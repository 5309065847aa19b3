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
}

/** The cost of one iteration of the prose; `revise` says what a chapter becomes. */
export async function costOf(folder: string, feedback: string, revise: (number: number) => string): Promise<Cost> {
  await makeBook(folder);
  const cost: Cost = { requests: 0, prompt_tokens: 0, by_prompt: {} };
  const model: Model = {
    estimate: () => ({ tokens: 1, usd: 0 }),
    call: async (request) => {
      const id = (request.id ?? "").split("@")[0]!;
      const prompt = textOf(request);
      const tokens = countTokens(`${request.system ?? ""}\n${prompt}`);
      cost.requests++;
      cost.prompt_tokens += tokens;
      cost.by_prompt[id] = (cost.by_prompt[id] ?? 0) + tokens;
      return {
        text: answerTo(id, prompt, revise),
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
  const task = NovelTask.parse({ kind: "iterate", target: "prose", feedback: [feedback], iteration_id: "bench" });
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

function answerTo(id: string, prompt: string, revise: (number: number) => string): string {
  if (id === "reach") return JSON.stringify({ all: true });
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
