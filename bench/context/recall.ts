// How often the files that a patch changes are among those that are shown for its header, in the tree as it was before the patch.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseFiles } from "../../packages/code/src/rank/choose.ts";
import { shownSources } from "../../packages/code/src/rank/ignored.ts";
import { rankFiles } from "../../packages/code/src/rank/rank.ts";
import { fetchSource, openApt, readSeries, type SeriesPatch, unpackOriginal, unpackPatches } from "../debian/apt.ts";
import { hunksOf, MOST_FILES, PACKAGES, taskOf } from "./patches.ts";
import { readTree } from "./tree.ts";

/** What came of one patch. */
export interface Result {
  package: string;
  patch: string;
  half: "tuned" | "unseen";
  task: string;
  files: string[];
  shown: string[];
  /** The places that it changes in these files, and those of which the most is shown. */
  hunks: number;
  seen: number;
  tokens: number;
  ms: number;
}

/** The half of a patch, by its name: the one was looked at while weights were set, the other never. */
function halfOf(name: string): Result["half"] {
  return Number.parseInt(createHash("sha256").update(name).digest("hex")[0]!, 16) % 2 === 0 ? "tuned" : "unseen";
}

/** Tries every patch that counts. `CONTEXT_SOURCES` keeps what was fetched, `CONTEXT_HALF=tuned` leaves the other half alone. */
export async function measureRecall(budget: number, packages: readonly string[] = PACKAGES): Promise<Result[]> {
  const { CONTEXT_SOURCES: kept, CONTEXT_HALF: half } = process.env;
  const place = kept ?? mkdtempSync(join(tmpdir(), "loopwright-context-"));
  mkdirSync(place, { recursive: true });
  try {
    const results: Result[] = [];
    for (const name of packages) {
      const folder = join(place, name);
      if (!existsSync(join(folder, "debian"))) await bring(name, folder, join(place, "apt"));
      for (const result of await tryPackage(name, folder, budget, half)) results.push(result);
      console.error(`${name}: ${results.filter((each) => each.package === name).length} patches`);
    }
    return results;
  } finally {
    if (kept === undefined) rmSync(place, { recursive: true, force: true });
  }
}

async function bring(name: string, folder: string, place: string): Promise<void> {
  const apt = await openApt(place);
  // Archives of further parts may be missing on a mirror; the main one must be there.
  await fetchSource(apt, name, folder).catch(() => undefined);
  await unpackPatches(folder);
}

/** Goes through a series: each patch is tried on the tree that those before it have made. */
async function tryPackage(name: string, folder: string, budget: number, half: string | undefined): Promise<Result[]> {
  const tree = mkdtempSync(join(tmpdir(), "loopwright-tree-"));
  try {
    await unpackOriginal(folder, tree);
    const results: Result[] = [];
    for (const patch of readSeries(join(folder, "debian/patches"))) {
      const own = halfOf(`${name}/${patch.name}`);
      const tried = half === undefined || half === own ? await tryPatch(patch, tree, budget) : undefined;
      if (tried) results.push({ package: name, patch: patch.name, half: own, ...tried });
      apply(patch, tree);
    }
    return results;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

async function tryPatch({ text }: SeriesPatch, tree: string, budget: number) {
  const found = taskOf(text);
  const files = found?.files.filter((path) => existsSync(join(tree, path))) ?? [];
  if (!found || files.length === 0 || files.length > MOST_FILES) return undefined;
  const sources = readTree(tree);
  const start = performance.now();
  const own = await shownSources(sources);
  const { files: shown, used } = await chooseFiles(rankFiles({ task: found.task, files: own }), own, budget);
  const ms = performance.now() - start;
  const hunks = files.flatMap((path) => hunksOf(text, path).map((lines) => ({ path, lines })));
  const seen = hunks.filter(({ path, lines }) => isSeen(lines, shown.find((each) => each.path === path)?.content));
  return {
    ...{ task: found.task, files, shown: shown.map(({ path }) => path) },
    ...{ hunks: hunks.length, seen: seen.length, tokens: used, ms },
  };
}

/** Whether most of these lines are shown. */
function isSeen(lines: readonly string[], shown = ""): boolean {
  const there = new Set(shown.split("\n"));
  return lines.filter((line) => there.has(line)).length * 2 > lines.length;
}

/** A hunk that does not fit, because it is of a part that is not there, is passed over. */
function apply({ text }: SeriesPatch, tree: string): void {
  try {
    execFileSync("patch", ["-p1", "-s", "-f", "-r", "-", "--no-backup-if-mismatch"], {
      cwd: tree,
      input: text,
      stdio: ["pipe", "ignore", "ignore"],
    });
  } catch {}
}
