// Opening a sandbox: bubblewrap, tried with a tiny job before anything depends on it; or none, where the user says so.

import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { LoopwrightError, UsageError } from "@loopwright/core";
import { BwrapSandbox } from "./bwrap/bwrap.ts";
import type { Limits, Sandbox } from "./types.ts";

export interface SandboxSettings {
  /** Paths of the workspace that every job sees read-only; an absolute one is a folder of the machine that jobs see. */
  readOnly?: readonly string[];
  /** What a user says in place of `--sandbox none` where a command has no such flag. */
  setting?: string;
}

const TRIAL_LIMITS: Limits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 2 ** 28,
  processes: 16,
  fileBytes: 2 ** 20,
  outputChars: 2_000,
};

/** Opens a sandbox, or says what is missing for it. */
export async function openSandbox(kind: Sandbox["kind"], settings: SandboxSettings = {}): Promise<Sandbox> {
  if (kind === "none") return new (await import("./none.ts")).BareSandbox(settings.readOnly);
  const { readOnly = [], setting } = settings;
  if (process.platform !== "linux") {
    const what = `bubblewrap needs Linux, and this is ${process.platform}`;
    throw unavailable(what, "run it in a Linux machine or container", setting);
  }
  const program = findProgram("bwrap");
  if (!program) throw unavailable("bubblewrap is not installed", BUBBLEWRAP_NEEDED, setting);
  const key = JSON.stringify([program, ...readOnly]);
  const sandbox = opened.get(key) ?? tryBwrap(program, readOnly, setting);
  opened.set(key, sandbox);
  // What was missing may be there next time.
  sandbox.catch(() => opened.delete(key));
  return sandbox;
}

/** Sandboxes hold nothing of a job, so one serves all that are opened alike. */
const opened = new Map<string, Promise<Sandbox>>();

async function tryBwrap(program: string, readOnly: readonly string[], setting: string | undefined): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-trial-"));
  try {
    const sandbox = await BwrapSandbox.open(program, readOnly);
    await tryOut(sandbox, folder);
    return sandbox;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const words = error instanceof Error ? error.message : String(error);
    throw unavailable(`bubblewrap cannot work here (${words})`, NAMESPACES_NEEDED, setting, error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BUBBLEWRAP_NEEDED = "install the package 'bubblewrap' (apt, dnf, pacman, apk)";
const NAMESPACES_NEEDED =
  "bubblewrap 0.8 or newer, and user namespaces allowed: sysctl kernel.unprivileged_userns_clone=1 (Debian), " +
  "kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for bwrap (Ubuntu), " +
  "user.max_user_namespaces above 0; in a container, a seccomp profile that permits them";

/** Runs a tiny job; older kernels count the user's other processes too, and there the watch alone counts. */
async function tryOut(sandbox: BwrapSandbox, folder: string): Promise<void> {
  const run = () =>
    sandbox.run({
      command: ["/bin/sh", "-c", "for i in 1 2 3 4; do : & done; wait; echo works"],
      workspace: folder,
      readOnly: [],
      limits: TRIAL_LIMITS,
      signal: new AbortController().signal,
    });
  let outcome = await run();
  if (outcome.output !== "works\n") {
    sandbox.countsProcesses = false;
    outcome = await run();
  }
  if (outcome.output !== "works\n") throw new LoopwrightError("SANDBOX_FAILED", outcome.output.trim() || "no output");
}

/** What is missing for a sandbox, and what would help. */
function unavailable(what: string, needed: string, setting: string | undefined, cause?: unknown): UsageError {
  const elsewhere = setting === undefined ? "" : `, or with -c ${setting}=none where it has no such flag`;
  const message = `there is no sandbox: ${what}. What it needs: ${needed}. Or start it anew with --sandbox none${elsewhere}: generated programs then run with your rights, on your files and your network`;
  return new UsageError("SANDBOX_UNAVAILABLE", message, { cause });
}

/** A program on the PATH. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((path) => path.startsWith("/"));
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
