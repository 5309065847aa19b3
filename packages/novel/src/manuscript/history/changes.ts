// Changes of a project: an iteration is one change, which holds the content, the surplus, the history, the staleness and
// the cull, so that one commit is all of it.

import type { Change, FileBlock, HistoryEntry, Level } from "../../types.ts";
import { isReport } from "../analysis/report.ts";
import { bookPart, historyPath, levelsBelow } from "../files/layout.ts";
import type { Downstream, Manuscript } from "../files/open.ts";
import { isSameText } from "../files/versions.ts";
import { historyChange } from "./history.ts";
import { culledStaleness, type Step, stalenessChange } from "./staleness.ts";

/** The change from one version of a level to another: what differs is written, what is surplus is removed. */
export function changeBetween(previous: readonly FileBlock[], files: readonly FileBlock[]): Change {
  const before = new Map(previous.map(({ path, content }) => [path, content]));
  const after = new Set(files.map(({ path }) => path));
  return {
    write: files.filter(({ path, content }) => !before.has(path) || !isSameText(before.get(path)!, content)),
    remove: previous.map(({ path }) => path).filter((path) => !after.has(path)),
  };
}

/** A change that takes what lies below along. */
export interface Cull extends Change {
  culled: Downstream[];
}

/** The files below a level that no generation would write again: parts without a number, and what people keep in analysis/. */
export function stayingBelow(manuscript: Pick<Manuscript, "paths" | "analysis">, level: Level): string[] {
  const parts = levelsBelow(level).flatMap((below) => manuscript.paths(below).filter((path) => bookPart(path)));
  return [...parts, ...manuscript.analysis.filter((path) => !isReport(path))];
}

/** All that was generated below a level goes: content, histories, the analysis. Undo restores it with the commit. */
export function cullChange(manuscript: Manuscript, level: Level): Cull {
  const stays = new Set(stayingBelow(manuscript, level));
  const below = levelsBelow(level).flatMap((each) => {
    const gone = manuscript.paths(each).filter((path) => !stays.has(path));
    return gone.length > 0 && manuscript.hasHistory(each) ? [...gone, historyPath(each)] : gone;
  });
  const remove = [...below, ...manuscript.analysis.filter((path) => !stays.has(path))];
  return {
    write: remove.length > 0 ? [culledStaleness(manuscript, level)] : [],
    remove,
    culled: manuscript.downstreamOf(level),
  };
}

/** What an iteration changes in the files. */
interface IterationChange extends Cull {
  /** How many iterations the level's history has with this one. */
  iterations: number;
}

/** The whole change of one iteration; without an entry it is none of the history. */
export async function iterationChange(
  manuscript: Manuscript,
  { entry, ...step }: Step & { entry?: HistoryEntry },
): Promise<IterationChange> {
  const [previous, entries] = await Promise.all([manuscript.read(step.level), manuscript.history(step.level)]);
  const content = changeBetween(previous, step.files);
  const cull = step.isCulled ? cullChange(manuscript, step.level) : { remove: [], culled: [] };
  const others = entries.filter(({ iteration_id }) => iteration_id !== entry?.iteration_id);
  const history = entry ? [historyChange(step.level, others, entry)] : [];
  return {
    write: [...content.write, ...history, stalenessChange(manuscript, step)],
    remove: [...content.remove, ...cull.remove],
    culled: cull.culled,
    iterations: others.length + history.length,
  };
}
