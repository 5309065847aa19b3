// What loops on a folder of code have in common on the command line and in their configuration: the folder, its tests, its
// sandbox. A run keeps them, so that a resume finds the same.

import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  type CommandContext,
  type Configuration,
  type Flag,
  type Json,
  leadsOut,
  usage,
  type WorkcellOptions,
  type WorkcellStart,
} from "@loopwright/core";
import type { Limits } from "@loopwright/sandbox";
import type { ProjectCellOptions, WorkspaceSettings } from "./options.ts";
import type { Policy } from "./policy.ts";
import { keptSettings } from "./result.ts";
import { RUNNER_NAMES } from "./runners/table.ts";
import type { RunnerChoice } from "./runners/types.ts";

/** What a loop's block in loopwright.yaml can say of it; paths are seen from the project's folder. */
export interface WorkspaceConfiguration {
  workspace?: string | undefined;
  tests?: readonly string[] | undefined;
  heldOut?: readonly string[] | undefined;
  sandbox?: "bwrap" | "none" | undefined;
  dependencies?: readonly string[] | undefined;
  setup?: readonly string[] | undefined;
  /** A runner's name, or a command; and the file that a command writes its tests to. */
  test?: string | undefined;
  testReport?: string | undefined;
  /** What one command or test run may use, as people write it. */
  limits?: { [limit in Limit]?: number | undefined } | undefined;
  /** Beginnings of commands that models may have run, may have run once a person has said so, and may not. */
  policy?: { [list in "allow" | "ask" | "deny"]?: readonly string[] | undefined } | undefined;
}

type Limit = "seconds" | "cpuSeconds" | "memoryMb" | "processes" | "fileMb" | "outputChars";

/** The flag `--sandbox` of every command that runs programs. */
export const sandboxFlag: Flag = {
  name: "sandbox",
  value: "KIND",
  kind: ["bwrap", "none"],
  help: "bwrap, or none: programs run with your rights (bwrap)",
};

/** The flag `--branch` of every command that changes a repository. */
export const branchFlag: Flag = {
  name: "branch",
  value: "NAME",
  help: "commit the result to a new branch of your repository, and leave your files as they are",
};

/** The flag `--patch` of every command that changes a repository. */
export const patchFlag: Flag = {
  name: "patch",
  help: "apply nothing: the result is a patch in the run's folder; with --quiet it is printed, and nothing else",
};

type Context = Pick<CommandContext, "dir" | "text" | "list" | "isSet">;

/** Where a loop works where nothing is said, and which further files control its runs. */
export interface UsualPlace {
  workspace: string;
  control?: readonly string[];
}

/** The settings of a new run: flags, then the loop's block, then what is usual. */
export function workspaceSettings(
  context: Context,
  own: WorkspaceConfiguration,
  { workspace: usual, control = [] }: UsualPlace,
): WorkspaceSettings {
  const { dir } = context;
  const given = context.text("workspace");
  const workspace = given === undefined ? resolve(dir, own.workspace ?? usual) : resolve(given);
  if (existsSync(workspace) && !statSync(workspace).isDirectory())
    throw usage(
      `${given === undefined ? "workspace in loopwright.yaml" : "--workspace"}: ${workspace} is a file, and a folder is wanted`,
      `name the folder that it is in: ${dirname(workspace)}`,
    );
  // A link there came with the folder, and does not say where programs are written.
  if (given === undefined && own.workspace === undefined && leadsOut(dir, workspace))
    throw usage(
      `the workspace ${workspace} is a link that leads out of the project`,
      `say where it leads, if that is meant: --workspace ${realpathSync(workspace)}`,
    );
  const paths = (flag: "tests" | "held-out", configured: readonly string[] = []) => {
    const typed = context.list(flag);
    return typed.length > 0
      ? typed.map((path) => existing(path, `--${flag}`))
      : configured.map((path) => existing(join(dir, path), `${flag} in loopwright.yaml`));
  };
  const [tests, heldOut] = [paths("tests", own.tests), paths("held-out", own.heldOut)];
  refuseBoth(tests, heldOut);
  const runs = runnerOf(workspace, own);
  if (typeof runs.runner !== "object") [...tests, ...heldOut].forEach(refuseOther);
  const branch = context.text("branch");
  const patch = context.isSet("patch");
  if (patch && branch !== undefined) throw usage("give --branch or --patch, not both");
  const dependencies = own.dependencies?.map((path) => inWorkspace(workspace, path, "dependencies"));
  return {
    ...{ workspace, state: newState(context), tests, heldOut },
    ignore: controlsIn(workspace, dir, control),
    sandbox: (context.text("sandbox") as "bwrap" | "none" | undefined) ?? own.sandbox ?? "bwrap",
    ...(dependencies && { dependencies }),
    ...(own.setup && { setup: own.setup }),
    ...runs,
    ...(branch !== undefined && { branch }),
    ...(patch && { patch }),
  };
}

