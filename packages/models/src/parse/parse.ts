// Parsing: from the text of an answer to a value that fits a schema, or a FormatError whose words a model can act on.
//
//   as it stands → fenced blocks → objects and lists anywhere outside thoughts
//
// Each step reads JSON as models write it (parse-json.ts), and whatever it finds is held to the schema. The first step
// with a value that fits decides. Where it has several that fit and differ, none is taken: the last one may be the
// answer, or an example, or an afterthought, and asking again is cheaper than believing the wrong one.

import { canonicalJson, FormatError, type Json } from "@loopwright/core";
import type { z } from "zod";
import { type Candidate, type Search, valuesAnywhere, valuesInBlocks } from "./candidates.ts";
import { JsonError, readWholeJson } from "./json.ts";
import { describeMismatch } from "./mismatch.ts";
import { answerOf } from "./think.ts";

export { type CodeBlockOptions, codeBlock } from "./code.ts";

const REMINDER = "Answer with one JSON value that fits what was asked for, and nothing else.";

/** The value that an answer holds; throws FormatError where it holds none that fits. */
export function parseObject<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const whole = readWholeJson(text);
  if (!(whole instanceof JsonError) && whole.isStrict) {
    const result = schema.safeParse(whole.value);
    if (result.success) return result.data;
    throw mismatch(whole.value, result.error);
  }
  const answer = answerOf(text);
  const inBlocks = valuesInBlocks(answer);
  const fromBlocks = choose(inBlocks, schema);
  if (fromBlocks) return fromBlocks.data;
  const anywhere = valuesAnywhere(answer);
  const fromAnywhere = choose(anywhere, schema);
  if (fromAnywhere) return fromAnywhere.data;
  throw unusable([...inBlocks.candidates, ...anywhere.candidates], anywhere.error?.message, schema);
}

/** The one value of a search that fits; undefined where none does. */
function choose<Schema extends z.ZodType>(
  { candidates, error }: Search,
  schema: Schema,
): { data: z.output<Schema> } | undefined {
  if (error?.isFinal) throw error.isCut ? truncated(error.message) : broken(error.message);
  const distinct = new Map(candidates.map(({ value }) => [canonicalJson(value), value]));
  const fitting = [...distinct.values()].flatMap((value) => {
    const result = schema.safeParse(value);
    return result.success ? [result.data] : [];
  });
  if (fitting.length > 1) throw conflicting(fitting.length);
  return fitting.length === 1 ? { data: fitting[0]! } : undefined;
}

/** Why nothing was taken: the largest value does not fit, or there is none. */
function unusable(candidates: readonly Candidate[], error: string | undefined, schema: z.ZodType): FormatError {
  const largest = candidates.toSorted((a, b) => b.length - a.length)[0];
  const result = largest && schema.safeParse(largest.value);
  if (largest && result?.error) return mismatch(largest.value, result.error);
  const place = error === undefined ? "" : ` What looked most like it is none (${error}).`;
  return new FormatError("NO_JSON", `The answer holds no JSON.${place} ${REMINDER}`);
}

function mismatch(value: Json, error: z.ZodError): FormatError {
  return new FormatError("NOT_FITTING", `${describeMismatch(value, error)}\n${REMINDER}`);
}

function truncated(place: string): FormatError {
  return new FormatError("ANSWER_CUT", `The JSON in the answer ends too early (${place}). Answer again, complete.`);
}

function broken(place: string): FormatError {
  return new FormatError("BROKEN_JSON", `The JSON in the answer is broken at ${place}. ${REMINDER}`);
}

function conflicting(count: number): FormatError {
  return new FormatError("ANSWER_CONFLICTING", `The answer holds ${count} different JSON values that fit. ${REMINDER}`);
}
