import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Limits } from "../types.ts";
import { codeToStop, kernelLimits, limitsToScript, stopWords } from "./limits.ts";

const limits: Limits = {
  wallMs: 1_500,
  cpuMs: 2_500,
  memoryBytes: 256 * 2 ** 20,
  processes: 40,
  fileBytes: 8 * 2 ** 20,
  outputChars: 1_000,
};

const shells = ["/bin/dash", "/bin/bash", "/bin/busybox"].filter((path) => existsSync(path));

/** Runs a command as the system's own shell would, had it been this one: by the name of sh, bash keeps to POSIX. */
function runWith(shell: string, command: string[], countsProcesses = false) {
  const script = limitsToScript(limits, { countsProcesses });
  return spawnSync(shell, ["-c", script, "sh", ...command], { encoding: "utf8", argv0: "sh" });
}

describe("The script of limits", () => {
  it.each(shells)("sets them in %s, and becomes the program", (shell) => {
    const { stdout, status } = runWith(shell, ["/bin/sh", "-c", "cat /proc/self/limits; exit 3"], true);
    expect(status).toBe(3);
    expect(stdout).toMatch(/Max cpu time +4 +5 +seconds/);
    expect(stdout).toMatch(/Max file size +8388608 +8388608/);
    expect(stdout).toMatch(/Max core file size +0 +0/);
    const most = kernelLimits(limits).processes;
    expect(stdout).toMatch(new RegExp(`Max processes +${most} +${most}`));
  });

  it("joins stderr to stdout, and hands words on as they are", () => {
    const { stdout, stderr } = runWith("/bin/sh", [
      "/bin/sh",
      "-c",
      'echo "$1" >&2; echo "$2"',
      "sh",
      "a  'b'",
      '$(id) "',
    ]);
    expect(stdout).toBe("a  'b'\n$(id) \"\n");
    expect(stderr).toBe("");
  });

  it("leaves the number of processes alone where it would count the user's others", () => {
    expect(limitsToScript(limits, { countsProcesses: false })).not.toContain("ulimit -u");
  });
});

describe("A limit that stopped a job", () => {
  it("is said in words with its figure", () => {
    expect(stopWords.wall(limits)).toBe("it ran longer than 1.5 s");
    expect(stopWords.cpu(limits)).toBe("it used more than 2.5 s of CPU");
    expect(stopWords.memory(limits)).toBe("it used more than 256 MB of memory");
    expect(stopWords.processes(limits)).toBe("it had more than 40 processes and threads");
    expect(stopWords.disk(limits)).toBe("it made the workspace grow by more than 1024 MB");
    expect(stopWords.disk({ ...limits, diskBytes: 5 * 2 ** 20 })).toBe("it made the workspace grow by more than 5 MB");
    expect(stopWords.files()).toBe("it made more than 200000 files");
  });

  it("is read from the exit code where the kernel was the one to stop it", () => {
    expect(codeToStop(152, limits)).toBe(stopWords.cpu(limits));
    expect(codeToStop(153, limits)).toBe("it wrote a file larger than 8 MB");
    for (const code of [null, 0, 1, 137, 139]) expect(codeToStop(code, limits)).toBeUndefined();
  });
});
