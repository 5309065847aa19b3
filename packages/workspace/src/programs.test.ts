import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { programPaths, programsFolder, readProgram, readPrograms } from "./programs.ts";

const all = programPaths();
const python = all.filter((path) => path.endsWith(".py"));
const javascript = all.filter((path) => !path.endsWith(".py"));

describe("The programs for sandboxes", () => {
  it.each(python)("in Python compile without a warning: %s", (path) => {
    const cache = mkdtempSync(join(tmpdir(), "loopwright-compiled-"));
    onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
    const { status, stderr } = spawnSync("python3", ["-W", "error", "-m", "py_compile", join(programsFolder, path)], {
      env: { ...process.env, PYTHONPYCACHEPREFIX: cache },
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it.each(javascript)("in JavaScript can be parsed: %s", (path) => {
    const { status, stderr } = spawnSync(process.execPath, ["--check", join(programsFolder, path)], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  it.each(all)("open with their job: %s", (path) => {
    expect(readProgram(path)).toMatch(path.endsWith(".py") ? /^"""[A-Z]/ : /^\/\/ [A-Z]/);
  });

  it("are read by the paths that they import each other by, and nothing else that lies there is", () => {
    const paths = Object.keys(readPrograms("python"));
    expect(paths).toContain("runners/collect.py");
    expect(paths.every((path) => path.endsWith(".py"))).toBe(true);
  });
});
