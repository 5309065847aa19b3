// Staleness: each file records the versions of the files that it was made from. It is stale where one of them has another
// version now, or is stale itself. Only who wrote a file with the change in sight clears it; bringing the source back does
// so too. The record is a file of the project, so undo restores it with the rest.

import type { FileBlock, Level } from "../../types.ts";
import { levels } from "../../types.ts";
import { bookPart, levelOf, levelsAbove, levelsBelow, STALENESS_FILE } from "../files/layout.ts";
import type { Manuscript } from "../files/open.ts";
import type { Cascade, StalenessFile } from "../files/schemas.ts";
import { hashOf } from "../files/versions.ts";
import { sourcesOf } from "./sources.ts";

/** How a level came to be what it is. */
export type StepKind = "iterate" | "generate" | "derive" | "edit" | "import";

/** A file that was made from other versions than there are now. */
export interface StaleFile {
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
  /** What files were made from whose text is again as it was; for a step that nobody wrote. */
  recorded?: Readonly<Files> | undefined;
  /** Versions of the files above as the writer saw them; those of now where nothing is said. */
  seen?: Readonly<Record<string, string>> | undefined;
  /** Whether the level follows what is below it, which then agrees with it. */
  isFromBelow?: boolean | undefined;
  /** What is left to be brought in line after the step; nothing where it is left out. */
  cascade?: Cascade | undefined;
}

type Files = NonNullable<StalenessFile["files"]>;
type Read = Pick<Manuscript, "has" | "paths" | "version" | "hash">;

/** What is stale. A level that is gone makes nothing stale, and a file without a record is not known to be. */
export function findStale(record: StalenessFile, manuscript: Read, hasAnalysis: boolean): Stale[] {
  const known = new Map<string, string[]>();
  const stale = levels.filter(manuscript.has).flatMap((level): Stale[] => {
    const files = manuscript.paths(level).flatMap((path) => {
      const because = becauseOf(path, record, manuscript, known);
      known.set(path, because);
      return because.length > 0 ? [{ path, because }] : [];
    });
    const because = new Set([
      ...files.flatMap((file) => file.because.flatMap((source) => levelOf(source) ?? [])),
      ...(files.length > 0 || hasRecords(level, record, manuscript) ? [] : changedLevels(level, record, manuscript)),
    ]);
    return because.size > 0 ? [{ level, because: levels.filter((each) => because.has(each)), files }] : [];
  });
  const analyzed = hasAnalysis ? changedLevels("analysis", record, manuscript) : [];
  return analyzed.length > 0 ? [...stale, { level: "analysis", because: analyzed, files: [] }] : stale;
}

function becauseOf(path: string, record: StalenessFile, manuscript: Read, known: ReadonlyMap<string, string[]>) {
  const from = record.files?.[path];
  const because = Object.entries(from ?? {}).flatMap(([source, version]) => {
    const level = levelOf(source);
    const isGone = level === undefined || !manuscript.has(level);
    return isGone || !isSource(path, source, manuscript) || manuscript.hash(source) === version ? [] : [source];
  });
  const coarse = from
    ? []
    : changedLevels(levelOf(path), record, manuscript).flatMap((level) => manuscript.paths(level));
  const inherited = sourcesOf(path, manuscript).flatMap((source) => known.get(source) ?? []);
  return [...new Set([...because, ...coarse, ...inherited])];
}

/** A plan that is gone was a source too: its prose no longer follows from anything. */
function isSource(path: string, source: string, manuscript: Read): boolean {
  return manuscript.hash(source) === undefined || sourcesOf(path, manuscript).includes(source);
}

/** Levels that changed since by the record of whole levels, which projects of before and the analysis have. */
function changedLevels(level: Level | "analysis" | undefined, { generated_from }: StalenessFile, manuscript: Read) {
  if (level === undefined || level === "premise") return [];
  const from = generated_from[level] ?? {};
  return levelsAbove(level).filter(
    (above) => manuscript.has(above) && from[above] !== undefined && from[above] !== manuscript.version(above),
  );
}

