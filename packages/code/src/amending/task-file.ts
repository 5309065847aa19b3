// task.md on disk: the one file outside the workspace that a run may change.

import { randomUUID } from "node:crypto";
import { readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import type { Amendment } from "../task.ts";
import { amendTask, hasAmendment } from "./amendments.ts";

/** The text of task.md as it is now. */
export async function readTaskFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw unreachable(file, "read", cause);
  }
}

/** Adds an amendment to task.md as it is now, so that what a person wrote meanwhile stays; once, however often it is
 * called. The file is replaced whole, or not at all. */
export async function writeAmendment(file: string, amendment: Amendment): Promise<string> {
  const current = await readTaskFile(file);
  if (hasAmendment(current, amendment)) return current;
  const { text } = amendTask(current, amendment);
  try {
    const target = await realpath(file);
    const { mode } = await stat(target);
    const temporary = join(dirname(target), `.task-${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, text, { mode, flag: "wx" });
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (cause) {
    throw unreachable(file, "written", cause);
  }
  return text;
}

function unreachable(file: string, verb: string, cause: unknown): LoopwrightError {
  const message = `the task file ${file} cannot be ${verb}: ${(cause as Error).message}. Put it back, or fix its permissions, and resume.`;
  return new LoopwrightError("TASK_FILE", message, { cause });
}
