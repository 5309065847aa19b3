// Asking a model from a loop. The answer is recorded first, as the result of an effect, and read afterwards: one that is
// empty, cut off or of the wrong form was paid for and is kept, and reading it again after a crash gives the same.

import {
  type Artifact,
  FormatError,
  type ModelAnswer,
  type ModelRequest,
  type ModelTool,
  type PromptPart,
} from "@loopwright/core";
import type { z } from "zod";
import { parseObject } from "../parse/parse.ts";
import { answerOf } from "../parse/think.ts";
import type { RenderedPrompt } from "../prompt/prompts.ts";
import { describeFormat, schemaToJson } from "./format.ts";

/** What of a context asking needs. */
export interface Asker {
  model(role: string): { call(key: string, request: ModelRequest): Promise<ModelAnswer> };
}

/** What is asked: a prompt from a file, whose role may be replaced, or a text and the role that it is for. */
export type Question = { images?: readonly Artifact[]; tools?: readonly ModelTool[] } & (
  | { prompt: RenderedPrompt; role?: string }
  | { prompt: string; role: string }
);

/** Asks for text, and gives it without the model's thought; throws FormatError where nothing usable came. */
export async function askText(ctx: Asker, key: string, question: Question): Promise<string> {
  const answer = await ctx.model(roleOf(question)).call(key, toRequest(question));
  return answerOf(wholeText(answer));
}

/** Asks for a value that fits a schema; throws FormatError where none came. */
export async function askObject<Schema extends z.ZodType>(
  ctx: Asker,
  key: string,
  schema: Schema,
  question: Question,
): Promise<z.output<Schema>> {
  const answer = await ctx.model(roleOf(question)).call(key, toRequest(question, { schema }));
  return parseObject(wholeText(answer), schema);
}

/** The role that a question is for. */
export function roleOf({ prompt, role }: Question): string {
  return role ?? (prompt as RenderedPrompt).role;
}

/** A question as a model's request: with more parts behind its own, and the form that a schema asks for last. */
export function toRequest(
  { prompt, images, tools }: Question,
  { schema, more = [] }: { schema?: z.ZodType | undefined; more?: readonly PromptPart[] } = {},
): ModelRequest {
  const json = schema && schemaToJson(schema);
  const form = json ? [{ name: "format", text: describeFormat(json), priority: 0 }] : [];
  const extra = { ...(images && { images }), ...(json && { schema: json }), ...(tools && { tools }) };
  if (typeof prompt === "string") {
    const whole = { name: "prompt", text: prompt, priority: 0 };
    return { prompt: form.length + more.length > 0 ? [whole, ...more, ...form] : prompt, ...extra };
  }
  const { id, version, hash, system, parts, temperature, topP, maxTokens } = prompt;
  return {
    id: `${id}@${version}#${hash.slice(0, 12)}`,
    ...(system !== undefined && { system }),
    prompt: [...parts, ...more, ...form],
    ...extra,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

/** The text of an answer that came to its end; throws FormatError for one that did not, however complete it looks. */
export function wholeText({ text, finishReason }: Pick<ModelAnswer, "text" | "finishReason">): string {
  if (finishReason === "length") {
    const message = "The answer was cut off at its greatest length. Answer again, shorter, so that it is complete.";
    throw new FormatError("ANSWER_CUT", message);
  }
  if (finishReason === "content-filter")
    throw new FormatError("ANSWER_WITHHELD", "The answer was withheld by the server's content filter.");
  return text;
}
