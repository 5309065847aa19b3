// The runners that are known by name: their programs, and the one report that all of them write.
//
//   K1  Each test file has a process of its own. One that was left early has no results.
//   K2  The report is written by their parent, which loads nothing of the workspace and which they cannot reach, after the last of
//       them is dead.

import { availableParallelism } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { TestResult } from "../cell.ts";
import { Results } from "../judging/report.ts";
import { pythonCommand } from "./python.ts";
import { RUNNERS, type RunnerName } from "./table.ts";
import { cutMiddle, errorWith, namedResults } from "./texts.ts";
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
