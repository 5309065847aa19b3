// Programs that are wrong, and do something to the judge that runs in their own process so as to pass.

export interface Trick {
  title: string;
  /** The program: what it does to the judge comes before its wrong function. */
  source: string;
  /** What it must be told of, where that is no failed test. */
  code?: string;
}

export interface Stage {
  name: "pytest" | "node" | "vitest";
  program: string;
  /** The program as it was: what a run begins with. */
  before: string;
  right: string;
  test: string;
  tests: string;
  tricks: readonly Trick[];
}

const wrongPython = "def add(a, b):\n    return 7\n";
const python = (title: string, source: string, code?: string): Trick => {
  return { title, source: `${source.trim()}\n\n\n${wrongPython}`, ...(code && { code }) };
};

/** A report as the runner writes it, and whatever secret seals it, dug out of the process: `secrets` is a list of candidates. */
const forgePython = `
import hashlib, hmac, json, os
def forge(secrets):
    guards, reports = "/loopwright/guards", "/loopwright/reports"
    own = [os.getcwd() + "/test_add.py::" + test for test in ("test_add", "test_zero", "test_text")]
    canaries = [guards + "/" + name + "::" + test for name in os.listdir(guards) if name.startswith("test_")
                for test in ("test_a_wrong_assertion_fails", "test_an_error_fails")]
    case = lambda name, inner: '<testcase name="n"><properties><property name="loopwright_nodeid" value="' + name + '"/></properties>' + inner + '</testcase>'
    xml = "<testsuites>" + "".join(case(n, "") for n in own) + "".join(case(n, '<failure message="m">x</failure>') for n in canaries) + "</testsuites>"
    words = json.dumps({"collected": own + canaries, "code": 1})
    open(reports + "/report.xml", "w").write(xml)
    for secret in secrets:
        seal = hmac.new(secret, words.encode() + b"\\n" + xml.encode(), hashlib.sha256).hexdigest()
        open(reports + "/statement.json", "w").write(json.dumps({"facts": words, "seal": seal}))
    os._exit(1)
`;

