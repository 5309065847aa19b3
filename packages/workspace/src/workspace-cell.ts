// One workspace at work: what each of the workcell's words does.

import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { InfrastructureError, SECRET_MARK } from "@loopwright/core";
import { shownPath } from "@loopwright/git";
import type { Limits } from "@loopwright/sandbox";
import type { Change } from "./change/check.ts";
import { type Applied, type ApplyOptions, Checkout, checkoutPlace, type ReplayBase } from "./checkout/checkout.ts";
import { cachesIn, linkOnce } from "./checkout/dependencies.ts";
import type { Patch } from "./checkout/patch.ts";
import { forgetSetUp, packagesIn, type SetUp } from "./checkout/setup.ts";
import type { UserGit } from "./checkout/user-git.ts";
import { listFiles, MARK_REFUSED, readFiles, type WorkspacePlace, writeBlocks } from "./folder/folder.ts";
import { isRunnerFile, PACKAGE_FOLDERS, ProtectedFiles, type ProtectedNote } from "./folder/protected.ts";
import { isIgnored, isWithin, prune, TooLarge, walk } from "./folder/walk.ts";
import type {
  BlockResult,
  CommandOutcome,
  FileBlock,
  History,
  ProjectCell,
  TestOptions,
  TestReport,
} from "./options.ts";
import { DEFAULT_LIMITS, type ProjectCellOptions, realFolder, SUITE_LIMITS, testPath } from "./options.ts";
import { chooseRunner, commandFiles } from "./runners/choose.ts";
import { readLeft, runTestFiles, seenAt, type TestRun } from "./runners/run.ts";
import { configurationOf, TestSet } from "./tests/test-set.ts";

/** Where a job in a sandbox sees the user's git objects. */
const OBJECTS = "/loopwright/objects";
/** More test files than this may take the time of a suite. */
const MOST_QUICK = 40;

interface Note {
  protected: ProtectedNote;
  written: string[];
}

/** A workcell on one workspace: everything happens in a checkout of its own, which jobs see at the workspace's path. */
export class WorkspaceCell implements ProjectCell {
  readonly folder: string;
  readonly #options: ProjectCellOptions;
  readonly #limits: Limits;
  readonly #tests: TestSet;
  /** Folders of installed packages by their path, and where they are. */
  #packages: ReadonlyMap<string, string>;
  readonly #protected: ProtectedFiles;
  readonly #place: WorkspacePlace;
  readonly #checkout: Checkout;
  #git: UserGit | undefined;
  readonly #stopped = new AbortController();
  #at: string | undefined;

  constructor(options: ProjectCellOptions) {
    this.#options = options;
    this.folder = realFolder(options.workspace);
    // It holds copies of the user's files, some of which only they may read.
    mkdirSync(options.state, { recursive: true, mode: 0o700 });
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#packages = packagesIn(this.folder, options.state, options.dependencies);
    const place = checkoutPlace(options);
    this.#checkout = new Checkout(place);
    const { folder } = this.#checkout;
    const places = { user: this.folder, checkout: folder, state: place.state, sandbox: options.sandbox };
    this.#tests = new TestSet(options, places);
    const { hidden, inside } = this.#tests;
    this.#protected = new ProtectedFiles(folder, inside, this.#packageFolders, commandFiles(options.runner));
    this.#place = { folder, protected: this.#protected, hidden, ignore: place.ignore };
  }

