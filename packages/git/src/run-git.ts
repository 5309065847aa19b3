// Git as a tool of ours, never as the user's: nothing that a repository, a home folder or the environment configures is
// run or read.
//
//   G1  Every call names its git directory. None is ever searched for, so no repository of the user's is touched.
//   G2  No GIT_* variable, no system or user configuration, and no template reaches git.
//   G3  Hooks, fsmonitor, external diff, text conversion, pager, editor, prompts, transports and automatic
//       housekeeping are off, also where a git directory that came from elsewhere turns them on.

import { type ChildProcess, spawn } from "node:child_process";
import { InfrastructureError, LoopwrightError } from "@loopwright/core";

/** A call of git on a directory of our own. */
export interface GitCall {
  gitDir: string;
  input?: GitInput;
  signal?: AbortSignal;
}

const LONGEST_COMPLAINT = 2_000;

const SETTINGS = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.untrackedCache": "false",
  "core.attributesFile": "/dev/null",
  "core.excludesFile": "/dev/null",
  "core.pager": "cat",
  "core.editor": "false",
  "core.askPass": "false",
  "core.autocrlf": "false",
  "core.quotePath": "false",
  "core.protectNTFS": "false",
  "core.protectHFS": "false",
  "core.fsync": "all",
  "core.fsyncMethod": "batch",
  "credential.helper": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "init.templateDir": "",
  "init.defaultBranch": "main",
  "protocol.allow": "never",
  "submodule.recurse": "false",
  "user.name": "Loopwright",
  "user.email": "loopwright@localhost",
  "commit.gpgSign": "false",
  "tag.gpgSign": "false",
  "log.showSignature": "false",
};

/** No transport, whatever a repository's own settings allow: a missing object would be fetched by a program that they name. */
export const NO_TRANSPORT = { GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" };

/** The environment that git gets: nothing of ours but where programs lie. */
export function gitEnvironment(from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return {
    PATH: from.PATH ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    XDG_CONFIG_HOME: "/nonexistent",
    LC_ALL: "C",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...NO_TRANSPORT,
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_AUTHOR_DATE: "1000000000 +0000",
    GIT_COMMITTER_DATE: "1000000000 +0000",
  };
}

/** Runs git on one git directory and gives what it printed; throws GIT_FAILED with git's own words. */
export async function runGit(args: readonly string[], { gitDir, input, signal }: GitCall): Promise<Buffer> {
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const { code, output, complaint } = await runGitProcess({
    args: [`--git-dir=${gitDir}`, "--no-pager", "--literal-pathspecs", ...settings, ...args],
    cwd: "/",
    env: gitEnvironment(),
    ...(input && { input }),
    ...(signal && { signal }),
  });
  if (code === 0) return output;
  const words = complaint.trim().slice(0, LONGEST_COMPLAINT) || `it ended with code ${code}`;
  throw new LoopwrightError("GIT_FAILED", `git ${args[0]} failed in ${gitDir}: ${words}`);
}

/** Makes a bare repository where there is none; one that is there stays as it is. */
export async function initGit(gitDir: string): Promise<void> {
  await runGit(["init", "--bare", "--quiet", "--object-format=sha1", gitDir], { gitDir });
}

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

// Which paths a file block may name. A path that could mean another place on any file system is refused with the reason.

const LONGEST_PATH = 400;
const LONGEST_PART_BYTES = 200;
const DEVICES = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

/** A path that may be used, or why it may not. */
export type PathResult = { path: string; refused?: undefined } | { path?: undefined; refused: string };

/** A path in its plain form, from the workspace's folder, or why it is refused. */
export function plainPath(given: string): PathResult {
  const refused = problemOf(given);
  if (refused) return { refused };
  const parts = given
    .normalize("NFC")
    .split("/")
    .filter((part) => part !== "" && part !== ".");
  if (parts.length === 0) return { refused: "names no file" };
  const fault = parts.map(problemOfPart).find((each) => each !== undefined);
  return fault ? { refused: fault } : { path: parts.join("/") };
}

/** A path as a file system that ignores case and composition would compare it. */
export function foldPath(path: string): string {
  return path.normalize("NFKC").toLowerCase().normalize("NFKC");
}

/** A refused path in a message: one line, no control characters, not endless. */
export function shownPath(path: string): string {
  const line = path.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}

function problemOf(given: string): string | undefined {
  if (given.trim() === "") return "names no file";
  if (given.length > LONGEST_PATH) return `is longer than ${LONGEST_PATH} characters`;
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(given)) return "holds a control character or an invisible one";
  if (given.includes("\\")) return "holds a backslash: write paths with /";
  if (given.startsWith("/") || /^[a-z]:/i.test(given)) return "is absolute: name files from the workspace's folder";
  if (given.startsWith("~")) return "begins with ~: name files from the workspace's folder";
  if (given.endsWith("/")) return "names a folder";
  if (given.split("/").includes("..")) return "leaves the workspace with ..";
  return undefined;
}

function problemOfPart(part: string): string | undefined {
  if (Buffer.byteLength(part) > LONGEST_PART_BYTES) return `has a name longer than ${LONGEST_PART_BYTES} bytes`;
  if (DEVICES.test(part)) return `names a device (${part})`;
  if (/[. ]$/.test(part) || part.startsWith(" "))
    return "has a name that begins or ends with a space, or ends with a dot";
  if (/[<>:"|?*]/.test(part)) return "holds a character that file names cannot have everywhere";
  return undefined;
}
