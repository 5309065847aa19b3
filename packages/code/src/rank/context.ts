// What of a program is chosen for a task: what git ignores is left out, the rest is ranked, and the first is shown as far as the
// budget goes.

import type { FileBlock } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";
import { type Chosen, chooseFiles } from "./choose.ts";
import { ignoredBy } from "./ignored.ts";
import { type Evidence, rankFiles } from "./rank.ts";

/** The sources among a workspace's files that may be shown. */
export function shownSources(files: readonly FileBlock[]): FileBlock[] {
  const isOut = ignoredBy(files);
  return files.filter(({ path }) => grammarOf(path) !== undefined && !isOut(path));
}

/** Chooses within a budget of tokens. */
export function chooseContext(evidence: Evidence, budget: number): Promise<Chosen> {
  const files = shownSources(evidence.files);
  return chooseFiles(rankFiles({ ...evidence, files }), files, budget);
}
