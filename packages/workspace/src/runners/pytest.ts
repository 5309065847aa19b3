// pytest, started by a program of ours so that nothing in the workspace decides how tests are judged.
//
//   P1  Python runs isolated: no PYTHON* variables, no user site. The workspace comes onto the path only after pytest and its
//       plugins are loaded, so nothing in it can stand in for them; from then on no bytecode is read or written.
//   P2  The configuration is a file that was there at the start, or an empty one of ours.
//   P3  Two tests of ours run last, and must fail: a pytest that was patched to pass everything is found out, and an exit
//       code of 0 can only be a lie.
//   P4  The report is sealed with a nonce that only our program was told, after the last test.

import { randomBytes } from "node:crypto";
import type { TestResult } from "../cell.ts";
import { readProgram } from "../programs.ts";
import { failureOf, faultWith, sealedStatement } from "./evidence.ts";
import { type JunitCase, readJunit } from "./junit.ts";
import type { Evidence, Finding, Runner, RunnerRun } from "./types.ts";

const CONFIGURATIONS = [
  "pytest.toml",
  ".pytest.toml",
  "pytest.ini",
  ".pytest.ini",
  "pyproject.toml",
  "tox.ini",
  "setup.cfg",
];
const TESTS_FAILED = 1;
const NODE_ID = "loopwright_nodeid";

const PROGRAM = readProgram("python/runners/run-pytest.py");
const CANARY = readProgram("python/runners/canary.py");

export const pytestRunner: Runner = {
  name: "pytest",
  namesBySource: true,

  job(run) {
    const canary = canaryOf(run);
    const { interpreter, config } = pythonOf(run);
    const facts = {
      workspace: run.workspace,
      reports: run.reports,
      config,
      canary: `${run.guards}/${canary}`,
      property: NODE_ID,
      plugins: run.loadsPlugins,
      nowhere: `/nonexistent/${randomBytes(4).toString("hex")}`,
      files: [...run.files.map(({ inside }) => inside), `${run.guards}/${canary}`],
    };
    return {
      command: [interpreter, "-I", "-B", `${run.guards}/run-pytest.py`, JSON.stringify(facts)],
      guards: { "run-pytest.py": PROGRAM, "pytest.ini": "[pytest]\n", [canary]: CANARY },
      stdin: `${run.nonce}\n`,
    };
  },

  read(evidence, run) {
    const xml = evidence.report("report.xml");
    if (xml === undefined) return { fault: faultWith("pytest ended without a report", evidence.output) };
    const { cases, fault } = readJunit(xml);
    if (fault !== undefined) return { fault: faultWith(fault, evidence.output) };
    const statement = sealedStatement(evidence, run.nonce, xml);
    if (!statement) {
      return {
        fault: faultWith("pytest ended before its report was sealed: the report cannot be believed", evidence.output),
      };
    }
    const broken = cases.filter(({ isError, properties }) => isError && properties[NODE_ID] === undefined);
    if (broken.length > 0) {
      return { fault: ["The tests could not be collected:", ...broken.map(failureOf)].join("\n").slice(0, 6_000) };
    }
    return resultsOf(cases, statement, evidence, run);
  },
};

/** The Python that runs the tests, and the configuration that pytest is given. */
export function pythonOf(run: RunnerRun): { interpreter: string; config: string } {
  const config = CONFIGURATIONS.find((name) => run.configuration.includes(name));
  return {
    interpreter: run.configuration.includes(".venv") ? `${run.workspace}/.venv/bin/python` : "python3",
    config: config ? `${run.workspace}/${config}` : `${run.guards}/pytest.ini`,
  };
}

function resultsOf(
  cases: JunitCase[],
  statement: Record<string, unknown>,
  evidence: Evidence,
  run: RunnerRun,
): Finding {
  const canary = canaryOf(run);
  const isCanary = (id: string) => id.startsWith(`${run.guards}/${canary}::`);
  const named = cases.map((each) => ({ ...each, id: each.properties[NODE_ID] ?? "" }));
  const canaries = named.filter(({ id }) => isCanary(id));
  if (canaries.length !== 2 || canaries.some(({ state }) => state !== "failed")) {
    return { fault: "The tests' judge was tampered with: tests of its own that must fail did not." };
  }
  if (evidence.code !== TESTS_FAILED || statement.code !== TESTS_FAILED) {
    return {
      fault: faultWith(`pytest ended with the code ${evidence.code}, which its report belies`, evidence.output),
    };
  }
  const collected = (statement.collected as string[]).filter((id) => !isCanary(id));
  const found = new Set(named.map(({ id }) => id));
  const lost = collected.filter((id) => !found.has(id));
  if (lost.length > 0) return { fault: `${lost.length} tests were collected and never reported, such as ${lost[0]}` };
  return {
    tests: mergeById(
      named.filter(({ id }) => !isCanary(id)),
      run,
    ),
  };
}

/** One result for each test: pytest reports a failing teardown once more. */
function mergeById(cases: readonly (JunitCase & { id: string })[], run: RunnerRun): TestResult[] {
  const results = new Map<string, TestResult>();
  for (const each of cases) {
    const name = stableName(each.id, run);
    if (results.get(name)?.state === "failed") continue;
    results.set(name, { name, state: each.state, ...(each.state === "passed" ? {} : { failure: failureOf(each) }) });
  }
  return [...results.values()];
}

/** A node id under the test file's own name, wherever that lay for the run. */
function stableName(id: string, { files }: RunnerRun): string {
  const [path = "", ...rest] = id.split("::");
  return [files.find(({ inside }) => inside === path)?.path ?? path, ...rest].join("::");
}

function canaryOf({ nonce }: RunnerRun): string {
  return `test_${nonce.slice(0, 12)}.py`;
}
