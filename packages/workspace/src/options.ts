// What a project workcell is given, what of it is refused before anything is touched, and what a loop that writes programs has of it:
// a workspace folder, written by blocks, tried in a sandbox.

import { lstatSync, realpathSync } from "node:fs";
import type { Workcell } from "@loopwright/core";
import { FormatError, UsageError } from "@loopwright/core";
import { plainPath, shownPath } from "@loopwright/git";
import type { Limits, Sandbox } from "@loopwright/sandbox";
import type { Change } from "./change/check.ts";
import type { Applied, ApplyOptions, ReplayBase } from "./checkout/checkout.ts";
import type { Patch } from "./checkout/patch.ts";
import type { SetUp } from "./checkout/setup.ts";
import { isIgnored } from "./folder/walk.ts";
import type { Policy } from "./policy.ts";
import type { RunnerChoice } from "./runners/types.ts";

/** Where a run on a folder of code does its work: what it keeps of how it was started. */
export interface WorkspaceSettings {
  workspace: string;
  /** A folder of the run's own, outside the workspace, for snapshots and for copies of tests that lie elsewhere. */
  state: string;
  /** Files and folders of tests; where there are none, those that are written, else those that are found in the workspace. */
  tests: readonly string[];
  /** Files and folders of tests that no model may see. */
  heldOut: readonly string[];
  /** Paths of the workspace that are no part of it, such as the project's own: not snapshotted, not listed, not written. */
  ignore: readonly string[];
  sandbox: "bwrap" | "none";
  /** Further folders of installed packages: seen read-only, and no part of the work. */
  dependencies?: readonly string[];
  /** Commands that install what the program needs, with the network: run once for each state of its lock files. */
  setup?: readonly string[];
  /** What runs the tests, where it was said; else it is found by what is there. */
  runner?: RunnerChoice;
  /** The branch that the result becomes, in place of the user's files. */
  branch?: string;
  /** Whether nothing is applied, and the result is a patch in the run's folder. */
  patch?: boolean;
}

/** What a folder of code is opened with. */
export interface ProjectCellOptions
  extends Pick<WorkspaceSettings, "workspace" | "state">,
    Partial<Omit<WorkspaceSettings, "workspace" | "state" | "sandbox">> {
  sandbox: Sandbox;
  /** Where snapshots are kept, if not in the run's own folder: attempts at one task share theirs. */
  snapshots?: string;
  /** The setting by which a user says the runner, for messages. */
  runnerSetting?: string;
  limits?: Partial<Limits>;
  policy?: Policy;
}

/** What a job may use where nothing else is said. */
export const DEFAULT_LIMITS: Limits = {
  wallMs: 120_000,
  cpuMs: 240_000,
  memoryBytes: 2 ** 31,
  processes: 256,
  fileBytes: 2 ** 28,
  outputChars: 20_000,
};

/** The time that a whole suite may take where nothing else is said. */
export const SUITE_LIMITS = { wallMs: 15 * 60_000, cpuMs: 60 * 60_000 };

/** The workspace's real folder. */
export function realFolder(path: string): string {
  if (!lstatSync(path, { throwIfNoEntry: false })) {
    throw new UsageError("WORKSPACE_MISSING", `there is no workspace at ${path}: make the folder, or name another one`);
  }
  const real = realpathSync(path);
  if (real === "/" || !lstatSync(real).isDirectory()) {
    throw new UsageError("WORKSPACE_UNFIT", `${path} cannot be a workspace: it must be a folder of its own`);
  }
  return real;
}

/** Our own state, where someone has put it inside the workspace. */
export function ownPath(folder: string, state: string): string[] {
  if (state === folder) throw new UsageError("STATE_IS_WORKSPACE", "the run's state cannot be the workspace itself");
  return state.startsWith(`${folder}/`) ? [state.slice(folder.length + 1)] : [];
}

/** A test file's plain path; one that leaves the workspace is no form of an answer. */
export function testPath(given: string): string {
  const { path, refused } = plainPath(given);
  const reason = refused ?? (isIgnored(path) ? "lies in a cache or a git directory" : undefined);
  if (path === undefined || reason) throw new FormatError("TEST_PATH", `the test file '${shownPath(given)}' ${reason}`);
  return path;
}

/** The longest file that is written. */
export const MAX_FILE_CHARS = 400_000;

/** A file that a model wants written. */
export interface FileBlock {
  path: string;
  content: string;
}

