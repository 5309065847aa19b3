// What phases do in the workspace, each as the body of one effect, from the snapshot that the state holds.
//
// The run's own test file is written first, every time: whatever became of it meanwhile, the tests are those of the state.
// What goes back to a model names no folder outside the workspace.

import { plainPath, shownPath } from "@loopwright/git";
import {
  type BlockResult,
  type CommandOutcome,
  type FileBlock,
  type ProjectCell,
  withoutFolder,
} from "@loopwright/workspace";
import type { Blocks, EditBlock } from "./asking/blocks.ts";
import { applyEdits, lossOf } from "./asking/edits.ts";
import type { CodeContext, CodeState, TestFile } from "./task.ts";

export const WORKCELL = "project";

/** The workcell at the state's snapshot. */
export function workcellOf(ctx: CodeContext, { snapshot }: Pick<CodeState, "snapshot">) {
  return ctx.workcell<ProjectCell>(WORKCELL, snapshot);
}

/** The plan's files as they are on disk; one that is not there yet is left out. */
export function readPlanFiles(ctx: CodeContext, state: CodeState): Promise<FileBlock[]> {
  const files = state.plan.map(({ file }) => file);
  return workcellOf(ctx, state).effect("files", { input: { files }, run: (cell) => cell.readFiles(files) });
}

export interface Written {
  snapshot: string;
  /** How many files were written, and what was refused. */
  written: number;
  refusals: Refusal[];
  /** What the model is told of it. */
  feedback: string[];
}

/** A file or command of an answer that was refused, and why. */
export interface Refusal {
  what: "file" | "edit" | "command";
  name: string;
  why: string;
}

/** Writes blocks, makes edits and runs commands; what was refused, and what commands printed, is fed back. */
export async function carryOutBlocks(
  cell: ProjectCell,
  { files: given, edits, commands, problems }: Blocks,
  test_file: TestFile | undefined,
): Promise<Written> {
  await putTests(cell, test_file);
  const { files, refused } = await settleFiles(cell, given, edits);
  const written = files.length > 0 ? await cell.writeFiles(files) : [];
  const ran = commands.length > 0 ? await cell.runCommands(commands) : [];
  const paths = files.map(({ path }) => path);
  const kept = [...refused, ...refusalsOf("file", paths, written)];
  const outputs = ran.map((result, at) => describeCommand(commands[at]!, result));
  const plain = (text: string) => withoutFolder(text, cell.folder);
  const refusals = [...kept, ...refusalsOf("command", commands, ran)];
  return {
    snapshot: await cell.snapshot(),
    written: written.filter(({ refused }) => refused === undefined).length,
    refusals: refusals.map((each) => ({ ...each, why: plain(each.why) })),
    feedback: [...problems, ...kept.map(refusalWords), ...outputs].map(plain),
  };
}

function refusalsOf(
  what: Refusal["what"],
  names: readonly string[],
  results: readonly BlockResult<unknown>[],
): Refusal[] {
  return results.flatMap(({ refused: why }, at) => (why === undefined ? [] : [{ what, name: names[at]!, why }]));
}

function refusalWords({ what, name, why }: Refusal): string {
  return what === "edit" ? `No edit of the file ${name} was made: ${why}` : `The file ${name} was refused: ${why}`;
}

/** Files as they are to be written, and why others are not: they would destroy what the user had there, or cannot be edited so. */
async function settleFiles(
  cell: ProjectCell,
  blocks: readonly FileBlock[],
  edits: readonly EditBlock[],
): Promise<{ files: FileBlock[]; refused: Refusal[] }> {
  const paths = [...blocks, ...edits].map(({ path }) => path);
  const read = paths.length > 0 ? await cell.readFiles(paths) : [];
  const there = new Map(read.map(({ path, content }) => [path, content]));
  const changes = blocks.length > 0 && there.size > 0 ? await cell.changes() : [];
  const files: FileBlock[] = [];
  const refused: Refusal[] = [];
  for (const block of blocks) {
    const { path = "" } = plainPath(block.path);
    const change = changes.find((each) => each.path === path);
    const original = change ? change.before : there.get(path);
    const loss = original === undefined ? undefined : lossOf(original, block.content);
    if (loss === undefined) files.push(block);
    else refused.push({ what: "file", name: shownPath(block.path), why: `it ${loss}` });
  }
  for (const { path, edits: each } of edits) {
    const before = there.get(plainPath(path).path ?? "");
    const { text, problem = "" } = before === undefined ? { problem: NOT_THERE } : applyEdits(before, each);
    if (text === undefined) refused.push({ what: "edit", name: shownPath(path), why: problem });
    else files.push({ path, content: text });
  }
  return { files, refused };
}

const NOT_THERE = "there is no such text file; give a new file whole";

/** One effect in the workspace at a snapshot, with the tests of the state in place. */
export function withTests<Value>(
  ctx: CodeContext,
  { test_file }: Pick<CodeState, "test_file">,
  { key, snapshot }: { key: string; snapshot: string },
  run: (cell: ProjectCell, signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  return workcellOf(ctx, { snapshot }).effect(key, {
    run: async (cell, { signal }) => {
      await putTests(cell, test_file);
      return run(cell, signal);
    },
  });
}

/** Writes the tests of the state. */
export async function putTests(cell: ProjectCell, test_file: TestFile | undefined): Promise<void> {
  if (test_file) await cell.writeTests([wholeTests(test_file)]);
}

/** The file that the run's own tests stand in, as it is on disk. */
export function wholeTests({ path, content, around: [before, after] = ["", ""] }: TestFile): FileBlock {
  return { path, content: before + content + after };
}

function describeCommand(command: string, { done, refused }: BlockResult<CommandOutcome>): string {
  const ending = done?.stopped ?? (done?.code === null ? "stopped" : `exit code ${done?.code}`);
  const output = refused === undefined ? (done?.output.trimEnd() ?? "") : `stderr: refused: ${refused}`;
  return [`$ ${command}`, ...(done ? [ending] : []), output].filter((line) => line !== "").join("\n");
}
