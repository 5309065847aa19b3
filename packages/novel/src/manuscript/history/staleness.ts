// Staleness: each file records the versions of the files that it was made from. It is stale where one of them has another
// version now, or is stale itself. Only who wrote a file with the change in sight clears it; bringing the source back does
// so too. The record is a file of the project, so undo restores it with the rest.

import { type FileBlock, type Level, levels } from "../../types.ts";
import {
  bookPart,
  FOUNDATION_PATH,
  folderOf,
  levelOf,
  levelsAbove,
  levelsBelow,
  STALENESS_FILE,
} from "../files/layout.ts";
import type { Manuscript } from "../files/open.ts";
import { hashOf, type StalenessFile } from "../files/schemas.ts";

/** How a level came to be what it is. */
type StepKind = "iterate" | "generate" | "derive" | "edit" | "import";

/** A file that was made from other versions than there are now. */
interface StaleFile {
  path: string;
  /** The files above that changed since, also those that it is made from by way of others. */
  because: string[];
}

/** A level, or the analysis, that was generated from another version of what is above it than there is now. */
export interface Stale {
  level: Level | "analysis";
  /** The levels above that have changed since. */
  because: Level[];
  /** Which of its files; none are named for the analysis. */
  files: StaleFile[];
}

/** A level as it will be, for whoever asks what is stale then. */
export interface Step {
  level: Level;
  /** The level as it will be. */
  files: readonly FileBlock[];
  kind: StepKind;
  /** Whether everything below it goes. */
  isCulled: boolean;
  /** The files whose writer had what is above in sight; all of them where nothing is said. */
  looked?: readonly string[] | undefined;
  /** Versions of the files above as the writer saw them; those of now where nothing is said. */
  seen?: Readonly<Record<string, string>> | undefined;
  /** Whether the level follows what is below it, which then agrees with it. */
  isFromBelow?: boolean | undefined;
}

type Files = StalenessFile["files"];
type Read = Pick<Manuscript, "has" | "paths" | "hash">;

/** The name under which the record has the versions that were analyzed. */
const ANALYSIS = "analysis";

/** What is stale. A level that is gone makes nothing stale, and a file without a record is not known to be. */
export function findStale(record: StalenessFile, manuscript: Read, hasAnalysis: boolean): Stale[] {
  const known = new Map<string, string[]>();
  const stale = levels.filter(manuscript.has).flatMap((level): Stale[] => {
    const files = manuscript.paths(level).flatMap((path) => {
      const inherited = sourcesOf(path, manuscript).flatMap((source) => known.get(source) ?? []);
      const because = [...new Set([...changedSources(path, record, manuscript), ...inherited])];
      known.set(path, because);
      return because.length > 0 ? [{ path, because }] : [];
    });
    const because = new Set(files.flatMap((file) => file.because.flatMap((source) => levelOf(source) ?? [])));
    return because.size > 0 ? [{ level, because: levels.filter((each) => because.has(each)), files }] : [];
  });
  const seen = record.files[ANALYSIS];
  const isOther = (level: Level) =>
    manuscript.paths(level).some((path) => seen?.[path] !== manuscript.hash(path)) ||
    Object.keys(seen ?? {}).some((path) => levelOf(path) === level && manuscript.hash(path) === undefined);
  const analyzed = levelsAbove(ANALYSIS).filter((level) => seen && manuscript.has(level) && isOther(level));
  return hasAnalysis && analyzed.length > 0 ? [...stale, { level: ANALYSIS, because: analyzed, files: [] }] : stale;
}

/** What a file is on record as made from, and is no longer what it was. */
function changedSources(path: string, { files }: StalenessFile, manuscript: Read): string[] {
  return Object.entries(files[path] ?? {}).flatMap(([source, version]) => {
    const level = levelOf(source);
    const now = manuscript.hash(source);
    // A plan that is gone was a source too: its prose no longer follows from anything.
    const isSource = now === undefined || sourcesOf(path, manuscript).includes(source);
    return level === undefined || !manuscript.has(level) || !isSource || now === version ? [] : [source];
  });
}

/** The new text of staleness.json after a step. */
export function stalenessChange(manuscript: Manuscript, step: Step): FileBlock {
  const { level, files, isCulled } = step;
  const record = completeRecord(manuscript);
  const after = new Map(files.map(({ path, content }) => [path, hashOf(content)]));
  const isGone = (path: string) => isCulled && bookPart(path) === undefined;
  const paths = (each: Level) => {
    if (each === level) return [...after.keys()];
    return levelsBelow(level).includes(each)
      ? manuscript.paths(each).filter((path) => !isGone(path))
      : manuscript.paths(each);
  };
  recordOwn(record, manuscript, step, paths);
  for (const below of levelsBelow(level).flatMap((each) => manuscript.paths(each))) {
    if (isGone(below)) delete record[below];
    else recordBelow(record, below, manuscript, step, { paths, after });
  }
  if (isCulled) delete record[ANALYSIS];
  return toFile(record);
}

