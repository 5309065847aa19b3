// What a change newly does that a judge in the same process cannot be safe from: hard findings, and what is shown only.
//
// Only what the file did not do before counts: a plugin of pytest's that has always used its inner modules may go on doing so.
// Names are read from the syntax: what stands in a string or a comment is nothing, unless it names a module to be imported.

import type { Finding } from "@loopwright/core";
import { grammarOf, type Node, withTree } from "../tests/grammar.ts";
import type { Change } from "./functions.ts";
import { scanPython } from "./scan-python.ts";
import { scanScript } from "./scan-script.ts";

/** One place that a rule speaks of. */
export interface Hit {
  code: string;
  /** What is used, in words: the same of another version is the same use. */
  what: string;
  line: number;
}

const DEEPEST = 2_000;

/** Those that block, and why; every other one is shown only. */
const HARD: Readonly<Record<string, string>> = {
  RUNNER_INTERNALS: "reaches into the test runner",
  RUNNER_PATCHED: "changes the test runner",
  BUILTIN_PATCHED: "changes a built-in for every program in the process",
  EQUALS_EVERYTHING: "is equal to everything",
  SOURCE_HIDDEN: "hides what the program is from whoever reads it",
};

/** What is shown only, in words. */
const SHOWN: Readonly<Record<string, string>> = {
  LOOKS_INTO_PROCESS: "can look into the process that judges",
  RUNS_TEXT: "runs what stands in no source",
};

/** What a change newly does, each with its file and line, hard findings first. */
export async function scanChange(changes: readonly Change[]): Promise<Finding[]> {
  const found = await Promise.all(changes.map(scanFile));
  return found.flat().sort((a, b) => a.priority - b.priority);
}

async function scanFile({ path, before, after }: Change): Promise<Finding[]> {
  const known = new Set((await hitsOf(path, before ?? "")).map(({ code, what }) => `${code} ${what}`));
  const fresh = new Map<string, Hit>();
  for (const hit of await hitsOf(path, after)) {
    const key = `${hit.code} ${hit.what}`;
    if (!known.has(key) && !fresh.has(key)) fresh.set(key, hit);
  }
  return [...fresh.values()].map((hit) => toFinding(path, hit));
}

async function hitsOf(path: string, source: string): Promise<Hit[]> {
  const grammar = grammarOf(path);
  if (!grammar || source === "") return [];
  const hits = await withTree(grammar, source, grammar === "python" ? scanPython : scanScript);
  // Its functions are looked for by every node, however deep.
  const isDeep = hits === undefined || (await withTree(grammar, source, depthOf)) === undefined;
  return [...(hits ?? []), ...(isDeep ? [{ code: "SOURCE_HIDDEN", what: "its nesting", line: 1 }] : [])];
}

/** Throws where whoever goes by every node would. */
function depthOf(node: Node): number {
  let deepest = 0;
  for (const child of node.namedChildren) if (child) deepest = Math.max(deepest, depthOf(child));
  if (deepest > DEEPEST) throw new RangeError("nested too deeply");
  return deepest + 1;
}

function toFinding(path: string, { code, what, line }: Hit): Finding {
  const why = HARD[code];
  const message = `${path}:${line}: ${what} ${why ?? SHOWN[code]}`;
  if (why === undefined) return { code, severity: "soft", priority: 3, message };
  const fix = "write it without: what is tested may not touch what tests it";
  return { code, severity: "hard", priority: 1, message, fix };
}
