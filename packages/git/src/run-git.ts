// Git as a tool of ours, never as the user's: nothing that a repository, a home folder or the environment configures is
// run or read.
//
//   G1  Every call names its git directory. None is ever searched for, so no repository of the user's is touched.
//   G2  No GIT_* variable, no system or user configuration, and no template reaches git.
//   G3  Hooks, fsmonitor, external diff, text conversion, pager, editor, prompts, transports and automatic
//       housekeeping are off, also where a git directory that came from elsewhere turns them on.

import { LoopwrightError } from "@loopwright/core";
import { type GitInput, runGitProcess } from "./process.ts";

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
