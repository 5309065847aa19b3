// What a loop that writes programs needs of its workcell: a workspace folder, written by blocks, tried in a sandbox.

import type { Workcell } from "@loopwright/core";
import type { Change } from "./change/functions.ts";
import type { Applied, ApplyOptions } from "./checkout/checkout.ts";
import type { Patch } from "./checkout/patch.ts";

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
