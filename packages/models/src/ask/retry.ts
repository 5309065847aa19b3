// Fast retry with a model as the builder: it is asked, its work is carried out, and after a trivial failure it is asked
// again with what went wrong, inside the same iteration (see core/fast-retry.ts).
//
// A re-try is the first prompt with a few parts more: for an E1 the work and its error, for an E2 a reminder of the form;
// for an E2 that follows an E1, both, or the error would be forgotten. These parts live in their re-try's request and
// nowhere else: neither state nor any later prompt has them.

import {
  type Context,
  type FastRetryResult,
  FormatError,
  fastRetry,
  type ModelAnswer,
  type Problem,
  type PromptPart,
} from "@loopwright/core";
import type { z } from "zod";
import { parseObject } from "../parse/parse.ts";
import { answerOf } from "../parse/think.ts";
import { MODELS, renderPrompt } from "../prompt/prompts.ts";
import { readPrompt } from "../prompt/recorded.ts";
import { type Question, roleOf, toRequest, wholeText } from "./ask.ts";

export type RetrySpec<Input, State, Work, Result> = Question & {
  /** Reads the work out of an answer's text, as `codeBlock` and `parseObject` do; throws FormatError where it has none. */
  read: (text: string) => Work;
  /** The first answer, where it was asked for before. */
  first?: Pick<ModelAnswer, "text" | "finishReason">;
  /** Carries the work out, from the same snapshot every time; throws ExecutionError where it raised. */
  execute: (ctx: Context<Input, State>, work: Work) => Promise<Result>;
  /** Told every answer as it came, also one that has no usable form. */
  onAnswer?: (text: string) => void;
  /** Told why an answer had no usable form, before it is asked for again. */
  onRefused?: (ctx: Context<Input, State>, problem: Problem) => Promise<void>;
  /** What the model is told of the form, where the work is an object. */
  schema?: z.ZodType;
  maxRetries?: number;
};

/** Asks a model for work and carries it out, with at most three re-tries. That all failed is a result, not a throw. */
export function retryWithModel<Input, State, Work, Result>(
  ctx: Context<Input, State>,
  spec: RetrySpec<Input, State, Work, Result>,
): Promise<FastRetryResult<Work, Result>> {
  let raised: Raised | undefined;
  return fastRetry<Input, State, Work, Result>(ctx, {
    propose: async (scope, problem, previous) => {
      if (problem?.class === "E1") raised = { work: workToText(previous), error: problem.message };
      if (problem) await spec.onRefused?.(scope, problem);
      const more = await mendingParts(scope, problem, raised);
      const ask = () => scope.model(roleOf(spec)).call("ask", toRequest(spec, { schema: spec.schema, more }));
      const answer = problem || !spec.first ? await ask() : spec.first;
      spec.onAnswer?.(answer.text);
      const text = wholeText(answer);
      answerOf(text);
      return spec.read(text);
    },
    execute: spec.execute,
    ...(spec.maxRetries !== undefined && { maxRetries: spec.maxRetries }),
  });
}

/** Asks for text, again with a reminder where none came; throws the last FormatError once the re-tries are spent. */
export function obtainText<Input, State>(ctx: Context<Input, State>, key: string, question: Question): Promise<string> {
  return obtain(ctx, key, { ...question, read: answerOf });
}

/** Asks for a value that fits a schema, again with a reminder where it does not; throws the last FormatError once the
 * re-tries are spent. */
export function obtainObject<Input, State, Schema extends z.ZodType>(
  ctx: Context<Input, State>,
  key: string,
  schema: Schema,
  question: Question,
): Promise<z.output<Schema>> {
  return obtain(ctx, key, { ...question, schema, read: (text) => parseObject(text, schema) });
}

async function obtain<Input, State, Work>(
  ctx: Context<Input, State>,
  key: string,
  spec: Omit<RetrySpec<Input, State, Work, null>, "execute">,
): Promise<Work> {
  const body = (scope: Context<Input, State>) =>
    retryWithModel<Input, State, Work, null>(scope, { ...spec, execute: async () => null } as RetrySpec<
      Input,
      State,
      Work,
      null
    >);
  const { [key]: tried } = await ctx.all({ [key]: body });
  if (tried!.failure) throw new FormatError("ANSWER_UNUSABLE", tried!.failure.message);
  return tried!.work as Work;
}

/** The last work that was carried out, and how it failed. */
interface Raised {
  work: string;
  error: string;
}

async function mendingParts<Input, State>(
  ctx: Context<Input, State>,
  problem: Problem | undefined,
  raised: Raised | undefined,
): Promise<PromptPart[]> {
  if (!problem) return [];
  const parts: PromptPart[] = [];
  if (raised) parts.push(...(await renderPrompt(await readPrompt(ctx, MODELS, "mend-error"), { ...raised })).parts);
  if (problem.class === "E2") {
    const reminder = await renderPrompt(await readPrompt(ctx, MODELS, "mend-format"), { problem: problem.message });
    parts.push(...reminder.parts);
  }
  return parts;
}

function workToText(work: unknown): string {
  return typeof work === "string" ? work : (JSON.stringify(work, null, 2) ?? "");
}
