// node --test, driven by a program of ours through Node's own test API: each file in a process of its own.
//
//   N1  Each file has a process of its own, in which tests of ours run last: those of them that must fail do, and the others
//       pass, or the file's results are not believed.
//   N2  A file counts only when its process has summed up its tests at its end: one that was left early has not.
//   N3  Tested code cannot change what `node:assert` and `node:test` are.
//   N4  The report is written by their parent, which loads nothing of the workspace, after the last of them is dead.

import type { TestResult } from "../cell.ts";
import { readPrograms } from "../programs.ts";
import { canariesInScript, tamperedWith } from "./canaries.ts";
import { allOrNone, eachForItself, errorWith, numberAgain, parentReport } from "./evidence.ts";
import { type JunitCase, readJunit } from "./junit.ts";
import type { Evidence, Finding, Runner, RunnerRun, TestFile } from "./types.ts";

const PROGRAMS = readPrograms("node/runners");

export const nodeRunner: Runner = {
  name: "node --test",
  namesBySource: true,

  job(run) {
    const { reports, guards, isolated } = run;
    const facts = { files: run.files.map(({ inside }) => inside), reports, guards, isolated };
    return {
      command: ["node", "--no-warnings", `${guards}/run-node.mjs`, JSON.stringify(facts)],
      guards: { ...PROGRAMS, "canary-tests.mjs": `${CANARY_HEAD}${canariesInScript(run.canaries)}\n` },
      env: { NO_COLOR: "1" },
    };
  },

  read(evidence, run) {
    const report = parentReport(evidence) as Record<string, Told> | undefined;
    if (!report) return { fault: errorWith("node --test ended without a report", evidence.output) };
    const files = run.files.map((file) => readFile(file, report[file.inside], evidence, run));
    return run.isLenient ? eachForItself(files, run.files) : allOrNone(files);
  },
};

const CANARY_HEAD = `import { test } from "node:test";\nimport assert from "node:assert/strict";\nconst same = assert.equal;\n`;

/** What came of a file's process: its report, the tests it was seen to end, and how many it said it had. */
interface Told {
  xml: string;
  seen: number;
  ended: number;
  /** What it last wrote to stderr. */
  errors: string;
}

function readFile(file: TestFile, told: Told | undefined, evidence: Evidence, run: RunnerRun): Finding {
  if (!told) return { fault: errorWith("node --test ended without a report", evidence.output) };
  const { cases, fault } = readJunit(told.xml);
  if (fault !== undefined) return { fault: errorWith(fault, told.errors) };
  const isOwn = ({ name, suites }: JunitCase) => suites.length === 0 && run.canaries.some((own) => own.name === name);
  const [own, theirs] = [cases.filter(isOwn), cases.filter((each) => !isOwn(each))];
  if (!told.ended || told.ended !== told.seen || theirs.length === 0)
    return { fault: cutError(file.path, theirs, told.errors) };
  const tampered = tamperedWith(run.canaries, new Map(own.map(({ name, state }) => [name, state])));
  return tampered === undefined ? { tests: resultsOf(file.path, theirs) } : { fault: tampered };
}

/** Why a file's process never said how many tests it had. */
function cutError(path: string, cases: readonly JunitCase[], output: string): string {
  const own = cases.find(({ state }) => state === "failed");
  const sentence = own
    ? `${path} could not be run to its end: it does not load, or its process was left`
    : `${path} ended before its tests had: its process was left`;
  return errorWith(sentence, withoutOwnFrames(output));
}

function resultsOf(path: string, cases: readonly JunitCase[]): TestResult[] {
  const numbered = numberAgain();
  return cases.map((each) => {
    const name = numbered([path, ...each.suites, each.name].join(" > "));
    return { name, state: each.state, ...(each.state === "passed" ? {} : { failure: nodeFailure(each) }) };
  });
}

const OWN_FRAMES = /^\s+at .*\(?node:|^\s+at new Promise|^\s+at Array\.|^\s+at async (?:Promise|Test|start)/;

function withoutOwnFrames(text: string): string {
  const lines = text.split("\n").filter((line) => !OWN_FRAMES.test(line) && !/^Node\.js v/.test(line));
  return lines.join("\n").replace(/\n{3,}/g, "\n\n");
}

/** A failure's cause without the runner's own frames around it. */
export function nodeFailure({ message, text }: Pick<JunitCase, "message" | "text">): string {
  const lines = text.split("\n");
  const cause = lines.findIndex((line) => /^\s*cause: /.test(line));
  const inner = (cause < 0 ? lines : lines.slice(cause)).filter((line) => !OWN_FRAMES.test(line));
  const words = inner
    .join("\n")
    .trim()
    .replace(/^cause: /, "");
  return (words === "" ? message : words).slice(0, 2_000);
}
