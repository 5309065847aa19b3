// How a call fails: E0 where the Blender is gone, E1 where the code is at fault.

import { ExecutionError, InfrastructureError } from "@loopwright/core";
import { WorkerDied } from "@loopwright/sandbox";
import { isRecord } from "./worker/answers.ts";

/** A Blender that has died, hangs, took too much or makes no sense; or one that was told to open a scene, and could not. */
export function lost(died: unknown): unknown {
  if (died instanceof ExecutionError)
    return new InfrastructureError("BLENDER_LOST", `Blender does not open a scene of its own: ${died.message}`, {
      cause: died,
    });
  if (!(died instanceof WorkerDied)) return died;
  const how = { died: "ended by itself", limit: "was stopped", stopped: "was stopped" }[died.reason];
  return new InfrastructureError("BLENDER_LOST", `Blender ${how}: ${died.message}`, {
    cause: died,
    data: { reason: died.reason },
  });
}

/** An error, and what the code had printed by then. */
export function withOutput(error: ExecutionError, output: string): ExecutionError {
  if (output.trim() === "") return error;
  return new ExecutionError(error.code, `${error.message}\nprinted before: ${output.trim().slice(-1_000)}`, {
    data: error.data,
  });
}

/** Code whose threads or processes go on could change the scene at any later moment: that Blender is not kept. */
export function requireStillness(left: unknown, error?: ExecutionError): void {
  const count = (name: string) => (isRecord(left) && Number.isInteger(left[name]) ? (left[name] as number) : 0);
  const [threads, processes] = [count("threads"), count("processes")];
  if (threads + processes === 0) return;
  const what =
    threads > 0 ? `${threads} thread${threads > 1 ? "s" : ""}` : `${processes} process${processes > 1 ? "es" : ""}`;
  throw new LeftRunning(what, error);
}

/** Code that has ended, and not all of it. */
export class LeftRunning extends ExecutionError {
  constructor(what: string, error: ExecutionError | undefined) {
    const advice = "wait for them to end (thread.join(), process.wait()) before it ends";
    super("BLENDER_LEFT_RUNNING", `the code left ${what} running: ${advice}${error ? `\n${error.message}` : ""}`);
  }
}
