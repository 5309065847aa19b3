// Which files a run's tests are, and where a job sees them. Tests that lie outside the workspace are copied once, into the
// run's own state, so that they stay what they were.

import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { UsageError } from "@loopwright/core";
import { isCode } from "@loopwright/sandbox";
import type { FileBlock } from "../cell.ts";
import { lookIn, readPlain } from "../folder/files.ts";
import { IGNORED_NAMES, isWithin, type Owner, walk } from "../folder/walk.ts";
import type { TestFile } from "../runners/types.ts";
import { isTestFile, isTestSource, mayBeTest } from "./names.ts";
import { reachesWorkspace, refuseLeaving } from "./relative.ts";

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
  /** What was copied from elsewhere, in the folder of the copies. */
  outside: Copied;
}

/** Copies of tests by their names in a folder, and where a job sees those that lie at a place of their own: where the user has them,
 * as they import the workspace by a path. */
export interface Copied {
  folder: string;
  names: string[];
  places: Readonly<Record<string, string>>;
}

/** Sorts given paths into those of the workspace and others, which are copied, without what is excepted. */
export function takeTests(
  paths: readonly string[],
  workspace: string,
  copies: string,
  except: readonly string[] = [],
): GivenTests {
  const others = paths.map((path) => resolve(path)).filter((path) => pathInside(path, workspace) === undefined);
  return { inside: pathsInside(paths, workspace), outside: copyOnce(others, copies, workspace, except) };
}

/** The given paths that lie in the workspace, as paths of it. */
export function pathsInside(paths: readonly string[], workspace: string): string[] {
  return paths.flatMap((path) => {
    const inside = pathInside(resolve(path), workspace);
    if (inside === "")
      throw new UsageError("TESTS_ARE_WORKSPACE", `${path} is the workspace itself: name the tests in it`);
    return inside === undefined ? [] : [inside];
  });
}

function pathInside(full: string, workspace: string): string | undefined {
  const plain = relative(realpathSync(workspace), existsSync(full) ? realpathSync(full) : full);
  const isOutside = plain === ".." || plain.startsWith(`..${sep}`) || plain.startsWith(sep);
  return isOutside ? undefined : plain.split(sep).join("/");
}

/** The test files among given tests, with where a job sees them. */
export async function filesOf(
  { inside, outside }: GivenTests,
  workspace: TestFolder,
  copiesInside: string,
): Promise<TestFile[]> {
  const own = (await testPaths(workspace.folder, inside, workspace.owner)).map((path) => fileAt(workspace, path));
  const copied = await testPaths(outside.folder, outside.names);
  return [...own, ...copied.map((path) => copyAt(outside, copiesInside, path))];
}

function copyAt({ folder, places }: Copied, copiesInside: string, path: string): TestFile {
  const [name = "", ...rest] = path.split("/");
  const file = fileAt({ folder, inside: copiesInside }, path);
  return places[name] === undefined ? file : { ...file, inside: [places[name], ...rest].join("/") };
}

/** Given test files by the names that reports give them, with their contents: what a model may be shown. */
export async function readTests(
  paths: readonly string[],
  workspace?: string,
  { except = [], ...options }: { isCopied?: boolean; except?: readonly string[] } = {},
): Promise<FileBlock[]> {
  const root = workspace === undefined || !existsSync(workspace) ? undefined : realpathSync(workspace);
  const found: FileBlock[] = [];
  for (const path of paths.map((each) => resolve(each))) {
    if (!existsSync(path)) throw testsMissing(path);
    const real = realpathSync(path);
    const folder = root !== undefined && real.startsWith(`${root}${sep}`) ? root : dirname(path);
    const name = relative(folder, folder === root ? real : path)
      .split(sep)
      .join("/");
    const files = await readBlocks(folder, name, except).catch((error: unknown) => {
      throw isCode(error, "EACCES") ? testsUnreadable(path, error) : error;
    });
    if (root !== undefined && folder !== root)
      for (const each of files)
        refuseLeaving({ given: real, file: join(dirname(real), each.path), workspace: root }, each.content, options);
    found.push(...files);
  }
  return found;
}

