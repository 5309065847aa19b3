// Git as a tool of ours, never as the user's: nothing that a repository, a home folder or the environment configures is
// run or read.
//
//   G1  Every call names its git directory. None is ever searched for, so no repository of the user's is touched.
//   G2  No GIT_* variable, no system or user configuration, and no template reaches git.
//   G3  Hooks, fsmonitor, external diff, text conversion, pager, editor, prompts, transports and automatic
//       housekeeping are off.

import { spawn } from "node:child_process";
import { InfrastructureError, LoopwrightError } from "../core/errors.ts";

export interface GitCall {
  gitDir: string;
  input?: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>;
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
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_AUTHOR_DATE: "1000000000 +0000",
    GIT_COMMITTER_DATE: "1000000000 +0000",
  };
}

/** Runs git on one git directory and gives what it printed; throws GIT_FAILED with git's own words. */
export async function runGit(args: readonly string[], { gitDir, input, signal }: GitCall): Promise<Buffer> {
  const settings = Object.entries(SETTINGS).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const child = spawn("git", [`--git-dir=${gitDir}`, "--no-pager", "--literal-pathspecs", ...settings, ...args], {
    cwd: "/",
    env: gitEnvironment(),
    stdio: ["pipe", "pipe", "pipe"],
    ...(signal ? { signal } : {}),
  });
  const output: Buffer[] = [];
  let complaint = "";
  child.stdout.on("data", (bytes: Buffer) => output.push(bytes));
  child.stderr.on("data", (bytes: Buffer) => {
    if (complaint.length < LONGEST_COMPLAINT) complaint += bytes.toString("utf8");
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", (error) => reject(signal?.aborted ? error : gitMissing(error)));
    child.on("close", resolve);
  });
  const fed = feed(child.stdin, input ?? []).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  const [code] = await Promise.all([ended, fed]);
  if (code === 0) return Buffer.concat(output);
  const words = complaint.trim().slice(0, LONGEST_COMPLAINT) || `it ended with code ${code}`;
  throw new LoopwrightError("GIT_FAILED", `git ${args[0]} failed in ${gitDir}: ${words}`);
}

/** Makes a bare repository where there is none; one that is there stays as it is. */
export async function initGit(gitDir: string, signal?: AbortSignal): Promise<void> {
  await runGit(["init", "--bare", "--quiet", "--object-format=sha1", gitDir], {
    gitDir,
    ...(signal ? { signal } : {}),
  });
}

/** Writes the input; git ending early is told by its exit code, not by the pipe that breaks. */
async function feed(stdin: NodeJS.WritableStream, input: NonNullable<GitCall["input"]>): Promise<void> {
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
    `git could not be started (${cause.message}): install git, which keeps the snapshots of a workspace`,
    { cause },
  );
}
