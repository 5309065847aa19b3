// What every program here shares: it is given facts about one run, has each test file run in a process of its own, and writes one report
// once all of them are dead. It never loads a line of the workspace.
//
// Of each file the report has `tests` (name, state, failure), or `broken`: why it does not load, or `fault`: what else went wrong,
// with the end of its `output`.

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { stripVTControlCharacters } from "node:util";

/** The runner's name, its test files, and where everything lies. */
export const facts = JSON.parse(process.argv[2]);

const KEPT = 8_000;
const MOST_PRINTED = 20_000_000;

/** Runs all test files, several at a time, and ends with the report. */
export async function runFiles(files, runFile) {
  const told = {};
  const all = files.entries();
  const work = async () => {
    for (const [index, file] of all)
      told[file] = await runFile(file, index).catch((error) => ({ fault: String(error?.message ?? error) }));
  };
  await Promise.all(Array.from({ length: facts.jobs }, work));
  writeReport({ files: told });
}

/** A Node program for one test file: how it ended, what it printed, and the end of what it wrote to stderr. */
export async function runProgram(args, options) {
  const child = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, output] = ["", ""];
  child.stdout.on("data", (part) => {
    stdout = (stdout + part).slice(0, MOST_PRINTED);
  });
  child.stderr.on("data", (part) => {
    process.stderr.write(part);
    output = (output + part).slice(-KEPT);
  });
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { code, stdout, output: plain(output) };
}

/** The last thing that is done: nothing that was tested lives on, and the report is the only thing there. */
export function writeReport(report) {
  // Only where this is a sandbox's own world of processes.
  if (facts.isolated && readFileSync("/proc/1/comm", "utf8").trim() === "bwrap") {
    try {
      process.kill(-1, "SIGKILL");
    } catch {}
  }
  for (const name of readdirSync(facts.reports)) rmSync(`${facts.reports}/${name}`, { recursive: true, force: true });
  writeFileSync(`${facts.reports}/report.json`, JSON.stringify(report), { flag: "wx" });
  process.exit(0);
}

const OWN_FRAMES =
  /^\s+at .*(?:\(?node:|node_modules\/(?:jest|@jest|@babel|gensync|emittery|vitest|@vitest|vite)|loopwright\/guards)|^Node\.js v|^\s+at new Promise|^\s+at Array\.|^\s+at async (?:Promise|Test|start)|^\s+at \w+\.next \(<anonymous>\)$/;

/** A text without colors, and without a runner's own frames. */
export function plain(text) {
  const lines = stripVTControlCharacters(String(text ?? "")).split("\n");
  return lines.filter((line) => !OWN_FRAMES.test(line)).join("\n");
}

/** The folder that a runner is started in for a test file: the nearest one that configures it or has it installed, unless the
 * workspace's own configuration speaks for all of its projects. */
export function placeOf(file, { name, isConfiguration, hasProjects = () => false }) {
  const isPlace = (folder) =>
    existsSync(folder) &&
    (configurations(folder, isConfiguration).length > 0 || existsSync(`${folder}/node_modules/${name}`));
  const isWhole = configurations(facts.workspace, isConfiguration).some(hasProjects);
  return isWhole ? facts.workspace : (above(file).find(isPlace) ?? facts.workspace);
}

/** The folder of an installed package as a folder of the workspace sees it. */
export function installed(name, folder) {
  const found = [folder, ...above(folder)].find((each) => existsSync(`${each}/node_modules/${name}`));
  return found && `${found}/node_modules/${name}`;
}

/** The texts of what configures a runner in a folder. */
export function configurations(folder, isConfiguration) {
  const texts = readdirSync(folder).map((name) => [name, () => readFileSync(`${folder}/${name}`, "utf8")]);
  return texts.flatMap(([name, read]) => (isConfiguration(name, read) ? [read()] : []));
}

/** The folders above a path, the nearest first, up to the workspace's own. */
function above(path) {
  const folder = dirname(path);
  return folder.startsWith(`${facts.workspace}/`) ? [folder, ...above(folder)] : [facts.workspace];
}
