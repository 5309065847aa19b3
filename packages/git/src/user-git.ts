// Git on a repository that is the user's own: their name, settings, attributes and ignore rules hold there, as they
// would if they typed the command.
//
//   U1  Nothing asks and nothing waits: no terminal, editor, pager, passphrase, password or network.
//   U2  No variable that points git elsewhere (GIT_DIR, GIT_INDEX_FILE, …) reaches it.
//   U3  Only what is called with `hooks` runs a hook.

import { LoopwrightError } from "@loopwright/core";
import { type GitEnd, type GitInput, NO_TRANSPORT, runGitProcess } from "./run-git.ts";

/** A call of git in the user's repository. */
export interface UserGitCall {
  /** Where it is run. */
  folder: string;
  input?: GitInput;
  /** Variables for this call, such as another index. */
  env?: Readonly<Record<string, string>>;
  /** Leaves the user's settings and language as they are, hooks among them, for at most so many milliseconds. */
  hooks?: { limit: number; onStart?: (group: number) => void };
  signal?: AbortSignal;
}

/** Variables of git's that say who the user is and where their settings lie, not what is done where. */
const KEPT = new Set([
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
  "GIT_EXEC_PATH",
]);

/** A hook's own git calls inherit what is set here, so these hold only where no hook runs. */
const SETTINGS = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "core.quotePath": "false",
  "core.safecrlf": "false",
  "core.fsync": "all",
  "core.fsyncMethod": "batch",
  "credential.helper": "",
  "gc.auto": "0",
  "i18n.commitEncoding": "UTF-8",
  "log.showSignature": "false",
  "maintenance.auto": "false",
  "protocol.allow": "never",
  "submodule.recurse": "false",
};

/** The environment that git gets on a user's repository: theirs, without what would mislead or ask. */
export function userGitEnvironment(from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const own = Object.entries(from).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!entry[0].startsWith("GIT_") || KEPT.has(entry[0])),
  );
  const { GPG_TTY: _, ...env } = Object.fromEntries(own);
  return {
    ...env,
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "false",
    SSH_ASKPASS_REQUIRE: "never",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_PAGER: "cat",
    GIT_EDITOR: ":",
  };
}

/** Runs git on a user's repository and gives how it ended, whatever it says. */
export function tryUserGit(args: readonly string[], call: UserGitCall): Promise<GitEnd> {
  const settings = call.hooks ? [] : Object.entries(SETTINGS).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return runGitProcess({
    args: ["--no-pager", ...settings, ...args],
    cwd: call.folder,
    env: { ...userGitEnvironment(), ...(call.hooks ? {} : { LC_ALL: "C", ...NO_TRANSPORT }), ...call.env },
    isAlone: true,
    ...(call.input ? { input: call.input } : {}),
    ...call.hooks,
    ...(call.signal ? { signal: call.signal } : {}),
  });
}

/** Runs git on a user's repository and gives what it printed; throws GIT_FAILED with git's own words. */
export async function runUserGit(args: readonly string[], call: UserGitCall): Promise<Buffer> {
  const { code, output, complaint } = await tryUserGit(args, call);
  if (code === 0) return output;
  const words = complaint.trim() || `it ended with code ${code}`;
  throw new LoopwrightError("GIT_FAILED", `git ${args[0]} failed in ${call.folder}: ${words}`);
}

/** What git says in a folder of the user's; undefined where it fails. */
export async function askGit(folder: string, ...args: string[]): Promise<string | undefined> {
  const { code, output } = await tryUserGit(args, { folder });
  return code === 0 ? output.toString().trimEnd() : undefined;
}
