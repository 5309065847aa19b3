// `loopwright novel --dry-run`: the project that would be opened, who would write, and what would be asked first: for the feedback
// that comes on a pipe, else for the first level that is missing. No model is called, and nothing is written.

import { cp, mkdir, writeFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline";
import { type CommandContext, type FirstPrompt, LoopwrightError, type SetUpFirstPrompt } from "@loopwright/core";
import { runUserGit } from "@loopwright/git";
import { plainLine, printPrompt, promptHead } from "@loopwright/terminal";
import { type Manuscript, openManuscript } from "../manuscript/files/open.ts";
import { findPlace, headOf, type Place } from "../repository/place.ts";
import { levels } from "../types.ts";
import { asCommand } from "./command-table.ts";
import { lacksIdea, readFeedback, readGeneration } from "./commands/generate.ts";
import { type Request, taskOf } from "./iterations.ts";
import { contextFor, novelHere, openRoles, type Roles, roleNames } from "./session.ts";
import { firstWord, projectLine, readLevel } from "./words/words.ts";

export async function showNovelPlan(context: CommandContext): Promise<number> {
  const { output } = context;
  const folder = resolve(context.arguments[0] ?? novelHere(context));
  const manuscript = await openManuscript(folder);
  const there = contextFor(context, manuscript);
  const roles = await openRoles(there);
  const models = Object.fromEntries(roleNames.map((role) => [role, roles.nameOf(role) ?? null]));
  const target = manuscript.target() ?? null;
  const first = await seeFirst(context, there, manuscript, roles);
  if (output.isJson) {
    const prompt = "reason" in first ? { prompt: null, promptReason: first.reason } : { prompt: first };
    output.document("novel-plan", { folder, name: manuscript.name, target, models, dryRun: true, ...prompt });
    return 0;
  }
  output.print(plainLine(projectLine(manuscript)));
  output.print(`folder        ${folder}`);
  output.print(`target        ${target ?? "none yet"}`);
  for (const [role, name] of Object.entries(models)) output.print(`${role.padEnd(12)} ${name ?? "none"}`);
  output.print(`first prompt  ${"reason" in first ? `not shown: ${plainLine(first.reason)}` : promptHead(first)}`);
  if (!("reason" in first)) printPrompt(context.terminal, first);
  output.print("No model was called, and nothing of it is left on the disk.");
  return 0;
}

async function seeFirst(
  context: CommandContext,
  there: CommandContext,
  manuscript: Manuscript,
  roles: Roles,
): Promise<FirstPrompt | { reason: string }> {
  const lines = context.terminal.stdin.isTTY ? [] : await readLines(context);
  try {
    const request = readRequest(lines, manuscript);
    const { project } = manuscript;
    return there.driver.firstPrompt(taskOf(request, { project, roles, mayAskBack: !context.isSet("yes") }));
  } catch (error) {
    if (error instanceof LoopwrightError) return { reason: error.message };
    throw error;
  }
}

async function readLines({ terminal }: CommandContext): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: terminal.stdin, terminal: false }))
    lines.push(asCommand(line.trim()));
  return lines.filter((line) => line !== "");
}

/** What these lines would begin first, as they would be typed; without any, the first level that is missing. */
export function readRequest(lines: readonly string[], manuscript: Manuscript): Request {
  const refuse = (reason: string) => new LoopwrightError("USAGE", reason);
  const generation = (text: string) => {
    const request = readGeneration(text, manuscript);
    if (!lacksIdea(request, manuscript)) return request;
    throw refuse("a premise begins with an idea: echo '/generate premise IDEA' | loopwright novel --dry-run");
  };
  let target = manuscript.target();
  for (const line of lines) {
    const [word, rest] = firstWord(line);
    if (word === "/iterate") target = readLevel(rest) ?? target;
    else if (word === "/generate") return generation(rest);
    else if (word.startsWith("/")) throw refuse(`feedback and /generate have a first prompt here, not ${word}`);
    else return readFeedback(line, target, manuscript);
  }
  const missing = levels.find((level) => !manuscript.has(level));
  if (missing !== undefined) return generation(missing);
  throw refuse("nothing is missing, and no feedback came on the input: echo 'FEEDBACK' | loopwright novel --dry-run");
}

/** What no prompt is made of. */
const LEFT_OUT = new Set([".git", ".loopwright", "runs", "node_modules"]);

/** How it reaches the first prompt: on a copy of the project and its repository, for hand edits are committed on the way. */
export const firstPrompt: SetUpFirstPrompt = async ({ settings, project }, folder) => {
  const place = await findPlace(project);
  if ("fault" in place) return { reason: place.fault };
  const root = join(folder, "repository");
  const copy = join(root, place.prefix);
  await borrowRepository(place, root);
  const set = (name: string, value: string) => runUserGit(["config", name, value], { folder: root });
  // No hook of the writer's runs, and whoever they are is of no matter to a copy.
  await set("core.hooksPath", join(folder, "no-hooks"));
  await set("user.name", "dry run");
  await set("user.email", "dry-run@example.org");
  await set("loopwright.shared", "true");
  await mkdir(copy, { recursive: true });
  await cp(project, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(project, path).split(sep)[0]!) });
  if (await headOf(place)) await runUserGit(["reset", "--quiet"], { folder: root });
  return {
    settings: settings ?? null,
    project: copy,
    answers: { downstream: "keep-all" },
    does: "copied the project, and answered its question with keep-all",
  };
};

/** A repository of its own at the same commit, which reads the other's objects and writes its own. */
async function borrowRepository(place: Place, root: string): Promise<void> {
  await mkdir(root, { recursive: true });
  await runUserGit(["init", "--quiet", "--initial-branch=dry-run"], { folder: root });
  await writeFile(join(root, ".git/objects/info/alternates"), `${join(place.commonDir, "objects")}\n`);
  const head = await headOf(place);
  if (head !== undefined) await runUserGit(["update-ref", "refs/heads/dry-run", head], { folder: root });
}