/** The new text of staleness.json after everything below a level went. */
export function culledStaleness(manuscript: Manuscript, level: Level): FileBlock {
  const record = completeRecord(manuscript);
  for (const path of levelsBelow(level).flatMap(manuscript.paths)) if (!bookPart(path)) delete record[path];
  delete record[ANALYSIS];
  return toFile(record);
}

/** A person who edits a level, or brings one along, does not make it from what is above. */
function recordOwn(files: Files, manuscript: Manuscript, step: Step, paths: Manuscript["paths"]): void {
  const there = new Set(step.files.map(({ path }) => path));
  for (const path of manuscript.paths(step.level)) if (!there.has(path)) delete files[path];
  if (step.kind === "edit" || step.kind === "import") return;
  for (const path of there) {
    if (step.looked && !step.looked.includes(path)) continue;
    const versions = sourcesOf(path, { paths }).flatMap((source) => {
      const version = step.seen?.[source] ?? manuscript.hash(source);
      return version === undefined ? [] : [[source, version]];
    });
    if (versions.length > 0) files[path] = Object.fromEntries(versions);
  }
}

/** What is below agreed with a level that was derived from it, or with one that was never recorded, till now. */
function recordBelow(
  files: Files,
  below: string,
  manuscript: Manuscript,
  { isFromBelow }: Step,
  { paths, after }: { paths: Manuscript["paths"]; after: ReadonlyMap<string, string> },
): void {
  for (const source of sourcesOf(below, { paths })) {
    const now = after.get(source);
    if (now === undefined) continue;
    const recorded = files[below]?.[source];
    const before = manuscript.hash(source);
    const agreed = recorded === undefined ? (isFromBelow ? now : (before ?? now)) : recorded;
    files[below] = { ...files[below], [source]: isFromBelow && agreed === before ? now : agreed };
  }
}

/** The record with an entry for every file: one that never had any agreed with what is there. */
function completeRecord(manuscript: Manuscript): Files {
  const files = structuredClone(manuscript.staleness.files);
  for (const path of levels.flatMap(manuscript.paths))
    files[path] ??= versionsOf(sourcesOf(path, manuscript), manuscript);
  return files;
}

function versionsOf(paths: readonly string[], { hash }: Read): Record<string, string> {
  return Object.fromEntries(paths.map((path) => [path, hash(path)!]));
}

/** The new text of staleness.json after an analysis. */
export function analyzedChange(manuscript: Manuscript): FileBlock {
  const analyzed = versionsOf(levelsAbove(ANALYSIS).flatMap(manuscript.paths), manuscript);
  return toFile({ ...manuscript.staleness.files, [ANALYSIS]: analyzed });
}

/** The new text of staleness.json once its author took some files as in line; one whose source is stale itself is so still. */
export function agreedChange(manuscript: Manuscript, paths: readonly string[]): FileBlock {
  const files = completeRecord(manuscript);
  for (const path of paths) files[path] = versionsOf(sourcesOf(path, manuscript), manuscript);
  return toFile(files);
}

/** staleness.json, its files in order. */
function toFile(files: Files): FileBlock {
  const told = Object.entries(files).filter(([, versions]) => Object.keys(versions).length > 0);
  const record = { files: Object.fromEntries(told.sort(([a], [b]) => (a < b ? -1 : 1))) };
  return { path: STALENESS_FILE, content: `${JSON.stringify(record, null, 2)}\n` };
}

/** The files of a project, as far as it matters here. */
export interface Sources {
  paths(level: Level): readonly string[];
}

/** The files that a file is made from, of those that there are. */
export function sourcesOf(path: string, { paths }: Sources): string[] {
  const level = levelOf(path);
  const nearest = levels.slice(0, level ? levels.indexOf(level) : 0).findLast((above) => paths(above).length > 0);
  if (nearest === undefined) return [];
  const plan = planOf(path);
  // A part of the prose without a number that nobody planned is its author's own, and made from nothing.
  if (level === "prose" && bookPart(path) !== undefined && !paths("chapters").includes(plan)) return [];
  if (nearest !== "chapters") return [...paths(nearest)];
  return paths(nearest).filter((above) => above === FOUNDATION_PATH || above === plan);
}

/** The path of the plan that a chapter of prose has, whether it is there or not. */
export function planOf(path: string): string {
  return `${folderOf("chapters")}/${path.slice(path.lastIndexOf("/") + 1)}`;
}
