// The check on words, in a small tree where nothing else is wrong.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

function check(files: Record<string, string>) {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-words-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const file = join(import.meta.dirname, "../../scripts/check-words.ts");
  const { status, stderr } = spawnSync(process.execPath, [file], { cwd: dir, encoding: "utf8" });
  rmSync(dir, { recursive: true });
  return { status, findings: stderr.split("\n").filter(Boolean) };
}

it("passes plain words, words of which others are a part, and what stays in its own place", () => {
  const text = "amend the recommended color; a cancelled run is reworded, and the adorned tornado is stopped\n";
  const files = { "README.md": text, "packages/fab/src/colors.ts": "const { grey } = colors;\n" };
  expect(check(files)).toEqual({ status: 0, findings: [] });
});

it("finds a word in whatever name or text it stands, and says what to write", () => {
  const planted: [path: string, text: string, finding: string][] = [
    ["docs/a.md", "It goes on: goOn.\n", "'goOn': write 'resume'"],
    ["examples/a.yaml", "behaviour: good\n", "'behaviour': write 'behavior'"],
    ["packages/blender/programs/a.py", "frame_centre = 1\n", "'centre': write 'center'"],
    ["packages/git/src/a.ts", "const canMendAll = 1;\n", "'Mend': write 'fix'"],
    ["packages/mesh/package.json", '{ "description": "A rasteriser." }\n', "'rasteriser': write 'rasterizer'"],
    ["scripts/a.ts", "const GREY_LEVELS = 1;\n", "'GREY': write 'gray'"],
  ];
  const { status, findings } = check(Object.fromEntries(planted));
  expect(findings).toEqual(planted.map(([path, , finding]) => `${path}:1: ${finding}`));
  expect(status).toBe(1);
});
