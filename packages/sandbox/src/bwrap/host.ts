// What of this process and of this machine a job must not get hold of: descriptors that whoever started us left open, which every
// job would inherit, and the machine's device nodes. Those belong to root, so that a job that root runs could close /dev/null to
// everyone; in their place come nodes of nobody's, in a folder that is made once and serves every process.

import { type StdioOptions, spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";
import { namesIn, readText } from "../proc.ts";

type Stdio = Extract<StdioOptions, readonly unknown[]>;

const CLOSE_ON_EXEC = 0o2000000;

/** The open descriptors, beyond the first three, that a program started by this process would inherit. */
export function inheritedDescriptors(): number[] {
  return namesIn("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => {
      // The descriptor that listed the others is gone.
      const flags = /^flags:\s+(\d+)/m.exec(readText(`/proc/self/fdinfo/${descriptor}`))?.[1];
      return descriptor > 2 && flags !== undefined && !(Number.parseInt(flags, 8) & CLOSE_ON_EXEC);
    });
}

/** The stdio of a program that inherits none of them: each is covered by a harmless one. */
export function coverDescriptors(stdio: Stdio, inherited: readonly number[], cover: number): Stdio {
  const covered: Stdio = [...stdio];
  for (const descriptor of inherited) {
    while (covered.length <= descriptor) covered.push("ignore");
    if (descriptor >= stdio.length) covered[descriptor] = cover;
  }
  return covered;
}

export const DEVICES = { null: "1 3", zero: "1 5", full: "1 7", random: "1 8", urandom: "1 9", tty: "5 0" };
const NOBODY = 65534;

/** A folder of device nodes; undefined where root does not run it. */
export function makeDevices(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const shared = join(tmpdir(), "loopwright-devices");
  if (areDevices(shared)) return shared;
  const folder = mkdtempSync(`${shared}-`);
  const lines = Object.entries(DEVICES).map(([name, numbers]) => `mknod -m 666 ${name} c ${numbers}`);
  const owner = `chown ${NOBODY}:${NOBODY} ${Object.keys(DEVICES).join(" ")}`;
  const script = ["umask 022", ...lines, owner, "chmod 755 ."].join(" && ");
  const env = { PATH: [process.env.PATH, "/usr/sbin:/usr/bin:/sbin:/bin"].join(":") };
  const { status, stderr } = spawnSync("/bin/sh", ["-c", script], { cwd: folder, encoding: "utf8", env });
  try {
    if (status !== 0) throw new Error(stderr.trim());
    renameSync(folder, shared);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    // Another process may have been faster.
    if (areDevices(shared)) return shared;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LoopwrightError("SANDBOX_FAILED", `root cannot make device nodes in ${shared}: ${why}`, { cause });
  }
  return shared;
}

/** Whether a folder is root's own and holds the nodes, each what its name says. */
function areDevices(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
  return Object.entries(DEVICES).every(([name, numbers]) => {
    const node = lstatSync(join(folder, name), { throwIfNoEntry: false });
    const [major, minor] = numbers.split(" ").map(Number);
    return node?.isCharacterDevice() && node.uid === NOBODY && node.rdev === major! * 256 + minor!;
  });
}
