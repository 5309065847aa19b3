// Fast retry: a trivial failure of generated work is fixed inside its iteration, before anyone judges it.
//
//   E1 execution  the work raised                → the builder gets the error, and proposes again
//   E2 format     the answer has no usable form  → the builder is reminded of the form
//   E0 never comes here: the workcell is restarted beneath. E3 (ran, but wrong) is a verdict.
//
// Re-tries are not iterations. They are keyed effects of one visit, absent from state; only their number and one line
// for each error are kept.

import { z } from "zod";
import type { Context } from "../context.ts";
import { ExecutionError, FormatError, failureClass } from "../errors.ts";
import { FAST_RETRY } from "../record/fold.ts";

/** How often work is proposed again where nobody said. */
export const MAX_RETRIES = 3;
/** The setting `max_retries`, which every loop has. */
export const MaxRetries = z.int().min(0).max(10).describe("re-tries where an answer lacks its form or work raises (3)");

/** What the last try failed on. */
export interface Problem {
  class: "E1" | "E2";
  message: string;
}

/** How work is proposed and executed until it is executed without an error. */
export interface FastRetrySpec<Input, State, Work, Result> {
  /** Proposes work; throws FormatError where the answer has no usable form. Later calls get what went wrong. */
  propose: (ctx: Context<Input, State>, problem: Problem | undefined, previous: Work | undefined) => Promise<Work>;
  /** Carries it out, from the same snapshot every time; throws ExecutionError where it raised. */
  execute: (ctx: Context<Input, State>, work: Work) => Promise<Result>;
  maxRetries?: number;
}

/** What came of it, and after how many tries. */
export interface FastRetryResult<Work, Result> {
  /** The last proposal; undefined if none had a usable form. */
  work: Work | undefined;
  /** What the execution gave; undefined if all tries failed. */
  result: Result | undefined;
  failure: Problem | undefined;
  /** Re-tries after the first try: 0 for a success at once. */
  retry_count: number;
  /** One line for each failed try, which holds the error itself. */
  errors: string[];
}

/** Proposes and carries out, again with the error after a failure. That all tries failed is a result, not a throw. */
export async function fastRetry<Input, State, Work, Result>(
  ctx: Context<Input, State>,
  { propose, execute, maxRetries = MAX_RETRIES }: FastRetrySpec<Input, State, Work, Result>,
): Promise<FastRetryResult<Work, Result>> {
  const errors: string[] = [];
  let work: Work | undefined;
  let failure: Problem | undefined;
  let result: Result | undefined;
  let retry_count = 0;
  for (; ; retry_count++) {
    try {
      work = await scoped(ctx, `propose-${retry_count}`, (scope) => propose(scope, failure, work));
      result = await scoped(ctx, `execute-${retry_count}`, (scope) => execute(scope, work as Work));
      failure = undefined;
      break;
    } catch (error) {
      if (!(error instanceof ExecutionError || error instanceof FormatError)) throw error;
      failure = { class: failureClass(error) as Problem["class"], message: error.message };
      errors.push(`${failure.class} ${errorLine(error.message)}`);
      if (retry_count === maxRetries) break;
    }
  }
  if (errors.length > 0) await ctx.tell(FAST_RETRY, { retry_count, errors });
  return { work, result, failure, retry_count, errors };
}

/** Runs one body with a context of its own, so that the keys of one try are not those of another. */
async function scoped<Input, State, T>(
  ctx: Context<Input, State>,
  key: string,
  body: (scope: Context<Input, State>) => Promise<T>,
): Promise<T> {
  return (await ctx.all({ [key]: body }))[key] as T;
}

const NAMED = /^(?:E\s+)?((?:[\w.]*(?:Error|Exception)|SystemExit|KeyboardInterrupt)(?: \[\w+\])?(?::.*)?)$/;
/** A first line that says nothing but that an error follows; its last one is the error. */
const HEADING = /^Traceback \(most recent call last\)/;

/** An error in one line: what was seen first, and the error that it came from where there is one. */
export function errorLine(text: string, most = 200): string {
  const [first = "", ...rest] = text.trim().split("\n");
  const said = rest.map((line) => line.trim()).filter((line) => line !== "");
  const named = said.flatMap((line) => NAMED.exec(line)?.[1] ?? []);
  if (HEADING.test(first)) return cut(named.at(-1) ?? said.at(-1) ?? first, most);
  const cause = named[0] ?? (first.endsWith(":") ? said[0] : undefined);
  if (cause === undefined || first.includes(cause)) return cut(first, most);
  return cut(`${first.replace(/:$/, "")}: ${cause}`, most);
}

function cut(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most - 1).replace(/[\s,;:]+$/, "")}…`;
}
