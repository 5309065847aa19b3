// What is chosen of a repository for a prompt: how long that takes, how large it is, and how often it holds the files that a task
// is about. The tasks are the headers of patches that Debian carries; `context/patches.ts` says which, and what counts.

import { measureRecall, type Result } from "./context/recall.ts";

const BUDGET = 16_000;

/** Recalls are shares, of which more is better, so that they have no aim here. */
export const aims = { map_ms: 1_500, map_again_ms: 150 };

/** Every figure; `--quick` takes the one package that is fetched soonest. */
export async function run({ quick }: { quick: boolean }) {
  const results = await measureRecall(BUDGET, quick ? ["keystone"] : undefined);
  for (const { package: name, patch, half, files, shown } of results) {
    const missed = files.filter((path) => !shown.includes(path));
    if (half === "tuned" && missed.length > 0) console.error(`${name}, ${patch}: missed ${missed.join(", ")}`);
  }
  const tokens = results.map((each) => each.tokens).sort((a, b) => a - b);
  return {
    patches: results.length,
    files: results.flatMap((each) => each.files).length,
    recall_at_budget: recallOf(results),
    recall_tuned: recallOf(results.filter(({ half }) => half === "tuned")),
    recall_unseen: recallOf(results.filter(({ half }) => half === "unseen")),
    recall_by_patch: byPatch(results),
    files_shown_p50: median(results.map(({ shown }) => shown.length)),
    prompt_tokens_p50: median(tokens),
    choose_ms_p50: median(results.map(({ ms }) => ms)),
  };
}

/** Of all files that the patches change, those that are shown in part or whole. */
function recallOf(results: readonly Result[]): number | null {
  const all = results.flatMap(({ files, shown }) => files.map((path) => shown.includes(path)));
  return all.length === 0 ? null : round(all.filter(Boolean).length / all.length);
}

/** The mean over patches, in which one of many files counts no more than one of a single file. */
function byPatch(results: readonly Result[]): number | null {
  const shares = results.map(({ files, shown }) => files.filter((path) => shown.includes(path)).length / files.length);
  return shares.length === 0 ? null : round(shares.reduce((sum, each) => sum + each, 0) / shares.length);
}

function median(numbers: readonly number[]): number {
  return Math.round(numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0);
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
