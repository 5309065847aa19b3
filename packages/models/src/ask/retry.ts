// Fast retry with a model as the builder: it is asked, its work is carried out, and after a trivial failure it is asked
// again with what went wrong, inside the same iteration (see core/fast-retry.ts).
//
// A re-try is the first prompt with a few parts more: for an E1 the work and its error, for an E2 a reminder of the form, for an E2
// after an E1 both. These parts live in their re-try's request alone. A loop may follow an answer up with another question, which
// then takes the place of the first, in later re-tries too.

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
import { answerOf } from "../parse/blocks.ts";
import { parseObject } from "../parse/parse.ts";
import { MODELS, readPrompt, renderPrompt } from "../prompt/prompts.ts";
import { type Question, roleOf, toRequest, wholeText } from "./ask.ts";

/** A question whose answer is executed, and asked again with the error where it fails. */
export type RetrySpec<Input, State, Work, Result> = Question & {
  /** Reads the work out of an answer's text, as `codeBlock` and `parseObject` do; throws FormatError where it has none. */
  read: (text: string) => Work;
  /** The first answer, where it was asked for before. */
  first?: Answered;
  /** Carries the work out, from the same snapshot every time; throws ExecutionError where it raised. */
  execute: (ctx: Context<Input, State>, work: Work) => Promise<Result>;
  /** Told every answer as it came, also one that has no usable form. */
  onAnswer?: (text: string, model?: string) => void;
  /** Told why an answer had no usable form, before it is asked for again. */
  onRefused?: (ctx: Context<Input, State>, problem: Problem) => Promise<void>;
  /** What the model is told of the form, where the work is an object. */
  schema?: z.ZodType;
  /** What is asked next, inside the same try, where an answer is none yet; undefined where it is to be read. */
  follow?: (ctx: Context<Input, State>, answer: Answered) => Promise<FollowUp | undefined>;
};

/** What of an answer is read. */
export type Answered = Pick<ModelAnswer, "text" | "finishReason" | "toolCalls" | "details">;

/** Another question in place of the one before. */
export type FollowUp = Question & { schema?: z.ZodType };

/** Asks a model for work and carries it out, with at most three re-tries. That all failed is a result, not a throw. */
export function retryWithModel<Input, State, Work, Result>(
  ctx: Context<Input, State>,
  spec: RetrySpec<Input, State, Work, Result>,
): Promise<FastRetryResult<Work, Result>> {
  // The last work that was carried out, and how it failed.
  let raised: { work: string; error: string } | undefined;
  let question: FollowUp = spec;
  return fastRetry<Input, State, Work, Result>(ctx, {
    propose: async (scope, problem, previous) => {
      if (problem?.class === "E1") {
        const work = typeof previous === "string" ? previous : (JSON.stringify(previous, null, 2) ?? "");
        raised = { work, error: problem.message };
      }
      if (problem) await spec.onRefused?.(scope, problem);
      const more = await fixingParts(scope, problem, raised);
      const ask = (key: string) =>
        scope.model(roleOf(question)).call(key, toRequest(question, { schema: question.schema, more }));
      let answer: Answered = problem || !spec.first ? await ask("ask") : spec.first;
      for (let nth = 1; ; nth++) {
        spec.onAnswer?.(answer.text, (answer as Partial<ModelAnswer>).model);
        const next = await spec.follow?.(scope, answer);
        if (!next) break;
        question = next;
        answer = await ask(`ask-${nth}`);
      }
      const text = wholeText(answer);
      answerOf(text);
      return spec.read(text);
    },
    execute: spec.execute,
    maxRetries: spec.maxRetries,
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
  let answered: string | undefined;
  const onAnswer = (text: string, model?: string) => {
    answered = model ?? answered;
    spec.onAnswer?.(text);
  };
  const body = (scope: Context<Input, State>) =>
    retryWithModel<Input, State, Work, null>(scope, { ...spec, onAnswer, execute: async () => null } as RetrySpec<
      Input,
      State,
      Work,
      null
    >);
  for (let round = 1; ; round++) {
    const name = round === 1 ? key : `${key}-again-${round}`;
    const { [name]: tried } = await ctx.all({ [name]: body });
    if (!tried!.failure) return tried!.work as Work;
    const who = `the role '${roleOf(spec as Question)}'${answered === undefined ? "" : ` (${answered})`}`;
    const message = `${who} gave no usable answer: ${tried!.failure.message}`;
    // A resume tries again what threw: that one lets the question be asked anew, for its answers are on record.
    await ctx.effect(`${name}-spent`, {
      run: ({ tries }) => {
        if (tries === 1) throw new FormatError("ANSWER_UNUSABLE", message);
        return null;
      },
    });
  }
}

async function fixingParts<Input, State>(
  ctx: Context<Input, State>,
  problem: Problem | undefined,
  raised: { work: string; error: string } | undefined,
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
