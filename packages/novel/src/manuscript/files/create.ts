// Making an empty project, and changing its settings. Nothing that is there is overwritten.

import { access, lstat, mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UsageError } from "@loopwright/core";
import { parseDocument, stringify } from "yaml";
import type { FileBlock } from "../../types.ts";
import { parseProjectFile, readText } from "./files.ts";
import { PROJECT_FILE, TAXONOMY_FILE } from "./layout.ts";
import { type Manuscript, openManuscript } from "./open.ts";
import type { ProjectFile, Taxonomy } from "./schemas.ts";

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
