// A runner that is a command of the user's. What its report says is believed only where its exit code says the same; one
// that writes none is one test, by its own name.

import { removePath } from "../folder/files.ts";
import { readJunit } from "./junit.ts";
import { errorWith, namedResults, tailOf } from "./known.ts";
import { readTap } from "./tap.ts";
import type { Evidence, Finding, Runner } from "./types.ts";

/** What the report's file may be written in, by its beginning; the last takes what no other does. A new form is a file that reads a text to
 * tests, and a row here. What is printed does not come here. */
const FORMATS: readonly { begins: RegExp; read: (text: string) => Finding }[] = [
  { begins: /^\s*(?:TAP version|1\.\.\d|(?:not )?ok\b|# Subtest)/, read: readTap },
  { begins: /^/, read: readJunit },
];

/** Lines in which usual programs say that something passed: what failed would not be seen for them. */
const PASSED = /^\s*(?:ok \d|✔ |✓ |--- PASS: |PASS ).*\n/gm;

/** How a shell says that there is nothing it could run. */
const [NOT_EXECUTABLE, NOT_FOUND] = [126, 127];

/** A runner that is a command line; its report's path is in the workspace. */
export function commandRunner({ command, report }: { command: string; report?: string }): Runner {
  return {
    name: command,
    namesBySource: false,

    job({ folder }) {
      // A report from before would be believed in place of the one that this run fails to write.
      if (report !== undefined) removePath(folder, report);
      return { command: ["sh", "-c", command], env: { NO_COLOR: "1", CI: "1" } };
    },

    read(evidence) {
      return report === undefined ? readCode(command, evidence) : readReport(command, report, evidence);
    },
  };
}

function readCode(name: string, { code, output }: Evidence): Finding {
  if (code === NOT_EXECUTABLE || code === NOT_FOUND) {
    const said = output.trim().split("\n").at(-1) || `exit code ${code}`;
    return { fault: errorWith(`'${name}' could not be run: ${said}`, output) };
  }
  if (code === 0) return { tests: [{ name, state: "passed" }] };
  return {
    tests: [{ name, state: "failed", failure: `${tailOf(output.replace(PASSED, ""))}\nexit code ${code}`.trim() }],
  };
}

function readReport(command: string, report: string, evidence: Evidence): Finding {
  const text = evidence.left(report);
  if (text === undefined) return { fault: errorWith(`'${command}' ended without a report`, evidence.output) };
  const { tests: told, fault } = FORMATS.find(({ begins }) => begins.test(text))!.read(text);
  if (fault !== undefined) return { fault: errorWith(fault, evidence.output) };
  const tests = namedResults(told);
  const hasFailed = tests.some(({ state }) => state === "failed");
  if ((evidence.code === 0) !== hasFailed) return { tests };
  const sentence = `'${command}' ended with the code ${evidence.code}, which its report belies`;
  return { fault: errorWith(sentence, evidence.output) };
}