async function readBlocks(folder: string, name: string, except: readonly string[]): Promise<FileBlock[]> {
  const paths = (await testPaths(folder, [name], "user")).filter((path) => !isAmong(join(folder, path), except));
  return paths.map((path) => ({ path, content: readFileSync(join(folder, path), "utf8") }));
}

/** A file of a folder, as a run's test file. */
export function fileAt({ folder, inside, owner }: TestFolder, path: string): TestFile {
  const isFile = lookIn(folder, path)?.isFile();
  const source = isFile ? readPlain(folder, path, owner)?.toString("utf8") : undefined;
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

function copyOnce(paths: readonly string[], copies: string, workspace: string, except: readonly string[]): Copied {
  const list = join(copies, ".names");
  // Before tests had places of their own, the list was of names.
  const known = existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as string[] | Omit<Copied, "folder">) : [];
  if (!Array.isArray(known)) return { folder: copies, ...known };
  if (known.length > 0 || paths.length === 0) return { folder: copies, names: known, places: {} };
  return copyTests(paths, copies, workspace, except);
}

/** Copies tests into a folder, in place of what stands there. */
export function copyTests(
  paths: readonly string[],
  copies: string,
  workspace: string,
  except: readonly string[] = [],
): Copied {
  const fresh = `${copies}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const names: string[] = [];
  const places: Record<string, string> = {};
  for (const path of paths) {
    if (!existsSync(path)) throw testsMissing(path);
    const name = names.includes(basename(path)) ? `${names.length}-${basename(path)}` : basename(path);
    cpSync(path, join(fresh, name), {
      recursive: true,
      dereference: true,
      filter: (from) => isWanted(from) && !isAmong(from, except),
    });
    names.push(name);
    const given = realpathSync(path);
    if (!isWithin(workspace, given) && filesIn(given).some((file) => reaches(file, given, workspace)))
      places[name] = given;
  }
  writeFileSync(join(fresh, ".names"), JSON.stringify({ names, places }));
  rmSync(copies, { recursive: true, force: true });
  renameSync(fresh, copies);
  return { folder: copies, names, places };
}

/** Whether a path is one of some, or lies in one of them. */
export function isAmong(path: string, others: readonly string[]): boolean {
  const real = (each: string) => (existsSync(each) ? realpathSync(each) : resolve(each));
  return others.some((other) => isWithin(real(path), real(other)));
}

const SCRIPT = /\.[cm]?[jt]sx?$/;

/** The scripts in a given path, or the one that it is. */
function filesIn(given: string): string[] {
  if (statSync(given).isFile()) return SCRIPT.test(given) ? [given] : [];
  const entries = readdirSync(given, { recursive: true, encoding: "utf8" });
  return entries.filter((path) => SCRIPT.test(path) && !path.includes("node_modules")).map((path) => join(given, path));
}

function reaches(file: string, given: string, workspace: string): boolean {
  return statSync(file).isFile() && reachesWorkspace({ given, file, workspace }, readFileSync(file, "utf8"));
}

function testsUnreadable(path: string, cause: unknown): UsageError {
  const advice = `chmod -R a+rX ${path}`;
  return new UsageError(
    "TESTS_UNREADABLE",
    `you may not read the tests at ${path}; their owner can let you: ${advice}`,
    { cause },
  );
}

function testsMissing(path: string): UsageError {
  return new UsageError("TESTS_MISSING", `there are no tests at ${path}`);
}

function isWanted(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return (
    found !== undefined &&
    !IGNORED_NAMES.includes(basename(path)) &&
    (found.isFile() || found.isDirectory() || found.isSymbolicLink())
  );
}
