// implement: the implementer writes files and may run commands, in the sandbox. An answer without a usable block is asked
// for again; when the re-tries are spent, what of the last one is whole is carried out, and the run goes on.

import { type FastRetryResult, FormatError, sha256 } from "@loopwright/core";
import { retryWithModel, withoutThought } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { approachOf } from "../asking/approaches.ts";
import { type Blocks, blocksToText, readBlocks } from "../asking/blocks.ts";
import { makeQuestion } from "../asking/questions.ts";
import { showProgram } from "../asking/showing.ts";
import { openLooking } from "../looking/looking.ts";
import { type Requests, readRequests, SEEN_ENOUGH } from "../looking/requests.ts";
import { noteIteration, noteRefusals, warn } from "../notes.ts";
import { budgetsIn } from "../rank/budget.ts";
import { onStep } from "../stuck.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { takeCorrected } from "../testing/given.ts";
import { carryOutBlocks, type Written, workcellOf } from "../workspace.ts";

/** An implementer's answer, read. */
interface Work extends Blocks {
  approach: string;
}

/** Goes by given tests as a person has them now. Where all is well under them, nobody is asked for more. */
export async function implement(state: CodeState, ctx: CodeContext) {
  await noteIteration(ctx, state.plan_generation);
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
    maxRetries: ctx.input.retries,
  });
  const rest = tried.result ? undefined : last;
  const hasRest = rest !== undefined && countBlocks(rest) > 0;
  const work = tried.result ? tried.work : hasRest ? rest : undefined;
  const written = tried.result ?? (hasRest ? await carryOut(ctx, state, rest, "write-rest") : undefined);
  if (!work || !written) {
    await warn(ctx, "NO_FILE_BLOCKS", "the implementer gave no usable file block; nothing was written");
    const feedback = [tried.failure?.message ?? NO_BLOCKS[prompt]];
    return ctx.to("test", { ...changed, feedback, has_written: false, last_approach: "no usable answer" });
  }
  if (work.files.length + work.edits.length === 0)
    await warn(ctx, "NO_FILE_BLOCKS", "the implementer gave no file block; nothing was written");
  await noteRefusals(ctx, written.refusals);
  await ctx.save("code.txt", `APPROACH: ${work.approach}\n\n${blocksToText(work)}`);
  await ctx.save("execution.json", executionToText(tried, written));
  return ctx.to("test", {
    ...changed,
    snapshot: written.snapshot,
    feedback: written.said_back,
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

/** What an answer asks to see. */
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
    input: { work: sha256(JSON.stringify(partsOf(work))) },
    run: (cell) => carryOutBlocks(cell, work, state.test_file),
  });
}

function countBlocks({ files, edits, commands }: Blocks): number {
  return files.length + edits.length + commands.length;
}

/** What of an answer is carried out. */
function partsOf({ files, edits, commands }: Blocks): unknown[] {
  return edits.length > 0 ? [files, commands, edits] : [files, commands];
}

/** How the answer came about, and what became of it. */
function executionToText(
  { retry_count, errors }: FastRetryResult<Work, Written>,
  { written, refusals = [] }: Written,
): string {
  return `${JSON.stringify({ retry_count, errors, written, refused: refusals }, null, 2)}\n`;
}

/** How many times running the very same code was produced. */
function countStable(state: CodeState, work: Work): Pick<CodeState, "impl_hash" | "impl_stable_count"> {
  const { files, edits } = work;
  if (files.length + edits.length === 0)
    return { impl_hash: state.impl_hash, impl_stable_count: state.impl_stable_count };
  const sorted = files.map(({ path, content }) => [path, content]).sort(([a], [b]) => (a! < b! ? -1 : 1));
  const impl_hash = sha256(JSON.stringify(edits.length > 0 ? [sorted, edits] : sorted));
  return { impl_hash, impl_stable_count: impl_hash === state.impl_hash ? state.impl_stable_count + 1 : 1 };
}
