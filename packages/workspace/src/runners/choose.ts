// Which runner a workspace's tests have: the one that was named, else the one that they and their package.json speak for.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "@loopwright/core";
import { readPlain } from "../folder/files.ts";
import { grammarOf } from "../tests/grammar.ts";
import { knownRunner } from "./known.ts";
import { RUNNER_NAMES, RUNNERS, type RunnerName } from "./table.ts";
import type { Runner, RunnerChoice, TestFile } from "./types.ts";

/** Where a workspace is, which test files it has, and by what setting a user says what runs them. */
export interface TestsThere {
  folder: string;
  files: readonly Pick<TestFile, "path" | "source">[];
  setting?: string | undefined;
}

/** The runner for test files. */
export async function chooseRunner(choice: RunnerChoice | undefined, there: TestsThere): Promise<Runner> {
  if (typeof choice === "object") return (await import("./command.ts")).commandRunner(choice);
  const name = choice ?? runnerOf(there);
  const { package: needed } = RUNNERS[name];
  if (needed !== undefined && !isInstalled(there, needed)) throw missing(needed, there);
  return knownRunner(name);
}

/** Whether a runner could be given a file: what is written in another language is another one's. */
export function isFor(choice: RunnerChoice | undefined, path: string): boolean {
  if (choice === undefined || typeof choice === "object") return true;
  return path.endsWith(".py") === (RUNNERS[choice].language === "python");
}

function runnerOf(there: TestsThere): RunnerName {
  const { files } = there;
  const python = files.filter(({ path }) => path.endsWith(".py"));
  if (python.length === files.length) return "pytest";
  if (python.length === 0) return scriptRunnerOf(there);
  const scripts = files.filter((file) => !python.includes(file));
  const [one, other] = ["pytest", scriptRunnerOf({ ...there, files: scripts })].map((name) => toType(there, name));
  const message = `${python.length} test files are in Python and ${scripts.length} in JavaScript: choose with ${one} or ${other}, or name a command that runs both, ${toType(there, "'make check'")}`;
  throw new UsageError("RUNNER_UNCLEAR", message);
}

const SCRIPTS = RUNNER_NAMES.filter((name) => RUNNERS[name].language === "script");

/** What the script that runs the tests names, else what the tests import, else what is installed. */
function scriptRunnerOf(there: TestsThere): RunnerName {
  const { folder, files } = there;
  const { scripts = {}, ...manifest } = manifestOf(folder);
  const script = scripts.test ?? "";
  const said = SCRIPTS.find((name) => RUNNERS[name].script?.test(script));
  if (said) return said;
  const imported = SCRIPTS.find((name) => files.some(({ source }) => RUNNERS[name].imports?.test(source)));
  if (imported) return imported;
  const packages = SCRIPTS.filter((name) => RUNNERS[name].package !== undefined);
  const known = packages.find((name) => isInstalled(there, name) || names(manifest, name));
  if (known) return known;
  const other = OTHERS.find((name) => names(manifest, name));
  if (other === undefined) return "node";
  // What else the script does, a linter before all, would decide too.
  const part = script
    .split(/&&|;/)
    .find((each) => each.includes(other))
    ?.trim();
  const command = part === undefined || part === script.trim() ? "'npm test'" : `"npx ${part.replace(/^npx /, "")}"`;
  const message = `the tests are ${other}'s, which is not known here: say what runs them, ${toType(there, command)}`;
  throw new UsageError("RUNNER_UNKNOWN", message);
}

const OTHERS = ["mocha", "ava", "tap", "tape", "jasmine", "uvu", "qunit", "karma"];

interface Manifest {
  scripts?: Record<string, string>;
  dependencies?: object;
  devDependencies?: object;
}

function manifestOf(folder: string): Manifest {
  try {
    return Object(JSON.parse(readPlain(folder, "package.json", "user")?.toString("utf8") ?? "{}")) as Manifest;
  } catch {
    return {};
  }
}

function names(manifest: Manifest, name: string): boolean {
  return [manifest.dependencies, manifest.devDependencies, manifest].some((each) => each && name in each);
}

/** Whether a package is installed in a folder that holds one of these files. */
function isInstalled({ folder, files }: TestsThere, name: string): boolean {
  const folders = new Set(["", ...files.flatMap(({ path }) => above(path))]);
  return [...folders].some((each) => existsSync(join(folder, each, "node_modules", name, "package.json")));
}

function above(path: string): string[] {
  const folder = dirname(path);
  return folder === "." || folder === "/" ? [] : [folder, ...above(folder)];
}

function missing(name: string, there: TestsThere): UsageError {
  const message = `${name} is not installed in the workspace: run \`npm install\` in ${there.folder}, or say what runs the tests, ${toType(there, "'npm test'")}`;
  return new UsageError("RUNNER_MISSING", message);
}

function toType({ setting = "test" }: TestsThere, value: string): string {
  return `-c ${setting}=${value}`;
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
  const named = paths.filter((path) => path !== choice.report && !path.split("/").includes(".."));
  return [...named, ...words.flatMap((word) => RECIPES[word] ?? [])];
}
