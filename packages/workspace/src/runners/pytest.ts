// pytest and unittest, started by a program of ours so that nothing in the workspace decides how tests are judged. pytest runs
// unittest's classes too; what it would not do is unittest's own: a file with `load_tests`, and all of them where it is not installed.
//
//   P1  Python runs isolated: no PYTHON* variables, no user site. The workspace comes onto the path only after pytest and its
//       plugins are loaded, so nothing in it can stand in for them; from then on no bytecode is read or written.
//   P2  The configuration is a file that was there at the start, or an empty one of ours.
//   P3  Each test file has a process of its own, in which tests of ours run last: those of them that must fail do, and the
//       others pass, or the file's results are not believed.
//   P4  The report is written by their parent, which loads nothing of the workspace and which they cannot look into, after the
//       last of them is dead.

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { z } from "zod";
import type { Loaded, TestResult } from "../cell.ts";
import { lookIn, readPlain } from "../folder/files.ts";
import { readPrograms } from "../programs.ts";
import { PYTEST_FILES } from "../tests/names.ts";
import { type Canary, canariesInPython, tamperedWith } from "./canaries.ts";
import { cutMiddle, eachForItself, errorWith, failureOf, numberAgain, parentReport } from "./evidence.ts";
import { type JunitCase, readJunit } from "./junit.ts";
import type { Evidence, Finding, Runner, RunnerJob, RunnerRun, TestFile } from "./types.ts";

const TESTS_FAILED = 1;
const NODE_ID = "loopwright_nodeid";

const { "collect.py": _, ...PROGRAMS } = readPrograms("python/runners");

export const pytestRunner: Runner = {
  name: "pytest",
  namesBySource: true,
  job: (run) => pythonJob(run, (file) => (loadsTests(file) ? "unittest" : "pytest")),
  read: readReport,
};

export const unittestRunner: Runner = {
  name: "unittest",
  namesBySource: true,
  job: (run) => pythonJob(run, () => "unittest"),
  read: readReport,
};

/** Whether a file chooses its tests by itself, which pytest would not hear of. */
export function loadsTests({ source }: TestFile): boolean {
  return /^def load_tests\b/m.test(source) && !/\bpytest\b/.test(source);
}

function pythonJob(run: RunnerRun, wayOf: (file: TestFile) => "pytest" | "unittest"): RunnerJob {
  const { interpreter, config } = pythonOf(run);
  const facts = {
    workspace: run.workspace,
    roots: rootsOf(run),
    reports: run.reports,
    config,
    canary: canaryPath(run),
    property: NODE_ID,
    plugins: run.loadsPlugins,
    isolated: run.isolated,
    jobs: availableParallelism(),
    nowhere: `/nonexistent/${randomBytes(4).toString("hex")}`,
    files: run.files.map((file) => [file.inside, wayOf(file)]),
  };
  return {
    command: [interpreter, "-I", "-B", `${run.guards}/run-python.py`, JSON.stringify(facts)],
    guards: { ...PROGRAMS, "pytest.ini": "[pytest]\n", [canaryFile(run)]: canariesInPython(run.canaries) },
  };
}

function readReport(evidence: Evidence, run: RunnerRun): Finding {
  const report = parentReport(evidence) as Record<string, Told> | undefined;
  if (!report) return { fault: errorWith("pytest ended without a report", evidence.output) };
  const files = run.files.map(({ inside }) => readFile(report[inside], evidence, run));
  if (run.isLenient)
    return {
      ...eachForItself(
        files.map(({ broken, ...file }) => (broken ? { fault: broken.join("\n") } : file)),
        run.files,
      ),
      loaded: loadedBy(files, run.files),
    } as Finding;
  const broken = files.flatMap((file) => file.broken ?? []);
  if (broken.length > 0) return { fault: ["The tests could not be collected:", ...broken].join("\n").slice(0, 6_000) };
  const faults = files.flatMap(({ fault }) => fault ?? []);
  if (faults.length > 0) return { fault: [...new Set(faults)].join("\n").slice(0, 6_000) };
  return { tests: files.flatMap(({ tests }) => tests ?? []), loaded: loadedBy(files, run.files) };
}

/** Where Python looks for the workspace's modules before any that is installed: the folder itself, and those in it that hold
 * packages, by their usual names or by what the project says of itself. */
function rootsOf({ workspace, folder }: RunnerRun): string[] {
  const texts = DECLARING.map((name) => readPlain(folder, name)?.toString("utf8") ?? "");
  const named = [...new Set(["src", "lib", "python", ...texts.flatMap(declaredRoots)])];
  const holds = named.filter((name) => lookIn(folder, name)?.isDirectory() && !lookIn(folder, `${name}/__init__.py`));
  return [...holds.map((name) => `${workspace}/${name}`), workspace];
}

const DECLARING = ["pyproject.toml", "setup.cfg", "setup.py"];

