// Every example runs as a reader would run it, in a folder of its own.

import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const expected: Record<string, string[]> = {
  "01-minimal.ts": ["outcome: 'done'", "iterations: 4", "1.41421356"],
  "02-gate.ts": ["→ no\n", "→ yes\n", "done - she is called"],
  "03-effects-and-retry.ts": ["fixed: E1 a mast of 15 m", "done - 2 of 2 masts, after 2 iterations and 4 re-tries"],
};

const examples = globSync(join(import.meta.dirname, "../../examples/*.ts")).sort();

it("knows what every example prints", () => {
  expect(Object.keys(expected)).toEqual(examples.map((file) => basename(file)));
});

it.each(examples)("%s runs and prints what it promises", async (file) => {
  const cwd = mkdtempSync(join(tmpdir(), "loopwright-example-"));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=loopwright-source", file], { cwd });
    for (const text of expected[basename(file)]!) expect(stdout).toContain(text);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});

it("shows a complete loop in under 25 lines", () => {
  const lines = readFileSync(examples[0]!, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThan(25);
});
