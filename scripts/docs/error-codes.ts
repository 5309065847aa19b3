// docs/errors.md against the codes that the sources throw.

import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { filesAt, isTest } from "../packages.ts";

const PAGE = "docs/errors.md";
/** How errors are made: by their class, by a class of our own, by a file of YAML that is opened, or on a plain error. */
const made = [
  /\b(?:\w*Error|TooLarge|super)\(\s*(?:[^"`(),;{}]{0,60} \? )?"([A-Z][A-Z0-9_]+)"(?: : "([A-Z0-9_]+)")?/g,
  /openYaml\([^;]*?code: "([A-Z0-9_]+)"/g,
  /new Error\(\w+\), \{ code: "([A-Z0-9_]+)"/g,
];

/** What the page of error codes lacks, and what it lists that is gone. */
export function errorCodeFindings(root = "."): string[] {
  const thrown = new Map<string, string>();
  for (const path of filesAt(join(root, "packages/*/src/**/*.ts")).filter((each) => !isTest(each))) {
    const text = readFileSync(path, "utf8");
    const file = relative(root, path);
    for (const match of made.flatMap((pattern) => [...text.matchAll(pattern)]))
      for (const code of match.slice(1)) if (code !== undefined) thrown.set(code, file);
  }
  const listed = new Set(
    [...readFileSync(join(root, PAGE), "utf8").matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code]) => code!),
  );
  const missing = [...thrown].filter(([code]) => !listed.has(code));
  const gone = [...listed].filter((code) => !thrown.has(code));
  return [
    ...missing.map(
      ([code, file]) => `${PAGE} lacks ${code} (${file}): add a row that says what happened and what to do`,
    ),
    ...gone.map((code) => `${PAGE} lists ${code}, which no source throws any more: remove its row`),
  ];
}
