import { describe, expect, it } from "vitest";
import { relevantFiles } from "./relevant.ts";

const files = [
  { path: "src/app/filters.py", content: "def do_xmlattr(value, autospace=True):\n    return value\n" },
  {
    path: "src/app/loaders.py",
    content: "class FileSystemLoader:\n    def load(self, value):\n        return value\n",
  },
  ...Array.from({ length: 30 }, (_, n) => ({
    path: `src/app/m${n}.py`,
    content: "def load(value):\n    return value\n",
  })),
];
const paths = (task: string, failures = "") => relevantFiles(task, failures, files, 3).map(({ path }) => path);

describe("the files that a task is about", () => {
  it("are those that hold its rare words", () => {
    expect(paths("The `xmlattr` filter (do_xmlattr) must not load a value with spaces")).toEqual([
      "src/app/filters.py",
    ]);
    expect(paths("FileSystemLoader should load a value")).toEqual(["src/app/loaders.py"]);
  });

  it("are those where its failing tests end, with the lines", () => {
    const failures = "tests/test_a.py:3: in test\n/workspace/src/app/m7.py:2: in load\nE  assert 1 == 2";
    expect(relevantFiles("it is wrong", failures, files, 3)[0]).toMatchObject({
      ...{ path: "src/app/m7.py", lines: expect.arrayContaining([2]) },
    });
  });

  it("are none where nothing leads to any", () => {
    expect(paths("make it better")).toEqual([]);
  });
});
