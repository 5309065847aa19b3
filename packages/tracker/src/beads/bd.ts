// The program `bd`, as it is found on the PATH: one command, no shell, its words as they are.

import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { LoopwrightError, UsageError } from "@loopwright/core";

const LONGEST_MS = 60_000;

export interface BdOptions {
  /** Whom beads notes down for it. */
  actor?: string;
  input?: string;
}

/** What a bd that failed says. */
export class BdError extends LoopwrightError {}

/** Runs one command of bd in a folder, and gives what it prints. */
export async function runBd(
  dir: string,
  args: readonly string[],
  { actor, input = "" }: BdOptions = {},
): Promise<string> {
  const words = actor === undefined ? args : ["--actor", actor, ...args];
  const child = spawn("bd", words, { cwd: dir, stdio: ["pipe", "pipe", "pipe"], timeout: LONGEST_MS });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", (error) => reject(notStarted(error)));
    child.once("close", resolve);
  });
  const [code, printed, said] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  if (code === 0) return printed;
  const reason = reasonOf(said) || reasonOf(printed) || `it ended with ${code ?? "a signal"}`;
  throw new BdError("BD_FAILED", `bd ${args[0]} failed: ${reason}`, { data: { reason } });
}

function notStarted(cause: NodeJS.ErrnoException): Error {
  if (cause.code !== "ENOENT") return cause;
  const message =
    "the configuration says 'tracker: beads', and there is no program 'bd' on the PATH: install beads, or take that line out";
  return new UsageError("BD_MISSING", message, { cause });
}

/** Errors come as JSON or as a line. */
function reasonOf(said: string): string {
  try {
    return String((JSON.parse(said) as { error: string }).error);
  } catch {
    return said.trim().split("\n").slice(0, 3).join(" ").slice(0, 500);
  }
}
