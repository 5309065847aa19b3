// The check on words: each word of its list is planted once, in a small tree where nothing else is wrong.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { phrases, words } from "../../scripts/check-words/words.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-words-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function check(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const file = join(import.meta.dirname, "../../scripts/check-words.ts");
  const { status, stderr } = spawnSync(process.execPath, [file], { cwd: dir, encoding: "utf8" });
  return { status, findings: stderr.split("\n").filter(Boolean) };
}

describe("the check on words", () => {
  it("passes plain words, the words of which others are a part, and an outcome's name", () => {
    const text =
      "amend the recommended color; a cancelled run goes on, is reworded, and the adorned tornado is stopped\n";
    expect(check({ "README.md": text, "packages/core/src/run.ts": `// ${text}` })).toEqual({ status: 0, findings: [] });
  });

  it("finds each word and phrase of its list, and says what to write", () => {
    const planted = Object.entries({ ...words, ...phrases });
    const { status, findings } = check({ "docs/page.md": planted.map(([word]) => `It has ${word} in it.\n`).join("") });
    expect(findings).toEqual(planted.map(([word, plain], at) => `docs/page.md:${at + 1}: '${word}': write '${plain}'`));
    expect(findings.length).toBeGreaterThan(100);
    expect(status).toBe(1);
  });

  it.each([
    ["camel case", "packages/git/src/a.ts", "const canMendAll = 1;\n", "'Mend': write 'fix'"],
    ["a constant", "scripts/a.ts", "const GREY_LEVELS = 1;\n", "'GREY': write 'gray'"],
    ["snake case", "packages/blender/programs/a.py", "frame_centre = 1\n", "'centre': write 'center'"],
    ["a message", "bench/a.ts", 'throw new Error("it is torn");\n', "'torn': write 'truncated'"],
    ["a prompt", "packages/git/prompts/a.md", "Summarise it.\n", "'Summarise': write 'summarize'"],
    ["a task file", "examples/a.yaml", "behaviour: good\n", "'behaviour': write 'behavior'"],
    [
      "a package's description",
      "packages/mesh/package.json",
      '{ "description": "A rasteriser." }\n',
      "'rasteriser': write 'rasterizer'",
    ],
    [
      "what is not released",
      "CHANGELOG.md",
      "## 2 (unreleased)\n`Glance` voice colour\n## 1\ncolour\n",
      "'colour': write 'color'",
    ],
  ])("looks into %s", (_where, path, text, finding) => {
    const { status, findings } = check({ [path]: text });
    expect(findings).toEqual([`${path}:${path === "CHANGELOG.md" ? 2 : 1}: ${finding}`]);
    expect(status).toBe(1);
  });

  it("leaves an exception to its own place, and reports one that excuses nothing", () => {
    const inside = "packages/hull/src/task.ts";
    expect(check({ [inside]: "const { centre } = frame;\n" })).toEqual({ status: 0, findings: [] });
    const { status, findings } = check({
      [inside]: "const { center } = frame;\n",
      "packages/hull/src/a.ts": "centre\n",
    });
    expect(findings).toEqual([
      "packages/hull/src/a.ts:1: 'centre': write 'center'",
      expect.stringMatching(/^scripts\/check-words\/exceptions\.ts: packages\/hull\/.* finds nothing; remove it$/),
    ]);
    expect(status).toBe(1);
  });
});
