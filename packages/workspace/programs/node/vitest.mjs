// The vitest of the workspace, each file in a process of its own, under the configuration that is nearest to it. Of the workspace this
// process loads vitest and its configuration.

import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { pathToFileURL } from "node:url";
import { facts, installed, placeOf, plain, writeReport } from "./common.mjs";

const place = {
  name: "vitest",
  isConfiguration: (name) => /^(?:vitest\.(?:config|workspace)|vite\.config)\.[cm]?[jt]s(?:on)?$/.test(name),
};

// A configuration is bundled into the folder of installed packages, which is read-only here; where that may not be, beside itself.
const { mkdir } = files;
files.mkdir = async (path, ...more) => {
  if (!/\.vite-temp\/?$/.test(String(path))) return mkdir(path, ...more);
  throw Object.assign(new Error(`no folder is made at ${path}`), { code: "EACCES" });
};
syncBuiltinESMExports();

const told = {};
let outside;

async function runGroup(root, group) {
  const { startVitest } = await import(pathToFileURL(`${installed("vitest", root)}/dist/node.js`).href);
  const vitest = await startVitest("test", group, {
    ...{ root, run: true, watch: false, reporters: [{}], pool: "forks", isolate: true },
    ...{
      color: false,
      cache: false,
      fsModuleCache: false,
      passWithNoTests: false,
      bail: 0,
      coverage: { enabled: false },
    },
  });
  const modules = Map.groupBy(vitest.state.getFiles(), ({ filepath }) => filepath);
  // One that the configuration leaves out has no tests.
  for (const file of group) told[file] = read(modules.get(file) ?? []);
  for (const error of vitest.state.getUnhandledErrors()) {
    const message = String(error?.message ?? error);
    const fault = `vitest met errors outside its tests: ${message.split("\n", 1)[0]}`;
    const file = error?.VITEST_TEST_PATH ?? facts.files.find((each) => message.includes(each));
    if (file in told) told[file] = { fault };
    else outside = fault;
  }
  await vitest.close();
}

/** A file as each project that has it ran it. */
function read(modules) {
  const broken = modules.flatMap(({ result }) => result?.errors ?? []);
  if (broken.length > 0) return { broken: broken.map(wordsOf).join("\n") };
  return { tests: modules.flatMap(({ tasks }) => tasks.flatMap((task) => resultsOf(task, []))) };
}

function resultsOf({ name, mode, tasks = [], type, result }, groups) {
  const path = [...groups, name];
  const failure = (result?.errors ?? []).map(wordsOf).join("\n");
  if (type === "suite" && failure === "") return tasks.flatMap((task) => resultsOf(task, path));
  const ended = result?.state === "pass" ? "passed" : "failed";
  const isLeft = mode === "skip" || mode === "todo" || result?.state === "skip";
  return [{ name: path.join(" > "), state: isLeft && failure === "" ? "skipped" : ended, failure }];
}

function wordsOf({ name, message, stack, diff }) {
  const frames = String(stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line));
  return plain([`${name}: ${message}`, ...(diff ? [diff] : []), ...frames].join("\n")).trim();
}

for (const [root, group] of Map.groupBy(facts.files, (file) => placeOf(file, place)))
  await runGroup(root, group).catch((error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    for (const file of group)
      told[file] = { fault: "vitest ended without a report", output: plain(error?.stack ?? error) };
  });
writeReport({ files: told, ...(outside && { fault: outside }) });
