// The jest of the workspace, a process and a cache for each test file: what a tested program puts into a cache no other file reads.
// Snapshots are compared and never written.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { configurations, facts, installed, placeOf, plain, runFiles, runProgram } from "./common.mjs";

const place = {
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

/** Modules of the language's own are run as such only where the project's scripts ask for it. */
function flagsOf(root) {
  const scripts = [root, facts.workspace].map((folder) => `${folder}/package.json`).filter((path) => existsSync(path));
  const asks = scripts.some((path) => readFileSync(path, "utf8").includes("experimental-vm-modules"));
  return asks ? ["--experimental-vm-modules"] : [];
}

async function runFile(file, index) {
  const root = placeOf(file, place);
  const outputFile = `${facts.reports}/${index}.json`;
  const cacheDirectory = mkdtempSync(`${tmpdir()}/jest-`);
  const own = configurations(root, place.isConfiguration);
  const isWhole = own.some(place.hasProjects);
  // Without either, jest knows of no root; and where it is configured, what it is told here would hold over that.
  const isBare = own.length === 0 && !existsSync(`${root}/package.json`);
  const which = isWhole ? [`^${file.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}$`] : ["--runTestsByPath", file];
  const args = [
    ...[...flagsOf(root), `${installed("jest", root)}/bin/jest.js`, ...(isBare ? ["--rootDir", root] : [])],
    ...[
      "--runInBand",
      "--ci",
      "--forceExit",
      "--no-watchman",
      "--coverage=false",
      "--bail=0",
      "--reporters",
      "default",
    ],
    ...["--json", "--outputFile", outputFile, "--cacheDirectory", cacheDirectory],
    ...["--passWithNoTests=false", "--onlyFailures=false", "--colors=false", ...which],
  ];
  const { code, output } = await runProgram(args, { cwd: root });
  rmSync(cacheDirectory, { recursive: true, force: true });
  const told = existsSync(outputFile) ? parsed(readFileSync(outputFile, "utf8")).testResults : undefined;
  return read(told, code, output);
}

function read(told, code, output) {
  if (told === undefined) return { fault: "jest ended without a report", output };
  const cases = told.flatMap(({ assertionResults }) => assertionResults);
  // One that the configuration leaves out has no tests; one that does not load has none either.
  if (cases.length === 0 && told.length > 0)
    return { broken: plain(told.map(({ message }) => withoutAdvice(message)).join("\n")).trim() || "it has no tests" };
  const tests = cases.map(({ ancestorTitles, title, status, failureMessages }) => ({
    name: [...ancestorTitles, title].join(" > "),
    state: ["passed", "failed"].includes(status) ? status : "skipped",
    failure: plain((failureMessages ?? []).join("\n")).trim(),
  }));
  const isGreen = tests.every(({ state }) => state !== "failed");
  if (isGreen !== (code === 0) && tests.length > 0)
    return { fault: `jest ended with the code ${code}, which its report belies`, output };
  return { tests };
}

/** What is wrong with a file that cannot be parsed stands below a page on how jest is configured. */
function withoutAdvice(message) {
  return message.replace(/\n *Jest failed to parse a file\..*?\n *Details:\n/s, "");
}

await runFiles(facts.files, runFile);
