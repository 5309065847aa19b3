import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calm, fill, openBench, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { TestReport } from "../cell.ts";
import { pytestRunner } from "./pytest.ts";

const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));
const isGreen = ({ fault, tests }: TestReport) =>
  fault === undefined && tests.length > 0 && tests.every(({ state }) => state === "passed");

const test =
  "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n";
const right = "def add(a, b):\n    return a + b\n";
const wrong = "def add(a, b):\n    return 7\n";

async function judge(files: Record<string, string>, tests: Record<string, string> = { "test_add.py": test }) {
  const { cell, folder } = await openBench();
  await cell.writeTests(Object.entries(tests).map(([path, content]) => ({ path, content })));
  // As a command of the implementer's could: no block is refused here.
  fill(folder, files);
  return { report: await cell.runTests({ signal: calm }), folder, cell };
}

describe("pytest", () => {
  it("has beside its own tests nothing that a tested program could import in place of a module of its own", () => {
    const canaries = [{ name: "test_0123456789ab", fails: true }];
    const run = {
      files: [],
      workspace: "",
      guards: "/guards",
      reports: "",
      canaries,
      isolated: true,
      folder: temporaryFolder(),
    };
    const { guards = {} } = pytestRunner.job({ ...run, configuration: [], loadsPlugins: false });
    const importable = Object.keys(guards).filter((name) => /^\w+\.py$/.test(name));
    expect(importable).toEqual(["test_0123456789ab.py"]);
  });

  it("passes a right program, and leaves nothing behind", async () => {
    const { report, folder } = await judge({ "add.py": right });
    expect(report).toMatchObject({ runner: "pytest", failureLines: "" });
    expect(isGreen(report)).toBe(true);
    expect(readdirSync(folder).sort()).toEqual(["add.py", "test_add.py"]);
  });

  it("says how each test of a wrong one fails, and nothing else", async () => {
    const { report } = await judge({ "add.py": wrong });
    expect(states(report)).toEqual({ "test_add.py::test_add": "failed", "test_add.py::test_zero": "failed" });
    expect(report.failureLines).toContain("E   assert 7 == 3");
    expect(report.failureLines).not.toContain("ValueError");
    expect(report.failureLines).not.toMatch(/loopwright|session starts/);
  });

  it("tells skipped, expected failures, cases and classes apart, by names that stay the same", async () => {
    const source = `
import pytest
from add import add
@pytest.mark.parametrize("a,b", [(1, 2), (3, 4)])
def test_cases(a, b): assert add(a, b) == a + b
@pytest.mark.skip(reason="not now")
def test_skipped(): pass
@pytest.mark.xfail
def test_expected(): assert add(1, 1) == 3
class TestGroup:
    def test_inner(self): assert add(1, 1) == 2
@pytest.fixture
def broken():
    yield
    raise RuntimeError("teardown")
def test_teardown(broken): pass
`;
    const { report, cell } = await judge({ "add.py": right }, { "t/test_all.py": source });
    expect(states(report)).toEqual({
      "t/test_all.py::test_cases[1-2]": "passed",
      "t/test_all.py::test_cases[3-4]": "passed",
      "t/test_all.py::test_skipped": "skipped",
      "t/test_all.py::test_expected": "xfailed",
      "t/test_all.py::TestGroup::test_inner": "passed",
      "t/test_all.py::test_teardown": "failed",
    });
    expect(states(await cell.runTests({ signal: calm }))).toEqual(states(report));
  });

  it("names every test before anyone has written a line, cases too, as failed", async () => {
    const source = `${test}
import pytest
from add import CASES, Shape
@pytest.mark.parametrize("x", [1, 2])
def test_cases(x): assert add(x, x)
@pytest.mark.parametrize("x", CASES)
def test_theirs(x): assert x
@pytest.mark.parametrize("x", [Shape(1), Shape(2)])
def test_shapes(x): assert x
class TestShape(Shape):
    def test_inner(self): assert add(1, 1)
`;
    const { report } = await judge({}, { "test_add.py": source });
    expect(report.fault).toContain("No module named 'add'");
    // What cases a stand-in gives is another thing in other versions of pytest.
    expect(states(report)).toMatchObject({
      "test_add.py::test_add": "failed",
      "test_add.py::test_zero": "failed",
      "test_add.py::test_cases[1]": "failed",
      "test_add.py::test_cases[2]": "failed",
      "test_add.py::TestShape::test_inner": "failed",
    });
  });

  it("is a fault where the tests themselves do not parse", async () => {
    const { report } = await judge({ "add.py": right }, { "test_add.py": "def test_a(:\n" });
    expect(report.fault).toContain("SyntaxError");
    expect(report.tests).toEqual([]);
  });

  it("stops tests that never end, and says so", async () => {
    const { cell } = await openBench(
      { "add.py": "def add(a, b):\n    while True: pass\n" },
      { limits: { wallMs: 2_000 } },
    );
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    expect((await cell.runTests({ signal: calm })).fault).toContain("The tests were stopped: it ran longer than 2 s");
  });
});

