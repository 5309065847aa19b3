// Running the tests with fast retry: where they could not be run (E1), the implementer gets the error and fixes its
// program, inside the iteration. Each try starts from the snapshot that IMPLEMENT left.

import { ExecutionError, type FastRetryResult, FormatError, fastRetry, type Problem, sha256 } from "@loopwright/core";
import { answerOf, roleOf, toRequest, wholeText } from "@loopwright/models";
import { runTests } from "@loopwright/workspace";
import { type Blocks, blocksToText, readBlocks } from "../asking/blocks.ts";
import { makeQuestion, variablesOf } from "../asking/questions.ts";
import { noteRefusals } from "../notes.ts";
import type { CodeContext, CodeState, CodeTask, Report } from "../task.ts";
import { runSuiteFor } from "../testing/test-files.ts";
import { carryOutBlocks, putTests, type Refusal, readPlanFiles, workcellOf } from "../workspace.ts";

/** What a test run came to, and the workspace that it was of. */
export interface Tested {
  report: Report;
  snapshot: string;
  /** What of a fix was refused. */
  refusals: Refusal[];
}

type Retried = Pick<FastRetryResult<unknown, unknown>, "retry_count" | "errors">;

/** Runs the tests; a program that breaks before they can run is fixed, if this iteration has written one. */
export async function runTestsFixing(state: CodeState, ctx: CodeContext): Promise<Tested & Retried> {
  let last: Tested | undefined;
  let fixed: Blocks | null = null;
  let error = "";
  const { retry_count, errors } = await fastRetry<CodeTask, CodeState, Blocks | null, Tested>(ctx, {
    propose: async (scope, problem) => {
      if (!problem) return null;
      if (problem.class === "E1") error = problem.message;
      return askToFix(scope, state, error, problem);
    },
    execute: async (scope, fix) => {
      last = await tryProgram(scope, state, fix);
      fixed = fix;
      await noteRefusals(scope, last.refusals);
      const { fault } = last.report;
      // What the last iteration could not fix either is for the audit and the review.
      const isOld = fix === null && fault === state.test_report?.fault;
      if (fault !== undefined && !isOld) throw new ExecutionError("TESTS_NOT_RUN", fault);
      return last;
    },
    // A repository that does not run is brought back to where it did, and changed anew.
    maxRetries: !state.has_written || state.baseline ? 0 : ctx.input.max_retries,
  });
  if (fixed) await ctx.save("fixed.txt", blocksToText(fixed));
  return { ...last!, retry_count, errors };
}

function tryProgram(ctx: CodeContext, state: CodeState, fix: Blocks | null): Promise<Tested> {
  return workcellOf(ctx, state).effect("tests", {
    input: { mended: fix && sha256(JSON.stringify([fix.files, fix.edits])) },
    run: async (cell, { signal }) => {
      const written = fix && (await carryOutBlocks(cell, fix, state.test_file));
      if (!fix) await putTests(cell, state.test_file);
      const report = state.baseline
        ? await runSuiteFor(cell, state, { signal, isWhole: false })
        : await runTests(cell, { signal });
      return { report, snapshot: written?.snapshot ?? state.snapshot!, refusals: written?.refusals ?? [] };
    },
  });
}

/** The implementer's fixed files. Commands have no place here. */
async function askToFix(ctx: CodeContext, state: CodeState, error: string, problem: Problem): Promise<Blocks> {
  const files = await readPlanFiles(ctx, state);
  const variables = {
    ...variablesOf(state, ctx.input, files),
    error,
    problem: problem.class === "E2" ? problem.message : "",
  };
  const question = await makeQuestion(ctx, "mend", variables, { room: files });
  const text = answerOf(wholeText(await ctx.model(roleOf(question)).call("ask", toRequest(question))));
  const blocks = readBlocks(text);
  if (blocks.problems.length > 0) throw new FormatError("BLOCKS_UNUSABLE", blocks.problems.join("\n"));
  if (blocks.files.length + blocks.edits.length === 0)
    throw new FormatError("NO_BLOCKS", "The answer holds no file between ===FILE: path=== and ===END FILE===.");
  return { ...blocks, commands: [] };
}
