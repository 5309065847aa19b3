// The checks themselves: each must be able to fail.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-scripts-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function script(name: string, env: NodeJS.ProcessEnv = process.env) {
  const file = join(import.meta.dirname, "../../scripts", name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: dir, encoding: "utf8", env });
  return { status, stdout, stderr };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

describe("the import check", () => {
  it("passes a tree whose imports go downward", () => {
    write(
      "src/core/a.ts",
      'import { readFile } from "node:fs";\nimport type { z } from "zod";\nimport { b } from "./b.ts";\n',
    );
    write("src/journal/j.ts", 'import { a } from "../core/a.ts";\nimport "vitest";\n');
    expect(script("check-imports.ts")).toMatchObject({ status: 0 });
  });

  it.each([
    [
      "a core that looks upward",
      "src/core/a.ts",
      'export * from "../journal/j.ts";',
      "'core' may not import 'journal'",
    ],
    ["a core that imports a package", "src/core/a.ts", 'import x from "yaml";', "imports nothing but node: and zod"],
    ["a lazy import upward", "src/journal/j.ts", 'await import("../cli/index.ts");', "'journal' may not import 'cli'"],
    [
      "a loop that imports another",
      "src/loops/code/a.ts",
      'import { h } from "../hull/b.ts";',
      "may not import the loop 'hull'",
    ],
    ["a folder that is no layer", "src/utils/a.ts", "export {};", "'utils' is no layer"],
  ])("fails on %s", (_what, path, text, message) => {
    write(path, text);
    const { status, stderr } = script("check-imports.ts");
    expect(status).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe("the look for system programs", () => {
  it("names what is missing, installs nothing when told not to, and does not fail", () => {
    mkdirSync(join(dir, "bin"));
    const shell = spawnSync("sh", ["-c", "command -v sh"], { encoding: "utf8" }).stdout.trim();
    spawnSync("ln", ["-s", shell, join(dir, "bin/sh")]);
    const { status, stdout } = script("system-programs.ts", { PATH: join(dir, "bin"), LOOPWRIGHT_NO_INSTALL: "1" });
    expect(status).toBe(0);
    expect(stdout).toContain("missing: git");
    expect(stdout).toContain("missing: bwrap");
    expect(stdout).toContain("Nothing is installed");
  });
});