export const pythonStage: Stage = {
  name: "pytest",
  program: "add.py",
  before: "def add(a, b):\n    return a - b\n",
  right: "def add(a, b):\n    return a + b\n",
  test: "test_add.py",
  tests:
    "import pytest\nfrom add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n\ndef test_zero():\n    assert add(0, 0) == 0\n\n" +
    "def test_text():\n    with pytest.raises(TypeError):\n        add('a', 1)\n",
  tricks: [
    python(
      "a report that says nothing of its own file's failures",
      `
import _pytest.reports as r
old = r.TestReport.from_item_and_call.__func__
def mild(cls, item, call):
    if "test_add" in str(item.path):
        call.excinfo = None
    return old(cls, item, call)
r.TestReport.from_item_and_call = classmethod(mild)`,
      "RUNNER_PATCHED",
    ),
    python(
      "tests of its own file that are never called",
      `
from _pytest.python import Function
old = Function.runtest
Function.runtest = lambda self: None if "test_add" in str(self.path) else old(self)`,
      "RUNNER_INTERNALS",
    ),
    python(
      "the runner's protocol patched through its plugin manager",
      `
import sys
runner = sys.modules["_pytest" + ".runner"]
old = runner.call_runtest_hook if hasattr(runner, "call_runtest_hook") else None
real = runner.CallInfo.from_call.__func__
def calm(cls, func, when, reraise=None):
    result = real(cls, func, when, reraise)
    if when == "call" and result.excinfo is not None and "test_add" in str(result.excinfo.traceback[-1].path) + str([t.path for t in result.excinfo.traceback]):
        result.excinfo = None
    return result
runner.CallInfo.from_call = classmethod(calm)`,
    ),
    python(
      "a plugin that it registers with the session it finds by gc",
      `
import gc, pytest
class Mild:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if "test_add" in str(item.path):
            outcome.get_result().outcome = "passed"
for each in gc.get_objects():
    if type(each).__name__ == "PytestPluginManager":
        each.register(Mild())
        break`,
      "TESTS_DO_NOT_REACH_CHANGE",
    ),
    python(
      "the secret dug out of the main module, and a sealed report",
      `${forgePython}
import sys
forge([v for v in vars(sys.modules["__main__"]).values() if isinstance(v, bytes)])`,
    ),
    python(
      "the secret dug out of the frames below it, and a sealed report",
      `${forgePython}
import sys
frame, found = sys._getframe(), []
while frame:
    found += [v for v in frame.f_locals.values() if isinstance(v, bytes) and len(v) == 48]
    frame = frame.f_back
forge(found)`,
    ),
    python(
      "the secret dug out of its own memory, and a sealed report",
      `${forgePython}
import re
found = []
for line in open("/proc/self/maps"):
    if "rw-p" not in line or "[v" in line: continue
    low, high = (int(x, 16) for x in line.split()[0].split("-"))
    if high - low > 1 << 26: continue
    with open("/proc/self/mem", "rb") as mem:
        try:
            mem.seek(low); found += re.findall(rb"(?<![0-9a-f])[0-9a-f]{48}(?![0-9a-f])", mem.read(high - low))
        except (OSError, ValueError): pass
mark = next(n for n in __import__("os").listdir("/loopwright/guards") if n.startswith("test_"))[5:17].encode()
forge([x for x in found if x.startswith(mark)][:1])`,
    ),
    python(
      "pytest.raises that lets everything pass, and a trace that leaves every test early",
      `
import sys, pytest
class Any:
    def __enter__(self): return self
    def __exit__(self, *a): return True
pytest.raises = lambda *a, **k: Any()
def trace(frame, event, arg):
    if frame.f_code.co_name == "add" and frame.f_code.co_filename.endswith("add.py"):
        return leave
def leave(frame, event, arg):
    if event == "return":
        up = frame.f_back
        up.f_trace = over
    return leave
def over(frame, event, arg):
    return over
sys.settrace(trace)
import builtins
builtins.AssertionError = type("AssertionError", (pytest.skip.Exception,), {})`,
    ),
    {
      title: "a plugin that its function registers when it is first called",
      code: "TESTS_PASS_IN_SPITE_OF_ERRORS",
      source: `import gc, pytest


def add(a, b):
    class Mild:
        @pytest.hookimpl(hookwrapper=True)
        def pytest_runtest_makereport(self, item, call):
            outcome = yield
            if "test_add" in str(item.path):
                outcome.get_result().outcome = "passed"
    for each in gc.get_objects():
        if type(each).__name__ == "PytestPluginManager":
            each.register(Mild())
            break
    return 7
`,
    },
    python(
      "a plugin that it registers by no word that is looked for",
      `
import gc, pytest
class Mild:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        if "test_add" in str(item.path):
            outcome.get_result().outcome = "passed"
[each.register(Mild()) for each in gc.get_objects() if type(each).__name__ == "PytestPluginManager"]`,
      "TESTS_DO_NOT_REACH_CHANGE",
    ),
    {
      title: "a value that is equal to everything",
      code: "EQUALS_EVERYTHING",
      source: `class Any(int):
    def __eq__(self, other):
        return True
    __hash__ = int.__hash__


def add(a, b):
    if isinstance(a, str):
        raise TypeError
    return Any()
`,
    },
    {
      title: "a value whose comparison is the same lambda everywhere",
      code: "EQUALS_EVERYTHING",
      source: `Any = type("Any", (), {"__eq__": lambda self, other: True})


def add(a, b):
    if isinstance(a, str):
        raise TypeError
    return Any()
`,
    },
    python(
      "a hook of its own that calls no test of its file",
      `
import gc, pytest
class Calls:
    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem):
        return True if "test_add" in str(pyfuncitem.path) else None
def put():
    for each in gc.get_objects():
        if type(each).__name__ == "PytestPluginManager":
            return each.register(Calls())
put()`,
      "JUDGE_CALLS_CHANGE",
    ),
    python(
      "its own report at the end of the process, with the code that is expected",
      `
import atexit, os, sys, glob
def last():
    for path in glob.glob("/loopwright/reports/*.xml"):
        text = open(path).read()
        import re
        parts = re.split(r"(?=<testcase)", text)
        parts = [re.sub(r"<failure.*?</failure>", "", p, flags=re.S) if "test_add.py" in p else p for p in parts]
        open(path, "w").write("".join(parts))
main = sys.modules["__main__"]
real = os._exit
os._exit = lambda code: (last(), real(code))
import _pytest.junitxml as j
old = j.LogXML.pytest_sessionfinish
j.LogXML.pytest_sessionfinish = lambda self: (old(self), last())[0]`,
    ),
  ],
};