function hasRecords(level: Level, { files }: StalenessFile, { paths }: Read): boolean {
  return paths(level).some((path) => files?.[path] !== undefined);
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
  recordOwn(record.files, manuscript, step, paths);
  for (const below of levelsBelow(level).flatMap((each) => manuscript.paths(each))) {
    if (isGone(below)) delete record.files[below];
    else recordBelow(record.files, below, manuscript, step, { paths, after });
  }
  if (isCulled) forgetBelow(record.generated_from, level);
  else adoptAnalysis(record.generated_from, manuscript, level);
  return toFile({ ...record, ...(step.cascade && { cascade: step.cascade }) });
}

/** The new text of staleness.json after everything below a level went. */
export function culledStaleness(manuscript: Manuscript, level: Level): FileBlock {
  const record = completeRecord(manuscript);
  for (const path of levelsBelow(level).flatMap(manuscript.paths)) if (!bookPart(path)) delete record.files[path];
  forgetBelow(record.generated_from, level);
  return toFile(record);
}

function forgetBelow(record: StalenessFile["generated_from"], level: Level): void {
  for (const below of [...levelsBelow(level), "analysis"] as const) if (below !== "premise") delete record[below];
}

/** A person who edits a level, or brings one along, does not make it from what is above. */
function recordOwn(files: Files, manuscript: Manuscript, step: Step, paths: Manuscript["paths"]): void {
  const there = new Set(step.files.map(({ path }) => path));
  for (const path of manuscript.paths(step.level)) if (!there.has(path)) delete files[path];
  Object.assign(files, step.recorded);
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
  if (!files[below] && changedLevels(levelOf(below), manuscript.staleness, manuscript).length > 0) return;
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
export function completeRecord(manuscript: Manuscript): {
  generated_from: StalenessFile["generated_from"];
  files: Files;
} {
  const generated_from = structuredClone(manuscript.staleness.generated_from);
  const files: Files = structuredClone(manuscript.staleness.files ?? {});
  for (const level of ["treatment", "chapters", "prose"] as const) {
    if (changedLevels(level, manuscript.staleness, manuscript).length > 0) {
      if (!manuscript.paths(level).every((path) => files[path])) continue;
    }
    delete generated_from[level];
    for (const path of manuscript.paths(level)) {
      if (files[path]) continue;
      const versions = sourcesOf(path, manuscript).map((source) => [source, manuscript.hash(source)!]);
      if (versions.length > 0) files[path] = Object.fromEntries(versions);
    }
  }
  return { generated_from, files };
}

function adoptAnalysis(record: StalenessFile["generated_from"], manuscript: Manuscript, level: Level): void {
  const version = manuscript.version(level);
  if (manuscript.analysis.length === 0) delete record.analysis;
  if (manuscript.analysis.length === 0 || !levelsAbove("analysis").includes(level) || version === undefined) return;
  record.analysis = { [level]: version, ...record.analysis };
}

/** The new text of staleness.json after an analysis. */
export function analyzedChange(manuscript: Manuscript): FileBlock {
  const { generated_from, ...rest } = structuredClone(manuscript.staleness);
  const analysis = versionsOf(levelsAbove("analysis"), manuscript.version);
  return toFile({ ...rest, generated_from: { ...generated_from, analysis } });
}

/** The new text of staleness.json with other files, or with another rest of a cascade. */
export function toFile({ generated_from, files = {}, cascade }: StalenessFile): FileBlock {
  const ordered = (["treatment", "chapters", "prose", "analysis"] as const).flatMap((name) =>
    generated_from[name] && Object.keys(generated_from[name]).length > 0 ? [[name, generated_from[name]]] : [],
  );
  const paths = Object.keys(files).filter((path) => Object.keys(files[path]!).length > 0);
  const record = {
    generated_from: Object.fromEntries(ordered),
    ...(paths.length > 0 && { files: Object.fromEntries(paths.sort().map((path) => [path, files[path]])) }),
    ...(cascade && { cascade }),
  };
  return { path: STALENESS_FILE, content: `${JSON.stringify(record, null, 2)}\n` };
}

function versionsOf(names: readonly Level[], version: Manuscript["version"]): Partial<Record<Level, string>> {
  return Object.fromEntries(names.flatMap((name) => (version(name) === undefined ? [] : [[name, version(name)!]])));
}