/** The folders that setuptools, poetry and pdm are told to find packages in. */
export function declaredRoots(text: string): string[] {
  const forms = [
    /^\s*where\s*=\s*\[?\s*["']?([\w./-]+)/gm,
    /^\s*(?:package-dir|package_dir)\s*=\s*\{\s*["']{2}\s*[=:]\s*["']([\w./-]+)/gm,
    /^\s*["']{2}\s*=\s*["']([\w./-]+)["']/gm,
    /^\s*package_dir\s*=\s*\n\s+=\s*([\w./-]+)/gm,
    /\bfrom\s*=\s*["']([\w./-]+)["']/g,
  ];
  const found = forms.flatMap((form) => [...text.matchAll(form)].map(([, path]) => path!.replace(/^\.\/|\/+$/g, "")));
  return found.filter(
    (path) => path !== "" && path !== "." && !path.startsWith("/") && !path.split("/").includes(".."),
  );
}

function loadedBy(files: readonly FileResults[], of: readonly TestFile[]): Loaded {
  return Object.fromEntries(files.flatMap(({ loaded }, at) => (loaded ? [[of[at]!.path, loaded]] : [])));
}

/** What came of a test file's process: what it said last, and how it ended. */
interface Told {
  said: string;
  status: number;
  /** The end of what it printed. */
  output?: string;
}

interface FileResults {
  tests?: TestResult[];
  fault?: string;
  /** Why it could not be collected. */
  broken?: string[];
  loaded?: string[];
}

/** What one test file's process comes to. */
function readFile(told: Told | undefined, all: Evidence, run: RunnerRun): FileResults {
  const evidence = { ...all, output: told?.output ?? all.output };
  const said = toldBy(told);
  if (!said) return { fault: errorWith("pytest ended without a report", evidence.output) };
  if ("broken" in said) return { broken: [cutMiddle(said.broken)], loaded: said.loaded };
  if ("results" in said) return { ...unittestResults(said, run), loaded: said.loaded };
  const { cases, fault } = readJunit(said.xml);
  if (fault !== undefined) return { fault: errorWith(fault, evidence.output) };
  const broken = cases.filter(({ isError, properties }) => isError && properties[NODE_ID] === undefined);
  if (broken.length > 0) return { broken: broken.map(failureOf) };
  return { ...resultsOf(cases, said, evidence, run), loaded: said.loaded };
}

const loaded = z.array(z.string()).default([]);
const State = z.enum(["passed", "failed", "skipped", "xfailed"]);
const SaidByPytest = z.object({ xml: z.string(), collected: z.array(z.string()), code: z.number(), loaded });
const SaidByUnittest = z.object({
  /** Each test's name, state and words; and the states of ours. */
  results: z.array(z.tuple([z.string(), State, z.string()])),
  own: z.array(z.tuple([z.string(), z.string()])),
  loaded,
});
const Said = z.union([SaidByPytest, SaidByUnittest, z.object({ broken: z.string(), loaded })]);
type Said = z.infer<typeof Said>;

/** What unittest says of a file: its canaries first. */
function unittestResults({ results, own }: z.infer<typeof SaidByUnittest>, run: RunnerRun): FileResults {
  const fault = tamperedWith(run.canaries, new Map(own));
  if (fault !== undefined) return { fault };
  const numbered = numberAgain();
  const toResult = ([id, state, words]: (typeof results)[number]): TestResult => {
    const failure = cutMiddle(words.trim());
    return { name: numbered(stableName(id, run)), state, ...(failure === "" ? {} : { failure }) };
  };
  return { tests: results.map(toResult) };
}

function toldBy(told: Told | undefined): Said | undefined {
  if (told?.status !== 0) return undefined;
  try {
    return Said.safeParse(JSON.parse(told.said)).data;
  } catch {
    return undefined;
  }
}

/** The Python that runs the tests, and the configuration that pytest is given. */
export function pythonOf(run: RunnerRun): { interpreter: string; config: string } {
  const config = PYTEST_FILES.find((name) => run.configuration.includes(name));
  return {
    interpreter: run.configuration.includes(".venv") ? `${run.workspace}/.venv/bin/python` : "python3",
    config: config ? `${run.workspace}/${config}` : `${run.guards}/pytest.ini`,
  };
}

function resultsOf(
  cases: JunitCase[],
  { collected, code }: z.infer<typeof SaidByPytest>,
  evidence: Evidence,
  run: RunnerRun,
): FileResults {
  const own = `${canaryPath(run)}::`;
  const named = cases.map((each) => ({ ...each, id: each.properties[NODE_ID] ?? "" }));
  const canaries = named.filter(({ id }) => id.startsWith(own));
  const fault = tamperedWith(run.canaries, new Map(canaries.map(({ id, state }) => [id.slice(own.length), state])));
  if (fault !== undefined) return { fault };
  if (code !== TESTS_FAILED)
    return { fault: errorWith(`pytest ended with the code ${code}, which its report belies`, evidence.output) };
  const found = new Set(named.map(({ id }) => id));
  const lost = collected.filter((id) => !id.startsWith(own) && !found.has(id));
  if (lost.length > 0) return { fault: `${lost.length} tests were collected and never reported, such as ${lost[0]}` };
  return {
    tests: mergeById(
      named.filter(({ id }) => !id.startsWith(own)),
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

function canaryFile({ canaries }: { canaries: readonly Canary[] }): string {
  return `${canaries[0]?.name}.py`;
}

function canaryPath(run: RunnerRun): string {
  return `${run.guards}/${canaryFile(run)}`;
}