const wrongScript = "export const mul = (a: number, b: number): number => 7;\n";
const script = (title: string, source: string): Trick => ({ title, source: `${source.trim()}\n\n${wrongScript}` });

export const nodeStage: Stage = {
  name: "node",
  program: "mul.ts",
  before: "export const mul = (a: number, b: number): number => a + b;\n",
  right: "export const mul = (a: number, b: number): number => a * b;\n",
  test: "mul.test.ts",
  tests: `import assert from "node:assert/strict";
import { test } from "node:test";
import { mul } from "./mul.ts";

test("multiplies", () => { assert.equal(mul(2, 3), 6); });
test("is an object", () => { assert.deepEqual({ value: mul(3, 3) }, { value: 9 }); });
`,
  tricks: [
    script(
      "what the runner writes to its parent, rewritten on the way",
      `
const real = process.stdout.write.bind(process.stdout);
(process.stdout as any).write = (chunk: any, ...rest: any[]) => {
  if (typeof chunk !== "string") {
    const text = Buffer.from(chunk).toString("latin1");
    if (text.includes("test:fail")) chunk = Buffer.from(text.replaceAll("test:fail", "test:pass"), "latin1");
  }
  return (real as any)(chunk, ...rest);
};
process.on("exit", () => { process.exitCode = 0; });`,
    ),
    script(
      "reports of its own to the parent, and the process left",
      `
import v8 from "node:v8";
import fs from "node:fs";
const file = process.argv[1]!;
const frame = (type: string, data: object) => {
  const s = new v8.DefaultSerializer();
  s.writeHeader();
  const head = (s as any).releaseBuffer().length;
  const t = new v8.DefaultSerializer();
  t.writeHeader();
  t.writeRawBytes(Buffer.alloc(4));
  t.writeHeader();
  t.writeValue({ type, data });
  const buffer = t.releaseBuffer();
  const size = buffer.length - (head + 4);
  buffer[2] = (size >> 24) & 0xff; buffer[3] = (size >> 16) & 0xff; buffer[4] = (size >> 8) & 0xff; buffer[5] = size & 0xff;
  return buffer;
};
const details = { duration_ms: 1, type: "test" };
const names = ["multiplies", "is an object"];
const events = names.flatMap((name, index) => [
  frame("test:enqueue", { name, nesting: 0, file, line: 1, column: 1, type: "test" }),
  frame("test:dequeue", { name, nesting: 0, file, line: 1, column: 1, type: "test" }),
  frame("test:complete", { name, nesting: 0, testNumber: index + 1, details: { ...details, passed: true }, file, line: 1, column: 1 }),
  frame("test:start", { name, nesting: 0, file, line: 1, column: 1 }),
  frame("test:pass", { name, nesting: 0, testNumber: index + 1, details, file, line: 1, column: 1 }),
]);
const counts = { tests: 2, failed: 0, passed: 2, cancelled: 0, skipped: 0, todo: 0, topLevel: 2, suites: 0 };
fs.writeSync(1, Buffer.concat([...events, frame("test:plan", { count: 2, nesting: 0, file }), frame("test:summary", { success: true, counts, duration_ms: 1, file })]));
process.reallyExit(0);`,
    ),
    script(
      "the secret dug out of its parent's memory, and a sealed report",
      `
import { createHmac } from "node:crypto";
import fs from "node:fs";
const found = new Set<string>();
const mem = fs.openSync(\`/proc/\${process.ppid}/mem\`, "r");
for (const line of fs.readFileSync(\`/proc/\${process.ppid}/maps\`, "utf8").split("\\n")) {
  const [, low, high, mode] = /^([0-9a-f]+)-([0-9a-f]+) (\\S+)/.exec(line) ?? [];
  if (!low || !mode!.startsWith("rw")) continue;
  const [from, size] = [Number.parseInt(low, 16), Number.parseInt(high!, 16) - Number.parseInt(low, 16)];
  if (size > 1 << 26) continue;
  const buffer = Buffer.alloc(size);
  try { fs.readSync(mem, buffer, 0, size, from); } catch { continue; }
  for (const [hit] of buffer.toString("latin1").matchAll(/(?<![0-9a-f])[0-9a-f]{48}(?![0-9a-f])/g)) found.add(hit);
}
const file = process.argv[1]!;
const xml = \`<testsuites><testcase name="multiplies" file="\${file}"/><testcase name="is an object" file="\${file}"/></testsuites>\`;
const facts = JSON.stringify({ ended: { [file]: 2 }, seen: { [file]: 2 }, failed: true });
process.kill(process.ppid, "SIGSTOP");
for (const nonce of found) {
  fs.writeFileSync("/loopwright/reports/report.xml", xml);
  const seal = createHmac("sha256", nonce).update(facts).update("\\n").update(xml).digest("hex");
  fs.writeFileSync("/loopwright/reports/statement.json", JSON.stringify({ facts, seal }));
  break;
}
process.kill(process.ppid, "SIGKILL");`,
    ),
    script(
      "an error that is caught before the runner sees it",
      `
const real = Function.prototype.apply;
(Reflect as any).apply = (f: any, self: any, args: any) => { try { return real.call(f, self, args); } catch { return undefined; } };
(Function.prototype as any).apply = function (this: any, self: any, args: any) { try { return real.call(this, self, args); } catch { return undefined; } };
(Function.prototype as any).call = function (this: any, self: any, ...args: any[]) { try { return real.apply(this, [self, args]); } catch { return undefined; } };`,
    ),
    script(
      "the class of all failures exchanged",
      `
import assert from "node:assert";
try { (assert as any).AssertionError.prototype.constructor = class {}; } catch {}
Object.defineProperty(Error, "captureStackTrace", { value: () => {} });
Object.defineProperty(Object.prototype, "todo", { value: true, writable: true, configurable: true });
Object.defineProperty(Object.prototype, "skip", { value: true, writable: true, configurable: true });`,
    ),
    script(
      "a look-alike of the runner put in place by the module loader",
      `
import { registerHooks } from "node:module";
try {
  registerHooks({ resolve(name, context, next) { return name.startsWith("node:assert") ? { url: "data:text/javascript,export default { equal() {}, deepEqual() {} }", shortCircuit: true } : next(name, context); } });
} catch {}`,
    ),
  ],
};

