// `loopwright code`: the test-driven coding loop on a task, until its tests pass.

import { existsSync, mkdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CommandContext, type Json, leadsOut, usage } from "@loopwright/core";
import { checkBranch, existing, givenTests, workspaceLines, workspaceSettings } from "@loopwright/workspace/settings";
import type { CodeConfiguration } from "../configuration.ts";

const WRITES_ONE = "loopwright init <folder> --loop code writes one";
const DEFAULT_ITERATIONS = 20;

type Context = CommandContext<CodeConfiguration>;

export async function runCode(context: Context): Promise<number> {
  const { own, ceilings, control, modelOf } = await context.configuration();
  const files = taskFiles(context, own);
  const settings = workspaceSettings(context, own, {
    workspace: "workspace",
    control: [...Object.values(files), join(context.dir, "prompts/code"), ...control],
  });
  const given = await givenTests(settings);
  const isJudged = given.tests !== undefined || given.held_out === true;
  const minIterations = context.number("min-iterations") ?? own.minIterations ?? (isJudged ? 1 : 2);
  const task = {
    ...(await readTask(files)),
    ...given,
    min_iterations: minIterations,
    ...(own.looks !== undefined && { looks: own.looks }),
    allow_failing: context.isSet("allow-failing") || own.allowFailing === true,
    allow_unseen: context.isSet("allow-unseen") || own.allowUnseen === true,
  };
  if (minIterations > (ceilings.iterations ?? DEFAULT_ITERATIONS))
    throw usage(`--min-iterations ${minIterations} is above the ceiling on iterations`, "raise --max-iterations");
  await checkBranch(settings);
  const { exitCode } = await context.driver.start(task, {
    slug: "code",
    settings: settings as unknown as Json,
    prepare: () => {
      if (!modelOf("implementer"))
        throw usage(
          "no model is configured",
          "name one: --model lmstudio:NAME, or under 'models' in loopwright.yaml; or repair without one: loopwright repair",
        );
      mkdirSync(settings.workspace, { recursive: true });
    },
    opening: workspaceLines(settings),
  });
  return exitCode;
}

interface TaskFiles {
  task: string;
  philosophy: string;
}

function taskFiles(context: Context, own: CodeConfiguration): TaskFiles {
  const { dir } = context;
  const given = context.text("philosophy") ?? (own.philosophy && join(dir, own.philosophy));
  return {
    task: existing(context.text("task") ?? ownFile(dir, "task", own.task), "--task", WRITES_ONE),
    philosophy: given ? existing(given, "--philosophy", WRITES_ONE) : ownFile(dir, "philosophy"),
  };
}

/** A file of the project's. A link came with the folder, and does not say what models are told and what is written to. */
function ownFile(dir: string, flag: "task" | "philosophy", configured?: string): string {
  const file = join(dir, configured ?? `${flag}.md`);
  if (configured === undefined && leadsOut(dir, file))
    throw usage(
      `${file} is a link that leads out of the project`,
      `say which file it is, if that is meant: --${flag} FILE`,
    );
  if (existsSync(file) && !statSync(file).isFile()) throw usage(`${file} is no plain file`);
  return file;
}

/** What the project's files say: the task, and what stands before every prompt. */
async function readTask(files: TaskFiles): Promise<Record<string, Json>> {
  const [task, philosophy] = [await readText(files.task), await readText(files.philosophy)];
  return { task: task ?? "", task_file: files.task, ...(philosophy !== undefined && { philosophy }) };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw usage(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
