// node --test, driven by a program of ours through Node's own test API: each file in a process of its own.
//
//   N1  The driver writes the report and seals it with a nonce that the tested processes were never told.
//   N2  A file counts only when its process has summed up its tests at its end: one that was left early has not.
//   N3  Tested code cannot change what `node:assert` and `node:test` are.

import type { TestResult } from "../cell.ts";
import { readPrograms } from "../programs.ts";
import { faultWith, sealedStatement } from "./evidence.ts";
import { type JunitCase, readJunit } from "./junit.ts";
import type { Finding, Runner, RunnerRun } from "./types.ts";

const PROGRAMS = readPrograms("node/runners");

export const nodeRunner: Runner = {
  name: "node --test",
  namesBySource: true,

  job(run) {
    const facts = {
      files: run.files.map(({ inside }) => inside),
      reports: run.reports,
      guard: `${run.guards}/guard.mjs`,
    };
    return {
      command: ["node", "--no-warnings", `${run.guards}/run-node.mjs`, JSON.stringify(facts)],
      guards: PROGRAMS,
      stdin: `${run.nonce}\n`,
      env: { NO_COLOR: "1" },
    };
  },

  read(evidence, run) {
    const xml = evidence.report("report.xml");
    if (xml === undefined) return { fault: faultWith("node --test ended without a report", evidence.output) };
    const { cases, fault } = readJunit(xml);
    if (fault !== undefined) return { fault: faultWith(fault, evidence.output) };
    const statement = sealedStatement(evidence, run.nonce, xml);
    if (!statement) {
      return {
        fault: faultWith("node --test ended before its report was sealed: it cannot be believed", evidence.output),
      };
    }
    const { ended, seen } = statement as Record<"ended" | "seen", Record<string, number>>;
    const cut = run.files.find(({ inside }) => !ended[inside] || ended[inside] !== seen[inside]);
    if (cut) return { fault: cutFault(cut.path, cases, cut.inside, evidence.output) };
    if ((evidence.code === 0) === statement.failed) {
      return { fault: `node --test ended with the code ${evidence.code}, which its report belies` };
    }
    return resultsOf(cases, run);
  },
};

/** Why a file's process never said how many tests it had. */
function cutFault(path: string, cases: readonly JunitCase[], inside: string, output: string): string {
  const own = cases.find(({ file, state }) => file === inside && state === "failed");
  const sentence = own
    ? `${path} could not be run to its end: it does not load, or its process was left`
    : `${path} ended before its tests had: its process was left`;
  return faultWith(sentence, withoutOwnFrames(output));
}

function resultsOf(cases: readonly JunitCase[], run: RunnerRun): Finding {
  const counts = new Map<string, number>();
  const tests = cases.map((each): TestResult => {
    const path = run.files.find(({ inside }) => inside === each.file)?.path ?? each.file;
    const base = [path, ...each.suites, each.name].join(" > ");
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    const name = count > 1 ? `${base} (${count})` : base;
    return { name, state: each.state, ...(each.state === "passed" ? {} : { failure: nodeFailure(each) }) };
  });
  return { tests };
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
