// The run's own checkout of the user's folder. All work is done in it; the user's files are read when a run begins, and
// written only when a result is applied.
//
//   base      the user's files as they were taken in last
//   checkout  what the run has made of them
//   apply     base → checkout as a change of the user's files as they are now: what they have changed since is a conflict
//   undo      takes back what was applied, file by file, unless it was changed since

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LoopwrightError, UsageError } from "@loopwright/core";
import { type Commit, commitToBranch, headOf, noteCommit, removeBranch } from "@loopwright/git/branch";
import type { Base } from "@loopwright/git/replay";
import { isCode } from "@loopwright/sandbox";
import type { Change } from "../change/check.ts";
import { blockerOf, lookIn } from "../folder/files.ts";
import { isIgnored, TooLarge } from "../folder/walk.ts";
import { ownPath, type ProjectCellOptions, realFolder } from "../options.ts";
import type { RunnerChoice } from "../runners/types.ts";
import { changedPaths, isAlike, isSame, Snapshots, type Tree } from "../snapshots/snapshots.ts";
import { pathsInside } from "../tests/files.ts";
import { dependenciesIn } from "./dependencies.ts";
import { makePatch, type Patch } from "./patch.ts";

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
  /** Where snapshots are kept, if not in that folder. */
  snapshots?: string;
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

/** Paths that are to become what one tree has of them, where they still are what another has. */
interface Move {
  paths: readonly string[];
  from: Tree;
  to: Tree;
  over?: readonly string[];
  isDry: boolean;
  /** Told what is about to be written, and the snapshot from before it. */
  note?: (paths: string[], before: string) => void;
}

/** What a change was made on, the trees before and after it, and what ran its tests where that was said. */
export interface ReplayBase extends Base {
  before: string;
  after: string;
  runner?: RunnerChoice;
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
  options: Pick<ProjectCellOptions, "workspace" | "state" | "snapshots" | "ignore" | "heldOut" | "dependencies">,
): CheckoutPlace {
  const [user, state] = [realFolder(options.workspace), realpathSync(options.state)];
  const hidden = pathsInside(options.heldOut ?? [], user);
  const packages = dependenciesIn(user, options.dependencies);
  const ignore = [...(options.ignore ?? []), ...ownPath(user, state), ...hidden, ...packages];
  return { user, state, ignore, ...(options.snapshots !== undefined && { snapshots: options.snapshots }) };
}

export class Checkout {
  readonly folder: string;
  readonly snapshots: Snapshots;
  readonly #place: CheckoutPlace;
  readonly #user: Snapshots;
  readonly #gitDir: string;
  readonly #memory: string;

  constructor(place: CheckoutPlace) {
    const { user, state, snapshots, ignore } = place;
    this.#place = place;
    this.folder = join(state, "checkout");
    this.#gitDir = snapshots ?? join(state, "snapshots.git");
    this.#memory = join(state, "checkout.json");
    this.snapshots = new Snapshots({ folder: this.folder, gitDir: this.#gitDir, ignore });
    this.#user = new Snapshots({ folder: user, gitDir: this.#gitDir, ignore, owner: "user" });
    mkdirSync(this.folder, { recursive: true });
  }

  /** Takes the user's files in: all of them at first, and later those that they have changed since. */
  async takeIn(): Promise<void> {
    const { user } = this.#place;
    const now = await this.#user.take({ user: true }).catch((error: unknown) => {
      if (!(error instanceof TooLarge)) throw error;
      const advice = `${user} cannot be worked in: ${error.message}; name a smaller folder with --workspace`;
      throw new UsageError(error.code, advice, { cause: error });
    });
    const memory = this.#read();
    if (!memory) await this.snapshots.restore(now);
    else if (memory.base !== now) {
      const [base, tree] = await this.#trees(memory.base, now);
      await this.snapshots.place(changedPaths(base, tree), tree);
    }
    const head = await headOf(user);
    this.#write({ ...memory, base: now, ...(head !== undefined && { head }) });
  }

