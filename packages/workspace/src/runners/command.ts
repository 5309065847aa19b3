// Runners that write JUnit XML and know nothing of us: vitest, and any command. Each test file of vitest's has a process of its own,
// with tests of ours at its end; what a command says is believed only where its exit code says the same.

import type { TestResult } from "../cell.ts";
import { removePath } from "../folder/files.ts";
import { readPrograms } from "../programs.ts";
import { grammarOf } from "../tests/grammar.ts";
import { canariesInScript, tamperedWith } from "./canaries.ts";
import { failureOf, faultWith, parentReport } from "./evidence.ts";
import { type JunitCase, readJunit } from "./junit.ts";
import type { Evidence, Finding, Runner, RunnerChoice, RunnerRun } from "./types.ts";

const PROGRAMS = readPrograms("node/runners");
const CANARY_HEAD = 'const { test, expect } = await import("vitest"); const same = (a, b) => expect(a).toBe(b);\n';

export const vitestRunner: Runner = {
  name: "vitest",
  namesBySource: true,

  job({ workspace, reports, guards, isolated, files, canaries }) {
    const facts = { workspace, reports, guards, isolated, files: files.map(({ inside }) => inside) };
    return {
      command: ["node", "--no-warnings", `${guards}/run-vitest.mjs`, JSON.stringify(facts)],
      guards: { ...PROGRAMS, "canaries.txt": `{ ${CANARY_HEAD}${canariesInScript(canaries)} }` },
      env: { NO_COLOR: "1", CI: "1" },
    };
  },

  read(evidence, run) {
    const report = parentReport(evidence) as { xml: string | null; errors: number } | undefined;
    if (!report?.xml) return { fault: faultWith("vitest ended without a report", evidence.output) };
    const { cases, fault } = readJunit(report.xml);
    if (fault !== undefined) return { fault: faultWith(fault, evidence.output) };
    const isWhole = ({ name, isError }: JunitCase) => isError || isFile(fileNamed(name, run), run);
    const broken = cases.filter((each) => each.state === "failed" && isWhole(each));
    if (broken.length > 0) return { fault: ["The tests could not be collected:", ...broken.map(failureOf)].join("\n") };
    if (report.errors > 0) return { fault: faultWith("vitest met errors outside its tests", evidence.output) };
    const isOwn = ({ name }: JunitCase) => run.canaries.some((own) => own.name === name);
    for (const { path } of run.files) {
      const own = cases.filter((each) => isOwn(each) && fileNamed(each.classname, run) === path);
      const tampered = tamperedWith(run.canaries, new Map(own.map(({ name, state }) => [name, state])));
      if (tampered !== undefined) return { fault: tampered };
    }
    const nameOf = ({ classname, name }: JunitCase) => [fileNamed(classname, run), name].join(" > ");
    return {
      tests: namedResults(
        cases.filter((each) => !isOwn(each)),
        nameOf,
      ),
    };
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

const RECIPES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
  nox: ["noxfile.py"],
};

/** The files of the workspace that a command is run by: the scripts that it names, and recipes. A source that it names may be what
 * is worked on. */
export function commandFiles(choice: RunnerChoice | undefined): string[] {
  if (typeof choice !== "object") return [];
  const words = choice.command.split(/[\s;&|()"'`<>=]+/).map((word) => word.replace(/^(?:\.\/)+/, ""));
  const paths = words.filter((word) => /^[\w@%+.-]+(?:\/[\w@%+.-]+)*$/.test(word) && grammarOf(word) === undefined);
  const named = paths.filter((path) => path !== choice.junit && !path.split("/").includes(".."));
  return [...named, ...words.flatMap((word) => RECIPES[word] ?? [])];
}

function readReport(who: string, report: string, evidence: Evidence, nameOf: (each: JunitCase) => string): Finding {
  const xml = evidence.report(report);
  if (xml === undefined) return { fault: faultWith(`${who} ended without a report`, evidence.output) };
  const { cases, fault } = readJunit(xml);
  if (fault !== undefined) return { fault: faultWith(fault, evidence.output) };
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
