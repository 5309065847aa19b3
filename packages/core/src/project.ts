// A project: a folder with its journal, its store and its run folders. What opens and closes an engine.

import { existsSync, lstatSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LoopwrightError, UsageError } from "./errors.ts";
import { Engine } from "./journal/control.ts";
import { lifeOf, thisProcess } from "./journal/leases.ts";
import { FileStore, RunFolders } from "./journal/run-folder.ts";
import { journalError } from "./journal/sqlite/connection.ts";
import { SqliteJournal } from "./journal/sqlite.ts";
import type { Verification } from "./journal/verify.ts";
import type { Clock } from "./ports.ts";
import { fileReleased } from "./record/chain.ts";
import { loadRun, type RunSummary, summarize } from "./record/load.ts";
import type { Ports } from "./run/active-run.ts";

/** The machine's own clock. */
export const machineClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
};

/** What a project is opened with. */
export interface ProjectOptions
  extends Partial<
    Pick<Ports, "models" | "workcells" | "answers" | "ceilings" | "redact" | "messages" | "on" | "clock">
  > {
  /** Where the project is; else the folder the program runs in, or its nearest parent with a `.loopwright`. */
  dir?: string;
}

/** A run in a list: its summary, and what was answered to the gate that it waits at; or why it has none. */
export type ListedRun = { run: string; isHeld: boolean } & ((RunSummary & { answer?: string }) | { fault: string });

/** An engine's ports, and the folders that people open: what is shown of a run goes through `view`, which may add to them. */
export type ProjectPorts = Ports & { folders: RunFolders };

/** How many runs a message names at most. */
const NAMED = 5;

/** A project's engine, with everything else that can be done to its runs. */
export class Project extends Engine {
  readonly dir: string;
  readonly #folders: RunFolders;

  constructor(dir: string, { folders, ...ports }: ProjectPorts) {
    super({ view: folders, ...ports });
    this.dir = dir;
    this.#folders = folders;
  }

  /** The run whose id begins so; throws if there is none, or more than one. */
  async find(prefix: string): Promise<string> {
    const found = await this.ports.journal.runs(prefix);
    if (found.includes(prefix)) return prefix;
    // A fork, a child and a run that took over begin with the id of the run that they come from.
    const first = found.filter(
      (run) => !found.some((other) => run.startsWith(`${other}-fork`) || run.startsWith(`${other}.`)),
    );
    if (first.length === 1) return first[0]!;
    if (found.length === 0) throw new UsageError("RUN_NOT_FOUND", `there is no run '${prefix}' in ${this.dir}`);
    const more = first.length > NAMED ? ` and ${first.length - NAMED} more` : "";
    const named = `${first.slice(0, NAMED).join(", ")}${more}`;
    const data = { prefix, runs: first.join(" ") };
    throw new UsageError("RUN_AMBIGUOUS", `'${prefix}' fits ${first.length} runs: ${named}`, { data });
  }

  /** Every run, oldest first: its summary, and whether a process holds it. One that cannot be read says why. */
  async list(): Promise<ListedRun[]> {
    const { journal, process } = this.ports;
    const listed: ListedRun[] = [];
    for (const { run, summary, holder } of await journal.summaries()) {
      const isHeld = holder !== undefined && lifeOf(holder, process) !== "dead";
      try {
        const read = summary ? (JSON.parse(summary) as RunSummary) : summarize(await this.record(run));
        const isAsked = read.status === "waiting" || read.status === "escalated";
        const answer = isAsked ? await this.givenAnswer(await this.record(run)) : undefined;
        listed.push({ ...read, run, isHeld, ...(answer !== undefined && { answer }) });
      } catch (error) {
        listed.push({ run, isHeld, fault: (error as Error).message });
      }
    }
    return listed;
  }

  /** Frees what runs have kept: the scenes of their workcells too, and what a killed process has left of these. */
  async release(runs: readonly string[]) {
    const { releaseRuns } = await import("./journal/release.ts");
    const { sceneFolder, workcellFolders } = await import("./run/workcells.ts");
    const released = await releaseRuns(this.ports, runs);
    const folders = runs.flatMap((run) => [workcellFolders(this.dir, run), sceneFolder(this.dir, run)]);
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    return released;
  }

