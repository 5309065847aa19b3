// Runners that write JUnit XML and know nothing of us: vitest, and any command. What they say is believed only where their
// exit code says the same.

import type { TestResult } from "../cell.ts";
import { removePath } from "../folder/files.ts";
import { failureOf, faultWith } from "./evidence.ts";
import { type JunitCase, readJunit } from "./junit.ts";
import type { Evidence, Finding, Runner, RunnerRun } from "./types.ts";

export const vitestRunner: Runner = {
  name: "vitest",
  namesBySource: true,

  job({ workspace, reports, files }) {
    const program = `${workspace}/node_modules/vitest/vitest.mjs`;
    const options = ["run", "--root", workspace, "--reporter=junit", `--outputFile=${reports}/report.xml`];
    const quiet = ["--no-color", "--cache=false", "--passWithNoTests=false", "--coverage.enabled=false"];
    return {
      command: ["node", program, ...options, ...quiet, ...files.map(({ inside }) => inside)],
      env: { NO_COLOR: "1", CI: "1" },
    };
  },

  read(evidence, run) {
    const isWhole = ({ name, isError }: JunitCase) => isError || isFile(fileNamed(name, run), run);
    const nameOf = ({ classname, name }: JunitCase) => [fileNamed(classname, run), name].join(" > ");
    return readReport("vitest", "report.xml", evidence, nameOf, isWhole);
  },
};

/** A runner that is a command line of the user's; its report's path is in the workspace. */
export function commandRunner({ command, junit }: { command: string; junit: string }): Runner {
  return {
    name: command,
    namesBySource: false,

    job({ folder }) {
      // A report from before would be believed in place of the one that this run fails to write.
      removePath(folder, junit);
      return { command: ["sh", "-c", command], env: { NO_COLOR: "1", CI: "1" } };
    },

    read(evidence) {
      return readReport(`'${command}'`, `workspace:${junit}`, evidence, ({ classname, name }) =>
        [classname, name].filter(Boolean).join("::"),
      );
    },
  };
}

function readReport(
  who: string,
  report: string,
  evidence: Evidence,
  nameOf: (each: JunitCase) => string,
  isWholeFile: (each: JunitCase) => boolean = () => false,
): Finding {
  const xml = evidence.report(report);
  if (xml === undefined) return { fault: faultWith(`${who} ended without a report`, evidence.output) };
  const { cases, fault } = readJunit(xml);
  if (fault !== undefined) return { fault: faultWith(fault, evidence.output) };
  const broken = cases.filter((each) => each.state === "failed" && isWholeFile(each));
  if (broken.length > 0) return { fault: ["The tests could not be collected:", ...broken.map(failureOf)].join("\n") };
  const tests = namedResults(cases, nameOf);
  const hasFailed = tests.some(({ state }) => state === "failed");
  if ((evidence.code === 0) === hasFailed) {
    return {
      fault: faultWith(`${who} ended with the code ${evidence.code}, which its report belies`, evidence.output),
    };
  }
  return { tests };
}

/** Results by name; a name that occurs again gets a number. */
function namedResults(cases: readonly JunitCase[], nameOf: (each: JunitCase) => string): TestResult[] {
  const counts = new Map<string, number>();
  return cases.map((each) => {
    const base = nameOf(each);
    const count = (counts.get(base) ?? 0) + 1;
    counts.set(base, count);
    const name = count > 1 ? `${base} (${count})` : base;
    const failure = failureOf(each);
    return { name, state: each.state, ...(each.state === "passed" || failure === "" ? {} : { failure }) };
  });
}

function isFile(name: string, run: RunnerRun): boolean {
  return run.files.some(({ path, inside }) => path === name || inside === name);
}

function fileNamed(classname: string, { files, workspace }: RunnerRun): string {
  const file = files.find(({ inside, path }) => [inside, path, inside.slice(workspace.length + 1)].includes(classname));
  return file?.path ?? classname;
}
