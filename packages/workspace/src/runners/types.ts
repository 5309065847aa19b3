// A runner: what is started in the sandbox so that test files are run, and what its evidence comes to.

import type { Loaded, TestResult } from "../options.ts";
import type { RunnerName } from "./table.ts";

/** Which runner judges: one that is known, or a command. The report that it writes to a path of the workspace names its
 * tests; without, it is one test, which its exit code decides. */
export type RunnerChoice = RunnerName | { command: string; report?: string };

/** A test file of a run. */
export interface TestFile {
  /** What it is called, in names of tests too. */
  path: string;
  /** Where a job sees it. */
  inside: string;
  source: string;
}

/** Which tests are run, and by what configuration. */
export interface TestPlan {
  files: readonly TestFile[];
  /** The workspace's folder, for what stands there. */
  folder: string;
  /** Protected files by path, with their contents where they configure. */
  configuration: Readonly<Record<string, string>>;
  /** Folders of installed packages that were there at the start. */
  packageFolders: readonly string[];
  /** Whether plugins that are installed count: only where the tests come from a project that may rely on them. */
  loadsPlugins: boolean;
  /** Whether a file that cannot be run is one failed test of its name, and not a fault of all: one of many may be broken. */
  isLenient?: boolean;
}

export interface RunnerRun extends TestPlan {
  /** Where a job sees the workspace, our own programs (read-only), and the folder for the report (writable). */
  workspace: string;
  guards: string;
  reports: string;
  /** Whether the job has a world of processes of its own. */
  isolated: boolean;
}

/** What a job left, and how it ended. */
export interface Evidence {
  code: number | null;
  output: string;
  /** The report that our own programs write. */
  report(): string | undefined;
  /** A file of the workspace. */
  left(path: string): string | undefined;
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
