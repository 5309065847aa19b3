// Which files a run's tests are, and where a job sees them. Tests that lie outside the workspace are copied once, into the
// run's own state, so that they stay what they were.

import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { UsageError } from "@loopwright/core";
import { isCode } from "@loopwright/sandbox";
import { readPlain } from "../folder/files.ts";
import { IGNORED_NAMES, isWithin, type Owner, walk } from "../folder/walk.ts";
import type { FileBlock } from "../options.ts";
import type { TestFile } from "../runners/types.ts";
import { isTestFile, isTestSource, mayBeTest } from "./names.ts";

/** A folder with test files, whose it is where it is not ours, and where a job sees it. */
interface TestFolder {
  folder: string;
  inside: string;
  owner?: Owner;
}

/** Tests that were given by their paths. */
export interface GivenTests {
  /** Paths of the workspace, files and folders. */
  inside: string[];
  /** The folder of the copies of others, and by their names in it where the user has them: jobs see them there, as they may import
   * the workspace by a path. */
  copies: string;
  places: Readonly<Record<string, string>>;
}

/** Sorts given paths into those of the workspace and others, which are copied, without what is excepted. */
export function takeTests(
  paths: readonly string[],
  workspace: string,
  copies: string,
  except: readonly string[] = [],
): GivenTests {
  const inside = pathsInside(paths, workspace);
  const others = paths.filter((path) => pathInside(path, workspace) === undefined);
  const list = join(copies, ".places");
  if (existsSync(list)) return { inside, copies, places: JSON.parse(readFileSync(list, "utf8")) };
  return { inside, copies, places: others.length === 0 ? {} : copyTests(others, copies, workspace, except) };
}

/** The given paths that lie in the workspace, as paths of it. */
export function pathsInside(paths: readonly string[], workspace: string): string[] {
  return paths.flatMap((path) => {
    const inside = pathInside(path, workspace);
    if (inside === "")
      throw new UsageError("TESTS_ARE_WORKSPACE", `${path} is the workspace itself: name the tests in it`);
    return inside === undefined ? [] : [inside];
  });
}

function pathInside(path: string, workspace: string): string | undefined {
  const [full, root] = [realOf(path), realpathSync(workspace)];
  return isWithin(full, root) ? full.slice(root.length + 1) : undefined;
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** Whether a path is one of some, or lies in one of them. */
function isAmong(path: string, others: readonly string[]): boolean {
  return others.some((other) => isWithin(realOf(path), realOf(other)));
}

/** The test files among given tests, with where a job sees them. */
export async function filesOf(
  { inside, copies, places }: GivenTests,
  workspace: TestFolder,
  placeOf: (name: string) => string,
): Promise<TestFile[]> {
  const own = (await testPaths(workspace.folder, inside, workspace.owner)).map((path) => fileAt(workspace, path));
  const copied = (await testPaths(copies, Object.keys(places))).map((path) => {
    const [name = "", ...rest] = path.split("/");
    return { ...fileAt({ folder: copies, inside: "" }, path), inside: [placeOf(name), ...rest].join("/") };
  });
  return [...own, ...copied];
}

/** A file of a folder, as a run's test file. */
export function fileAt({ folder, inside, owner }: TestFolder, path: string): TestFile {
  const source = readPlain(folder, path, owner)?.toString("utf8");
  if (source === undefined) throw testsMissing(join(folder, path));
  return { path, inside: `${inside}/${path}`, source };
}

/** A file that was named is a test, whatever it is called; of a folder, what a runner would take for one. */
async function testPaths(folder: string, names: readonly string[], owner?: Owner): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const state = statSync(join(folder, name), { throwIfNoEntry: false });
    if (state?.isFile()) found.push(name);
    if (!state?.isDirectory()) continue;
    const entries = await walk(join(folder, name), [], owner);
    const files = entries.flatMap(({ kind, path }) => (kind === "file" ? [`${name}/${path}`] : []));
    const textOf = (path: string) => readPlain(folder, path, "user")?.toString("utf8") ?? "";
    found.push(...files.filter((path) => isTestFile(path) || (mayBeTest(path) && isTestSource(path, textOf(path)))));
  }
  return [...new Set(found)].sort();
}

