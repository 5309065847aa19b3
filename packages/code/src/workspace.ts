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
  runTests,
  withoutFolder,
} from "@loopwright/workspace";
import type { Blocks, EditBlock } from "./asking/blocks.ts";
import { applyEdits } from "./asking/edits.ts";
import { lossOf } from "./asking/losses.ts";
import type { CodeContext, CodeState, Report, TestFile } from "./task.ts";
import { runSuiteFor } from "./testing/suite.ts";

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
  refused: { files: number; commands: number };
  /** The same by name; absent in what older runs have recorded. */
  refusals?: Refusal[];
  /** What the model is told of it; the name is that of what older runs have recorded. */
  said_back: string[];
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
  const { whole, destroying } = await keepWhole(cell, given);
  const { edited, unmade } = await makeEdits(cell, edits);
  const files = [...whole, ...edited];
  const written = files.length > 0 ? await cell.writeFiles(files) : [];
  const ran = commands.length > 0 ? await cell.runCommands(commands) : [];
  const kept = [
    ...destroying,
    ...unmade,
    ...refusalsOf(
      "file",
      files.map(({ path }) => path),
      written,
    ),
  ];
  const said = [
    ...problems,
    ...kept.map(refusalWords),
    ...ran.map((result, index) => describeCommand(commands[index]!, result)),
  ];
  const refusals = [...kept, ...refusalsOf("command", commands, ran)];
  const plain = (text: string) => withoutFolder(text, cell.folder);
  return {
    snapshot: await cell.snapshot(),
    written: written.filter(({ refused }) => refused === undefined).length,
    refused: { files: kept.length, commands: refusals.length - kept.length },
    ...(refusals.length > 0 && { refusals: refusals.map((each) => ({ ...each, why: plain(each.why) })) }),
    said_back: said.map(plain),
  };
}

/** What was refused of what an answer wanted, by name. */
function refusalsOf(
  what: Refusal["what"],
  names: readonly string[],
  results: readonly BlockResult<unknown>[],
): Refusal[] {
  return results.flatMap(({ refused }, at) =>
    refused === undefined ? [] : [{ what, name: names[at]!, why: refused }],
  );
}

/** A refusal as the model is told of it. */
function refusalWords({ what, name, why }: Refusal): string {
  if (what === "edit") return `No edit of the file ${name} was made: ${why}`;
  return `The file ${name} was refused: ${why}`;
}

/** Files that may be written whole, and why others may not: they would destroy what the user had there. */
async function keepWhole(
  cell: ProjectCell,
  blocks: readonly FileBlock[],
): Promise<{ whole: FileBlock[]; destroying: Refusal[] }> {
  const there = blocks.length > 0 ? await cell.readFiles(blocks.map(({ path }) => path)) : [];
  if (there.length === 0) return { whole: [...blocks], destroying: [] };
  const changes = await cell.changes();
  const losses = blocks.map(({ path, content }) => {
    const plain = plainPath(path).path;
    const change = changes.find((each) => each.path === plain);
    const original = change ? change.before : there.find((each) => each.path === plain)?.content;
    return original === undefined ? undefined : lossOf(original, content);
  });
  const destroying = losses.flatMap((loss, at): Refusal[] =>
    loss ? [{ what: "file", name: shownPath(blocks[at]!.path), why: `it ${loss}` }] : [],
  );
  return { whole: blocks.filter((_, at) => losses[at] === undefined), destroying };
}

/** Files with the edits made in them, and why others have none. */
async function makeEdits(
  cell: ProjectCell,
  blocks: readonly EditBlock[],
): Promise<{ edited: FileBlock[]; unmade: Refusal[] }> {
  const edited: FileBlock[] = [];
  const unmade: Refusal[] = [];
  const files = blocks.length > 0 ? await cell.readFiles(blocks.map(({ path }) => path)) : [];
  for (const { path, edits } of blocks) {
    const file = files.find((each) => each.path === plainPath(path).path);
    const { text, problem = "" } = file ? applyEdits(file.content, edits) : { problem: NOT_THERE };
    if (text === undefined) unmade.push({ what: "edit", name: shownPath(path), why: problem });
    else edited.push({ path, content: text });
  }
  return { edited, unmade };
}

const NOT_THERE = "there is no such text file; give a new file whole";

/** The tests' word on the workspace as it stands, with the tests of the state in place. */
export async function testWorkspace(
  cell: ProjectCell,
  state: Pick<CodeState, "test_file" | "baseline" | "targets" | "known_tests">,
  signal: AbortSignal,
): Promise<Report> {
  await putTests(cell, state.test_file);
  return state.baseline ? runSuiteFor(cell, state, { signal, isWhole: false }) : runTests(cell, { signal });
}

/** Writes a test file, and tells what the workspace is then and what the tests say. */
export async function tryTests(
  cell: ProjectCell,
  test_file: TestFile | undefined,
  signal: AbortSignal,
): Promise<{ snapshot: string; report: Report }> {
  await putTests(cell, test_file);
  const snapshot = await cell.snapshot();
  return { snapshot, report: await runTests(cell, { signal }) };
}

/** Writes the tests of the state. */
export async function putTests(cell: ProjectCell, test_file: TestFile | undefined): Promise<void> {
  if (test_file) await cell.writeTests([{ path: test_file.filename, content: test_file.content }]);
}

function describeCommand(command: string, { done, refused }: BlockResult<CommandOutcome>): string {
  const ending = done?.stopped ?? (done?.code === null ? "stopped" : `exit code ${done?.code}`);
  const output = refused === undefined ? (done?.output.trimEnd() ?? "") : `stderr: refused: ${refused}`;
  return [`$ ${command}`, ...(done ? [ending] : []), output].filter((line) => line !== "").join("\n");
}
