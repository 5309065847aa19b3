// Drives the vitest of the workspace, each file in a process of its own with tests of ours at its end, and writes what they
// reported once all of them are dead. Of the workspace this process loads vitest and its configuration.

import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { writeReport } from "./report.mjs";

const facts = JSON.parse(process.argv[2]);
const { startVitest } = await import(pathToFileURL(`${facts.workspace}/node_modules/vitest/dist/node.js`).href);
const canaries = readFileSync(`${facts.guards}/canaries.txt`, "utf8").trim().replaceAll("\n", " ");
const outputFile = `${facts.reports}/report.xml`;

/** Tests of ours at the end of each test file, on its last line, so that no other line has another number. */
const plugin = {
  name: "loopwright",
  enforce: "pre",
  transform: (code, id) => {
    const file = id.split("?", 1)[0];
    return facts.files.includes(file) ? { code: `${code}\n;${canaries}`, map: null } : undefined;
  },
};

const vitest = await startVitest(
  "test",
  facts.files,
  {
    ...{
      root: facts.workspace,
      run: true,
      watch: false,
      reporters: ["junit"],
      outputFile,
      pool: "forks",
      isolate: true,
    },
    ...{ color: false, cache: false, passWithNoTests: false, bail: 0, coverage: { enabled: false } },
  },
  { plugins: [plugin] },
);
const errors = vitest.state.getUnhandledErrors().length;
await vitest.close();
writeReport(facts, { xml: existsSync(outputFile) ? readFileSync(outputFile, "utf8") : null, errors });