/** Given test files by the names that reports give them, with their contents: what a model may be shown. */
export async function readTests(
  paths: readonly string[],
  workspace?: string,
  { except = [], isCopied = false }: { isCopied?: boolean; except?: readonly string[] } = {},
): Promise<FileBlock[]> {
  const root = workspace === undefined || !existsSync(workspace) ? undefined : realpathSync(workspace);
  const found: FileBlock[] = [];
  for (const path of paths.map((each) => resolve(each))) {
    if (!existsSync(path)) throw testsMissing(path);
    const real = realpathSync(path);
    const isInside = root !== undefined && isWithin(real, root);
    const files = isInside
      ? await readBlocks(root, relative(root, real), except)
      : await readBlocks(dirname(path), basename(path), except);
    if (root !== undefined && !isInside)
      for (const { path: file, content } of files)
        refuseLeaving({ given: real, file: join(dirname(real), file), workspace: root, isCopied }, content);
    found.push(...files);
  }
  return found;
}

async function readBlocks(folder: string, name: string, except: readonly string[]): Promise<FileBlock[]> {
  try {
    accessSync(join(folder, name), constants.R_OK);
    const paths = (await testPaths(folder, [name], "user")).filter((path) => !isAmong(join(folder, path), except));
    return paths.map((path) => ({ path, content: readFileSync(join(folder, path), "utf8") }));
  } catch (cause) {
    if (!isCode(cause, "EACCES")) throw cause;
    const path = join(folder, name);
    const message = `you may not read the tests at ${path}; their owner can let you: chmod -R a+rX ${path}`;
    throw new UsageError("TESTS_UNREADABLE", message, { cause });
  }
}

/** Copies tests into a folder, in place of what stands there, and gives their places by their names in it. */
export function copyTests(
  paths: readonly string[],
  copies: string,
  workspace: string,
  except: readonly string[] = [],
): Record<string, string> {
  const fresh = `${copies}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const places: Record<string, string> = {};
  for (const path of paths) {
    if (!existsSync(path)) throw testsMissing(path);
    if (isWithin(workspace, realOf(path)))
      throw new UsageError("TESTS_ARE_WORKSPACE", `${path} holds the workspace: name the tests in it`);
    const name = basename(path) in places ? `${Object.keys(places).length}-${basename(path)}` : basename(path);
    const filter = (from: string) => !IGNORED_NAMES.includes(basename(from)) && !isAmong(from, except);
    cpSync(path, join(fresh, name), { recursive: true, dereference: true, filter });
    places[name] = realOf(path);
  }
  writeFileSync(join(fresh, ".places"), JSON.stringify(places));
  rmSync(copies, { recursive: true, force: true });
  renameSync(fresh, copies);
  return places;
}

const SCRIPT = /\.[cm]?[jt]sx?$/;
const SCRIPT_IMPORT = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]*)["']/g;
const PYTHON_IMPORT = /^[ \t]*from[ \t]+(\.+)([\w.]*)[ \t]+import\b/gm;

type Place = Record<"given" | "file" | "workspace", string> & { isCopied: boolean };

/** Refuses a test file that imports by a path or by dots what lies outside of what was given: seen where it lies, it can follow only
 * into the workspace; where it is copied to, not even there. */
function refuseLeaving({ given, file, workspace, isCopied }: Place, source: string): void {
  const isScript = SCRIPT.test(file);
  for (const [, first = "", name = ""] of source.matchAll(isScript ? SCRIPT_IMPORT : PYTHON_IMPORT)) {
    const way = isScript ? [first] : [first.slice(1).replaceAll(".", "../"), ...name.split(".")];
    const target = resolve(dirname(file), ...way);
    if (isWithin(target, given) || (isScript && !isCopied && isWithin(target, workspace))) continue;
    const what = isScript
      ? `'${first}', which is neither in the workspace ${workspace} nor among the given tests: name it with --tests too`
      : `'${first}${name}' by dots, which lead out of the given tests: import it by its name, as the workspace is on Python's path`;
    const both = `or give --workspace a folder that holds both, such as ${commonFolder(workspace, target)}`;
    throw new UsageError("TESTS_LEAVE", `${file} imports ${what}, ${both}`);
  }
}

function commonFolder(one: string, other: string): string {
  return isWithin(other, one) ? one : commonFolder(dirname(one), other);
}

function testsMissing(path: string): UsageError {
  return new UsageError("TESTS_MISSING", `there are no tests at ${path}`);
}
