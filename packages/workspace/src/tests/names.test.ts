import { describe, expect, it } from "vitest";
import { ownTests } from "./names.ts";

const paths = [
  ".pc/a.patch/tests/test_a.py",
  "build/lib/test_b.py",
  "docs/examples/test_doc.py",
  "src/pkg/test_inner.py",
  "tests/deep/test_c.py",
  "tests/test_a.py",
  "tests2/test_d.py",
];

describe("a repository's own tests", () => {
  it("are all that are found, without copies and what was built", () => {
    expect(ownTests(paths, {})).toEqual(paths.slice(2));
  });

  it.each([
    ["pyproject.toml", '[tool.pytest.ini_options]\ntestpaths = ["tests", "src/pkg/"]\n'],
    ["pytest.ini", "[pytest]\ntestpaths = ./tests  src/pkg\n"],
    ["setup.cfg", "[tool:pytest]\ntestpaths =\n    tests\n    src/pkg\nfilterwarnings = error\n"],
  ])("are those that %s names", (name, text) => {
    expect(ownTests(paths, { [name]: text })).toEqual([
      "src/pkg/test_inner.py",
      "tests/deep/test_c.py",
      "tests/test_a.py",
    ]);
  });

  it("are all where what is named holds none", () => {
    expect(ownTests(paths, { "pytest.ini": "[pytest]\ntestpaths = nowhere\n" })).toEqual(paths.slice(2));
  });
});