  /** The files that a snapshot has changed or added, as texts; links and what is no text without one. */
  async changes(snapshot: string): Promise<Change[]> {
    const memory = this.#read();
    if (!memory) return [];
    const [base, now] = await this.#trees(memory.base, snapshot);
    const changed = changedPaths(base, now).filter((path) => now.files.has(path));
    const [before, after] = [await this.#user.texts(base, changed), await this.#user.texts(now, changed)];
    return changed.map((path) => {
      const [old, text] = [before.get(path), after.get(path)];
      if (text === undefined) return { path, after: "", isHidden: true };
      return { path, after: text, ...(old !== undefined && { before: old }) };
    });
  }

  /** Makes the change that a snapshot is in the user's files. Where both have changed a file, the user's stays, unless it is
   * named. */
  async apply(snapshot: string, options: ApplyOptions = {}): Promise<Applied> {
    const { over, isDry = false, branch, steps = [] } = options;
    const memory = this.#read();
    if (!memory) throw nothingApplied("nothing was taken in yet");
    if (branch !== undefined) return this.#commit(memory, snapshot, { branch, isDry, steps });
    const [from, to] = await this.#trees(memory.base, snapshot);
    const note = (paths: string[], before: string) => {
      // Another process may have been at it too.
      const latest = this.#read() ?? memory;
      this.#write({ ...latest, applied: [...(latest.applied ?? []), { before, after: snapshot, paths }] });
    };
    return this.#move({ paths: changedPaths(from, to), from, to, isDry, note, ...(over && { over }) });
  }

  /** Takes back what was applied. A file that was changed since stays as it is. */
  async undo({ isDry = false } = {}): Promise<Applied> {
    const memory = this.#read();
    if (memory?.made) return this.#removeBranch(memory, memory.made, isDry);
    if (!memory?.applied) throw nothingApplied("nothing of this run stands in your files");
    const all: Applied[] = [];
    for (const { before, after, paths } of memory.applied.toReversed()) {
      const [from, to] = await this.#trees(after, before);
      all.push(await this.#move({ paths, from, to, isDry }));
    }
    const deleted = all.flatMap((each) => each.deleted ?? []);
    const conflicts = all.flatMap((each) => each.conflicts);
    const { applied: _, ...rest } = memory;
    if (conflicts.length === 0 && !isDry) this.#write(rest);
    return { written: all.flatMap((each) => each.written), ...(deleted.length > 0 && { deleted }), conflicts };
  }

  async #move({ paths, from, to, over = [], isDry, note }: Move): Promise<Applied> {
    const before = await this.#user.take({ user: true });
    const now = await this.#user.tree(before);
    const changed = paths.filter((path) => !isAlike(now, to, path));
    const isTheirs = (path: string) => !isAlike(from, now, path) && !over.includes(path);
    const goes = new Set(changed.filter((path) => !isTheirs(path) && !to.files.has(path)));
    const isFree = (path: string) => !isTheirs(path) && this.#isFree(path, now, goes);
    const written = new Set(changed.filter(isFree));
    if (!isDry && written.size > 0) {
      // On record before the first file: what was written in part can be taken back.
      note?.([...written], before);
      let last = "";
      const isStillFree = (path: string) => {
        last = join(this.#place.user, path);
        if (!isFree(path)) written.delete(path);
        return written.has(path);
      };
      await this.#user.place([...written], to, isStillFree).catch((error: unknown) => {
        throw isCode(error, "EACCES", "EPERM", "EROFS") ? readOnly(dirname(last), error) : error;
      });
    }
    const deleted = [...written].filter((path) => !to.files.has(path));
    const conflicts = changed.filter((path) => !written.has(path));
    return { written: [...written], ...(deleted.length > 0 && { deleted }), conflicts };
  }

