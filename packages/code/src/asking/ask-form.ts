// Asking for an object, with fast retry where its form is wrong (E2). What the spent re-tries mean is each phase's own.

import { parseObject, type Question, retryWithModel } from "@loopwright/models";
import type { z } from "zod";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";

export type Asked<Answer> = { answer: Answer; fault?: undefined } | { answer?: undefined; fault: string };

/** Asks, and reads the answer; where none had a usable form, says why. */
export async function askForm<Answer>(
  ctx: CodeContext,
  question: Question,
  form: z.ZodType,
  reading: z.ZodType<Answer>,
): Promise<Asked<Answer>> {
  const tried = await retryWithModel<CodeTask, CodeState, Answer, null>(ctx, {
    ...question,
    schema: form,
    read: (text) => parseObject(text, reading),
    execute: async () => null,
    maxRetries: ctx.input.retries,
  });
  if (tried.failure) return { fault: tried.failure.message };
  return { answer: tried.work as Answer };
}
