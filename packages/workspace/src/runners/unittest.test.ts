import { describe, expect, it } from "vitest";
import { calm, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport } from "../options.ts";
import type { RunnerChoice } from "./types.ts";

const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));

const cases = `import unittest
from add import add

class AddTest(unittest.TestCase):
    def test_three(self):
        self.assertEqual(add(1, 2), 3)

    def test_wrong(self):
        self.assertEqual(add(1, 2), 4)

    @unittest.skip("not now")
    def test_skipped(self):
        pass

    @unittest.expectedFailure
    def test_expected(self):
        self.assertEqual(add(1, 2), 4)

    def test_parts(self):
        for n in range(3):
            with self.subTest(n=n):
                self.assertLess(add(n, 0), 2)
`;
const right = "def add(a, b):\n    return a + b\n";

/** A virtual environment whose Python is the system's, without pytest. */
const bare = {
  ".venv/pyvenv.cfg": "include-system-site-packages = false\n",
  ".venv/bin/python": '#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n',
};

async function judge(files: Readonly<Record<string, string>>, runner?: RunnerChoice) {
  const { cell, user } = await openBench(files, runner ? { runner } : {});
  if (".venv/bin/python" in files) {
    const { chmodSync } = await import("node:fs");
    chmodSync(`${user}/.venv/bin/python`, 0o755);
  }
  return cell.runTests({ suite: true, signal: calm });
}

const expected = (path: string) => ({
  [`${path}::AddTest::test_three`]: "passed",
  [`${path}::AddTest::test_wrong`]: "failed",
  [`${path}::AddTest::test_skipped`]: "skipped",
  [`${path}::AddTest::test_expected`]: "xfailed",
  [`${path}::AddTest::test_parts`]: "failed",
});

describe("unittest's tests", () => {
  it.each(["tests.py", "pkg/testadd.py", "test/add_tests.py"])("are found in %s, and run by pytest", async (path) => {
    const report = await judge({ [path]: cases, "add.py": right });
    expect(report.runner).toBe("pytest");
    expect(states(report)).toMatchObject({
      [`${path}::AddTest::test_three`]: "passed",
      [`${path}::AddTest::test_wrong`]: "failed",
    });
  });

  it("are found where pytest's configuration names them, and nowhere else", async () => {
    const files = {
      "checks/check_add.py": cases,
      "testing.py": "class Base:\n    def test(self): pass\n",
      "add.py": right,
    };
    const configured = await judge({ ...files, "pytest.ini": "[pytest]\npython_files = check_*.py\n" });
    expect(Object.keys(states(configured))).toContain("checks/check_add.py::AddTest::test_three");
    expect((await judge(files)).fault).toBe("there are no test files");
  });

  it.each<[string, Readonly<Record<string, string>>, RunnerChoice | undefined]>([
    ["by its own runner where it is named", {}, "unittest"],
    ["by its own runner where pytest is not installed", bare, undefined],
  ])("have the same names and states %s", async (_, more, runner) => {
    const report = await judge(
      { ...more, "tests/test_add.py": cases, "tests/__init__.py": "", "add.py": right },
      runner,
    );
    expect(report.fault).toBeUndefined();
    expect(states(report)).toEqual(expected("tests/test_add.py"));
    expect(report.failureLines).toContain("AssertionError: 3 != 4");
    expect(report.loaded?.["tests/test_add.py"]).toContain("add.py");
  });

  it("are those that `load_tests` gives, doctests too", async () => {
    const program = 'def add(a, b):\n    """\n    >>> add(1, 2)\n    3\n    """\n    return a + b\n';
    const loading = `import doctest
import unittest
import add

class Other(unittest.TestCase):
    def test_left_out(self):
        self.fail("never")

def load_tests(loader, tests, pattern):
    return unittest.TestSuite([doctest.DocTestSuite(add)])
`;
    const report = await judge({ "test_docs.py": loading, "add.py": program });
    expect(states(report)).toEqual({ "test_docs.py::add.add": "passed" });
  });

  it("fail together where what they share cannot be set up, and one broken file of many is one failed test", async () => {
    const shared = `import unittest

class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise OSError("no database")

    def test_one(self):
        pass
`;
    const report = await judge(
      { "test_shared.py": shared, "test_gone.py": "import gone\n", "test_add.py": cases, "add.py": right },
      "unittest",
    );
    expect(states(report)).toMatchObject({
      "test_shared.py::Shared::test_one": "failed",
      "test_gone.py": "failed",
      "test_add.py::AddTest::test_three": "passed",
    });
    expect(report.failureLines).toContain("OSError: no database");
    expect(report.failureLines).toContain("ModuleNotFoundError: No module named 'gone'");
  });

  it("end, whatever they leave running and printing", async () => {
    const left =
      "import subprocess\nimport unittest\n\nclass Left(unittest.TestCase):\n    def test_left(self):\n        subprocess.Popen(['yes'])\n";
    const report = await judge({ "test_left.py": left, "test_add.py": cases, "add.py": right }, "unittest");
    expect(states(report)).toMatchObject({
      "test_left.py::Left::test_left": "passed",
      "test_add.py::AddTest::test_three": "passed",
    });
  });

  it("that are plain functions fail where pytest is not installed, and say so", async () => {
    const report = await judge({ ...bare, "test_plain.py": "def test_plain():\n    assert True\n" });
    expect(states(report)).toEqual({ "test_plain.py::test_plain": "failed" });
    expect(report.failureLines).toMatch(/pytest is not installed for .*python.*install pytest there/);
  });
});