describe("a suite of pytest's", () => {
  it("has each file that could not be run say why by itself", async () => {
    const { cell } = await openBench({
      "a/conftest.py": "import no_such_plugin\n",
      "a/test_a.py": "def test_a(): pass\n",
      "b/test_b.py":
        "import os\n\ndef test_b():\n    print('before it left', flush=True)\n    os.write(2, b'the last words')\n    os._exit(3)\n",
      "c/test_c.py": "def test_c(): assert 1 == 2\n",
    });
    const { tests } = await cell.runTests({ suite: true, signal: calm });
    const failure = (name: string) => tests.find((each) => each.name === name)?.failure ?? "";
    expect(failure("a/test_a.py")).toContain("No module named 'no_such_plugin'");
    expect(failure("b/test_b.py")).toContain("pytest ended without a report");
    expect(failure("c/test_c.py::test_c")).toContain("assert 1 == 2");
    for (const { failure: words } of tests) expect(words).not.toContain("this must be seen");
    expect(tests).toHaveLength(3);
  });
});

describe("no pytest run is passed by", () => {
  const conftest = `
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
`;
  const always = "import sys\nclass Any:\n    pass\n";
  const attempts: [string, Record<string, string>][] = [
    ["a conftest.py", { "add.py": wrong, "conftest.py": conftest }],
    ["a conftest.py that collects nothing", { "add.py": wrong, "conftest.py": "collect_ignore_glob = ['*']\n" }],
    ["a pytest.ini", { "add.py": wrong, "pytest.ini": "[pytest]\naddopts = --collect-only\n" }],
    ["a pytest.toml", { "add.py": wrong, "pytest.toml": '[pytest]\naddopts = ["--collect-only"]\n' }],
    [
      "a pyproject.toml",
      { "add.py": wrong, "pyproject.toml": '[tool.pytest.ini_options]\npython_functions = "nothing"\n' },
    ],
    ["a setup.cfg", { "add.py": wrong, "setup.cfg": "[tool:pytest]\naddopts = -k nothing\n" }],
    ["a sitecustomize.py", { "add.py": wrong, "sitecustomize.py": "import os; os._exit(0)\n" }],
    ["a usercustomize.py", { "add.py": wrong, "usercustomize.py": "import os; os._exit(0)\n" }],
    [
      "a module that shadows pytest",
      { "add.py": wrong, "pytest.py": "import sys\ndef main(*a, **k): return 0\nsys.exit(0)\n" },
    ],
    ["a package that shadows _pytest", { "add.py": wrong, "_pytest/__init__.py": "import os; os._exit(0)\n" }],
    [
      "a module that shadows the library",
      { "add.py": wrong, "json.py": "import os; os._exit(0)\n", "hmac.py": "import os; os._exit(0)\n" },
    ],
    [
      "a plugin that its own metadata names",
      {
        "add.py": wrong,
        "evil.py": conftest,
        "evil-1.0.dist-info/METADATA": "Name: evil\nVersion: 1.0\n",
        "evil-1.0.dist-info/entry_points.txt": "[pytest11]\nevil = evil\n",
      },
    ],
    ["os._exit(0) at import", { "add.py": "import os\nos._exit(0)\n" }],
    ["os._exit(1) at import", { "add.py": "import os\nos._exit(1)\n" }],
    ["os._exit(0) in a test", { "add.py": "import os\ndef add(a, b): os._exit(0)\n" }],
    ["sys.exit at import", { "add.py": "import sys\nsys.exit(0)\n" }],
    ["sys.exit in a test", { "add.py": "import sys\ndef add(a, b): sys.exit(0)\n" }],
    ["a signal to itself", { "add.py": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n" }],
    ["pytest.skip at import", { "add.py": "import pytest\npytest.skip('x', allow_module_level=True)\n" }],
    ["pytest.skip in the tested code", { "add.py": "import pytest\ndef add(a, b): pytest.skip('later')\n" }],
    ["pytest.xfail in the tested code", { "add.py": "import pytest\ndef add(a, b): pytest.xfail('later')\n" }],
    ["pytest.exit in the tested code", { "add.py": "import pytest\ndef add(a, b): pytest.exit('done', 0)\n" }],
    [
      "a patched reporter",
      {
        "add.py": `import _pytest.reports as r
old = r.TestReport.from_item_and_call.__func__
def mild(cls, item, call):
    call.excinfo = None
    return old(cls, item, call)
r.TestReport.from_item_and_call = classmethod(mild)
${wrong}`,
      },
    ],
    [
      "tests that it replaces in memory",
      {
        "add.py": `import _pytest.python as p
p.Function.runtest = lambda self: None
${wrong}`,
      },
    ],
    [
      "tests that it removes while they are collected",
      {
        "add.py": `import gc, _pytest.main as m
m.Session.items = property(lambda self: [], lambda self, value: None)
${wrong}`,
      },
    ],
    [
      "a forged report with the process left",
      {
        "add.py": `import os, glob
xml = '<testsuites><testsuite><testcase name="test_add" classname="test_add"/></testsuite></testsuites>'
for folder in ['/loopwright/reports', '/workspace']:
    open(folder + '/report.xml', 'w').write(xml)
    open(folder + '/statement.json', 'w').write('{"facts": "{}", "seal": ""}')
os._exit(1)
`,
      },
    ],
    [
      "a forged report written when the process ends",
      {
        "add.py": `import atexit
xml = '<testsuites><testsuite><testcase name="test_add" classname="test_add"/></testsuite></testsuites>'
atexit.register(lambda: open('/loopwright/reports/report.xml', 'w').write(xml))
${wrong}`,
      },
    ],
    [
      "a report that cannot be written",
      { "add.py": `import os\nos.mkdir('/loopwright/reports/report.xml')\n${wrong}` },
    ],
    [
      "tests rewritten from inside",
      {
        "add.py": `try:\n    open('/workspace/test_add.py', 'w').write('def test_add(): pass')\nexcept OSError: pass\n${wrong}`,
      },
    ],
    [
      "a package beside the test file",
      { "add.py": wrong, "test_add/__init__.py": "def test_add(): pass\ndef test_zero(): pass\n" },
    ],
    ["another file for the same module", { "add.py": wrong, "test_add.pyc": always }],
  ];

  it.each(attempts)("%s", async (_, files) => {
    const { report } = await judge(files);
    expect(isGreen(report)).toBe(false);
    expect(report.tests.some(({ state }) => state === "passed")).toBe(false);
  });

  it("bytecode that claims to be the test file's", async () => {
    const { cell, folder } = await openBench();
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    await cell.writeFiles([{ path: "add.py", content: wrong }]);
    const forge = `import importlib.util, os, struct, marshal
code = compile('def test_add(): pass\\ndef test_zero(): pass', 'test_add.py', 'exec')
stat = os.stat('test_add.py')
head = importlib.util.MAGIC_NUMBER + struct.pack('<III', 0, int(stat.st_mtime), stat.st_size)
os.makedirs('__pycache__', exist_ok=True)
import sys
for tag in ['', '-pytest-9.0.3', '-pytest-8.4.2']:
    name = '__pycache__/test_add.%s%s.pyc' % (sys.implementation.cache_tag, tag)
    open(name, 'wb').write(head + marshal.dumps(code))
`;
    fill(folder, { "forge.py": forge });
    expect((await cell.runCommands(["python3 forge.py && ls __pycache__"]))[0]!.done?.output).toContain(".pyc");
    const report = await cell.runTests({ signal: calm });
    expect(states(report)).toEqual({ "test_add.py::test_add": "failed", "test_add.py::test_zero": "failed" });
  });
});

describe("what the user had at the start counts", () => {
  it("as configuration and as fixtures", async () => {
    const { cell, folder } = await openBench({
      "conftest.py": "import pytest\n@pytest.fixture\ndef three(): return 3\n",
      "pytest.ini": "[pytest]\npython_functions = check_*\npythonpath = src\n",
      "src/add.py": right,
      "test_add.py": "from add import add\ndef check_add(three): assert add(1, 2) == three\n",
    });
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_add.py::check_add": "passed" });
    fill(folder, { "conftest.py": "", "src/conftest.py": "import os; os._exit(0)\n" });
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_add.py::check_add": "passed" });
    expect(readdirSync(join(folder, "src"))).toEqual(["add.py"]);
  });

  it("and stops at no first failure, whatever it says", async () => {
    const { cell } = await openBench({
      "pytest.ini": "[pytest]\naddopts = -x -q\n",
      "add.py": wrong,
      "test_add.py": test,
    });
    const report = await cell.runTests({ signal: calm });
    expect(Object.keys(states(report))).toHaveLength(2);
  });
});
