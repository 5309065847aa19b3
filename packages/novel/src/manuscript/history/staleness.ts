// Staleness: each level records which version of the levels above it was generated from. It is stale where one of them
// has another version now. The record is a file of the project, so undo restores it with the rest.

import type { FileBlock, Level } from "../../types.ts";
import { levels } from "../../types.ts";
import { levelsAbove, levelsBelow, STALENESS_FILE } from "../files/layout.ts";
import type { Manuscript } from "../files/open.ts";
import type { StalenessFile } from "../files/schemas.ts";
import { versionOf } from "../files/versions.ts";

/** How a level came to be what it is. */
export type StepKind = "iterate" | "generate" | "derive" | "edit" | "import";

/** A level, or the analysis, that was generated from another version of what is above it than there is now. */
export interface Stale {
  level: Level | "analysis";
  /** The levels above that have changed since. */
  because: Level[];
}

/** A level as it will be, for whoever asks what is stale then. */
export interface Step {
  level: Level;
  /** The level as it will be. */
  files: readonly FileBlock[];
  kind: StepKind;
  /** Whether everything below it goes. */
  isCulled: boolean;
}

/** What is stale. A level that is gone makes nothing stale, and one without a record is not known to be. */
export function findStale(
  { generated_from }: StalenessFile,
  { has, version }: Pick<Manuscript, "has" | "version">,
  hasAnalysis: boolean,
): Stale[] {
  const names: (Level | "analysis")[] = levels.filter(has);
  if (hasAnalysis) names.push("analysis");
  return names.flatMap((level) => {
    if (level === "premise") return [];
    const from = generated_from[level] ?? {};
    const because = levelsAbove(level).filter(
      (above) => has(above) && from[above] !== undefined && from[above] !== version(above),
    );
    return because.length > 0 ? [{ level, because }] : [];
  });
}

/** The new text of staleness.json after a step. */
export function stalenessChange(manuscript: Manuscript, { level, files, kind, isCulled }: Step): FileBlock {
  const before = manuscript.version(level);
  const after = versionOf(files);
  const record = structuredClone(manuscript.staleness.generated_from);
  // A person who edits a level, or brings one along, does not generate it from what is above.
  if (level !== "premise" && kind !== "edit" && kind !== "import") {
    record[level] = versionsOf(levelsAbove(level), manuscript.version);
  }
  for (const below of [...levelsBelow(level), "analysis"] as const) {
    const isThere = below === "analysis" ? manuscript.analysis.length > 0 : manuscript.has(below);
    if (below === "premise") continue;
    if (isCulled || !isThere) delete record[below];
    // A level that was derived from the one below it agrees with it; one that was never recorded agreed till now.
    else if (record[below]?.[level] === undefined && levelsAbove(below).includes(level)) {
      const agreed = before ?? after;
      if (agreed !== undefined) record[below] = { ...record[below], [level]: agreed };
    }
  }
  return toFile(record);
}

/** The new text of staleness.json after an analysis. */
export function analysedChange(manuscript: Manuscript): FileBlock {
  const record = structuredClone(manuscript.staleness.generated_from);
  record.analysis = versionsOf(levelsAbove("analysis"), manuscript.version);
  return toFile(record);
}

function versionsOf(names: readonly Level[], version: Manuscript["version"]): Partial<Record<Level, string>> {
  return Object.fromEntries(names.flatMap((name) => (version(name) === undefined ? [] : [[name, version(name)!]])));
}

function toFile(record: StalenessFile["generated_from"]): FileBlock {
  const ordered = (["treatment", "chapters", "prose", "analysis"] as const).flatMap((name) =>
    record[name] && Object.keys(record[name]).length > 0 ? [[name, record[name]]] : [],
  );
  const content = `${JSON.stringify({ generated_from: Object.fromEntries(ordered) }, null, 2)}\n`;
  return { path: STALENESS_FILE, content };
}