/** The git repository that the user stands in, where it lies below the project's folder: runs of a folder above, such as a demo in a
 * home folder, do not make all of that folder the program. */
export function repositoryBelow(
  { dir, text }: Pick<Context, "dir" | "text">,
  from = process.cwd(),
): string | undefined {
  if (text("dir") !== undefined || text("project") !== undefined) return undefined;
  const top = realpathSync(dir);
  for (let folder = realpathSync(from); folder.startsWith(`${top}${sep}`); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return join(dir, relative(top, folder));
  return undefined;
}

/** Held-out tests may lie among the others, which are then those that are left; not the other way round. */
function refuseBoth(tests: readonly string[], heldOut: readonly string[]): void {
  const [seen, hidden] = [tests, heldOut].map((paths) => paths.map((path) => realpathSync(path)));
  for (const held of hidden!) {
    const both = seen!.find((path) => path === held || path.startsWith(`${held}${sep}`));
    if (both === undefined) continue;
    const where = both === held ? "given and held out" : `given, and lies in ${held}, which is held out`;
    const hint = "name the files that no one is to see: --tests tests --held-out tests/test_hidden.py";
    throw usage(`--tests and --held-out: ${both} is ${where}`, hint);
  }
}

/** A file that is given as a test may have any name, but one in which nothing is tested would only fail every time. */
function refuseOther(path: string): void {
  if (!statSync(path).isFile()) return;
  try {
    const isSource = /\.(?:py|[cm]?[jt]sx?)$/.test(path);
    if (isSource && /test|assert|expect|describe/i.test(readFileSync(path, "utf8"))) return;
  } catch {
    return; // One that may not be read is refused as such later.
  }
  throw usage(`${path} is no test that a runner knows`, "name a file of tests, or a folder of them");
}

/** What runs the tests: one of the known runners, or a command line. */
function runnerOf(workspace: string, { test, testReport }: WorkspaceConfiguration): { runner?: RunnerChoice } {
  const name = RUNNER_NAMES.find((each) => each === test);
  if (testReport !== undefined && (test === undefined || name))
    throw usage(
      "testReport in loopwright.yaml is the file that a command of yours writes its tests to",
      "name it: test: COMMAND",
    );
  if (test === undefined) return {};
  if (test.trim() === "")
    throw usage("test in loopwright.yaml is empty", "name a runner or a command: test: make check");
  if (name) return { runner: name };
  if (testReport === undefined) return { runner: { command: test } };
  return { runner: { command: test, report: inWorkspace(workspace, testReport, "testReport") } };
}

/** What was last said of what runs the tests: said once to a resume, it holds for the next ones too. */
function keptRunner(
  { workspace, state }: Pick<WorkspaceSettings, "workspace" | "state">,
  own: WorkspaceConfiguration,
): { runner?: RunnerChoice } {
  const file = join(state, "runner.json");
  const said = runnerOf(workspace, own);
  if (said.runner === undefined) return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(said));
  return said;
}

/** What a command or test run may use, and which commands may run: as the configuration says it now. */
function boundsOf({ limits = {}, policy }: WorkspaceConfiguration): Pick<ProjectCellOptions, "limits" | "policy"> {
  const times = (value: number | undefined, unit: number) => (value === undefined ? undefined : value * unit);
  const given = {
    wallMs: times(limits.seconds, 1000),
    cpuMs: times(limits.cpuSeconds, 1000),
    memoryBytes: times(limits.memoryMb, 2 ** 20),
    processes: limits.processes,
    fileBytes: times(limits.fileMb, 2 ** 20),
    outputChars: limits.outputChars,
  };
  return { limits: said(given) as Partial<Limits>, ...(policy && { policy: said(policy) as Policy }) };
}

/** What of an object has a value. */
function said(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** A path of a workspace, as its snapshots name it. */
function inWorkspace(workspace: string, path: string, key: string): string {
  const inside = relative(workspace, resolve(workspace, path));
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside))
    throw usage(`${key} in loopwright.yaml: ${path} lies outside the workspace ${workspace}`);
  return inside;
}

/** Refuses a branch that cannot be made, before anything is spent. */
export async function checkBranch({ branch, workspace }: WorkspaceSettings): Promise<void> {
  if (branch === undefined) return;
  const { branchProblem } = await import("@loopwright/git/branch");
  const problem = await branchProblem(workspace, branch);
  if (problem !== undefined) throw usage(`--branch: ${problem}`);
}

