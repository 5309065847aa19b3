// Which warm worker serves which runner, and the job that starts it.

import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { readPrograms } from "../programs.ts";
import { nodeRunner } from "../runners/node.ts";
import { pytestRunner, pythonOf } from "../runners/pytest.ts";
import type { Runner, RunnerRun } from "../runners/types.ts";

/** What every worker is told of its surroundings. */
export interface WorkerFacts {
  hello: string;
  workspace: string;
  pristine: string;
  /** Folders that are emptied after each version. */
  temporary: string[];
  /** Paths of the copy that cannot change. */
  left: readonly string[];
  /** Whether the worker and its children are alone in their process namespace. */
  isolated: boolean;
}

/** A worker's program. */
export interface WorkerProgram {
  /** Files by path, seen in the folder of guards. */
  programs: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  /** Whether lines are told of tests that are each run alone, so that workers can share them. */
  runsEachAlone: boolean;
  command(run: RunnerRun, facts: WorkerFacts): string[];
}

const python: WorkerProgram = {
  programs: { ...readPrograms("python/trials"), "pytest.ini": "[pytest]\n" },
  // Sets are in the same order in every worker, so that each tells the same of a version.
  env: { PYTHONHASHSEED: "0" },
  runsEachAlone: false,

  command(run, facts) {
    const { interpreter, config } = pythonOf(run);
    const all = {
      ...facts,
      config,
      plugins: run.loadsPlugins,
      nowhere: `/nonexistent/${randomBytes(4).toString("hex")}`,
      files: run.files.map(({ inside }) => inside),
      tests: run.files
        .filter(({ inside }) => !inside.startsWith(`${run.workspace}/`))
        .map(({ inside }) => `${dirname(inside)}/`),
      names: run.files.map(({ path }) => path),
    };
    return [interpreter, "-s", "-B", `${run.guards}/worker.py`, JSON.stringify(all)];
  },
};

/** Standard input and output are tested code's to use, so that questions and answers have descriptors of their own. */
const APART = 'exec "$@" 3>&1 4<&0 </dev/null >/dev/null';

const node: WorkerProgram = {
  programs: readPrograms("node/trials"),
  env: { NO_COLOR: "1" },
  runsEachAlone: true,

  command(run, facts) {
    const all = { ...facts, files: run.files.map(({ path, inside }) => ({ path, inside })) };
    const program = `${run.guards}/worker.mjs`;
    return ["/bin/sh", "-c", APART, "sh", "node", "--no-warnings", program, JSON.stringify(all)];
  },
};

const PROGRAMS = new Map<Runner, WorkerProgram>([
  [pytestRunner, python],
  [nodeRunner, node],
]);

/** The warm worker for a runner, if it has one. */
export function programFor(runner: Runner): WorkerProgram | undefined {
  return PROGRAMS.get(runner);
}
