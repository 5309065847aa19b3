import { describe, expect, it } from "vitest";
import { rankFiles, rankTests } from "./rank.ts";

const files = [
  {
    path: "src/app/filters.py",
    content: "from app.escaping import escape_all\n\n\ndef do_xmlattr(value):\n    return escape_all(value)\n",
  },
  { path: "src/app/escaping.py", content: "def escape_all(value):\n    return value\n" },
  {
    path: "src/app/loaders.py",
    content: "class FileSystemLoader:\n    def load(self, value):\n        return value\n",
  },
  {
    path: "src/app/words.py",
    content: "# attribute names with spaces, attribute values, autospacing of attributes\nspaces = 1\n",
  },
  {
    path: "src/web/view.ts",
    content: 'import { draw } from "./draw.ts";\nexport function showPage() {\n  return draw();\n}\n',
  },
  { path: "src/web/draw.ts", content: "export function draw() {\n  return 1;\n}\n" },
  {
    path: "tests/test_filters.py",
    content: "from app.filters import do_xmlattr\n\ndef test_one():\n    assert do_xmlattr(1)\n",
  },
  ...Array.from({ length: 30 }, (_, n) => ({
    path: `src/app/m${n}.py`,
    content: `def load(value):\n    return value + ${n}\n`,
  })),
];
const paths = (task: string, more: Partial<Parameters<typeof rankFiles>[0]> = {}) =>
  rankFiles({ task, files, ...more }).map(({ path }) => path);

describe("the ranking of files", () => {
  it("has those first that hold a task's rare words and define its names", () => {
    expect(paths("The `xmlattr` filter must not load a value with spaces")[0]).toBe("src/app/filters.py");
    expect(paths("FileSystemLoader should load a value")[0]).toBe("src/app/loaders.py");
    expect(rankFiles({ task: "`do_xmlattr` is wrong", files })[0]).toMatchObject({ names: ["do_xmlattr"] });
  });

  it("puts a stack trace above words, with its lines, in whatever form it is written", () => {
    const words = "attribute values with spaces are wrong since autospacing:\n";
    expect(paths(words)[0]).toBe("src/app/words.py");
    for (const trace of [
      'Traceback (most recent call last):\n  File "/home/me/app/src/app/m7.py", line 2, in load',
      "src/app/m7.py:2: TypeError",
      "    at load (file:///workspace/src/app/m7.py:2:5)",
    ])
      expect(rankFiles({ task: words + trace, files })[0]).toMatchObject({ path: "src/app/m7.py", lines: [2] });
  });

  it("puts a file where failing tests end above words, and what they load above what they do not", () => {
    const failures = "tests/test_a.py:3: in test\n/workspace/src/app/m7.py:2: in load\nE  assert 1 == 2";
    expect(paths("attribute values", { failures })[0]).toBe("src/app/m7.py");
    const loaded = { "src/app/m9.py": ["tests/test_a.py"], "src/app/m8.py": ["tests/test_b.py"] };
    expect(paths("it is wrong", { loaded, failing: ["tests/test_a.py"] })[0]).toBe("src/app/m9.py");
  });

  it("finds a file that the task names by its path, by the end of it, or as a module", () => {
    for (const name of ["src/app/m11.py", "app/m11.py", "m11.py", "app.m11", "app.m11.load()"])
      expect(paths(`attribute values with spaces in ${name} are wrong`)[0], name).toBe("src/app/m11.py");
  });

  it("brings what a named file imports, and before it what the named function uses", () => {
    const view = paths("showPage is wrong");
    expect(view.slice(0, 2)).toEqual(["src/web/view.ts", "src/web/draw.ts"]);
    const found = rankFiles({ task: "`do_xmlattr` is wrong", files });
    expect(found[1]).toMatchObject({
      path: "src/app/escaping.py",
      why: [expect.stringMatching(/uses its escape_all/)],
    });
  });

  it("prefers what was changed of late where nothing else decides", () => {
    const recent = { uncommitted: ["src/app/m20.py"], commits: [["src/app/m5.py"], ["src/app/m6.py"]] };
    expect(paths("load", { recent }).slice(0, 3)).toEqual(["src/app/m20.py", "src/app/m5.py", "src/app/m6.py"]);
  });

  it("has no tests in it; they are ranked for themselves", () => {
    expect(paths("do_xmlattr")).not.toContain("tests/test_filters.py");
    const evidence = { task: "do_xmlattr", files };
    expect(rankTests(evidence, rankFiles(evidence))[0]!.path).toBe("tests/test_filters.py");
  });

  it("is empty where nothing leads anywhere, and the same for the same files in any order", () => {
    expect(paths("make it better")).toEqual([]);
    const task = "load a value with spaces";
    expect(rankFiles({ task, files: files.toReversed() })).toEqual(rankFiles({ task, files }));
  });
});
