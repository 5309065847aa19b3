// The run's own checkout of the user's folder. All work is done in it; the user's files are read when a run begins, and
// written only when a result is applied.
//
//   base      the user's files as they were taken in last
//   checkout  what the run has made of them
//   apply     base → checkout as a change of the user's files as they are now: what they have changed since is a conflict
//   undo      takes back what was applied, file by file, unless it was changed since

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError, readPlainFile, UsageError } from "@loopwright/core";
import type { Change } from "../change/functions.ts";
import { blockerOf } from "../folder/files.ts";
import { TooLarge } from "../folder/limits.ts";
import { isIgnored } from "../folder/walk.ts";
import { ownPath, type ProjectCellOptions, realFolder } from "../options.ts";
import { type IsFree, Snapshots } from "../snapshots/snapshots.ts";
import { changedPaths, deletedOf, isAlike, type Tree } from "../snapshots/tree.ts";
import { pathsInside } from "../tests/files.ts";
import { type Commit, commitToBranch, headOf, removeBranch } from "./branch.ts";
import { dependenciesIn } from "./dependencies.ts";
import { makePatch, type Patch } from "./patch.ts";
import { isForbidden, readOnlyError } from "./writable.ts";

/** What became of a change: the paths that were written, and those that were left as the user has them. */
export interface Applied {
  /** Those that were deleted, too. */
  written: string[];
  /** Which of them were deleted, where any were. */
  deleted?: string[];
  conflicts: string[];
  /** Where it was applied, where that is a folder of the run's own. */
  folder?: string;
  /** The branch that it was committed to, in place of the user's files. */
  branch?: string;
  /** Nothing was to be applied: the change is in the run's patch. */
  isPatch?: true;
}

/** A state on the way to a result, and what is said of it. */
export interface Step {
  snapshot: string;
  message: string;
}

export interface CheckoutPlace {
  /** The user's folder. */
  user: string;
  /** A folder of the run's own. */
  state: string;
  /** Paths that are no part of the work. */
  ignore: readonly string[];
}

export interface ApplyOptions {
  /** Paths that are written even though the user has changed them. */
  over?: readonly string[];
  /** Only says what would be done. */
  isDry?: boolean;
  /** The result becomes commits on a new branch of this name, and the user's files stay as they are. */
  branch?: string;
  /** The states that have a commit of their own, in order; the result where they do not end with it. */
  steps?: readonly Step[];
}

interface Placing {
  paths: readonly string[];
  /** What they are to become; what they were when they were looked at; what goes; and the stamps from before the look. */
  tree: Tree;
  now: Tree;
  goes: ReadonlySet<string>;
  stamps: ReadonlyMap<string, string>;
}

interface Memory {
  base: string;
  /** The commit that the user's repository stood at then. */
  head?: string;
  /** The branch that was made. */
  made?: Commit;
  /** What was applied, in order: which paths, what they were before, and what they became. */
  applied?: { before: string; after: string; paths: string[] }[];
}

/** Where a run's checkout is, by what the run was started with. */
export function checkoutPlace(
  options: Pick<ProjectCellOptions, "workspace" | "state" | "ignore" | "heldOut" | "dependencies">,
): CheckoutPlace {
  const [user, state] = [realFolder(options.workspace), realpathSync(options.state)];
  const hidden = pathsInside(options.heldOut ?? [], user);
  const packages = dependenciesIn(user, options.dependencies);
  const ignore = [...(options.ignore ?? []), ...ownPath(user, state), ...hidden, ...packages];
  return { user, state, ignore };
}

export class Checkout {
  readonly folder: string;
  readonly ignore: readonly string[];
  readonly snapshots: Snapshots;
  /** The user's. */
  readonly #folder: string;
  readonly #user: Snapshots;
  readonly #memory: string;
  readonly #state: string;
  readonly #gitDir: string;

  constructor({ user, state, ignore }: CheckoutPlace) {
    for (const name of ["checkout", "snapshots.git", "checkout.json"]) refuseLink(join(state, name));
    const gitDir = join(state, "snapshots.git");
    this.#state = state;
    this.#gitDir = gitDir;
    this.folder = join(state, "checkout");
    this.ignore = ignore;
    this.snapshots = new Snapshots({ folder: this.folder, gitDir, ignore });
    this.#folder = user;
    this.#user = new Snapshots({ folder: user, gitDir, ignore, owner: "user" });
    this.#memory = join(state, "checkout.json");
    mkdirSync(this.folder, { recursive: true });
  }