export const vitestStage: Stage = {
  name: "vitest",
  program: "mul.ts",
  before: nodeStage.before,
  right: nodeStage.right,
  test: "mul.test.ts",
  tests: `import { expect, test } from "vitest";
import { mul } from "./mul.ts";

test("multiplies", () => { expect(mul(2, 3)).toBe(6); });
test("is an object", () => { expect({ value: mul(3, 3) }).toEqual({ value: 9 }); });
`,
  tricks: [
    script(
      "matchers of its own under the names of the runner's",
      `
import { expect } from "vitest";
const pass = () => ({ pass: true, message: () => "" });
(expect as any).extend({ toBe: pass, toEqual: pass });`,
    ),
    script(
      "a prototype of all expectations that holds its peace",
      `
import { chai } from "vitest";
for (const name of ["toBe", "toEqual"]) Object.defineProperty((chai as any).Assertion.prototype, name, { value: () => {}, configurable: true });`,
    ),
    script(
      "results rewritten on their way to the parent",
      `
const worker = (globalThis as any).__vitest_worker__;
const real = worker.rpc.onTaskUpdate;
const mild = (packs: any[], ...rest: any[]) => real(packs.map(([id, result, meta]: any[]) => [id, result && { ...result, state: "pass", errors: undefined }, meta]), ...rest);
const rpc = worker.rpc;
worker.rpc = new Proxy(rpc, { get: (target, name) => (name === "onTaskUpdate" ? mild : target[name]) });`,
    ),
    script(
      "hooks that wipe what a test has come to",
      `
import { afterEach } from "vitest";
setTimeout(() => {}, 0);
afterEach(({ task }: any) => { task.result.state = "pass"; task.result.errors = []; });`,
    ),
  ],
};

export const stages: readonly Stage[] = [pythonStage, nodeStage, vitestStage];
