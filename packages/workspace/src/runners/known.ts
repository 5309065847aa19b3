// The runners that are known by name: their programs, and the one report that all of them write.
//
//   K1  Each test file has a process of its own. One that was left early has no results.
//   K2  The report is written by their parent, which loads nothing of the workspace and which they cannot reach, after the last of
//       them is dead.
//   K3  Python runs isolated: no PYTHON* variables, no user site. The workspace comes onto the path only after pytest and its
//       plugins are loaded, so nothing in it can stand in for them; from then on no bytecode is read or written. What pytest would
//       not do is unittest's own: a file with `load_tests`, and all of them where it is not installed.
//   K4  Its configuration is a file that was there at the start, or none.

import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { lookIn, readPlain } from "../folder/files.ts";
import { Results } from "../judging/judge.ts";
import type { TestResult } from "../options.ts";
import { PYTEST_FILES } from "../tests/names.ts";
import { RUNNERS, type RunnerName } from "./table.ts";
import type { Evidence, Finding, Runner, RunnerRun, TestFile } from "./types.ts";

/** Where the programs lie, as seen from the sources and from what is built of them alike. */
export const programsFolder = join(import.meta.dirname, "../../programs");

const LONGEST_FAULT = 6_000;

/** The runner of a name. */
export function knownRunner(key: RunnerName): Runner {
  const { language, title: name = key } = RUNNERS[key];
  const isPython = language === "python";
  return {
    name,
    namesBySource: true,
    programs: join(programsFolder, isPython ? "python" : "node"),
    job(run) {
      const { workspace, guards, reports, isolated } = run;
      const files = run.files.map(({ inside }) => inside);
      const facts = { runner: name, files, workspace, guards, reports, isolated, jobs: availableParallelism() };
      if (isPython) return { command: pythonCommand(key, facts, run) };
      const command = ["node", "--no-warnings", `${guards}/${key}.mjs`, JSON.stringify(facts)];
      return { command, env: { NO_COLOR: "1", CI: "1" } };
    },
    read: (evidence, run) => readReport(evidence, run, { name, separator: isPython ? "::" : " > " }),
  };
}

const FileReport = z.object({
  tests: Results.default([]),
  /** Why it does not load. */
  broken: z.string().optional(),
  /** What else went wrong with it, and the end of what it printed. */
  fault: z.string().optional(),
  output: z.string().default(""),
  /** The files of the workspace that it loaded. */
  loaded: z.array(z.string()).optional(),
});
type FileReport = z.infer<typeof FileReport>;

const Report = z.object({ files: z.record(z.string(), FileReport), fault: z.string().optional() });

/** What the report of the tested processes' parent comes to; there is none where it did not live to write it. */
export function readReport(
  evidence: Evidence,
  { files, isLenient }: Pick<RunnerRun, "files" | "isLenient">,
  { name, separator }: { name: string; separator: string },
): Finding {
  const report = evidence.code === 0 ? parsed(evidence.report()) : undefined;
  const missing = `${name} ended without a report`;
  if (!report) return { fault: errorWith(missing, evidence.output) };
  if (report.fault !== undefined) return { fault: errorWith(report.fault, evidence.output) };
  const told = files.map((file) => ({ file, ...(report.files[file.inside] ?? FileReport.parse({ fault: missing })) }));
  const loaded = told.flatMap((each) => (each.loaded ? [[each.file.path, each.loaded] as const] : []));
  const found = told.map((each) => resultsOf(each, separator));
  const broken = told.flatMap((each) => (each.broken === undefined ? [] : [cutMiddle(each.broken)]));
  const faults = found.flatMap(({ fault }) => fault ?? []);
  if (!isLenient && faults.length > 0) {
    const lines = broken.length > 0 ? ["The tests could not be collected:", ...broken] : [...new Set(faults)];
    return { fault: lines.join("\n").slice(0, LONGEST_FAULT) };
  }
  const tests = found.flatMap(({ tests, fault }, at): TestResult[] =>
    fault === undefined ? tests : [{ name: files[at]!.path, state: "failed", failure: cutMiddle(fault) }],
  );
  return { tests, ...(loaded.length > 0 && { loaded: Object.fromEntries(loaded) }) };
}

function parsed(text = ""): z.infer<typeof Report> | undefined {
  try {
    return Report.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What a file's process comes to; it is called by its name, wherever it lay. */
function resultsOf(
  { file, tests, broken, fault, output }: FileReport & { file: TestFile },
  separator: string,
): Finding {
  if (broken !== undefined) return { fault: broken };
  if (fault !== undefined) return { fault: errorWith(fault.replace(file.inside, file.path), output) };
  const named = tests.map((each) => ({ ...each, name: `${file.path}${separator}${each.name}` }));
  return { tests: namedResults(named) };
}

const LONGEST_FAILURE = 2_000;
const LONGEST_TAIL = 1_500;

/** Results by name, each that did not pass with its words; a name that occurs again gets a number. */
export function namedResults(tests: readonly TestResult[]): TestResult[] {
  const counts = new Map<string, number>();
  return tests.map(({ name, state, failure = "" }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const words = state === "passed" ? "" : cutMiddle(failure.trim());
    return { name: count > 1 ? `${name} (${count})` : name, state, ...(words !== "" && { failure: words }) };
  });
}

/** The end of an output, where programs say what went wrong. */
export function tailOf(output: string): string {
  const text = output.trim();
  return text.length <= LONGEST_TAIL ? text : `…\n${text.slice(-LONGEST_TAIL)}`;
}

/** A sentence, and what the program last printed under it. */
export function errorWith(sentence: string, output: string): string {
  const tail = tailOf(output);
  return tail === "" ? sentence : `${sentence}\n${tail}`;
}

/** A text without its middle where it is too long. */
export function cutMiddle(text: string): string {
  if (text.length <= LONGEST_FAILURE) return text;
  const half = LONGEST_FAILURE / 2;
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}

/** The command that runs test files, each in the way of a runner. */
export function pythonCommand(runner: string, facts: object, run: RunnerRun): string[] {
  const { configuration, packageFolders, guards, workspace } = run;
  const config = PYTEST_FILES.find((name) => name in configuration);
  const all = {
    ...facts,
    files: run.files.map((file) => [file.inside, runner === "pytest" && loadsTests(file) ? "unittest" : runner]),
    roots: rootsOf(run),
    config: config ? `${workspace}/${config}` : null,
    plugins: run.loadsPlugins,
    nowhere: `/nonexistent/${randomBytes(4).toString("hex")}`,
  };
  const interpreter = packageFolders.includes(".venv") ? `${workspace}/.venv/bin/python` : "python3";
  return [interpreter, "-I", "-B", `${guards}/run.py`, JSON.stringify(all)];
}

/** Whether a file chooses its tests by itself, which pytest would not hear of. */
export function loadsTests({ source }: TestFile): boolean {
  return /^def load_tests\b/m.test(source) && !/\bpytest\b/.test(source);
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
  return found.filter((path) => !/^\.?$|^\/|(?:^|\/)\.\.(?:\/|$)/.test(path));
}