  get inside(): string {
    return seenAt(this.#options.sandbox, this.folder, this.#checkout.folder);
  }

  get #packageFolders(): string[] {
    return PACKAGE_FOLDERS.filter((path) => this.#packages.has(path));
  }

  get at(): string | undefined {
    return this.#at;
  }

  /** Begins with the user's files as they are. */
  async begin(): Promise<void> {
    forgetSetUp(this.#options.state);
    await this.#checkout.takeIn();
    await this.#makeGit();
    await this.#protected.keepPresent();
  }

  /** Begins at a snapshot. */
  async take(snapshot: string): Promise<void> {
    await this.restore(snapshot);
    await this.#makeGit();
  }

  async #makeGit(): Promise<void> {
    const isSandboxed = this.#options.sandbox.kind !== "none";
    const { folder } = this.#checkout;
    // The history may hold what no model may see.
    if (this.#tests.hidden.length === 0 && existsSync(join(this.folder, ".git"))) {
      const { makeOwnGit, userGit } = await import("./checkout/user-git.ts");
      this.#git = await userGit(this.folder);
      if (this.#git) await makeOwnGit(folder, this.#git, isSandboxed ? OBJECTS : join(this.#git.common, "objects"));
    }
    if (!isSandboxed) for (const [path, place] of this.#packages) linkOnce(folder, path, place);
  }

  async setUp(more: readonly string[], signal: AbortSignal): Promise<SetUp | undefined> {
    const { setup = [], state, sandbox, dependencies } = this.#options;
    if (setup.length + more.length === 0) return undefined;
    const { setUp } = await import("./checkout/setup.ts");
    const place = { sandbox, state, checkout: this.#checkout.folder, inside: this.folder, signal };
    const done = await setUp([...setup, ...more], place);
    this.#packages = packagesIn(this.folder, state, dependencies);
    this.#protected.keep({ ...this.#protected.note, packageFolders: this.#packageFolders });
    this.#at = undefined;
    if (sandbox.kind === "none")
      for (const [path, where] of this.#packages) linkOnce(this.#checkout.folder, path, where);
    return done;
  }

  async writeFiles(blocks: readonly FileBlock[]): Promise<BlockResult<FileBlock>[]> {
    const before = await this.#here();
    const results = writeBlocks(this.#place, blocks);
    if (!results.some(({ done }) => done)) return results;
    this.#at = undefined;
    const past = await this.#backFromLimit(before);
    return past === undefined ? results : results.map(({ refused }) => ({ refused: refused ?? past }));
  }

  async writeTests(files: readonly FileBlock[]): Promise<void> {
    for (const { path, content } of files) {
      const plain = testPath(path);
      if (this.#tests.written.includes(plain) && this.#protected.content(plain) === content) continue;
      this.#protected.write(plain, content);
      this.#tests.written = [...new Set([...this.#tests.written, plain])].sort();
      this.#at = undefined;
    }
  }

  async takeTests(known: readonly FileBlock[]): Promise<FileBlock[] | undefined> {
    const texts = known.map(({ content }) => content);
    const files = await this.#tests.takeAgain(this.#protected, texts);
    if (files) this.#at = undefined;
    return files?.map(({ path, source }) => ({ path, content: source }));
  }

  async runCommands(commands: readonly string[]): Promise<BlockResult<CommandOutcome>[]> {
    const { refusalOf } = await import("./policy.ts");
    const results: BlockResult<CommandOutcome>[] = [];
    for (const command of commands) {
      const isMarked = command.includes(SECRET_MARK);
      const refused = isMarked ? `it holds ${MARK_REFUSED}` : refusalOf(command, this.#options.policy);
      if (refused !== undefined) {
        results.push({ refused });
        continue;
      }
      const before = await this.#here();
      this.#at = undefined;
      const done = await this.#runCommand(command);
      const past = await this.#backFromLimit(before);
      results.push({ done: { ...done, ...(past !== undefined && { code: null, stopped: past }) } });
    }
    return results;
  }

  /** The state to come back to. */
  async #here(): Promise<string> {
    return this.#at ?? (await this.snapshot());
  }

  /** Where the workspace is past a limit, brings it back to what it was and says so. */
  async #backFromLimit(before: string): Promise<string | undefined> {
    try {
      await walk(this.#place.folder, this.#place.ignore);
      return undefined;
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      await this.restore(before);
      return `${error.message}; what was done was undone`;
    }
  }

  async runTests(options: TestOptions): Promise<TestReport> {
    await this.#protected.putBack();
    await this.#clear();
    const before = await this.#here();
    if (options.heldOut || options.instead) return this.#runApart(before, options);
    this.#at = undefined;
    const report = await runTestFiles(await this.#testRun(options));
    const past = await this.#backFromLimit(before);
    return past === undefined ? report : faulty(`The tests cannot count: after them ${past}`, report);
  }

  /** Held-out tests, and files in place of others, are there for their own run alone; nothing that it writes survives it. */
  async #runApart(before: string, options: TestOptions): Promise<TestReport> {
    try {
      const [refused] = (await this.writeFiles(options.instead ?? [])).flatMap((each) => each.refused ?? []);
      const none = { runner: "", tests: [], ms: 0 };
      if (refused !== undefined) return faulty(`what was to stand in place of a file was refused: it ${refused}`, none);
      const report = await runTestFiles(await this.#testRun(options));
      const left = options.reads && readLeft(this.#place.folder, options.reads);
      return { ...report, ...(left && { left }) };
    } finally {
      await this.restore(before);
      await this.#clear();
    }
  }

  /** Takes out of the checkout what no snapshot holds and no program may keep: caches, and what stands where held-out tests are
   * mounted for their run. */
  #clear(): Promise<void> {
    const { folder, ignore, hidden } = this.#place;
    return prune(folder, (path, { name }) => {
      if (hidden.includes(path)) return "goes";
      if (ignore.includes(path) || name.toLowerCase() === ".git") return "stays";
      return isIgnored(name) ? "goes" : "is entered";
    });
  }

  async changes(): Promise<Change[]> {
    const changes = await this.#checkout.changes(await this.#here());
    // A file with the name of a test is one only where it is kept as one.
    return changes.filter(({ path }) => this.#protected.content(path) === undefined);
  }

  async apply(how: Omit<ApplyOptions, "branch"> = {}): Promise<Applied> {
    const { branch, patch } = this.#options;
    if (patch) return { written: [], conflicts: [], isPatch: true };
    const options = { ...how, ...(branch !== undefined && { branch }) };
    const applied = await this.#checkout.apply(await this.#here(), options);
    return isWithin(this.folder, dirname(this.#checkout.folder)) ? { ...applied, folder: this.folder } : applied;
  }

  async patch(): Promise<Patch> {
    const made = await this.#checkout.patch(await this.#here());
    return this.#options.patch ? { ...made, isOnly: true } : made;
  }

  async base(change: string): Promise<ReplayBase> {
    const { runner } = this.#options;
    return { ...(await this.#checkout.base(change)), ...(runner && { runner }) };
  }

  note(text: string): Promise<void> {
    return this.#checkout.note(text);
  }

  readFiles(paths?: readonly string[]): Promise<FileBlock[]> {
    return readFiles(this.#place, paths);
  }

  listFiles(): Promise<string[]> {
    return listFiles(this.#place);
  }

  async history(files: readonly FileBlock[]): Promise<History | undefined> {
    return this.#git && (await import("./checkout/user-git.ts")).readHistory(this.#git, files);
  }

  async check(): Promise<void> {
    const { folder } = this.#checkout;
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new InfrastructureError("WORKSPACE_GONE", `the run's checkout ${folder} is gone`);
  }

  async snapshot(): Promise<string> {
    await this.#protected.putBack();
    const note: Note = { protected: this.#protected.note, written: this.#tests.written };
    this.#at = await this.#checkout.snapshots.take(note);
    return this.#at;
  }

  async restore(snapshot: string): Promise<void> {
    this.#at = undefined;
    const { protected: kept, written = [] } = (await this.#checkout.snapshots.restore(snapshot)) as Partial<Note>;
    // A tree that no run has made says nothing of tests: those that are there are.
    if (kept) this.#protected.keep(kept);
    else await this.#protected.keepPresent();
    this.#tests.written = written;
    this.#at = snapshot;
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new InfrastructureError("WORKCELL_STOPPED", "the workcell was stopped"));
  }

  async #testRun({ heldOut = false, suite, wallMs, signal }: TestOptions): Promise<TestRun> {
    const files = heldOut ? await this.#tests.heldOutFiles() : await this.#tests.files(this.#protected, suite);
    const { sandbox, runner, runnerSetting: setting } = this.#options;
    // Each file has a process of its own, so many of them take as long as a suite.
    const hasMany = suite !== undefined || files.length > MOST_QUICK;
    const { files: kept, packageFolders } = this.#protected.note;
    return {
      // A test may write beside itself, wherever its folder is.
      ...this.#seen(this.#protected.readOnlyFiles),
      ...{ sandbox, files, packageFolders, folder: this.#checkout.folder },
      runner: await chooseRunner(runner, { folder: this.folder, files, setting }),
      configuration: configurationOf(this.#protected),
      // They count where the tests come from a project that was there before the run.
      loadsPlugins: this.#tests.areGiven || kept.some(isRunnerFile) || packageFolders.length > 0,
      isLenient: suite !== undefined,
      testCopies: this.#tests.copies(heldOut),
      limits: {
        ...(hasMany ? { ...this.#limits, ...SUITE_LIMITS, ...this.#options.limits } : this.#limits),
        ...(wallMs !== undefined && { wallMs }),
      },
      signal: AbortSignal.any([signal, this.#stopped.signal]),
    };
  }

  async #runCommand(command: string): Promise<CommandOutcome> {
    const seen = this.#seen(this.#protected.readOnly);
    const { code, stopped, output, removed } = await this.#options.sandbox.run({
      ...seen,
      command: ["/bin/sh", "-c", command],
      workspace: this.#checkout.folder,
      mounts: { ...seen.mounts, ...this.#tests.seen },
      limits: this.#limits,
      signal: this.#stopped.signal,
    });
    const named = removed?.slice(0, 10).map(shownPath).join(", ");
    const notice = named ? `\nRemoved, as it is protected, or its name is no text: ${named}\n` : "";
    return { command, code, output: output + notice, ...(stopped === undefined ? {} : { stopped }) };
  }

  /** What a job sees beside the checkout, and what it may not change or make: paths that control the run are absent, and stay so. */
  #seen(readOnly: readonly string[]) {
    const { sandbox, ignore = [] } = this.#options;
    const isBare = sandbox.kind === "none";
    const packages = new Map([...this.#packages].map(([path, place]) => [join(this.folder, path), place]));
    const mounts = isBare ? {} : Object.fromEntries(packages);
    if (!isBare && this.#git) mounts[OBJECTS] = join(this.#git.common, "objects");
    return {
      inside: this.folder,
      readOnly: [...readOnly, ...ignore],
      mounts: mounts as Record<string, string>,
      // Where tools keep what they may lose, beside the packages that they come from.
      scratch: isBare ? [] : cachesIn(packages),
    };
  }
}

/** A report that says nothing but why. */
function faulty(fault: string, { runner, tests, ms }: Pick<TestReport, "runner" | "tests" | "ms">): TestReport {
  const failed = tests.map(({ name }) => ({ name, state: "failed" as const, failure: fault }));
  return { runner, ms, fault, failureLines: fault, tests: failed };
}
