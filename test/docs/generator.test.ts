// What the pages of docs/api are made of, in a small tree.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportsOf, openingOf, sourceOfConstant } from "../../scripts/api/declarations.ts";
import { errorCodeFindings } from "../../scripts/docs/error-codes.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-generator-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

describe("the exports of a package", () => {
  it("are found through the files that it exports from, with comments, overloads and names of other packages", () => {
    write({
      "dist/index.d.ts":
        'import { Two } from "./two.ts";\nexport * from "./one.ts";\nexport { Two };\nexport { type Json } from "@loopwright/core";\n/** The loop. */\nexport declare const loop: {\n    name: string;\n}, {\n    x: 1;\n};\nexport {};\n',
      "dist/one.d.ts":
        "interface Hidden {\n    x: 1;\n}\n/**\n * Adds.\n * Both of them.\n */\nexport declare function add(a: number): number;\nexport declare function add(a: string): string;\nexport interface Bare {\n    /** A part. */\n    part: Hidden;\n}\n",
      "dist/two.d.ts": "/** Two. */\nexport type Two = 2;\nexport type Three = 3;\n",
    });
    const { declarations, passedOn } = exportsOf(join(dir, "dist/index.d.ts"));
    expect(declarations.map(({ name, comment, texts }) => [name, comment, texts.length])).toEqual([
      ["add", "Adds.\nBoth of them.", 2],
      ["Bare", "", 1],
      ["Two", "Two.", 1],
      ["loop", "The loop.", 1],
    ]);
    expect(declarations[0]!.file).toBe(join(dir, "src/one.ts"));
    expect(declarations[1]!.texts[0]).toContain("/** A part. */\n    part: Hidden;\n}");
    expect(declarations[3]!.texts[0]).toContain("}, {\n    x: 1;\n};");
    expect(passedOn).toEqual([{ name: "Json", from: "@loopwright/core" }]);
  });

  it("have their file's opening comment, and constants as their source has them", () => {
    write({
      "a.ts":
        "// What it is for.\n//\n// More.\n\nexport const A = z.object({\n  x: z.string(),\n});\nexport const B = 1;\n",
    });
    expect(openingOf(join(dir, "a.ts"))).toBe("What it is for.\n\nMore.");
    expect(sourceOfConstant(join(dir, "a.ts"), "A")).toBe("export const A = z.object({\n  x: z.string(),\n});");
    expect(sourceOfConstant(join(dir, "a.ts"), "C")).toBe(undefined);
  });
});

describe("the page of error codes", () => {
  it("is told of a code that it lacks and of one that is gone", () => {
    write({
      "docs/errors.md": "| `KNOWN` | x | y |\n| `OLD_ONE` | x | y |\n",
      "packages/a/src/a.ts":
        'throw new UsageError(\n  "KNOWN", "x");\nthrow new FormatError(isCut ? "IS_CUT" : "IS_EMPTY", "x");\nopenYaml(text, { file, code: "YAML_BAD" });',
      "packages/a/src/a.test.ts": 'throw new UsageError("ONLY_TESTED", "x");',
    });
    expect(errorCodeFindings(dir)).toEqual([
      expect.stringMatching(/lacks IS_CUT \(packages\/a\/src\/a.ts\)/),
      expect.stringContaining("lacks IS_EMPTY"),
      expect.stringContaining("lacks YAML_BAD"),
      expect.stringContaining("lists OLD_ONE"),
    ]);
  });
});
