// Drives the vitest of the workspace, each file in a process of its own with tests of ours at its end, and writes what they
// reported once all of them are dead. Of the workspace this process loads vitest and its configuration.

import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { byFolder, installed } from "./folders.mjs";
import { writeReport } from "./report.mjs";

const facts = JSON.parse(process.argv[2]);
const canaries = readFileSync(`${facts.guards}/canaries.txt`, "utf8").trim().replaceAll("\n", " ");

const places = {
  name: "vitest",
  isConfiguration: (name) => /^(?:vitest\.(?:config|workspace)|vite\.config)\.[cm]?[jt]s(?:on)?$/.test(name),
  hasProjects: (text) => /\b(?:projects|workspace|defineWorkspace)\b/.test(text),
};

/** Tests of ours at the end of each test file, on its last line, so that no other line has another number. */
const plugin = {
  name: "loopwright",
  enforce: "pre",
  transform: (code, id) => {
    const file = id.split("?", 1)[0];
    return facts.files.includes(file) ? { code: `${code}\n;${canaries}`, map: null } : undefined;
  },
};

async function runGroup(root, files, index) {
  const folder = installed("vitest", root, facts.workspace);
  const { startVitest } = await import(pathToFileURL(`${folder}/dist/node.js`).href);
  const outputFile = `${facts.reports}/report-${index}.xml`;
  const options = {
    ...{ root, run: true, watch: false, reporters: ["junit"], outputFile, pool: "forks", isolate: true },
    ...{ color: false, cache: false, passWithNoTests: false, bail: 0, coverage: { enabled: false } },
  };
  const vitest = await startVitest("test", files, options, { plugins: [plugin] });
  const errors = vitest.state.getUnhandledErrors().map(toError);
  await vitest.close();
  return { xml: existsSync(outputFile) ? readFileSync(outputFile, "utf8") : null, errors };
}

/** What went wrong outside of tests, and in whose process. */
function toError(error) {
  const message = String(error?.message ?? error);
  const file = error?.VITEST_TEST_PATH ?? facts.files.find((each) => message.includes(each));
  return { message, ...(file && { file }) };
}

const groups = [];
for (const [root, files] of byFolder(facts, places)) {
  const told = await runGroup(root, files, groups.length).catch((error) => {
    process.stderr.write(`${error?.stack ?? error}\n`);
    return { xml: null, errors: [] };
  });
  groups.push({ root, files, ...told });
}
writeReport(facts, { groups });
