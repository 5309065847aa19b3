// A message as the last argument of a command of the user's.

import { spawn } from "node:child_process";
import type { Message, SendResult } from "@loopwright/core";

/** Runs the command with the message's text. What is said of it does not hold the command, which may hold a key. */
export function runCommand({ body, id }: Message, command: string, signal: AbortSignal): Promise<SendResult> {
  const { text } = JSON.parse(body) as { text: string };
  return new Promise((resolve) => {
    // The message is an argument of its own: nothing in it is read by the shell.
    const child = spawn("sh", ["-c", `${command} "$1"`, "sh", text], {
      stdio: "ignore",
      signal,
      env: { ...process.env, LOOPWRIGHT_JOURNAL_KEY: undefined, LOOPWRIGHT_MESSAGE_ID: id },
    });
    child.on("error", ({ name, message }) =>
      resolve({ error: name === "AbortError" ? "notify.command did not end in time" : `notify.command: ${message}` }),
    );
    child.on("exit", (code, killed) =>
      resolve(code === 0 ? {} : { error: `notify.command exited with ${code ?? killed}` }),
    );
  });
}
