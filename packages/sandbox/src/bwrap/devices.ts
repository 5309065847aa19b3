// Device nodes for jobs that root runs: the machine's own belong to root, so that a job could close /dev/null to everyone.
// These belong to nobody, in a folder that is made once and serves every process.

import { spawnSync } from "node:child_process";
import { lstatSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LoopwrightError } from "@loopwright/core";

const NODES = { null: [1, 3], zero: [1, 5], full: [1, 7], random: [1, 8], urandom: [1, 9], tty: [5, 0] } as const;
const NOBODY = 65534;

/** A folder of device nodes; undefined where root does not run it. */
export function makeDevices(): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const shared = join(tmpdir(), "loopwright-devices");
  if (areDevices(shared)) return shared;
  const folder = mkdtempSync(join(tmpdir(), "loopwright-devices-"));
  const lines = Object.entries(NODES).map(([name, numbers]) => `mknod -m 666 ${name} c ${numbers.join(" ")}`);
  const owner = `chown ${NOBODY}:${NOBODY} ${Object.keys(NODES).join(" ")}`;
  const script = ["umask 022", ...lines, owner, "chmod 755 ."].join(" && ");
  const env = { PATH: [process.env.PATH, "/usr/sbin:/usr/bin:/sbin:/bin"].join(":") };
  const { status, stderr } = spawnSync("/bin/sh", ["-c", script], { cwd: folder, encoding: "utf8", env });
  if (status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    throw new LoopwrightError("SANDBOX_FAILED", `root cannot make device nodes in ${tmpdir()}: ${stderr.trim()}`);
  }
  return share(folder, shared);
}

/** Puts the folder in the place where others find it, unless someone was faster. */
function share(folder: string, shared: string): string {
  try {
    renameSync(folder, shared);
    return shared;
  } catch {
    if (areDevices(shared)) {
      rmSync(folder, { recursive: true, force: true });
      return shared;
    }
    // Someone else's folder stands there.
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
}

/** Whether a folder is root's own and holds the nodes, each what its name says. */
function areDevices(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) return false;
  return Object.entries(NODES).every(([name, [major, minor]]) => {
    const node = lstatSync(join(folder, name), { throwIfNoEntry: false });
    return node?.isCharacterDevice() && node.uid === NOBODY && node.rdev === major * 256 + minor;
  });
}
