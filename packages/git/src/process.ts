// A git process: started, fed, listened to, and ended when it takes too long.

import { type ChildProcess, spawn } from "node:child_process";
import { InfrastructureError } from "@loopwright/core";

/** What is written to git's standard input. */
export type GitInput = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;

export interface GitProcess {
  args: readonly string[];
  cwd: string;
  env: Record<string, string>;
  input?: GitInput;
  signal?: AbortSignal;
  /** In a session of its own: there is no terminal to ask on. */
  isAlone?: boolean;
  /** Milliseconds after which it is ended, with all that it started. Only for what is alone. */
  limit?: number;
  /** Told the id of the process, and of its group where it is alone, as soon as it runs. */
  onStart?: (id: number) => void;
}

/** How a call of git ended. */
export interface GitEnd {
  /** Null where it was ended from outside. */
  code: number | null;
  output: Buffer;
  /** What it wrote to its error stream; the middle of a long one is left out. */
  complaint: string;
  isOverdue: boolean;
}

const COMPLAINT_SIDE = 8_000;
/** Milliseconds for which the output of what a hook left running in the background is listened to. */
const LAST_WORDS = 300;

/** Runs git and gives how it ended. Throws only where it cannot be started, is aborted, or its input fails. */
export async function runGitProcess(call: GitProcess): Promise<GitEnd> {
  const { args, cwd, env, input, signal, isAlone, limit, onStart } = call;
  const child = spawn("git", args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    ...(isAlone ? { detached: true } : {}),
    ...(signal ? { signal } : {}),
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  const output: Buffer[] = [];
  const complaint: Buffer[] = [];
  child.stdout.on("data", (bytes: Buffer) => output.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => complaint.push(bytes));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", (error) => reject(signal?.aborted ? error : gitMissing(error)));
    child.on("close", resolve);
    // A hook may leave something running that holds the pipes open: git itself has ended, and that is what counts.
    if (limit !== undefined) child.on("exit", (code) => setTimeout(() => resolve(code), LAST_WORDS).unref());
  });
  const fed = feed(child.stdin, input ?? []).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  let isOverdue = false;
  const timer = setTimeout(
    () => {
      isOverdue = true;
      endGroup(child);
    },
    limit ?? 2 ** 31 - 1,
  );
  try {
    const [code] = await Promise.all([ended, fed]);
    return {
      code,
      output: Buffer.concat(output),
      complaint: shortened(Buffer.concat(complaint).toString()),
      isOverdue,
    };
  } finally {
    clearTimeout(timer);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** The beginning and the end of long words. */
function shortened(words: string): string {
  if (words.length <= 2 * COMPLAINT_SIDE) return words;
  return `${words.slice(0, COMPLAINT_SIDE)}\n…\n${words.slice(-COMPLAINT_SIDE)}`;
}

/** Ends a process that is alone in its session, and what it started. */
function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
}

/** Writes the input; git ending early is told by its exit code, not by the pipe that breaks. */
async function feed(stdin: NodeJS.WritableStream, input: GitInput): Promise<void> {
  let isBroken = false;
  stdin.on("error", () => {
    isBroken = true;
  });
  for await (const piece of input) {
    if (isBroken) return;
    if (!stdin.write(piece)) {
      await new Promise<void>((resolve) => {
        const done = () => {
          stdin.off("drain", done).off("error", done).off("close", done);
          resolve();
        };
        stdin.on("drain", done).on("error", done).on("close", done);
      });
    }
  }
  stdin.end();
}

function gitMissing(cause: Error): InfrastructureError {
  return new InfrastructureError(
    "GIT_MISSING",
    `git could not be started (${cause.message}): install git, which keeps the versions of files`,
    { cause },
  );
}
