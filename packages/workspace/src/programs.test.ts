import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { programsFolder } from "./runners/known.ts";
import { RUNNERS } from "./runners/table.ts";

const all = readdirSync(programsFolder, { recursive: true, encoding: "utf8" }).filter((path) => /\.\w+$/.test(path));
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
    expect(readFileSync(join(programsFolder, path), "utf8")).toMatch(path.endsWith(".py") ? /^"""[A-Z]/ : /^\/\/ \w/);
  });

  it.each(Object.entries(RUNNERS))("hold one of every runner that is known by name: %s", (name, { language }) => {
    expect(all).toContain(language === "python" ? `python/${name}_way.py` : `node/${name}.mjs`);
  });
});
