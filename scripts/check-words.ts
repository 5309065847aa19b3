// Plain words and American spelling, in names, comments, messages, prompts and pages: the list is check-words/words.ts, and
// what stays as it is check-words/exceptions.ts.

import { readFileSync } from "node:fs";
import { matchesGlob } from "node:path/posix";
import { type Exception, exceptions } from "./check-words/exceptions.ts";
import { phrases, words } from "./check-words/words.ts";
import { filesAt } from "./packages.ts";

const folders = ["bench", "docs", "examples", "packages", "scripts", "test"];
const kinds = "{cjs,js,md,mjs,py,ts,yaml}";
const instead = new Map(Object.entries({ ...words, ...phrases }));
const escaped = Object.keys(phrases).map((phrase) => phrase.replace(/[[\]]/g, "\\$&"));
const pattern = new RegExp(`(?:${escaped.join("|")})(?![a-z])|[A-Z]?[a-z]+|[A-Z]+(?![a-z])`, "g");

const paths = filesAt("*.{md,ts}", "packages/*/package.json", ...folders.map((folder) => `${folder}/**/*.${kinds}`));
const used = new Set<Exception>();
const findings = paths.flatMap((path) => findingsIn(path));

console.log(`${paths.length} files, ${instead.size} words that are not used`);
for (const finding of [...findings, ...unused()]) console.error(finding);
if (findings.length + unused().length > 0) process.exitCode = 1;

function findingsIn(path: string): string[] {
  const excepted = exceptions.filter(({ files }) => files.some((glob) => matchesGlob(path, glob)));
  const whole = excepted.find(({ text }) => text === undefined);
  if (whole) used.add(whole);
  if (whole) return [];
  const looked = excepted.reduce(without, ours(path, readFileSync(path, "utf8")));
  return looked.split("\n").flatMap((line, at) =>
    (line.match(pattern) ?? []).flatMap((found) => {
      const plain = instead.get(found) ?? instead.get(found.toLowerCase());
      return plain === undefined ? [] : [`${path}:${at + 1}: '${found}': write '${plain}'`];
    }),
  );
}

/** Of the changelog what is not released yet: the rest is history. */
function ours(path: string, text: string): string {
  return path === "CHANGELOG.md" ? text.split(/^## (?!.*unreleased)/m)[0]! : text;
}

function without(text: string, exception: Exception): string {
  const left = text.replace(exception.text!, (found) => found.replace(/[^\n]/g, " "));
  if (left !== text) used.add(exception);
  return left;
}

/** Exceptions for files that are there, of which nothing makes use. */
function unused(): string[] {
  const isThere = ({ files }: Exception) => files.some((glob) => paths.some((path) => matchesGlob(path, glob)));
  return exceptions
    .filter((exception) => !used.has(exception) && isThere(exception))
    .map(
      ({ files, text }) => `scripts/check-words/exceptions.ts: ${files.join(", ")}: ${text} finds nothing; remove it`,
    );
}
