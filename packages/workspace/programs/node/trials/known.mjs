// What the warm worker for node --test knows of the program as it stands: its modules without types, and what each test is a
// part of, from which the patterns that run it are made.

import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { facts } from "./facts.mjs";

/** Formats of the modules that the tests load, by address, and what is left of them without types. */
const formats = new Map();
export const stripped = new Map();
/** Of each test the names of what it is a part of, itself the last, and which of them are suites. */
export const chains = new Map();

function strip(source, format) {
  try {
    return { format, source: stripTypeScriptTypes(source, { mode: "strip" }) };
  } catch (error) {
    return { fault: String(error?.message ?? error) };
  }
}

/** What threads need not strip: the modules known, and those that a version changes. */
export function sourcesWith(files) {
  const sources = Object.fromEntries(stripped);
  for (const [path, content] of files) {
    const url = pathToFileURL(join(facts.workspace, path)).href;
    if (formats.has(url)) sources[url] = strip(content, formats.get(url));
  }
  return sources;
}

/** Takes what another worker, or this one, has found out. */
export function learn({ modules, chains: known }) {
  for (const [name, chain] of known) chains.set(name, chain);
  for (const [url, format] of modules) {
    if (!/^(?:module|commonjs)-typescript$/.test(format ?? "")) continue;
    const plain = format.replace("-typescript", "");
    formats.set(url, plain);
    try {
      stripped.set(url, strip(readFileSync(new URL(url), "utf8"), plain));
    } catch {
      // It lay where versions may write, and was of the moment.
    }
  }
  return {};
}

const escapePattern = (text) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
export const exactly = (names) => `^${escapePattern(names.join(" "))}$`;
export const fileOf = (name) => facts.files.find(({ path }) => name.startsWith(`${path} > `));

/** The pattern of a test's own name; none where it is not known what it is a part of. */
export function patternOf(name) {
  const chain = chains.get(name);
  return chain && exactly(chain.map(([each]) => each));
}

/** Patterns that run tests: their own names, and those of the tests that they are a part of. */
export function patternsFor(names) {
  const patterns = new Set();
  for (const name of names) {
    const chain = chains.get(name);
    if (!chain) return undefined;
    for (const [index, [, isSuite]] of chain.entries()) {
      if (!isSuite) patterns.add(exactly(chain.slice(0, index + 1).map(([each]) => each)));
    }
  }
  return [...patterns];
}
