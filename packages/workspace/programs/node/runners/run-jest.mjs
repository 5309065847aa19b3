// Runs the jest of the workspace, a process for each test file with tests of ours at its end, and writes what they reported once all
// of them are dead. This process never loads a line of the workspace.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { byFolder, configurations, installed } from "./folders.mjs";
import { writeReport } from "./report.mjs";

const facts = JSON.parse(process.argv[2]);

const places = {
  name: "jest",
  isConfiguration: (name, read) =>
    /^jest\.config\.(?:[cm]?[jt]s|json)$/.test(name) || (name === "package.json" && "jest" in parsed(read())),
  hasProjects: (text) => /\bprojects\b["']?\s*:/.test(text),
};

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The runner that jest would take by itself, from where jest would look for it. */
function ownRunner(jest) {
  const from = [createRequire(`${jest}/package.json`)];
  for (const name of ["@jest/core", "jest-cli", "jest-config"]) {
    const path = resolved(from, name);
    if (path) from.unshift(createRequire(path));
  }
  const runner = resolved(from, "jest-circus/runner") ?? resolved(from, "jest-jasmine2");
  if (!runner) throw new Error(`jest's own runner is not installed beside ${jest}`);
  return runner;
}

function resolved(from, name) {
  for (const each of from) {
    try {
      return each.resolve(name);
    } catch {
      // Not seen from there.
    }
  }
  return undefined;
}

/** Modules of the language's own are run as such only where the project's scripts ask for it. */
function flagsOf(root) {
  const scripts = [root, facts.workspace].map((folder) => `${folder}/package.json`).filter((path) => existsSync(path));
  const asks = scripts.some((path) => readFileSync(path, "utf8").includes("experimental-vm-modules"));
  return asks ? ["--experimental-vm-modules"] : [];
}

async function runFile(root, file, index) {
  const jest = installed("jest", root, facts.workspace);
  const outputFile = `${facts.reports}/${index}.json`;
  // One of its own: what a tested program puts into a cache is read by nobody else.
  const cacheDirectory = mkdtempSync(`${tmpdir()}/jest-`);
  const own = configurations(root, places.isConfiguration);
  const isWhole = own.some(places.hasProjects);
  // Without either, jest knows of no root; and where it is configured, what it is told here would hold over that.
  const isBare = own.length === 0 && !existsSync(`${root}/package.json`);
  const which = isWhole ? [`^${file.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`] : ["--runTestsByPath", file];
  const args = [
    ...[
      "--no-warnings",
      ...flagsOf(root),
      `${jest}/bin/jest.js`,
      ...(isBare ? ["--rootDir", root] : []),
      "--runInBand",
      "--ci",
      "--forceExit",
    ],
    ...["--json", "--outputFile", outputFile, "--cacheDirectory", cacheDirectory, "--reporters", "default"],
    ...["--testRunner", `${facts.guards}/jest-runner.cjs`, "--no-watchman", "--coverage=false", "--bail=0"],
    ...["--passWithNoTests=false", "--onlyFailures=false", "--colors=false", ...which],
  ];
  const env = { ...process.env, LOOPWRIGHT_RUNNER: ownRunner(jest) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
  rmSync(cacheDirectory, { recursive: true, force: true });
  return { code, said: existsSync(outputFile) ? readFileSync(outputFile, "utf8") : null };
}

const told = {};
const waiting = [...byFolder(facts, places)].flatMap(([root, files]) => files.map((file) => ({ root, file })));
const all = waiting.entries();

async function work() {
  for (const [index, { root, file }] of all)
    told[file] = await runFile(root, file, index).catch((error) => {
      process.stderr.write(`${error?.message ?? error}\n`);
      return { code: null, said: null };
    });
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
writeReport(facts, told);
