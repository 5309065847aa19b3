// `loopwright code`: the test-driven coding loop on a task, until its tests pass.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type CommandContext, type Json, type RunResult, requireKeys, type StartRun, usage } from "@loopwright/core";
import { plainText } from "@loopwright/terminal";
import {
  checkPlace,
  existing,
  givenTests,
  repositoryBelow,
  type WorkspaceSettings,
  workspaceLines,
  workspaceSettings,
} from "@loopwright/workspace/settings";
import type { CodeConfiguration } from "../configuration.ts";
import { roleNames } from "../roles.ts";
import { parseSections } from "../task-file.ts";
import { readTask, taskFiles, taskWords, usualWorkspace } from "./task-source.ts";

const DEFAULT_ITERATIONS = 20;

type Context = CommandContext<CodeConfiguration>;

export async function runCode(context: Context): Promise<number> {
  const { input, ...options } = await newRun(context);
  const { exitCode, result } = await context.driver.start(input, options);
  if (context.isSet("patch") && result) await printPatch(context, result);
  if (context.isSet("pr") && result?.outcome === "done") {
    const { openPullRequest } = await import("./pull-request.ts");
    const { workspace } = options.settings as unknown as WorkspaceSettings;
    await openPullRequest(context, result, {
      folder: workspace,
      title: firstLine(parseSections(String(input.task)).task),
    });
  }
  return exitCode;
}

/** What a run is started with, by the command line, the project's files and its configuration. */
export async function newRun(context: Context): Promise<StartRun & { input: Record<string, Json> }> {
  const { own, ceilings, control, modelOf } = await context.configuration();
  const files = taskFiles(context, own);
  const words = taskWords(context);
  const settings = workspaceSettings(context, own, {
    workspace: (words === undefined ? undefined : repositoryBelow(context)) ?? usualWorkspace(context.dir, words),
    control: [...Object.values(files), join(context.dir, "prompts/code"), ...control],
  });
  // Only the usual folder is made where it is not there; another name may be mistyped.
  if (context.text("workspace") !== undefined)
    existing(settings.workspace, "--workspace", "make the folder first, if a new program is to be written there");
  if (context.isSet("pr") && settings.branch === undefined)
    throw usage("--pr needs a branch", "name it: --branch NAME");
  const given = await givenTests(settings);
  const isJudged = given.tests !== undefined || given.held_out === true;
  const minIterations = context.number("min-iterations") ?? own.minIterations ?? (isJudged ? 1 : 2);
  const said = await readTask(context, files);
  const task = {
    ...{ ...said, ...given, min_iterations: minIterations },
    allow_failing: context.isSet("allow-failing") || own.allowFailing === true,
    allow_unseen: context.isSet("allow-unseen") || own.allowUnseen === true,
    ...(own.max_retries !== undefined && { max_retries: own.max_retries }),
    ...(own.looks !== undefined && { looks: own.looks }),
    ...(own.proof?.budget !== undefined && { proof_budget: Number.parseFloat(own.proof.budget) }),
    ...windowsOf(modelOf),
  };
  if (minIterations > (ceilings.iterations ?? DEFAULT_ITERATIONS))
    throw usage(
      `--min-iterations ${minIterations} is above the ceiling on iterations`,
      `raise --max-iterations, or accept fewer: --min-iterations ${ceilings.iterations}`,
    );
  await checkPlace(settings, context.isSet("dry-run"));
  return {
    input: task,
    slug: "code",
    settings: settings as unknown as Json,
    prepare: () => {
      if (!modelOf("implementer"))
        throw usage("no model is configured", "name one: --model lmstudio:NAME, or under 'models' in loopwright.yaml");
      requireKeys(roleNames, modelOf);
      mkdirSync(settings.workspace, { recursive: true });
    },
    opening: openingLines({
      ...{ task: String(said.task), file: words === undefined ? files.task : undefined, settings, modelOf },
      given: Array.isArray(given.tests) ? given.tests.length : 0,
    }),
  };
}

function windowsOf(modelOf: (role: string) => { context: number } | undefined) {
  const windows = roleNames.flatMap((role) => {
    const model = modelOf(role);
    return model ? [[role, model.context]] : [];
  });
  return windows.length > 0 && { windows: Object.fromEntries(windows) };
}

/** With --quiet the patch is all that is printed, so that it can be kept: `--patch --quiet > fix.patch`. */
async function printPatch({ output, terminal, project }: Context, { run }: RunResult): Promise<void> {
  if (!output.isQuiet || output.isJson) return;
  const opened = await project();
  const found = (await opened.artifacts(run)).findLast(({ path }) => path.endsWith("/result.patch"));
  if (!found) return;
  const text = Buffer.from(await opened.ports.store.get(found.digest)).toString();
  terminal.stdout.write(terminal.stdout.isTTY ? plainText(text) : text);
}

interface Understood {
  task: string;
  /** Where it stands; undefined where it was said in words. */
  file: string | undefined;
  settings: WorkspaceSettings;
  /** How many files of given tests there are. */
  given: number;
  modelOf: (role: string) => { name: string } | undefined;
}

const LONGEST = 200;

/** What a run begins with: what was understood of its task, its workspace, its tests and its models. */
export function openingLines({ task, file, settings, given, modelOf }: Understood): string[] {
  const [workspace = "", ...warnings] = workspaceLines(settings);
  const rows: [string, string | undefined][] = [
    ["task", `${firstLine(parseSections(task).task)}${file === undefined ? "" : ` (${file})`}`],
    ["workspace", workspace.replace(/^workspace /, "")],
    ["tests", testWords(settings, given)],
    ["models", modelWords(modelOf)],
    ["result", resultPlace(settings)],
  ];
  return [...rows.map(([name, value]) => `${name.padEnd(10)} ${value}`), ...warnings];
}

function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const said = lines.find((line) => line !== "" && !line.startsWith("#")) ?? lines.find((line) => line !== "") ?? "";
  return said.length > LONGEST ? `${said.slice(0, LONGEST)}…` : said;
}

function testWords({ heldOut, runner }: WorkspaceSettings, given: number): string {
  const own = given === 0 ? "the workspace's own, and new ones" : given === 1 ? "1 given file" : `${given} given files`;
  const hidden = heldOut.length > 0 ? ", and held-out ones that decide" : "";
  const by = runner === undefined ? "" : `, run by ${typeof runner === "string" ? runner : runner.command}`;
  return own + hidden + by;
}

function modelWords(modelOf: Understood["modelOf"]): string {
  const named = roleNames.map((role) => [role, modelOf(role)?.name ?? "none"] as const);
  const [, first] = named[0]!;
  if (named.every(([, name]) => name === first)) return first;
  return named.map(([role, name]) => `${role} ${name}`).join(", ");
}

function resultPlace({ branch, patch }: WorkspaceSettings): string {
  if (patch) return "a patch in the run's folder; your files stay as they are";
  if (branch !== undefined) return `the new branch ${branch}; your files stay as they are`;
  return "your files, once the run is done";
}
