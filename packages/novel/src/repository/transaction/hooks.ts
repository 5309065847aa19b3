// The user's commit hooks, run as a plain `git commit` would run them. One that refuses stops the commit.

import { rmSync, writeFileSync } from "node:fs";
import { access, constants, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { UsageError } from "@loopwright/core";
import { tryUserGit } from "@loopwright/git";
import { askGit, type Place } from "../place.ts";
import { ownFolder } from "./draft.ts";

export type Hook = "pre-commit" | "prepare-commit-msg" | "commit-msg" | "post-commit";
const hooks: readonly Hook[] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];

/** Milliseconds; a hook that takes longer waits for something that never comes. */
export const HOOK_LIMIT = 300_000;
/** Milliseconds for which a hook of a dead process is waited for. */
const ORPHAN_LIMIT = 10_000;
const LONGEST_WORDS = 3_000;

/** The commit hooks that the repository has. */
export async function findHooks(place: Place): Promise<Set<Hook>> {
  const [folder, configured] = await Promise.all([
    hooksFolder(place),
    askGit(place, ["config", "--get-regexp", "^hook\\..*\\.event$"]),
  ]);
  const found = new Set<Hook>(
    hooks.filter((hook) => configured?.split("\n").some((line) => line.endsWith(` ${hook}`))),
  );
  await Promise.all(
    hooks.map((hook) =>
      access(resolve(place.root, folder, hook), constants.X_OK).then(
        () => found.add(hook),
        () => {},
      ),
    ),
  );
  return found;
}

/** Runs a hook; throws HOOK_REFUSED with its words where it ends with a failure. */
export async function runHook(place: Place, hook: Hook, index: string, args: readonly string[] = []): Promise<void> {
  const { code, complaint, isOverdue } = await tryUserGit(["hook", "run", "--ignore-missing", hook, "--", ...args], {
    folder: place.root,
    env: { GIT_INDEX_FILE: index },
    hooks: { limit: HOOK_LIMIT, onStart: (group) => writeFileSync(runningFile(place), String(group)) },
  });
  rmSync(runningFile(place), { force: true });
  if (code === 0) return;
  if (complaint.includes("'hook' is not a git command"))
    throw new UsageError(
      "GIT_TOO_OLD",
      `the ${hook} hook of ${place.root} needs git 2.36 or newer to be run: update git`,
    );
  const words = isOverdue ? `it did not end within ${HOOK_LIMIT / 60_000} minutes` : complaint.trim() || `code ${code}`;
  throw refusal(place, hook, words);
}

/** Waits for a hook that outlived the process which ran it, as it may still write files; not for ever. */
export async function outliveHook(place: Place): Promise<void> {
  const group = Number(await readFile(runningFile(place), "utf8").catch(() => ""));
  for (let waited = 0; group > 1 && isRunning(group) && waited < ORPHAN_LIMIT; waited += 50) await pause(50);
  rmSync(runningFile(place), { force: true });
}

/** The error of a commit that a hook stopped. */
export function refusal(place: Place, hook: Hook | "reference-transaction", words: string): UsageError {
  const shown = words.length > LONGEST_WORDS ? `…${words.slice(-LONGEST_WORDS)}` : words;
  return new UsageError(
    "HOOK_REFUSED",
    `the ${hook} hook of ${place.root} refused the commit:\n${shown}\nNothing was changed. Fix what the hook names, then try again`,
    { data: { hook } },
  );
}

/** Where hooks lie. Our own settings would send git elsewhere, so the user's are asked for by name. */
async function hooksFolder(place: Place): Promise<string> {
  const configured = await tryUserGit(["config", "--type=path", "core.hooksPath"], {
    folder: place.root,
    hooks: { limit: HOOK_LIMIT },
  });
  return configured.code === 0 ? configured.output.toString().trim() : resolve(place.commonDir, "hooks");
}

/** Where the process group of the hook that runs now is noted. */
function runningFile(place: Place): string {
  return join(ownFolder(place), "hook");
}

function isRunning(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
