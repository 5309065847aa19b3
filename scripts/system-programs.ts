// Looks for the system programs that tests need. On Debian as root it installs what is missing, after saying so;
// elsewhere it names what is missing, and the tests that need it are skipped by name.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

interface Program {
  command: string;
  /** How it is tried, where its being on the PATH is not enough. */
  trial?: string;
  package: string;
  needed: string;
}

const programs: Program[] = [
  { command: "git", package: "git", needed: "workspaces and history" },
  { command: "bwrap", package: "bubblewrap", needed: "the sandbox that generated code runs in" },
  {
    command: "pytest",
    trial: "python3 -m pytest --version",
    package: "python3-pytest",
    needed: "testing Python programs",
  },
  { command: "tmux", package: "tmux", needed: "looking at the live display" },
  { command: "chromium", package: "chromium", needed: "looking at report.html" },
  { command: "blender", package: "blender", needed: "the Blender workcell" },
  {
    command: "numpy",
    trial: "/usr/bin/python3 -c 'import numpy'",
    package: "python3-numpy",
    needed: "Blender's glTF files",
  },
  { command: "libEGL", trial: "ls /usr/lib/*/libEGL.so.1", package: "libegl1", needed: "Blender's pictures" },
  {
    command: "Mesa",
    trial: "ls /usr/lib/*/dri/swrast_dri.so",
    package: "libgl1-mesa-dri",
    needed: "Blender's pictures, without a graphics card",
  },
];

/** Some tests of root's work as an ordinary user, who does not reach what is installed for root alone. */
const users = process.getuid?.() === 0 ? [{}, { uid: 65534, gid: 65534 }] : [{}];
const isThere = ({ command, trial = `command -v ${command}` }: Program) =>
  users.every((user) => spawnSync("sh", ["-c", trial], { cwd: "/", ...user }).status === 0);
const missing = programs.filter((program) => !isThere(program));
const canInstall = existsSync("/etc/debian_version") && process.getuid?.() === 0;

if (missing.length > 0) {
  const names = missing.map((program) => program.package).join(" ");
  for (const { command, needed } of missing) console.log(`missing: ${command} (${needed})`);
  if (process.env.LOOPWRIGHT_NO_INSTALL === "1") {
    console.log("Nothing is installed (LOOPWRIGHT_NO_INSTALL=1); tests that need these are skipped.");
  } else if (!canInstall) {
    console.log(`Install ${names} to run every test; tests that need these are skipped now.`);
  } else {
    console.log(`Installing with apt-get: ${names}. To decline, press Ctrl-C now, or set LOOPWRIGHT_NO_INSTALL=1.`);
    if (process.stdin.isTTY) await wait(5_000);
    execFileSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...names.split(" ")], {
      stdio: "inherit",
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  }
}
