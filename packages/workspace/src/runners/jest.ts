// The jest of the workspace, a process for each test file, with tests of ours at its end.
//
//   J1  Each file has a process of its own and a cache of its own: what a tested program puts there, no other file reads.
//   J2  Tests of ours that must fail do in every file, and the others pass, or the file's results are not believed.
//   J3  The report is written by their parent, which loads nothing of the workspace, after the last of them is dead.
//   J4  Snapshots are compared and never written.

import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import type { TestResult, TestState } from "../cell.ts";
import { readPrograms } from "../programs.ts";
import { canariesInScript, tamperedWith } from "./canaries.ts";
import { allOrNone, cutMiddle, eachForItself, errorWith, numberAgain, parentReport } from "./evidence.ts";
import type { Evidence, Finding, Runner, RunnerRun, TestFile } from "./types.ts";

const PROGRAMS = readPrograms("node/runners");
const TESTS_FAILED = 1;

export const jestRunner: Runner = {
  name: "jest",
  namesBySource: true,

  job({ workspace, reports, guards, isolated, files, canaries }) {
    const facts = { workspace, reports, guards, isolated, files: files.map(({ inside }) => inside) };
    const own = `module.exports = (test, same) => {\n${canariesInScript(canaries)}\n};\n`;
    return {
      command: ["node", "--no-warnings", `${guards}/run-jest.mjs`, JSON.stringify(facts)],
      guards: { ...PROGRAMS, "canary-tests.cjs": own },
      env: { NO_COLOR: "1", CI: "1", NODE_ENV: "test" },
    };
  },

  read(evidence, run) {
    const report = parentReport(evidence);
    if (!report) return { fault: errorWith("jest ended without a report", evidence.output) };
    const files = run.files.map((file) => readFile(file, report[file.inside], evidence, run));
    return run.isLenient ? eachForItself(files, run.files) : allOrNone(files);
  },
};

const Case = z.object({
  ancestorTitles: z.array(z.string()),
  title: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).nullish(),
});
type Case = z.infer<typeof Case>;
/** How a file's process ended, what it printed last, and what jest wrote of it. */
const Told = z.object({ code: z.number().nullable(), output: z.string(), said: z.string().nullable() });
const Said = z.object({
  testResults: z.array(z.object({ message: z.string().default(""), assertionResults: z.array(Case) })),
});

/** What one test file's process comes to. */
function readFile({ path }: TestFile, given: unknown, all: Evidence, run: RunnerRun): Finding {
  const { data: told } = Told.safeParse(given);
  const output = plain(told?.output ?? all.output);
  const said = saidBy(told);
  if (!said) return { fault: errorWith("jest ended without a report", output) };
  const cases = said.results.flatMap(({ assertionResults }) => assertionResults);
  // Where each file answers for itself, one that the configuration leaves out is none of the suite's.
  if (run.isLenient && said.results.length === 0) return { tests: [] };
  if (cases.length === 0) {
    const words = said.results.map(({ message }) => plain(message)).join("\n");
    return { fault: ["The tests could not be collected:", cutMiddle(words) || path].join("\n") };
  }
  const isOurs = ({ title, ancestorTitles }: Case) =>
    ancestorTitles.length === 0 && run.canaries.some(({ name }) => name === title);
  const ours = cases.filter(isOurs).map(({ title, status }) => [title, status] as const);
  const tampered = tamperedWith(run.canaries, new Map(ours));
  if (tampered !== undefined) return { fault: tampered };
  if (said.code !== TESTS_FAILED)
    return { fault: errorWith(`jest ended with the code ${said.code}, which its report belies`, output) };
  return {
    tests: resultsOf(
      path,
      cases.filter((each) => !isOurs(each)),
    ),
  };
}

function saidBy(told: z.infer<typeof Told> | undefined) {
  if (!told?.said) return undefined;
  try {
    return { code: told.code, results: Said.parse(JSON.parse(told.said)).testResults };
  } catch {
    return undefined;
  }
}

const STATES: Readonly<Record<string, TestState>> = { passed: "passed", failed: "failed" };

function resultsOf(path: string, cases: readonly Case[]): TestResult[] {
  const numbered = numberAgain();
  return cases.map(({ ancestorTitles, title, status, failureMessages }) => {
    const name = numbered([path, ...ancestorTitles, title].join(" > "));
    const failure = cutMiddle(plain((failureMessages ?? []).join("\n")));
    return { name, state: STATES[status] ?? "skipped", ...(status === "failed" && { failure }) };
  });
}

const OWN_FRAMES = /^\s+at .*(?:node_modules\/(?:jest|@jest)|loopwright\/guards|node:|new Promise|<anonymous>\)$)/;

/** A message without colors, and without jest's own frames. */
function plain(message: string): string {
  const lines = stripVTControlCharacters(message).split("\n");
  return lines
    .filter((line) => !OWN_FRAMES.test(line))
    .join("\n")
    .trim();
}
