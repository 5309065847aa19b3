// One test run: the runner's job in the sandbox, its evidence, and the report that it comes to.
//
// Tests that lie outside the checkout are copied for one run: they may write beside themselves, every file of theirs is read-only, and
// nothing of it survives the run.

import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { removeAll, type Sandbox, type SandboxJob } from "@loopwright/sandbox";
import { lookIn, readPlain } from "../folder/files.ts";
import { isRunnerFile } from "../folder/protected.ts";
import type { TestReport, TestResult } from "../options.ts";
import { readTestSource } from "../tests/source.ts";
import { loadsTests } from "./known.ts";
import type { Finding, Runner, RunnerRun, TestFile, TestPlan } from "./types.ts";

export interface TestRun extends TestPlan, Pick<SandboxJob, "readOnly" | "limits" | "signal"> {
  sandbox: Sandbox;
  runner: Runner;
  /** Where a job sees the folder. */
  inside: string;
  mounts: Readonly<Record<string, string>>;
  scratch: readonly string[];
  /** Tests outside the checkout, which may write beside themselves. */
  testCopies?: readonly TestCopy[];
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
  const settled = await settleFinding(finding, test);
  const ms = Math.round(performance.now() - started);
  if (settled.fault !== undefined) {
    const { fault } = settled;
    const failure = fault.split("\n").slice(0, 12).join("\n").slice(0, 1_000);
    const names = runner.namesBySource ? await declaredNames(files) : [];
    const tests = names.map((name): TestResult => ({ name, state: "failed", failure }));
    return { runner: runner.name, tests, failureLines: fault, fault, ms };
  }
  const { tests, loaded } = settled;
  return { runner: runner.name, tests, failureLines: failureLines(tests), ...(loaded && { loaded }), ms };
}

