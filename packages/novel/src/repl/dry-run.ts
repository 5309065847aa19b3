// `loopwright novel --dry-run`: the project that would be opened, who would write, and what would be asked first: for the feedback
// that comes on a pipe, else for the first level that is missing. No model is called, and nothing is written.

import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { type CommandContext, type FirstPrompt, LoopwrightError } from "@loopwright/core";
import { plainLine, printPrompt, promptHead } from "@loopwright/terminal";
import { type Manuscript, openManuscript } from "../manuscript/files/open.ts";
import { levels } from "../types.ts";
import { asCommand } from "./command-table.ts";
import { lacksIdea, readFeedback, readGeneration } from "./commands/generate.ts";
import { type Request, taskOf } from "./iterations.ts";
import { contextFor, novelHere, openRoles, type Roles, roleNames } from "./session.ts";
import { firstWord } from "./words/command-words.ts";
import { projectLine, readLevel } from "./words/words.ts";

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
