// Opening a project: every content file is read at once, so that what is asked of it afterwards is one picture of it.

import { access, lstat, mkdir, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { UsageError } from "@loopwright/core";
import { parseDocument, stringify } from "yaml";
import type { z } from "zod";
import { type FileBlock, type HistoryEntry, type Level, levels } from "../../types.ts";
import { notesOf } from "../format/text.ts";
import { readHistory } from "../history/history.ts";
import { findStale, type Stale } from "../history/staleness.ts";
import { countWords } from "../words.ts";
import { listNames, parseJsonFile, parseProjectFile, readText } from "./files.ts";
import {
  ANALYSIS_FOLDER,
  bookPart,
  comparePaths,
  FOUNDATION_PATH,
  folderOf,
  historyPath,
  isBegun,
  isContent,
  isReport,
  levelsBelow,
  PROJECT_FILE,
  STALENESS_FILE,
  TAXONOMY_FILE,
} from "./layout.ts";
import { hashOf, type ProjectFile, StalenessFile, Taxonomy } from "./schemas.ts";

/** Something below a level: its files are affected when the level changes. */
export interface Downstream {
  level: Level | "analysis";
  /** Chapters (the foundation not counted), reports, or 1. */
  count: number;
}

/** A project as it was when it was opened; open it again to see what changed since. */
export interface Manuscript {
  readonly folder: string;
  /** The folder's own name. */
  readonly name: string;
  readonly project: ProjectFile;
  readonly taxonomy: Taxonomy | undefined;
  readonly staleness: StalenessFile;
  /** What is odd but does no harm: a gap in the chapters, a file that looks like a chapter but is named wrongly. */
  readonly notes: readonly string[];
  /** Files of analysis/, from the project's folder. */
  readonly analysis: readonly string[];
  has(level: Level): boolean;
  /** The content files of a level, from the project's folder, in order: the foundation first. */
  paths(level: Level): string[];
  read(level: Level): Promise<FileBlock[]>;
  /** Oldest first. `shas`: commits by iteration id, as git knows them. */
  history(level: Level, shas?: ReadonlyMap<string, string>): Promise<HistoryEntry[]>;
  hasHistory(level: Level): boolean;
  /** What a change of a level affects below it, nearest first; parts without a number are not meant. */
  downstreamOf(level: Level): Downstream[];
  stale(): Stale[];
  /** The version of a content file, by its text alone; undefined where there is none. */
  hash(path: string): string | undefined;
  /** The text of a content file; undefined where there is none. */
  text(path: string): string | undefined;
  /** The most downstream level that exists. */
  target(): Level | undefined;
  words(level: Level): number;
  /** Chapters of a level, the foundation and parts without a number not counted; 1 for premise and treatment; 0 where it does not exist. */
  count(level: Level): number;
}

/** Opens a project; a file that is wrong is a UsageError with its path and line. */
export async function openManuscript(folder: string): Promise<Manuscript> {
  const root = resolve(folder);
  const [project, taxonomy, staleness, analysis, ...names] = await Promise.all([
    readProject(root),
    readJson(root, TAXONOMY_FILE, Taxonomy),
    readJson(root, STALENESS_FILE, StalenessFile),
    listNames(root, ANALYSIS_FOLDER),
    ...levels.map((level) => listNames(root, folderOf(level))),
  ]);
  const byLevel = {} as Record<Level, FileBlock[]>;
  const found = levels.map((level, index) => ({ level, names: names[index]! }));
  for (const { level, names } of found) byLevel[level] = await readLevel(root, level, names);
  const histories = new Set(
    found.filter(({ level, names }) => names.includes(basename(historyPath(level)))).map(({ level }) => level),
  );
  return snapshot(root, {
    project,
    taxonomy,
    staleness: staleness ?? { files: {} },
    analysis: analysis
      .filter((name) => /\.(?:md|json)$/.test(name))
      .map((name) => `${ANALYSIS_FOLDER}/${name}`)
      .sort(),
    notes: found.flatMap(({ level, names }) => notesOf(level, names)),
    byLevel,
    histories,
  });
}

interface Contents extends Pick<Manuscript, "project" | "taxonomy" | "staleness" | "analysis" | "notes"> {
  byLevel: Readonly<Record<Level, readonly FileBlock[]>>;
  histories: ReadonlySet<Level>;
}

function snapshot(folder: string, { byLevel, histories, ...given }: Contents): Manuscript {
  const has = (level: Level) => byLevel[level].length > 0;
  const count = (level: Level) =>
    byLevel[level].filter(({ path }) => path !== FOUNDATION_PATH && bookPart(path) === undefined).length;
  const reports = given.analysis.filter(isReport).length;
  const texts = new Map(levels.flatMap((level) => byLevel[level].map(({ path, content }) => [path, content])));
  const hashes = new Map<string, string>();
  const hash = (path: string) => {
    const text = texts.get(path);
    if (text !== undefined && !hashes.has(path)) hashes.set(path, hashOf(text));
    return hashes.get(path);
  };
  const paths = (level: Level) => byLevel[level].map(({ path }) => path);
  return {
    ...given,
    folder,
    hash,
    text: (path) => texts.get(path),
    name: basename(folder),
    has,
    count,
    paths,
    read: async (level) => byLevel[level].map((file) => ({ ...file })),
    history: (level, shas) => readHistory(folder, level, shas),
    hasHistory: (level) => histories.has(level),
    downstreamOf: (level) => {
      const below: Downstream[] = levelsBelow(level)
        .filter((each) => isBegun(paths(each)))
        .map((each) => ({ level: each, count: count(each) }));
      return reports > 0 ? [...below, { level: "analysis", count: reports }] : below;
    },
    stale: () => findStale(given.staleness, { has, paths, hash }, reports > 0),
    target: () => levels.findLast((level) => isBegun(paths(level))) ?? levels.findLast(has),
    words: (level) => byLevel[level].reduce((sum, { content }) => sum + countWords(content), 0),
  };
}

async function readProject(root: string): Promise<ProjectFile> {
  const text = await readText(root, PROJECT_FILE);
  if (text !== undefined) return parseProjectFile(text, join(root, PROJECT_FILE));
  const isThere = await stat(root).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const what = isThere ? `${root} is no novel project: it has no ${PROJECT_FILE}` : `there is no folder ${root}`;
  throw new UsageError("NOVEL_MISSING", `${what}. Make one with /new <name>, or with loopwright init --loop novel.`);
}

async function readJson<Schema extends z.ZodType>(
  root: string,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const text = await readText(root, path);
  return text === undefined ? undefined : parseJsonFile(text, join(root, path), schema);
}

async function readLevel(root: string, level: Level, names: readonly string[]): Promise<FileBlock[]> {
  const paths = names.map((name) => `${folderOf(level)}/${name}`).filter((path) => isContent(level, path));
  const read = paths.sort(comparePaths).map(async (path) => ({ path, content: await readText(root, path) }));
  return (await Promise.all(read)).filter((file): file is FileBlock => file.content !== undefined);
}

// Making an empty project, and changing its settings. Nothing that is there is overwritten.

/** What git leaves out: the engine's own files and the debug store. */
const ignoredPaths: readonly string[] = [".loopwright/", "runs/", ".agentic/", ".env"];

/** What a new book needs: a title, and whatever else is known. */
export type NewManuscript = Pick<ProjectFile, "title"> & Partial<ProjectFile>;

/** Makes an empty project and opens it; refuses a folder that is one already. */
export async function createManuscript(folder: string, options: NewManuscript): Promise<Manuscript> {
  const root = resolve(folder);
  const { [PROJECT_FILE]: project, [TAXONOMY_FILE]: taxonomy } = newManuscriptFiles(options);
  parseProjectFile(project!, join(root, PROJECT_FILE));
  if (await isThere(join(root, PROJECT_FILE))) {
    throw new UsageError(
      "NOVEL_EXISTS",
      `${root} is a novel project already: open it with /open, or choose another name.`,
    );
  }
  await mkdir(root, { recursive: true });
  await completeIgnored(root);
  if (!(await isThere(join(root, TAXONOMY_FILE))))
    await writeFile(join(root, TAXONOMY_FILE), taxonomy!, { flag: "wx" });
  // The last one, so that a project that is there is whole.
  await writeFile(join(root, PROJECT_FILE), project!, { flag: "wx" });
  return openManuscript(root);
}

/** The files of an empty project. */
export function newManuscriptFiles(options: NewManuscript): Record<string, string> {
  return {
    [PROJECT_FILE]: stringify(options, { lineWidth: 0 }),
    [TAXONOMY_FILE]: `${JSON.stringify(emptyTaxonomy(options.genre), null, 2)}\n`,
    ".gitignore": ignoreText(""),
  };
}

/** Adds to a folder's .gitignore what it lacks. */
export async function completeIgnored(folder: string): Promise<void> {
  const file = join(folder, ".gitignore");
  if ((await lstat(file).catch(() => undefined))?.isSymbolicLink())
    throw new UsageError("NOVEL_FILE_LINKED", `${file} is a link, and nothing is written through it: put a file there`);
  await writeFile(file, ignoreText((await readText(folder, ".gitignore")) ?? ""));
}

/** project.yaml with some values replaced; comments and order stay. */
export async function changeProjectFile(folder: string, values: Partial<ProjectFile>): Promise<FileBlock> {
  const text = await readText(folder, PROJECT_FILE);
  if (text === undefined)
    throw new UsageError("NOVEL_MISSING", `${folder} is no novel project: it has no ${PROJECT_FILE}`);
  const document = parseDocument(text);
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) document.delete(key);
    else document.set(key, value);
  }
  const content = document.toString({ lineWidth: 0 });
  parseProjectFile(content, join(folder, PROJECT_FILE));
  return { path: PROJECT_FILE, content };
}

/** The text of .gitignore: what it had, and what it lacks. */
export function ignoreText(before: string): string {
  const lines = before.split(/\r?\n/).map((line) => line.trim());
  const lacking = ignoredPaths.filter((path) => !lines.includes(path) && !lines.includes(path.replace(/\/$/, "")));
  if (lacking.length === 0) return before;
  return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${lacking.join("\n")}\n`;
}

function emptyTaxonomy(genre = ""): Taxonomy {
  return { genre, subgenres: [], tropes: [], tone: [], audience: "", pov: "", tense: "" };
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