  /** Makes a run's folder again from journal and store; refuses a journal that is shorter than the folder remembers. Gives
   * back the files that the store does not have any more as they were. */
  async rebuild(run: string): Promise<string[]> {
    const { record, input } = await loadRun(this.ports.journal, run);
    const head = await this.#folders.lastHead(run, record.folder);
    if (head && head.seq > record.seq) {
      const message = `run ${run} ends at event ${record.seq} in the journal, but its folder remembers event ${head.seq}: the journal was cut, so the folder is left as it is`;
      throw new LoopwrightError("JOURNAL_CUT", message);
    }
    const artifacts = await this.artifacts(run);
    for (const { digest, path } of artifacts)
      if (await this.ports.journal.isFileReleased(digest)) throw fileReleased(path);
    const gone = new Set<string>();
    for (const artifact of artifacts) {
      const bytes = await this.ports.store.get(artifact.digest).catch(() => undefined);
      if (bytes) await this.#folders.saved(record.folder, artifact);
      else gone.add(artifact.path);
    }
    await this.ports.view?.show(record, input, true);
    return [...gone];
  }

  async removeFolder(run: string): Promise<void> {
    await this.#folders.remove((await this.record(run)).folder);
  }

  /** Checks the chain of a run and everything that it names. */
  async verify(run: string): Promise<Verification> {
    const folder = (await this.record(run).catch(() => undefined))?.folder ?? run;
    const head = await this.#folders.lastHead(run, folder);
    const { verifyRun } = await import("./journal/verify.ts");
    return verifyRun(this.ports.journal, this.ports.store, run, head);
  }
}

/** Opens the project that a folder belongs to, and makes it one where it is none yet. */
export async function openProject(options: ProjectOptions = {}): Promise<Project> {
  const { dir, ...rest } = options;
  const folder = projectFolder(dir);
  return new Project(folder, { ...(await projectPorts(folder)), ...rest });
}

/** The folder that is meant: the given one, else the project that the program runs in. */
export function projectFolder(given: string | undefined): string {
  return given === undefined ? nearestProject(process.cwd()) : resolve(given);
}

/** A project's own ports: its journal, its store, its run folders, the machine's clock and the kill switch. For a look at
 * one that is there, nothing is made, and nothing need be writable. */
export async function projectPorts(dir: string, { isLook = false } = {}): Promise<ProjectPorts> {
  const state = isLook ? join(dir, ".loopwright") : stateFolder(dir);
  if (isLook) refuseLinks(state);
  if (!isLook) makeViewFolder(join(dir, "runs"));
  const store = new FileStore(join(state, "files"));
  const folders = new RunFolders(join(dir, "runs"), store, join(state, "drafts"));
  const journal = await SqliteJournal.open(join(state, "journal.db"), { isLook });
  return {
    project: dir,
    clock: machineClock,
    journal,
    store,
    folders,
    process: thisProcess(),
    killSwitch: () => stopReason(state),
  };
}

/** Where a project keeps what the program trusts: made where it is missing, hidden from git. */
export function stateFolder(dir: string): string {
  const state = join(dir, ".loopwright");
  makeFolder(state);
  refuseLinks(state);
  return state;
}

/** The project that a folder lies in: its nearest parent with a `.loopwright` or a `loopwright.yaml`, else itself. */
export function nearestProject(from: string): string {
  for (let dir = from; ; dir = dirname(dir)) {
    if (existsSync(join(dir, ".loopwright")) || existsSync(join(dir, "loopwright.yaml"))) return dir;
    if (dirname(dir) === dir) return from;
  }
}

/** What is written and deleted here must lie here: a folder that came from elsewhere may hold links. */
function refuseLinks(state: string): void {
  for (const name of ["journal.db", "issues.db", "files", "drafts", "workcells", "scenes", "workspaces", "edits"]) {
    const path = join(state, name);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) continue;
    throw new UsageError("FOLDER_LINKED", `${path} is a link, and nothing is written through it: put a folder there`);
  }
}

/** The folder for people is only a view: one that cannot be written costs a warning. */
function makeViewFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    if (!existsSync(path)) throw error;
    process.emitWarning((error as Error).message);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
    // Where a link leads is not ours to be hidden from git.
    const [isLink, ignore] = [lstatSync(path).isSymbolicLink(), join(path, ".gitignore")];
    if (!isLink && !lstatSync(ignore, { throwIfNoEntry: false })) writeFileSync(ignore, "*\n");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOSPC") throw journalError(cause, path);
    const file = [path, dirname(path)].find((place) => existsSync(place) && !statSync(place).isDirectory());
    const message =
      file === undefined
        ? `${path} cannot be written; check its permissions, or name another folder`
        : `${file} is a file, and stands where a folder is needed; move it away, or name another folder`;
    throw new LoopwrightError("FOLDER_READ_ONLY", message, { cause });
  }
}

/** Why everything must stop: the project's STOP file, or LOOPWRIGHT_STOP in the environment. */
export function stopReason(state: string): string | undefined {
  if (process.env.LOOPWRIGHT_STOP === "1") return "LOOPWRIGHT_STOP is set";
  const file = join(state, "STOP");
  return existsSync(file) ? `${file} is there; delete it to go on` : undefined;
}
