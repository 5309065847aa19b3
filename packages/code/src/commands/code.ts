// `loopwright code`: the test-driven coding loop on a task, until its tests pass.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type CommandContext, type Json, type RunResult, requireKeys, usage } from "@loopwright/core";
import { plainText } from "@loopwright/terminal";
import { checkPlace, givenTests, repositoryBelow, workspaceSettings } from "@loopwright/workspace/settings";
import type { CodeConfiguration } from "../configuration.ts";
import { roleNames } from "../roles.ts";
import { openingLines } from "./opening.ts";
import { readTask, taskFiles, taskWords } from "./task-source.ts";
import { usualWorkspace } from "./usual-workspace.ts";

const DEFAULT_ITERATIONS = 20;

type Context = CommandContext<CodeConfiguration>;

export async function runCode(context: Context): Promise<number> {
  const { own, ceilings, control, modelOf } = await context.configuration();
  const files = taskFiles(context, own);
  const words = taskWords(context);
  const settings = workspaceSettings(context, own, {
    workspace: (words === undefined ? undefined : repositoryBelow(context)) ?? usualWorkspace(context.dir, words),
    control: [...Object.values(files), join(context.dir, "prompts/code"), ...control],
  });
  const given = await givenTests(settings);
  const isJudged = given.tests !== undefined || given.held_out === true;
  const minIterations = context.number("min-iterations") ?? own.minIterations ?? (isJudged ? 1 : 2);
  const said = await readTask(context, files);
  const task = {
    ...{ ...said, ...given, min_iterations: minIterations },
    allow_failing: context.isSet("allow-failing") || own.allowFailing === true,
    allow_unseen: context.isSet("allow-unseen") || own.allowUnseen === true,
    ...(own.retries !== undefined && { retries: own.retries }),
    ...(own.looks !== undefined && { looks: own.looks }),
    ...windowsOf(modelOf),
  };
  if (minIterations > (ceilings.iterations ?? DEFAULT_ITERATIONS))
    throw usage(
      `--min-iterations ${minIterations} is above the ceiling on iterations`,
      `raise --max-iterations, or accept fewer: --min-iterations ${ceilings.iterations}`,
    );
  await checkPlace(settings, { isDry: context.isSet("dry-run"), elsewhere: "--patch" });
  const { exitCode, result } = await context.driver.start(task, {
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
  });
  if (settings.patch && result) await printPatch(context, result);
  return exitCode;
}

/** The windows of the roles that have a model. */
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
