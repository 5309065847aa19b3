// implement: the implementer writes files and may run commands, in the sandbox. An answer without a usable block is asked
// for again; when the re-tries are spent, what of the last one is whole is carried out, and the run goes on.

import { FormatError, sha256 } from "@loopwright/core";
import { retryWithModel, withoutThought } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { type Blocks, blocksToText, readBlocks } from "../asking/blocks.ts";
import { approachOf, makeQuestion } from "../asking/questions.ts";
import { openLooking } from "../looking/looking.ts";
import { type Requests, readRequests, SEEN_ENOUGH } from "../looking/requests.ts";
import { noteRefusals, warn } from "../notes.ts";
import { budgetsIn } from "../rank/budget.ts";
import { showProgram } from "../showing/program.ts";
import { onStep } from "../stuck.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { takeCorrected } from "../testing/targets.ts";
import { carryOutBlocks, type Written, workcellOf } from "../workspace.ts";

interface Work extends Blocks {
  approach: string;
}

/** Goes by given tests as a person has them now. Where all is well under them, nobody is asked for more. */
export async function implement(state: CodeState, ctx: CodeContext) {
  await ctx.tell("iteration-began", { iteration: ctx.iteration, plan_generation: state.plan_generation });
  const corrected = await takeCorrected(state, ctx);
  if (!corrected) return write(state, ctx);
  if (corrected.passes) return ctx.to("test", { ...corrected.patch, feedback: [], has_written: false });
  return write({ ...state, ...corrected.patch }, ctx, corrected.patch);
}

/** Asks for the program, writes it, and runs its commands. */
async function write(state: CodeState, ctx: CodeContext, changed: Partial<CodeState> = {}) {
  const stuck = onStep(state, "hint");
  if (stuck) await ctx.tell("stuck-hint-given", { stuck_count: stuck.count });
  const shown = await showProgram(ctx, state, { arePartsApart: true });
  const prompt = "parts" in shown ? "implement-change" : "implement";
  const { question, follow } = await openLooking(ctx, state, {
    who: "the implementer",
    room: budgetsIn(ctx.input.windows).implementerSeen,
    prompt,
    ask: (view) => makeQuestion(ctx, prompt, { ...shown, ...view }, { room: shown.files as FileBlock[] }),
    read: readLooks,
  });
  let last: Work | undefined;
  const tried = await retryWithModel<CodeTask, CodeState, Work, Written>(ctx, {
    ...question,
    follow,
    read: (text) => {
      last = readWork(text, state.last_diagnosis);
      const { problems } = last;
      if (problems.length > 0) throw new FormatError("BLOCKS_UNUSABLE", problems.join("\n"));
      if (countBlocks(last) === 0)
        throw new FormatError("NO_BLOCKS", last.looks.length > 0 && state.baseline ? SEEN_ENOUGH : NO_BLOCKS[prompt]);
      return last;
    },
    execute: (scope, work) => carryOut(scope, state, work, "write"),
    maxRetries: ctx.input.max_retries,
  });
  const work = tried.result ? tried.work : last && countBlocks(last) > 0 ? last : undefined;
  const written = tried.result ?? (work && (await carryOut(ctx, state, work, "write-rest")));
  if (!work || !written) {
    await warn(ctx, "NO_FILE_BLOCKS", "the implementer gave no usable file block; nothing was written");
    const feedback = [tried.failure?.message ?? NO_BLOCKS[prompt]];
    return ctx.to("test", { ...changed, feedback, has_written: false, last_approach: "no usable answer" });
  }
  if (work.files.length + work.edits.length === 0)
    await warn(ctx, "NO_FILE_BLOCKS", "the implementer gave no file block; nothing was written");
  await noteRefusals(ctx, written.refusals);
  await ctx.save("code.txt", `APPROACH: ${work.approach}\n\n${blocksToText(work)}`);
  const { retry_count, errors } = tried;
  const execution = { retry_count, errors, written: written.written, refused: written.refusals };
  await ctx.save("execution.json", `${JSON.stringify(execution, null, 2)}\n`);
  return ctx.to("test", {
    ...changed,
    snapshot: written.snapshot,
    feedback: written.feedback,
    has_written: written.written > 0,
    last_approach: work.approach,
    ...countStable(state, work),
  });
}

/** What is said of an answer without a block: the form that its prompt asked for. */
const NO_BLOCKS = {
  implement:
    "The answer holds no block: give each file between ===FILE: path=== and ===END FILE===, each on a line of its own.",
  "implement-change":
    "The answer holds no block: give what changes in a file between ===EDIT: path=== and ===END EDIT===, and a new file between ===FILE: path=== and ===END FILE===, each on a line of its own.",
} as const;

function readLooks(text: string): Requests {
  const blocks = readBlocks(withoutThought(text));
  const { looks, problems } = readRequests(blocks.looks);
  const isMixed = looks.length > 0 && countBlocks(blocks) > 0;
  return { looks, problems: isMixed ? [...problems, NOT_CARRIED_OUT] : problems };
}

const NOT_CARRIED_OUT =
  "You asked to see something first, so the blocks beside that were not carried out: give them now.";

function readWork(text: string, diagnosis: string): Work {
  const answer = withoutThought(text);
  return { ...readBlocks(answer), approach: approachOf(answer, diagnosis) };
}

function carryOut(ctx: CodeContext, state: CodeState, work: Work, key: string): Promise<Written> {
  return workcellOf(ctx, state).effect(key, {
    input: { work: sha256(JSON.stringify([work.files, work.edits, work.commands])) },
    run: (cell) => carryOutBlocks(cell, work, state.test_file),
  });
}

function countBlocks({ files, edits, commands }: Blocks): number {
  return files.length + edits.length + commands.length;
}

function countStable(state: CodeState, work: Work): Partial<CodeState> {
  const { files, edits } = work;
  if (files.length + edits.length === 0) return {};
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const impl_hash = sha256(JSON.stringify([sorted, edits]));
  return { impl_hash, impl_stable_count: impl_hash === state.impl_hash ? state.impl_stable_count + 1 : 1 };
}
