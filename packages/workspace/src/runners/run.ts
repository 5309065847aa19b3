// One test run: the runner's job in the sandbox, its evidence, and the report that it comes to.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type Limits, removeAll, type Sandbox, type SandboxJob } from "@loopwright/sandbox";
import type { TestReport, TestResult } from "../cell.ts";
import { lookIn, readPlain } from "../folder/files.ts";
import { drawCanaries } from "./canaries.ts";
import { collectAlone } from "./collect.ts";
import { callByName, openCopies, type TestCopy } from "./copies.ts";
import { NO_FILES, settleFinding } from "./settle.ts";
import type { Evidence, Finding, Runner, RunnerRun, TestFile } from "./types.ts";

export interface TestRun {
  sandbox: Sandbox;
  runner: Runner;
  folder: string;
  /** Where a job sees the folder. */
  inside: string;
  files: readonly TestFile[];
  /** Protected files by path, with their contents where they configure. */
  configuration: Readonly<Record<string, string>>;
  /** Folders of installed packages that were there at the start. */
  packageFolders: readonly string[];
  loadsPlugins: boolean;
  isLenient?: boolean;
  readOnly: readonly string[];
  mounts: Readonly<Record<string, string>>;
  scratch: readonly string[];
  /** Tests outside the checkout, which may write beside themselves. */
  testCopies?: readonly TestCopy[];
  limits: Limits;
  signal: AbortSignal;
}

const GUARDS = "/loopwright/guards";
const REPORTS = "/loopwright/reports";
const LONGEST_LINES = 12_000;
const LONGEST_REPORT = 2 ** 26;

/** Where a job sees a folder: at the path that a sandbox gives it, and where it lies without one. */
export function seenAt(sandbox: Sandbox, inside: string, folder: string): string {
  return sandbox.kind === "none" ? folder : inside;
}

/** Runs the tests. Whatever keeps results from being had is a fault of the report, never a pass. */
export async function runTestFiles(test: TestRun): Promise<TestReport> {
  const { runner, files } = test;
  const started = performance.now();
  const finding = runner.namesBySource && files.length === 0 ? { fault: NO_FILES } : await findOut(test);
  const configurations = Object.values(test.configuration);
  const settled = await settleFinding(finding, runner, files, configurations, test.isLenient);
  const ms = Math.round(performance.now() - started);
  if (settled.fault !== undefined) {
    const tests = await collectAlone(test, settled.fault);
    return { runner: runner.name, tests, failureLines: settled.fault, fault: settled.fault, ms };
  }
  const { tests, loaded } = settled;
  return { runner: runner.name, tests, failureLines: failureLines(tests), ...(loaded && { loaded }), ms };
}

async function findOut(test: TestRun): Promise<Finding> {
  const { runner, folder, sandbox } = test;
  const place = mkdtempSync(join(tmpdir(), "loopwright-tests-"));
  const [guards, reports] = [join(place, "guards"), join(place, "reports")];
  try {
    mkdirSync(guards);
    mkdirSync(reports);
    const copies = openCopies(test.testCopies ?? [], place);
    const isBare = sandbox.kind === "none";
    const run: RunnerRun = {
      files: isBare ? test.files.map((file) => ({ ...file, inside: copies.moved(file.inside) })) : test.files,
      workspace: seenAt(sandbox, test.inside, folder),
      guards: seenAt(sandbox, GUARDS, guards),
      reports: seenAt(sandbox, REPORTS, reports),
      canaries: drawCanaries(),
      isolated: !isBare,
      folder,
      configuration: [...Object.keys(test.configuration), ...test.packageFolders],
      loadsPlugins: test.loadsPlugins,
      isLenient: test.isLenient ?? false,
    };
    const { command, guards: programs = {}, env } = runner.job(run);
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(guards, name), text);
    const job: SandboxJob = {
      command,
      workspace: folder,
      inside: test.inside,
      readOnly: test.readOnly,
      mounts: { ...test.mounts, ...copies.mounts, [GUARDS]: guards },
      scratch: test.scratch,
      writable: { ...copies.writable, [REPORTS]: reports },
      limits: test.limits,
      signal: test.signal,
      ...(env ? { env } : {}),
    };
    const { code, stopped, output, removed = [] } = await sandbox.run(job);
    if (stopped !== undefined) return { fault: `The tests were stopped: ${stopped}` };
    // Another test file's process may have gone by it.
    const made = removed.find((path) => basename(path) === "conftest.py") ?? copies.made();
    if (made !== undefined) return { fault: `${made}, which configures the runner, was made while the tests ran` };
    return named(runner.read({ code, output, report: reportReader(reports, folder) }, run), test.testCopies);
  } finally {
    await removeAll(place);
  }
}

/** A finding that calls tests by their names, wherever they lay. */
function named(finding: Finding, copies: readonly TestCopy[] = []): Finding {
  const plain = callByName(copies);
  if (finding.fault !== undefined) return { fault: plain(finding.fault) };
  const tests = finding.tests.map((each) => (each.failure ? { ...each, failure: plain(each.failure) } : each));
  return { ...finding, tests };
}

/** Reads what a job left, as plain files only: a link or a pipe is nothing. */
function reportReader(reports: string, folder: string): Evidence["report"] {
  return (name) => {
    const [root, path] = name.startsWith("workspace:") ? [folder, name.slice("workspace:".length)] : [reports, name];
    return readLeft(root, path);
  };
}

/** A file that a job may have left, unless it is too long. */
export function readLeft(root: string, path: string): string | undefined {
  const found = lookIn(root, path);
  if (!found?.isFile() || found.size > LONGEST_REPORT) return undefined;
  return readPlain(root, path)?.toString("utf8");
}

/** The failing tests' own words. */
export function failureLines(tests: readonly TestResult[]): string {
  const failed = tests.filter(({ state }) => state === "failed");
  let text = "";
  for (const [index, { name, failure }] of failed.entries()) {
    const more = `FAILED ${name}\n${failure ?? ""}`.trimEnd();
    if (text.length + more.length > LONGEST_LINES)
      return `${text}\n… and ${failed.length - index} more failing tests`.trim();
    text = text === "" ? more : `${text}\n\n${more}`;
  }
  return text;
}