/** What became of a file block or a command: done, or refused with the reason that goes back to the model. */
export type BlockResult<Done> = { done: Done; refused?: undefined } | { done?: undefined; refused: string };

/** How a command ended. Its output is cut at both ends, with a note of what was left out. */
export interface CommandOutcome {
  command: string;
  /** Null where it was stopped by a limit. */
  code: number | null;
  /** The limit that stopped it, in words. */
  stopped?: string;
  output: string;
}

/** How a test ended. */
export type TestState = "passed" | "failed" | "skipped" | "xfailed";

/** One test, by a name that is the same in every run. */
export interface TestResult {
  name: string;
  state: TestState;
  /** The lines that say how it failed. */
  failure?: string;
}

/** The workspace's files that each test file has loaded, by paths. The tested processes say so. */
export type Loaded = Readonly<Record<string, readonly string[]>>;

/** What a test run told. */
export interface TestReport {
  runner: string;
  tests: TestResult[];
  /** The failing tests' own words, and nothing else of the output. */
  failureLines: string;
  /** Why no result could be had: a collection error, a missing or truncated report, a limit. An execution error (E1). */
  fault?: string;
  /** Where the runner can tell. */
  loaded?: Loaded;
  /** The text of the file that the run was to leave. */
  left?: string;
  ms: number;
}

/** Which tests are run, and on what. */
export interface TestOptions {
  /** The held-out ones in place of the others. */
  heldOut?: boolean;
  /** The repository's own too, or those of these files alone; each file answers for itself. */
  suite?: true | readonly string[];
  /** Files that stand in place of others for this run. */
  instead?: readonly FileBlock[];
  /** A file that such a run may leave in the workspace, to be read before it goes. */
  reads?: string;
  /** How long they may take, where that is less than a test run may. */
  wallMs?: number;
  signal: AbortSignal;
}

/** What git knows of the last changes of the files. */
export interface History {
  /** The files of the last commits, the newest first. */
  commits: string[][];
  /** Files that are not as the last commit has them. */
  uncommitted: string[];
}

/** A folder of code as a workcell. */
export interface ProjectCell extends Workcell {
  /** The user's folder. What is written and run is written and run in a checkout of it, which jobs see at this path. */
  readonly folder: string;
  /** Where a job sees the workspace. */
  readonly inside: string;
  /** Makes what the run has changed in the user's files. What they have changed too stays as it is, unless it is named. On a
   * branch each step has a commit of its own. */
  apply(options?: Omit<ApplyOptions, "branch">): Promise<Applied>;
  /** What the run has changed, as a patch. */
  patch(): Promise<Patch>;
  /** What such a patch was made on, so that anyone can make it again. */
  base(change: string): Promise<ReplayBase>;
  /** Attaches a text to the commit that the result became, where it became one. */
  note(text: string): Promise<void>;
  /** Installs what the program needs, by the user's commands and these further ones; undefined where there are none. */
  setUp(more: readonly string[], signal: AbortSignal): Promise<SetUp | undefined>;
  /** Writes blocks; one that would leave the workspace, or touch a protected file, is refused, the others are written. */
  writeFiles(blocks: readonly FileBlock[]): Promise<BlockResult<FileBlock>[]>;
  /** Writes the run's own test files, which no block may touch afterwards. */
  writeTests(files: readonly FileBlock[]): Promise<void>;
  /** Takes the given tests as the user has them now: all test files of theirs, where anything is not as it is known. */
  takeTests(known: readonly FileBlock[]): Promise<FileBlock[] | undefined>;
  /** Runs commands in the sandbox, under the command policy. */
  runCommands(commands: readonly string[]): Promise<BlockResult<CommandOutcome>[]>;
  /** Runs the tests in the sandbox, protected files restored first; held-out tests only where they are asked for. With files
   * to be put in place of others, nothing of the run survives it. */
  runTests(options: TestOptions): Promise<TestReport>;
  /** The files that are not what they are in the user's folder, as both have them; protected ones left out. */
  changes(): Promise<Change[]>;
  /** Files of the workspace by path, small text files only. */
  readFiles(paths?: readonly string[]): Promise<FileBlock[]>;
  /** Every path of the workspace, git directories and caches left out. */
  listFiles(): Promise<string[]>;
  /** The last changes of these files; undefined where the workspace is no repository's root, or its history may hold what no model
   * may see. */
  history(files: readonly FileBlock[]): Promise<History | undefined>;
}
