// The tree stays readable: no file that nobody can hold, no folder that is a heap, packages that say what they are and stay within their
// lines. It prints its figures, and says which file, folder or package does not hold.

import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { filesAt, isTest, type Package, readPackages } from "./packages.ts";
import { budgetFindings } from "./size.ts";

const MOST_LINES = 500;
const MOST_FILES = 25;
const LICENSE = "MIT";
const fields = ["name", "version", "description", "keywords", "license", "type", "engines", "files", "exports"];

const sources = filesAt("packages/*/src/**/*.ts", "packages/*/programs/**", "scripts/**/*.ts");
const files = largestFirst(sources.filter((path) => !isTest(path)).map((path) => ({ path, size: linesOf(path) })));
const rooms = Map.groupBy(filesAt("packages/**", "scripts/**"), dirname);
const folders = largestFirst([...rooms].map(([path, { length }]) => ({ path, size: length })));

const findings = [
  ...files
    .filter(({ size }) => size > MOST_LINES)
    .map(({ path, size }) => `${path}: ${size} lines, more than ${MOST_LINES}; split it`),
  ...folders
    .filter(({ size }) => size > MOST_FILES)
    .map(({ path, size }) => `${path}: ${size} files, more than ${MOST_FILES}; make folders in it`),
  ...readPackages().flatMap(fieldFindings),
  ...budgetFindings(),
];

const [longest, fullest] = [files[0], folders[0]];
console.log(
  `${files.length} source files, longest ${longest?.size} (${longest?.path}), ` +
    `largest folder ${fullest?.size} files (${fullest?.path})`,
);
for (const finding of findings) console.error(finding);
if (findings.length > 0) process.exitCode = 1;

function largestFirst<T extends { size: number }>(measured: T[]): T[] {
  return measured.sort((one, other) => other.size - one.size);
}

function linesOf(path: string): number {
  return readFileSync(path, "utf8").trimEnd().split("\n").length;
}

function fieldFindings({ folder, manifest }: Package): string[] {
  const isEmpty = (value: unknown) => !value || Object.keys(value).length === 0;
  const missing = fields.filter((field) => isEmpty(manifest[field]));
  const other = [manifest.license].filter((license) => !isEmpty(license) && license !== LICENSE);
  return [
    ...missing.map((field) => `${folder}/package.json: '${field}' is missing; say it`),
    ...other.map((license) => `${folder}/package.json: the license is ${license}; all are ${LICENSE}`),
  ];
}
