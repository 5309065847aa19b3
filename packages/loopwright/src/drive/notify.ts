// Telling a person who is elsewhere: a command, a webhook, the terminal's bell. A failure to tell is a warning.

import { spawn } from "node:child_process";
import type { LoopEvent, RunResult } from "@loopwright/core";
import { plainLine, type Terminal } from "@loopwright/terminal";

export interface Notify {
  /** Run with one more argument: the message. */
  command?: string | undefined;
  /** Sent a POST with the message and the run's outcome as JSON. */
  webhook?: string | undefined;
}

const LIMIT_MS = 10_000;

/** Tells that a run has ended or waits. */
export async function notify(
  { command, webhook }: Notify,
  result: RunResult,
  warn: (line: string) => void,
): Promise<void> {
  const message = plainLine(`${result.outcome}: ${result.reason} (${result.run})`);
  const told = [
    ...(command === undefined ? [] : [runCommand(command, message)]),
    ...(webhook === undefined ? [] : [post(webhook, message, result)]),
  ];
  for (const outcome of await Promise.allSettled(told))
    if (outcome.status === "rejected")
      warn(`loopwright: nobody was told: ${plainLine(String(outcome.reason?.message ?? outcome.reason))}`);
}

/** The note that a loop leaves to have the bell rung: `{ times }`. */
const BELL = "bell";

/** Rings the terminal's bell as often as a loop's note says. */
export function ringFor({ stdout, isJson, isQuiet }: Terminal, event: LoopEvent): void {
  if (event.type !== "loop-noted" || event.name !== BELL || !stdout.isTTY || isJson || isQuiet) return;
  const times = (event.data as { times?: unknown } | null)?.times;
  stdout.write("\u0007".repeat(typeof times === "number" ? Math.min(3, Math.max(1, times)) : 1));
}

function runCommand(command: string, message: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // The message is an argument of its own: nothing in it is read by the shell.
    const child = spawn("sh", ["-c", `${command} "$1"`, "sh", message], {
      stdio: "ignore",
      timeout: LIMIT_MS,
      env: { ...process.env, LOOPWRIGHT_JOURNAL_KEY: undefined },
    });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`'${command}' exited with ${code}`))));
  });
}

async function post(
  webhook: string,
  message: string,
  { run, outcome, reason, iterations, score }: RunResult,
): Promise<void> {
  const response = await fetch(webhook, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: message, run, outcome, reason, iterations, score }),
    signal: AbortSignal.timeout(LIMIT_MS),
    redirect: "error",
  });
  if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
}