  /** Whether the user has at a path what they had when they were looked at. No word lets anything else be written through or
   * deleted: a link or a file in its way, what no snapshot holds, a folder with more in it than what goes. */
  #isFree(path: string, now: Tree, goes: ReadonlySet<string>): boolean {
    const { user, ignore } = this.#place;
    if (isIgnored(path, ignore)) return false;
    const blocker = blockerOf(user, path);
    if (blocker !== undefined) return goes.has(blocker);
    const found = lookIn(user, path);
    if (found?.isDirectory()) return !holdsMore(user, path, goes);
    const stands = this.#user.fileAt(path);
    if (found && !stands) return false;
    return isSame(stands, now.files.get(path));
  }

  async #commit(
    memory: Memory,
    snapshot: string,
    { branch, isDry, steps }: Required<Pick<ApplyOptions, "branch" | "isDry" | "steps">>,
  ): Promise<Applied> {
    const { user, state } = this.#place;
    const [base, result] = await this.#trees(memory.base, snapshot);
    const written = changedPaths(base, result);
    if (isDry || written.length === 0) return { written, conflicts: [], branch };
    const message = `Loopwright: ${written.length === 1 ? written[0] : `${written.length} files`}`;
    const isWhole = steps.at(-1)?.snapshot === snapshot;
    const all = [...steps, ...(isWhole ? [] : [{ snapshot, message }])].map(async (step) => {
      const [wanted] = await this.#trees(step.snapshot);
      const files = changedPaths(base, wanted).map((path) => [path, wanted.files.get(path)] as const);
      return { files: new Map(files), message: step.message };
    });
    const made = await commitToBranch(branch, {
      ...{ folder: user, state, gitDir: this.#gitDir, head: memory.head, made: memory.made },
      steps: await Promise.all(all),
      note: (commit) => this.#write({ ...memory, made: commit }),
    });
    return { written: made.written, conflicts: made.left, branch: made.branch };
  }

  /** The change that a snapshot is, for whoever wants to read it or apply it by hand. */
  async patch(snapshot: string): Promise<Patch> {
    const memory = this.#read();
    if (!memory) return { files: [] };
    const made = await makePatch(this.#place.user, this.#gitDir, [memory.base, snapshot]);
    return { ...made, ...(memory.made && { branch: memory.made.branch }) };
  }

  /** What a change was made on, and the trees before and after it as whoever makes it again gets them. */
  async base(change: string): Promise<ReplayBase> {
    const { user, state } = this.#place;
    const memory = this.#read()!;
    const { baseOf, makeTrees } = await import("@loopwright/git/replay");
    const base = await baseOf(user, this.#gitDir, memory.head, memory.base);
    const own = mkdtempSync(join(state, "replay-"));
    try {
      return { ...base, ...(await makeTrees(user, own, base, change)) };
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  }

  /** Attaches a text to the commit that the result became. */
  async note(text: string): Promise<void> {
    const made = this.#read()?.made;
    if (made) await noteCommit(this.#place.user, made.commit, text);
  }

  async #removeBranch({ made: _, ...memory }: Memory, made: Commit, isDry: boolean): Promise<Applied> {
    const isGone = await removeBranch(this.#place.user, made, isDry);
    if (isGone && !isDry) this.#write(memory);
    const { branch } = made;
    return { written: isGone ? [branch] : [], conflicts: isGone ? [] : [branch], branch };
  }

  #trees<Ids extends string[]>(...ids: Ids): Promise<{ [at in keyof Ids]: Tree }> {
    return Promise.all(ids.map((id) => this.#user.tree(id))) as Promise<{ [at in keyof Ids]: Tree }>;
  }

  /** Nothing where the user's files were not taken in yet. */
  #read(): Memory | undefined {
    return existsSync(this.#memory) ? (JSON.parse(readFileSync(this.#memory, "utf8")) as Memory) : undefined;
  }

  #write(memory: Memory): void {
    const fresh = `${this.#memory}.new`;
    writeFileSync(fresh, JSON.stringify(memory));
    renameSync(fresh, this.#memory);
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

function readOnly(folder: string, cause: unknown): LoopwrightError {
  const message = `${folder} cannot be written to, and what was to change in it has not changed: give yourself the right to write there`;
  return new LoopwrightError("WORKSPACE_READ_ONLY", message, { cause });
}

function nothingApplied(why: string): LoopwrightError {
  return new LoopwrightError("NOTHING_APPLIED", why);
}
