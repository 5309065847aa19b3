// What every test finds around it: a temporary folder of this test run alone, gone with it, and the system's Python, since
// that of a version manager may bring pytest plugins that take longer to load than any test of ours takes to run.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const PYTHON = "/usr/bin/python3";
const IN_MEMORY = "/dev/shm";
const ROOM = 6 * 2 ** 30;

export default function setup(): () => void {
  // A short name, since paths of sockets are; and open, since some tests run programs as another user.
  const folder = mkdtempSync(join(place(), "lw-"));
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  // Programs of ours start in half the time where what they load was compiled before. Not in that folder: workers write to it
  // when they end, and some do so when it is gone.
  process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, "../node_modules/.cache/compiled");
  if (spawnSync(PYTHON, ["-I", "-c", "import pytest"]).status === 0) {
    mkdirSync(join(folder, "bin"));
    // No link: a virtual environment would be made of its name, and jobs see the system's alone.
    writeFileSync(join(folder, "bin/python3"), `#!/bin/sh\nexec ${PYTHON} "$@"\n`, { mode: 0o755 });
    process.env.PATH = [join(folder, "bin"), process.env.PATH].join(delimiter);
  }
  // What tests have made may be deeper than Node would remove.
  return () => void spawnSync("rm", ["-rf", folder]);
}

/** Where temporary files go: into memory where there is room, since tests by the thousand wait for a disk half of their time. */
function place(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const runsPrograms = !/ \/dev\/shm .*\bnoexec\b/.test(readFileSync("/proc/mounts", "utf8"));
    if (process.env.TMPDIR === undefined && runsPrograms && bavail * bsize >= ROOM) return IN_MEMORY;
  } catch {
    // Not every system has it.
  }
  return tmpdir();
}