  /** Whether the user's files were taken in. */
  get isTaken(): boolean {
    return existsSync(this.#memory);
  }

  /** Takes the user's files in: all of them at first, and later those that they have changed since. */
  async takeIn(): Promise<void> {
    const now = await this.#user.take({ user: true }).catch((error: unknown) => {
      if (!(error instanceof TooLarge)) throw error;
      const advice = `${this.#folder} cannot be worked in: ${error.message}; name a smaller folder with --workspace`;
      throw new UsageError(error.code, advice, { cause: error });
    });
    const memory = this.#read();
    if (!memory) await this.snapshots.restore(now);
    else if (memory.base !== now) {
      const [base, tree] = [await this.#user.tree(memory.base), await this.#user.tree(now)];
      await placeAll(this.snapshots, changedPaths(base, tree), tree);
    }
    const head = await headOf(this.#folder);
    this.#write({ ...memory, base: now, ...(head !== undefined && { head }) });
  }

  /** The files that a snapshot has changed or added, as texts; links and what is no text without one. */
  async changes(snapshot: string): Promise<Change[]> {
    const memory = this.#read();
    if (!memory) return [];
    const [base, now] = await Promise.all([this.#user.tree(memory.base), this.#user.tree(snapshot)]);
    const changed = changedPaths(base, now).filter((path) => now.files.has(path));
    const after = await this.#user.texts(now, changed);
    const before = await this.#user.texts(base, changed);
    const texts = [...after].map(([path, text]) => {
      const old = before.get(path);
      return { path, after: text, ...(old !== undefined && { before: old }) };
    });
    const hidden = changed.filter((path) => !after.has(path));
    return [...texts, ...hidden.map((path) => ({ path, after: "", isHidden: true }))];
  }

  /** Makes the change that a snapshot is in the user's files. Where both have changed a file, the user's stays, unless it is
   * named. */
  async apply(snapshot: string, options: ApplyOptions = {}): Promise<Applied> {
    const { over = [], isDry = false, branch, steps = [] } = options;
    const memory = this.#read();
    if (!memory) throw nothingApplied("nothing was taken in yet");
    if (branch !== undefined) return this.#commit(memory, snapshot, { branch, isDry, steps });
    const [base, wanted] = await Promise.all([memory.base, snapshot].map((id) => this.#user.tree(id)));
    const stamps = this.#stamps(changedPaths(base!, wanted!));
    const before = await this.#user.take({ user: true });
    const now = await this.#user.tree(before);
    const changed = changedPaths(base!, wanted!).filter((path) => !isAlike(now, wanted!, path));
    const isTheirs = (path: string) => !isAlike(base!, now, path) && !over.includes(path);
    const goes = new Set(changed.filter((path) => !isTheirs(path) && !wanted!.files.has(path)));
    const conflicts = changed.filter((path) => isTheirs(path) || this.#isBlocked(path, now, goes));
    const written = changed.filter((path) => !conflicts.includes(path));
    const applied = (late: ReadonlySet<string>) => {
      const done = written.filter((path) => !late.has(path));
      return { written: done, ...deletedOf(done, wanted!), conflicts: [...conflicts, ...late].sort() };
    };
    if (isDry) return applied(new Set());
    const change = { before, after: snapshot, paths: written };
    // On record before the first file: what was written in part can be taken back. Another process may have been at it too.
    const latest = this.#read() ?? memory;
    if (written.length > 0) this.#write({ ...latest, applied: [...(latest.applied ?? []), change] });
    return applied(await this.#place({ paths: written, tree: wanted!, now, goes, stamps }));
  }

  /** Takes back what was applied. A file that was changed since stays as it is. */
  async undo({ isDry = false } = {}): Promise<Applied> {
    const memory = this.#read();
    if (memory?.made) return this.#removeBranch(memory, memory.made, isDry);
    if (!memory?.applied) throw nothingApplied("nothing of this run stands in your files");
    const done: Applied = { written: [], conflicts: [] };
    for (const { before: from, after: to, paths } of memory.applied.toReversed()) {
      const stamps = this.#stamps(paths);
      const now = await this.#user.tree(await this.#user.take({ user: true }));
      const [before, after] = await Promise.all([from, to].map((id) => this.#user.tree(id)));
      const changed = paths.filter((path) => !isAlike(now, before!, path));
      const isOurs = (path: string) => isAlike(now, after!, path);
      const goes = new Set(changed.filter((path) => isOurs(path) && !before!.files.has(path)));
      const written = changed.filter((path) => isOurs(path) && !this.#isBlocked(path, now, goes));
      const late = isDry ? new Set() : await this.#place({ paths: written, tree: before!, now, goes, stamps });
      const isDone = (path: string) => written.includes(path) && !late.has(path);
      const undone = changed.filter(isDone);
      done.written.push(...undone);
      const { deleted } = deletedOf(undone, before!);
      if (deleted) done.deleted = [...(done.deleted ?? []), ...deleted];
      done.conflicts.push(...changed.filter((path) => !isDone(path)));
    }
    const { applied: _, ...rest } = memory;
    if (done.conflicts.length === 0 && !isDry) this.#write(rest);
    return done;
  }

  async #commit(
    memory: Memory,
    snapshot: string,
    { branch, isDry, steps }: Required<Pick<ApplyOptions, "branch" | "isDry" | "steps">>,
  ): Promise<Applied> {
    const base = await this.#user.tree(memory.base);
    const stepTo = async ({ snapshot: id, message }: Step) => {
      const wanted = await this.#user.tree(id);
      const paths = changedPaths(base, wanted);
      return { files: new Map(paths.map((path) => [path, wanted.files.get(path)])), message };
    };
    const written = changedPaths(base, await this.#user.tree(snapshot));
    if (isDry || written.length === 0) return { written, conflicts: [], branch };
    const message = `Loopwright: ${written.length === 1 ? written[0] : `${written.length} files`}`;
    const isWhole = steps.at(-1)?.snapshot === snapshot;
    const result = await commitToBranch(branch, {
      ...{ folder: this.#folder, state: this.#state, gitDir: this.#gitDir, head: memory.head },
      steps: await Promise.all([...steps, ...(isWhole ? [] : [{ snapshot, message }])].map(stepTo)),
    });
    this.#write({ ...memory, made: result.made });
    return { written: result.written, conflicts: result.left, branch: result.made.branch };
  }

  /** The change that a snapshot is, for whoever wants to read it or apply it by hand. */
  async patch(snapshot: string): Promise<Patch> {
    const memory = this.#read();
    if (!memory) return { files: [] };
    const made = await makePatch({ folder: this.#folder, gitDir: this.#gitDir, from: memory.base, to: snapshot });
    return { ...made, ...(memory.made && { branch: memory.made.branch }) };
  }

  async #removeBranch({ made: _, ...memory }: Memory, made: Commit, isDry: boolean): Promise<Applied> {
    const isGone = await removeBranch(this.#folder, made, isDry);
    if (isGone && !isDry) this.#write(memory);
    const { branch } = made;
    return { written: isGone ? [branch] : [], conflicts: isGone ? [] : [branch], branch };
  }

  /** Writes to the user's files, and gives back those that they have changed since they were looked at. */
  async #place({ paths, tree, now, goes, stamps }: Placing): Promise<Set<string>> {
    const late = new Set<string>();
    let last = "";
    await placeAll(this.#user, paths, tree, (path) => {
      last = path;
      const stamp = stampOf(join(this.#folder, path));
      // What was in a folder has gone by then, and the folder with it.
      const isSame = stamp === stamps.get(path) || (stamps.get(path) === FOLDER && stamp === NOTHING);
      if (!isSame || this.#isBlocked(path, now, goes)) late.add(path);
      return !late.has(path);
    }).catch((error: unknown) => {
      throw isForbidden(error) ? readOnlyError(dirname(join(this.#folder, last)), error) : error;
    });
    return late;
  }

  #stamps(paths: readonly string[]): Map<string, string> {
    return new Map(paths.map((path) => [path, stampOf(join(this.#folder, path))]));
  }

  /** Whether a path is none of a workspace's, a link or a file stands in its way, or in its place what no snapshot holds: something that is no file, or
   * cannot be read, or a folder with more in it than what goes. No word lets any of it be written through or deleted. */
  #isBlocked(path: string, now: Tree, goes: ReadonlySet<string>): boolean {
    if (isIgnored(path, this.ignore)) return true;
    const blocker = blockerOf(this.#folder, path);
    if (blocker !== undefined) return !goes.has(blocker);
    const found = lstatSync(join(this.#folder, path), { throwIfNoEntry: false });
    return found?.isDirectory() ? holdsMore(this.#folder, path, goes) : found !== undefined && !now.files.has(path);
  }

  #read(): Memory | undefined {
    return existsSync(this.#memory) ? (JSON.parse(readPlainFile(this.#memory, 2 ** 28)) as Memory) : undefined;
  }

  #write(memory: Memory): void {
    // A link of that name may have come with the folder.
    rmSync(`${this.#memory}.new`, { force: true });
    writeFileSync(`${this.#memory}.new`, JSON.stringify(memory), { flag: "wx" });
    renameSync(`${this.#memory}.new`, this.#memory);
  }
}

/** What goes makes room for what comes: a file for a folder, a folder for a file. */
async function placeAll(snapshots: Snapshots, paths: readonly string[], tree: Tree, isFree?: IsFree): Promise<void> {
  const isKept = (path: string) => tree.files.has(path);
  await snapshots.place(
    paths.filter((path) => !isKept(path)),
    tree,
    isFree,
  );
  await snapshots.place(paths.filter(isKept), tree, isFree);
}

const [FOLDER, NOTHING] = ["folder", "nothing"];

/** What changes whenever a file may have been changed. */
function stampOf(path: string): string {
  try {
    const found = lstatSync(path, { bigint: true });
    return found.isDirectory() ? FOLDER : `${found.ino}:${found.ctimeNs}:${found.size}:${found.mode}`;
  } catch {
    return NOTHING;
  }
}

/** Whether a folder has anything in it that is not to go: ignored files, git directories and what cannot be read too. */
function holdsMore(root: string, folder: string, goes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true }).some((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? holdsMore(root, path, goes) : !goes.has(path);
    });
  } catch {
    return true;
  }
}

/** What came with a folder from elsewhere may be a link, and all that is not the run's would be cleared where it leads. */
function refuseLink(path: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  throw new LoopwrightError("CHECKOUT_LINKED", `${path} is a link, and a run works in a folder of its own`);
}

function nothingApplied(why: string): LoopwrightError {
  return new LoopwrightError("NOTHING_APPLIED", why);
}
