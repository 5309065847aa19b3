// One workspace at work: what each of the workcell's words does.

import { lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { type Limits, WORKSPACE } from "@loopwright/sandbox";
import type { BlockResult, CommandOutcome, FileBlock, ProjectCell, TestReport } from "./cell.ts";
import { listFiles, readFiles, type WorkspacePlace, writeBlocks } from "./folder/folder.ts";
import { isRunnerFile, isTestFile, ProtectedFiles, type ProtectedNote } from "./folder/protected.ts";
import { isIgnored } from "./folder/walk.ts";
import { DEFAULT_LIMITS, ownPath, type ProjectCellOptions, realFolder, testPath } from "./options.ts";
import { judgeCommand } from "./policy/policy.ts";
import { runTestFiles, seenAt, type TestRun } from "./runners/run.ts";
import { chooseRunner } from "./runners/runners.ts";
import type { TestFile } from "./runners/types.ts";
import { Snapshots } from "./snapshots/snapshots.ts";
import { fileAt, filesOf, type GivenTests, takeTests } from "./tests/files.ts";
import { openTrials } from "./trials/trials.ts";
import type { Trials } from "./trials/types.ts";

const TESTS = "/loopwright/tests";
const HELD_OUT = "/loopwright/held-out";

interface Note {
  protected: ProtectedNote;
  written: string[];
}

/** A workcell on one workspace. */
export class WorkspaceCell implements ProjectCell {
  readonly folder: string;
  readonly #options: ProjectCellOptions;
  readonly #limits: Limits;
  readonly #given: GivenTests;
  readonly #heldOut: GivenTests;
  readonly #protected: ProtectedFiles;
  readonly #place: WorkspacePlace;
  readonly #snapshots: Snapshots;
  readonly #stopped = new AbortController();
  readonly #trials: Promise<Trials>[] = [];
  /** Test files that the run has written. */
  #written: string[] = [];
  #at: string | undefined;

  constructor(options: ProjectCellOptions) {
    this.#options = options;
    this.folder = realFolder(options.workspace);
    mkdirSync(options.state, { recursive: true });
    const state = realpathSync(options.state);
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#given = takeTests(options.tests ?? [], this.folder, join(state, "tests"));
    this.#heldOut = takeTests(options.heldOut ?? [], this.folder, join(state, "held-out"));
    this.#protected = new ProtectedFiles(this.folder, [...this.#given.inside, ...this.#heldOut.inside]);
    const ignore = [...(options.ignore ?? []), ...ownPath(this.folder, state)];
    this.#place = { folder: this.folder, protected: this.#protected, hidden: this.#heldOut.inside, ignore };
    this.#snapshots = new Snapshots({ folder: this.folder, gitDir: join(state, "snapshots.git"), ignore });
  }

  get at(): string | undefined {
    return this.#at;
  }

  /** Begins with the workspace as it stands. */
  async begin(): Promise<void> {
    await this.#protected.keepPresent();
  }

  /** Begins at a snapshot; what stands in the workspace and would be lost is snapshotted first. */
  async take(snapshot: string): Promise<void> {
    if (!(await this.#snapshots.isAt(snapshot))) await this.#snapshots.take({ setAside: true });
    await this.restore(snapshot);
  }

  async writeFiles(blocks: readonly FileBlock[]): Promise<BlockResult<FileBlock>[]> {
    const results = writeBlocks(this.#place, blocks);
    if (results.some(({ done }) => done)) this.#at = undefined;
    return results;
  }

  async writeTests(files: readonly FileBlock[]): Promise<void> {
    for (const { path, content } of files) {
      const plain = testPath(path);
      const isKept = this.#written.includes(plain) && this.#protected.content(plain) === content;
      if (isKept) continue;
      this.#protected.write(plain, content);
      this.#written = [...new Set([...this.#written, plain])].sort();
      this.#at = undefined;
    }
  }

  async runCommands(commands: readonly string[]): Promise<BlockResult<CommandOutcome>[]> {
    const results: BlockResult<CommandOutcome>[] = [];
    const place = { workspace: WORKSPACE, refusal: (path: string) => this.#protected.refusal(path) };
    for (const command of commands) {
      const judged = judgeCommand(command, place, this.#options.policy);
      if (judged.verdict !== "allow") {
        results.push({ refused: judged.reason });
        continue;
      }
      this.#at = undefined;
      results.push({ done: await this.#runCommand(command) });
    }
    return results;
  }

  async runTests({ heldOut = false, signal }: { heldOut?: boolean; signal: AbortSignal }): Promise<TestReport> {
    await this.#protected.putBack();
    this.#at = undefined;
    return runTestFiles(await this.#testRun(heldOut, signal));
  }

  async openTrials({ signal, workers }: { signal: AbortSignal; workers?: number }): Promise<Trials> {
    await this.#protected.putBack();
    const { ignore, hidden } = this.#place;
    const state = realpathSync(this.#options.state);
    const run = await this.#testRun(false, signal);
    const opened = openTrials({ ...run, state, ignore, hidden, ...(workers === undefined ? {} : { workers }) });
    this.#trials.push(opened);
    return opened;
  }

  readFiles(paths?: readonly string[]): Promise<FileBlock[]> {
    return readFiles(this.#place, paths);
  }

  listFiles(): Promise<string[]> {
    return listFiles(this.#place);
  }

  async check(): Promise<void> {
    if (lstatSync(this.folder, { throwIfNoEntry: false })?.isDirectory()) return;
    throw new InfrastructureError("WORKSPACE_GONE", `the workspace ${this.folder} is gone`);
  }

  async snapshot(): Promise<string> {
    await this.#protected.putBack();
    const note: Note = { protected: this.#protected.note, written: this.#written };
    this.#at = await this.#snapshots.take(note);
    return this.#at;
  }

  async restore(snapshot: string): Promise<void> {
    this.#at = undefined;
    const note = (await this.#snapshots.restore(snapshot)) as Note;
    this.#protected.keep(note.protected);
    this.#written = note.written;
    this.#at = snapshot;
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new InfrastructureError("WORKCELL_STOPPED", "the workcell was stopped"));
    await Promise.allSettled(this.#trials.map(async (opened) => (await opened)[Symbol.asyncDispose]()));
  }

  async #testRun(heldOut: boolean, signal: AbortSignal): Promise<TestRun> {
    const files = heldOut ? await this.#heldOutFiles() : await this.#testFiles();
    const { sandbox, runner } = this.#options;
    return {
      sandbox,
      runner: chooseRunner(
        runner,
        this.folder,
        files.map(({ path }) => path),
      ),
      folder: this.folder,
      files,
      configuration: this.#configuration(),
      packageFolders: this.#protected.note.packageFolders,
      loadsPlugins: this.#isProject,
      readOnly: this.#protected.readOnly,
      mounts: this.#mounts(heldOut),
      limits: this.#limits,
      signal: AbortSignal.any([signal, this.#stopped.signal]),
    };
  }

  async #runCommand(command: string): Promise<CommandOutcome> {
    const { code, stopped, output, removed } = await this.#options.sandbox.run({
      command: ["/bin/sh", "-c", command],
      workspace: this.folder,
      readOnly: this.#protected.readOnly,
      mounts: this.#mounts(false),
      limits: this.#limits,
      signal: this.#stopped.signal,
    });
    const notice = removed?.length ? `\nRemoved, as it is protected: ${removed.slice(0, 10).join(", ")}\n` : "";
    return { command, code, output: output + notice, ...(stopped === undefined ? {} : { stopped }) };
  }

  async #testFiles(): Promise<TestFile[]> {
    const seen = { folder: this.folder, inside: seenAt(this.#options.sandbox, WORKSPACE, this.folder) };
    const given = await filesOf(this.#given, seen, this.#seenCopies(this.#given, TESTS));
    const hasGiven = (this.#options.tests ?? []).length > 0;
    const found = hasGiven || this.#written.length > 0 ? this.#written : this.#foundTests();
    const own = found.filter((path) => !given.some((file) => file.path === path));
    return [...given, ...own.map((path) => fileAt(seen, path))];
  }

  #heldOutFiles(): Promise<TestFile[]> {
    const seen = { folder: this.folder, inside: seenAt(this.#options.sandbox, WORKSPACE, this.folder) };
    return filesOf(this.#heldOut, seen, this.#seenCopies(this.#heldOut, HELD_OUT));
  }

  /** Test files that stood in the workspace at the start, held-out ones left out. */
  #foundTests(): string[] {
    const hidden = this.#heldOut.inside;
    return this.#protected.paths.filter((path) => isTestFile(path) && !isIgnored(path, hidden));
  }

  #seenCopies({ outside }: GivenTests, inside: string): string {
    return seenAt(this.#options.sandbox, inside, outside.folder);
  }

  /** Whether the tests come from a project that was there before the run. */
  get #isProject(): boolean {
    const { files, packageFolders } = this.#protected.note;
    const isGiven = (this.#options.tests ?? []).length + (this.#options.heldOut ?? []).length > 0;
    return isGiven || files.some(isRunnerFile) || packageFolders.length > 0;
  }

  #configuration(): Record<string, string> {
    const paths = this.#protected.paths.filter(isRunnerFile);
    return Object.fromEntries(paths.map((path) => [path, this.#protected.content(path) ?? ""]));
  }

  /** Copies of tests that a job may see; held-out tests of the workspace, and the history that may hold them, are covered. */
  #mounts(heldOut: boolean): Record<string, string> {
    const mounts: Record<string, string> = {};
    const shown = heldOut ? { given: this.#heldOut, inside: HELD_OUT } : { given: this.#given, inside: TESTS };
    if (shown.given.outside.names.length > 0) mounts[shown.inside] = shown.given.outside.folder;
    if (heldOut || this.#options.sandbox.kind === "none") return mounts;
    const covered = this.#heldOut.inside.length > 0 ? [...this.#heldOut.inside, ".git"] : [];
    for (const path of covered) {
      const found = lstatSync(join(this.folder, path), { throwIfNoEntry: false });
      if (found) mounts[`${WORKSPACE}/${path}`] = this.#blank(found.isDirectory());
    }
    return mounts;
  }

  /** An empty folder or file to cover another with. */
  #blank(isFolder: boolean): string {
    const path = join(realpathSync(this.#options.state), isFolder ? "blank-folder" : "blank-file");
    // Written once: a job may be under way that sees it, and would see it change.
    if (isFolder) mkdirSync(path, { recursive: true });
    else if (!lstatSync(path, { throwIfNoEntry: false })) writeFileSync(path, "");
    return path;
  }
}
