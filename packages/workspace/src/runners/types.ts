// A runner: what is started in the sandbox so that test files are run, and what its evidence comes to.

import type { Loaded, TestResult } from "../cell.ts";
import type { RunnerName } from "./table.ts";

/** Which runner judges: one that is known, or a command. What it writes as JUnit XML to a path of the workspace names its tests;
 * without, it is one test, which its exit code decides. */
export type RunnerChoice = RunnerName | { command: string; junit?: string };

/** A test file of a run. */
export interface TestFile {
  /** What it is called, in names of tests too. */
  path: string;
  /** Where a job sees it. */
  inside: string;
  source: string;
}

export interface RunnerRun {
  files: readonly TestFile[];
  /** Where a job sees the workspace, our own programs (read-only), and the folder for the report (writable). */
  workspace: string;
  guards: string;
  reports: string;
  /** Whether the job has a world of processes of its own. */
  isolated: boolean;
  /** The workspace's folder, for what stands there. */
  folder: string;
  /** Protected files of the workspace, by path: a runner's configuration among them. */
  configuration: readonly string[];
  /** Whether a file that cannot be run is one failed test of its name, and not a fault of all: one of many may be broken. */
  isLenient?: boolean;
  /** Whether plugins that are installed count: only where the tests come from a project that may rely on them. */
  loadsPlugins: boolean;
}

/** What a job left, and how it ended. */
export interface Evidence {
  code: number | null;
  output: string;
  /** A file of the folder for reports, or of the workspace where the path begins with `workspace:`. */
  report(name: string): string | undefined;
}

/** What the evidence comes to: results, or why there are none. */
export type Finding =
  | { tests: TestResult[]; loaded?: Loaded; fault?: undefined }
  | { tests?: undefined; loaded?: undefined; fault: string };

export interface Runner {
  name: string;
  /** Whether it names tests as their files declare them, so that what a file declares can be missed. */
  namesBySource: boolean;
  /** The folder of the programs that the job needs. */
  programs?: string;
  job(run: RunnerRun): { command: string[]; env?: Record<string, string> };
  read(evidence: Evidence, run: RunnerRun): Finding;
}
