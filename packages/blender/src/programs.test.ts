import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

const folder = join(import.meta.dirname, "../programs");
const programs = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".py"));

describe("The programs that run inside Blender", () => {
  it.each(programs)("open with their job: %s", (path) => {
    expect(readFileSync(join(folder, path), "utf8")).toMatch(/^"""[A-Z]/);
  });

  it("compile without a warning", () => {
    const cache = mkdtempSync(join(tmpdir(), "loopwright-compiled-"));
    onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
    const files = programs.map((path) => join(folder, path));
    const { status, stderr } = spawnSync("python3", ["-W", "error", "-m", "py_compile", ...files], {
      env: { ...process.env, PYTHONPYCACHEPREFIX: cache },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  it("keep what differs between versions of Blender in one place", () => {
    const others = programs.filter((path) => !path.endsWith("versions.py"));
    for (const path of others)
      expect(readFileSync(join(folder, path), "utf8"), path).not.toMatch(
        /bpy\.app\.version|\.interface\b|group\.(inputs|outputs)\b/,
      );
  });
});