/** Refuses a place that the result cannot go to, before anything is spent. */
export async function checkPlace(settings: WorkspaceSettings, isDry: boolean): Promise<void> {
  await checkBranch(settings);
  const { workspace, branch, patch } = settings;
  const isWritten = branch === undefined && patch !== true;
  const { isWritable } = await import("@loopwright/git/branch");
  if (isDry || (existsSync(workspace) && !isWritten) || isWritable(workspace)) return;
  throw usage(
    `you may not write to ${workspace}, where the result is to go`,
    "change its rights, or work on a copy of it: --workspace COPY; --patch writes nothing there",
  );
}

/** What of a workspace controls runs: the project's own files, by where they really lie. A run neither sees nor writes them. */
function controlsIn(workspace: string, dir: string, control: readonly string[]): string[] {
  const names = [".loopwright", "runs", "loopwright.yaml", "prompts/models", ".env", ...environmentFiles(dir)];
  const own = [...names.map((name) => join(dir, name)), ...control]
    // A link itself, too: whoever replaces it says what is read.
    .flatMap((path) => [join(real(dirname(path)), basename(path)), real(path)])
    .map((path) => relative(real(workspace), path));
  return [...new Set(own)].filter((path) => path !== "" && !path.startsWith("..") && !isAbsolute(path)).sort();
}

function environmentFiles(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith(".env")) : [];
}

/** A path without links in it, as far as it is there. */
function real(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
}

/** A folder of a run's own, outside its workspace. */
export function newState({ dir }: Pick<CommandContext, "dir">): string {
  return join(dir, ".loopwright", "workspaces", randomUUID());
}

/** What a loop is told of the tests: those that it may see, and whether others decide. */
export async function givenTests(settings: WorkspaceSettings): Promise<Record<string, Json>> {
  const { tests, heldOut, workspace, sandbox } = settings;
  const { readTests } = await import("./tests/files.ts");
  // Without a sandbox a copy is seen where it lies.
  const read = () => readTests(tests, workspace, { isCopied: sandbox === "none", except: heldOut });
  const files = tests.length > 0 ? await read() : undefined;
  if (files?.length === 0)
    throw usage(
      heldOut.length > 0
        ? "nothing is left of --tests once --held-out is taken out of it"
        : `there is no file in what --tests names: ${tests.join(", ")}`,
      heldOut.length > 0 ? "hold fewer files out, or leave --tests away" : "name a file of tests, or a folder of them",
    );
  return { ...(files !== undefined && { tests: files as unknown as Json }), held_out: heldOut.length > 0 };
}

/** The lines that a run begins with. */
export function workspaceLines({ workspace, sandbox }: WorkspaceSettings): string[] {
  const warning = "WITHOUT A SANDBOX: generated programs run with your rights";
  return [`workspace ${workspace}`, ...(sandbox === "none" ? [warning] : [])];
}

/** A path that must be there, as it is seen from the folder that the command is run in. */
export function existing(path: string, flag: string, hint?: string): string {
  const full = resolve(path);
  if (!existsSync(full)) throw usage(`${flag}: there is no ${full}`, hint);
  return full;
}

/** The workcells of runs of a loop that keep such settings under its name; what their programs may reach is said now, and what runs
 * the tests may be, what they may use and which commands may run: a run that could not go on goes on by it. */
export function workspaceCells(loop: string, { sandbox: reach, own }: Configuration): Record<string, WorkcellStart> {
  return {
    project: async (options: WorkcellOptions) => {
      const settings = keptSettings(options.configuration, loop);
      if (!settings)
        throw usage(`this run says nothing of its workspace; start it with: \`loopwright ${loop} --workspace DIR\``);
      const { sandbox: kind, ...kept } = attemptPlace(settings, options);
      const said = (own ?? {}) as WorkspaceConfiguration;
      const place = { ...kept, ...keptRunner(kept, said), ...boundsOf(said) };
      const [{ projectCells }, { openSandbox }] = await Promise.all([
        import("./index.ts"),
        import("@loopwright/sandbox"),
      ]);
      const sandbox = await openSandbox(kind, {
        setting: `${loop}.sandbox`,
        ...(reach.readOnly && { readOnly: reach.readOnly }),
      });
      return projectCells({ ...place, sandbox, runnerSetting: `${loop}.test` })(options);
    },
  };
}

/** One of several attempts has a checkout of its own; their snapshots lie together, where whoever compares them finds them. */
function attemptPlace(settings: WorkspaceSettings, { attempt, run }: WorkcellOptions) {
  if (attempt !== "") return settings;
  const { state } = settings;
  return {
    ...settings,
    state: join(state, run.slice(run.lastIndexOf(".") + 1)),
    snapshots: join(state, "snapshots.git"),
  };
}

export type { WorkspaceSettings } from "./options.ts";
export { appliedWords, keptSettings, workspaceSteps } from "./result.ts";
export { RUNNER_NAMES } from "./runners/table.ts";
