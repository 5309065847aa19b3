// What test files hold when they cannot be run: each test by the name that a run would give it, as failed.
//
// Before an implementer has written a line, every import of the tests fails. pytest then collects them alone, with a
// stand-in for each module that is missing; a case that is made from such a stand-in has no name yet, and is left out.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { removeAll, WORKSPACE } from "@loopwright/sandbox";
import type { TestResult } from "../cell.ts";
import { readProgram } from "../programs.ts";
import { readTestSource } from "../tests/source.ts";
import { pytestRunner } from "./pytest.ts";
import type { TestRun } from "./run.ts";

const PROGRAM = readProgram("python/runners/collect.py");
const MARK = "collected: ";
const LONGEST_OUTPUT = 2_000_000;

/** The tests of files that could not be run, each failed with the reason; none where not even that can be told. */
export async function collectAlone(test: TestRun, fault: string): Promise<TestResult[]> {
  if (!test.runner.namesBySource) return [];
  const names = test.runner === pytestRunner ? await collectPython(test) : await declaredNames(test);
  const failure = fault.split("\n").slice(0, 12).join("\n").slice(0, 1_000);
  return [...new Set(names)].map((name) => ({ name, state: "failed", failure }));
}

async function declaredNames({ files }: TestRun): Promise<string[]> {
  const sources = await Promise.all(files.map(({ path, source }) => readTestSource(path, source)));
  return sources.flatMap(({ names }) => names);
}

/** Collects in a folder that holds the protected files and nothing else, so that no implementer has a hand in it. */
async function collectPython({
  sandbox,
  files,
  configuration,
  loadsPlugins,
  limits,
  signal,
}: TestRun): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-collect-"));
  try {
    const own = Object.entries(configuration).filter(([path]) => /(?:\.py|\.ini|\.toml|\.cfg)$/.test(path));
    const written = [...own, ...files.map(({ path, source }) => [path, source] as const)];
    for (const [path, text] of written) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(join(folder, ".collect.py"), PROGRAM);
    writeFileSync(join(folder, ".empty.ini"), "[pytest]\n");
    const workspace = sandbox.kind === "none" ? folder : WORKSPACE;
    const config = ["pytest.toml", "pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"].find(
      (name) => name in configuration,
    );
    const facts = {
      workspace,
      config: `${workspace}/${config ?? ".empty.ini"}`,
      files: files.map(({ path }) => `${workspace}/${path}`),
      mark: MARK,
    };
    const { output } = await sandbox.run({
      command: ["python3", "-I", "-B", `${workspace}/.collect.py`, JSON.stringify(facts)],
      workspace: folder,
      readOnly: [],
      env: loadsPlugins ? {} : { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" },
      limits: { ...limits, outputChars: LONGEST_OUTPUT },
      signal,
    });
    const line = output.split("\n").findLast((each) => each.startsWith(MARK));
    return line ? (JSON.parse(line.slice(MARK.length)) as string[]) : [];
  } finally {
    await removeAll(folder);
  }
}
