// What is chosen of a repository for a prompt: how long that takes, how large it is, and how often it holds the files that a task
// is about. The tasks are the headers of patches that Debian carries; `context/patches.ts` says which, and what counts.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BUDGETS } from "../packages/code/src/rank/budget.ts";
import { summarizeWorkspace } from "../packages/code/src/showing/summary.ts";
import { measureRecall, type Result } from "./context/recall.ts";
import { readTree, writeTree } from "./context/tree.ts";

/** Recalls are shares, of which more is better, so that they have no aim here. */
export const aims = { map_ms: 1_500, map_again_ms: 150 };

/** Every figure; `--quick` takes the one package that is fetched soonest. */
export async function run({ quick }: { quick: boolean }) {
  const map = await timeMap();
  const results = await measureRecall(BUDGETS.planner, quick ? ["keystone"] : undefined);
  for (const { package: name, patch, half, files, shown } of results) {
    const missed = files.filter((path) => !shown.includes(path));
    if (half === "tuned" && missed.length > 0) console.error(`${name}, ${patch}: missed ${missed.join(", ")}`);
  }
  return {
    ...map,
    budget: BUDGETS.planner,
    patches: results.length,
    files: results.flatMap((each) => each.files).length,
    recall_at_budget: recallOf(results),
    recall_tuned: recallOf(results.filter(({ half }) => half === "tuned")),
    recall_unseen: recallOf(results.filter(({ half }) => half === "unseen")),
    recall_by_patch: byPatch(results),
    hunks_seen: round(sum(results.map(({ seen }) => seen)) / sum(results.map(({ hunks }) => hunks))),
    files_shown_p50: median(results.map(({ shown }) => shown.length)),
    prompt_tokens_p50: median(results.map((each) => each.tokens)),
    choose_ms_p50: median(results.map(({ ms }) => ms)),
  };
}

/** Reading, ranking and the map of a tree of 600 files: the first time, and the median of five that follow. */
async function timeMap() {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-map-"));
  try {
    writeTree(folder);
    const look = async () => {
      const [start, worked] = [performance.now(), process.cpuUsage()];
      const files = readTree(folder);
      const task = "`merge_split_4` drops the last frame of a batch, and `roundQuote7` should not be called for it";
      await summarizeWorkspace(
        files.map(({ path }) => path),
        files,
        task,
      );
      const { user, system } = process.cpuUsage(worked);
      return { ms: performance.now() - start, cpu: (user + system) / 1000 };
    };
    const first = await look();
    const again = [await look(), await look(), await look(), await look(), await look()];
    return {
      ...{ map_ms: Math.round(first.ms), map_again_ms: median(again.map(({ ms }) => ms)) },
      ...{ map_cpu_ms: Math.round(first.cpu), map_again_cpu_ms: median(again.map(({ cpu }) => cpu)) },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of all files that the patches change, those that are shown in part or whole. */
function recallOf(results: readonly Result[]): number | null {
  const all = results.flatMap(({ files, shown }) => files.map((path) => shown.includes(path)));
  return all.length === 0 ? null : round(all.filter(Boolean).length / all.length);
}

/** The mean over patches, in which one of many files counts no more than one of a single file. */
function byPatch(results: readonly Result[]): number | null {
  const shares = results.map(({ files, shown }) => files.filter((path) => shown.includes(path)).length / files.length);
  return shares.length === 0 ? null : round(sum(shares) / shares.length);
}

function median(numbers: readonly number[]): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
