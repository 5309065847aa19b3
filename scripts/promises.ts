// Fills the figures of docs/promises.md from what suites and benches have measured last in this clone: `npm run promises`. With
// --check it writes nothing, and says which rows differ.

import { readFileSync, writeFileSync } from "node:fs";
import { filesAt } from "./packages.ts";
import { fillPromises } from "./promises/fill.ts";
import { readResults } from "./results.ts";

const PAGE = "docs/promises.md";
const before = readFileSync(PAGE, "utf8");
const files = filesAt("packages/*/src/**/*.test.ts", "test/**/*.test.ts");
const { text, told } = fillPromises(before, readResults(), files);

const old = before.split("\n");
const changed = text.split("\n").filter((line, at) => line !== old[at]);
for (const line of changed) console.log(`figures: ${line.slice(2, 100)}…`);
for (const each of told) console.log(`look: ${each}`);
if (!process.argv.includes("--check")) writeFileSync(PAGE, text);
console.log(
  `${changed.length} rows ${process.argv.includes("--check") ? "differ from" : "have"} what was measured last`,
);
if (process.argv.includes("--check") && changed.length > 0) process.exitCode = 1;
