// Patches as tasks: the header that its author wrote, and the files that it changes. What counts was fixed on 2026-11-18, before
// the ranking was written.

import { isTestFile } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";

/** Python first, then JavaScript and TypeScript: of some sixty packages of Debian 12 that were asked for, those with the most
 * patches of sources whose archives the mirror had, in trees of some hundred files and more (for the last two the main archive). */
export const PACKAGES = ["python-django", "calibre", "keystone", "node-babel7", "node-webpack"];

/** A patch of more files is no task for one context. */
export const MOST_FILES = 10;
const LEAST_WORDS = 4;

export interface PatchTask {
  task: string;
  /** The sources that it changes, no tests and no documentation; those that it makes are among them until a tree is asked. */
  files: string[];
}

/** The task of a patch; undefined where its header says too little. */
export function taskOf(patch: string): PatchTask | undefined {
  const diff = patch.search(/^(?:diff |Index: |--- \S)/m);
  if (diff < 0) return undefined;
  const task = headerOf(patch.slice(0, diff));
  if ((task.match(/[A-Za-z]{3,}/g) ?? []).length < LEAST_WORDS) return undefined;
  return { task, files: changedFiles(patch.slice(diff)) };
}

/** Subject or description, and the text below; other fields, the diffstat and signatures are not what a user would say. */
function headerOf(text: string): string {
  const kept: string[] = [];
  let isKept = true;
  for (const line of text.split("\n")) {
    if (/^---\s*$/.test(line)) break;
    const field = /^([A-Z][A-Za-z-]*):(.*)$/.exec(line);
    if (/^From [0-9a-f]{40}|^[ \t]*\S+ +\| +\d+|^ \d+ files? changed/.test(line)) continue;
    if (field) {
      isKept = /^(?:Subject|Description)$/.test(field[1]!);
      if (isKept) kept.push(field[2]!.replace(/\[PATCH[^\]]*\]/, "").trim());
      continue;
    }
    if (line.trim() === "") isKept = true;
    if (isKept) kept.push(line.replace(/^ \.?/, "").replace(/^# ?/, ""));
  }
  return kept.join("\n").trim();
}

function changedFiles(diff: string): string[] {
  const found = [...diff.matchAll(/^--- ([^\t\n]+).*\n\+\+\+ ([^\t\n]+)/gm)].flatMap(([, before, after]) => {
    if (before!.startsWith("/dev/null") || after!.startsWith("/dev/null")) return [];
    return [after!.trim().split("/").slice(1).join("/")];
  });
  return [...new Set(found)].filter(isCounted);
}

const NO_SOURCE =
  /(?:^|\/)(?:tests?|__tests__|testing|docs?|examples?|fixtures?|debian)\/|changelog|(?:^|\/)conftest\.py$/i;

function isCounted(path: string): boolean {
  return grammarOf(path) !== undefined && !isTestFile(path) && !NO_SOURCE.test(path);
}

/** What a patch finds in a file, hunk by hunk: its lines as they were, without blank ones. */
export function hunksOf(patch: string, path: string): string[][] {
  const own = patch.split(/^(?=--- \S)/m).find((each) => /^\+\+\+ [^/\s]+\/(\S+)/m.exec(each)?.[1] === path);
  const hunks = own?.split(/^@@.*\n/m).slice(1) ?? [];
  return hunks.map((hunk) =>
    hunk.split("\n").flatMap((line) => (/^[ -]/.test(line) && line.trim().length > 1 ? [line.slice(1)] : [])),
  );
}