async function findOut(test: TestRun): Promise<Finding> {
  const { runner, folder, sandbox, inside, readOnly, scratch, limits, signal } = test;
  const place = mkdtempSync(join(tmpdir(), "loopwright-tests-"));
  const [guards, reports] = [join(place, "guards"), join(place, "reports")];
  try {
    if (runner.programs) cpSync(runner.programs, guards, { recursive: true });
    mkdirSync(guards, { recursive: true });
    mkdirSync(reports);
    const copies = openCopies(test.testCopies ?? [], place);
    const isBare = sandbox.kind === "none";
    const run: RunnerRun = {
      ...test,
      files: isBare ? test.files.map((file) => ({ ...file, inside: copies.moved(file.inside) })) : test.files,
      workspace: seenAt(sandbox, inside, folder),
      guards: seenAt(sandbox, GUARDS, guards),
      reports: seenAt(sandbox, REPORTS, reports),
      isolated: !isBare,
    };
    const { command, env } = runner.job(run);
    const {
      code,
      stopped,
      output,
      removed = [],
    } = await sandbox.run({
      ...{ command, workspace: folder, inside, readOnly, scratch, limits, signal },
      mounts: { ...test.mounts, ...copies.mounts, [GUARDS]: guards },
      writable: { ...copies.writable, [REPORTS]: reports },
      ...(env && { env }),
    });
    if (stopped !== undefined) return { fault: `The tests were stopped: ${stopped}` };
    // Another test file's process may have gone by it.
    const made = removed.find((path) => basename(path) === "conftest.py") ?? copies.made();
    if (made !== undefined) return { fault: `${made}, which configures the runner, was made while the tests ran` };
    const report = () => readLeft(reports, "report.json");
    const found = runner.read({ code, output, report, left: (path) => readLeft(folder, path) }, run);
    return named(found, test.testCopies);
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

/** A file that a job may have left, unless it is too long; a link or a pipe is nothing. */
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

const NONE_COLLECTED = "no test was collected";
const NO_FILES = "there are no test files";

/** Whether that is why a run gave no results. */
export function isWithoutTests(fault: string): boolean {
  return fault === NONE_COLLECTED || fault === NO_FILES;
}

/** Words by which tests, or what configures them, may leave some out. */
const SELECTS = /python_(?:files|classes|functions)|-k\b|-m\b|--deselect|--ignore|collect_ignore|modifyitems|deselect/;

const SKIPS = /skip|todo|xfail|expectedFailure|\bx(?:it|test|describe)\b|\.only\b/i;

/** Results that hold up: every test that a file plainly declares is there, and none was skipped from elsewhere. */
export async function settleFinding(
  finding: Finding,
  { runner, files, configuration, isLenient }: Pick<TestRun, "runner" | "files" | "configuration" | "isLenient">,
): Promise<Finding> {
  if (finding.fault !== undefined) return finding;
  if (finding.tests.length === 0) return { fault: NONE_COLLECTED };
  // A suite skips by helpers of its own; what passed before and is skipped now is missed by whoever knows it.
  if (!runner.namesBySource || isLenient) return finding;
  const configurations = Object.values(configuration);
  const isSelected = configurations.some((text) => SELECTS.test(text)) || files.some(loadsTests);
  const reported = new Set(finding.tests.flatMap(({ name }) => [name, name.split("[", 1)[0]!]));
  const missing = isSelected ? [] : (await declaredNames(files)).filter((name) => !reported.has(name));
  if (missing.length > 0) {
    const names = missing.slice(0, 5).join(", ");
    return { fault: `${missing.length} tests that the test files declare were never reported: ${names}` };
  }
  const texts = [...files.map(({ source }) => source), ...configurations];
  const maySkip = texts.some((text) => SKIPS.test(text));
  return { ...finding, tests: maySkip ? finding.tests : finding.tests.map(unskipped) };
}

/** The tests that files plainly declare, run or not; one with errors in its syntax declares none. */
async function declaredNames(files: readonly TestFile[]): Promise<string[]> {
  const sources = await Promise.all(files.map(({ path, source }) => readTestSource(path, source)));
  return [...new Set(sources.flatMap(({ names, isBroken }) => (isBroken ? [] : names)))];
}

/** A skip that no test file asks for was raised by the tested code, which is a failure. */
function unskipped(test: TestResult): TestResult {
  if (test.state !== "skipped" && test.state !== "xfailed") return test;
  const failure = `The tested code skipped this test, which the test file does not do. ${test.failure ?? ""}`.trim();
  return { ...test, state: "failed", failure };
}

/** Where tests lie on the machine, and where a job sees them. */
export interface TestCopy {
  from: string;
  place: string;
}

/** More files than that are seen read-only as they lie: each one is a mount. */
const MOST_FILES = 2_000;

type Mounts = Required<Pick<SandboxJob, "mounts" | "writable">>;

/** Makes copies in a folder of the run's own; `moved` is where a path of theirs lies in place of its original, `made` a file that
 * configures runners and was not there before. */
export function openCopies(copies: readonly TestCopy[], folder: string) {
  const opened = copies.map(({ from, place }, index) => openCopy(from, place, join(folder, String(index))));
  return {
    mounts: Object.assign({}, ...opened.map(({ mounts }) => mounts)) as Mounts["mounts"],
    writable: Object.assign({}, ...opened.map(({ writable }) => writable)) as Mounts["writable"],
    moved(path: string): string {
      const at = copies.findIndex(({ from }) => path.startsWith(`${from}/`));
      return at < 0 ? path : join(folder, String(at), path.slice(copies[at]!.from.length));
    },
    made: () => opened.map(({ made }) => made()).find((path) => path !== undefined),
  };
}

function openCopy(from: string, place: string, to: string): Mounts & { made(): string | undefined } {
  const isFolder = lstatSync(from).isDirectory();
  // Folders stand before what they hold; a link is followed by nobody.
  const entries = isFolder ? readdirSync(from, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile());
  if (!isFolder || files.length > MOST_FILES) return { mounts: { [place]: from }, writable: {}, made: () => undefined };
  mkdirSync(to);
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  const all = (found: typeof entries) =>
    Object.fromEntries(
      found.map(({ parentPath, name }) => {
        const path = join(parentPath, name).slice(from.length + 1);
        return [join(place, path), join(to, path)];
      }),
    );
  // Each folder is a mount too: one that holds mounts could be renamed else, and another put in its place.
  const folders = all(entries.filter((entry) => entry.isDirectory()));
  const now = () => readdirSync(to, { recursive: true, encoding: "utf8" });
  const made = () =>
    now().find((path) => isRunnerFile(path) && !lstatSync(join(from, path), { throwIfNoEntry: false }));
  return { mounts: all(files), writable: { [place]: to, ...folders }, made };
}

/** Texts in which tests that are seen where the user has them are called by their names. */
export function callByName(copies: readonly TestCopy[]): (text: string) => string {
  const own = copies.filter(({ place }) => !place.startsWith("/loopwright/"));
  return (text) => own.reduce((done, { from, place }) => done.replaceAll(place, basename(from)), text);
}
