// An issue of a book: its words as they would be typed in the session, feedback or /generate LEVEL. The level that feedback is meant for
// stands in the issue as `level`; else it is the one that the session would begin with.

import {
  type AskedIssue,
  type CommandContext,
  LoopwrightError,
  requireKeys,
  type StartRun,
  usage,
} from "@loopwright/core";
import { openManuscript } from "../manuscript/files/open.ts";
import { openRepository } from "../repository/repository.ts";
import type { NovelTask } from "../task.ts";
import { asCommand } from "./command-table.ts";
import { readRequest } from "./dry-run.ts";
import { findUnfinished, taskOf } from "./iterations.ts";
import { contextFor, openRoles } from "./session.ts";
import { messages } from "./words/words.ts";

export async function fromIssue(
  { words, asset }: AskedIssue,
  context: CommandContext,
): Promise<StartRun & { input: NovelTask; context: CommandContext }> {
  const manuscript = await openManuscript(context.dir);
  const there = contextFor(context, manuscript);
  const roles = await openRoles(there);
  const level = asset.level === undefined ? [] : [`/iterate ${asset.level}`];
  try {
    const request = readRequest([...level, asCommand(words)], manuscript);
    const options = { project: manuscript.project, roles, mayAskBack: !context.isSet("yes") };
    return { input: taskOf(request, options), context: there, prepare };
  } catch (error) {
    throw error instanceof LoopwrightError ? usage(error.message) : error;
  }

  /** One iteration at a time: two at once would each be made from a text that the other changes. */
  async function prepare(): Promise<void> {
    if (!roles.has("writer")) throw usage(messages.noModel);
    requireKeys(["writer"], (await there.configuration()).modelOf);
    const refused = await (await openRepository(context.dir)).check();
    if (refused !== undefined) throw usage(refused);
    const unfinished = await findUnfinished({ novel: { project: await there.project() } });
    if (unfinished)
      throw usage(`${unfinished.run} is unfinished, and goes first`, `\`loopwright resume ${unfinished.run}\``);
  }
}
