// The page of error codes, in a small tree.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { errorsPage } from "../../scripts/docs/errors.ts";

it("keeps the words of a code, takes out one that is gone, and adds one that is new", () => {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-generator-"));
  const files = {
    "docs/errors.md":
      "# Codes\n\n## a\n\n| code | | |\n| --- | --- | --- |\n| `KNOWN` | x | y |\n| `OLD_ONE` | x | y |\n\n## gone\n\n| `Z` | | |\n",
    "packages/a/package.json": '{ "name": "a" }',
    "packages/a/src/a.ts":
      'throw new UsageError(\n  "KNOWN", "x");\nthrow new FormatError(isCut ? "IS_CUT" : "IS_EMPTY", `no $' +
      '{thing} here`);\nopenYaml(text, { file, code: "YAML_BAD" });',
    "packages/a/src/a.test.ts": 'throw new UsageError("ONLY_TESTED", "x");',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  expect(errorsPage(dir).split("\n")).toEqual([
    ..."# Codes\n\n## a\n\n| code | | |\n| --- | --- | --- |".split("\n"),
    "| `IS_CUT` | no … here | the message says it |",
    "| `IS_EMPTY` | no … here | the message says it |",
    "| `KNOWN` | x | y |",
    "| `YAML_BAD` |  | the message says it |",
    "",
    "",
  ]);
  rmSync(dir, { recursive: true });
});
