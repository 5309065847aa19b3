// Versions of a program that do harm when they are tried, in Python and in JavaScript. Each should cost itself alone.

export interface HostileVersion {
  title: string;
  /** What the program's one function does, with the module above it. */
  source: string;
  /** Whether it makes its tests pass, which only the runner itself finds out. */
  deceives?: boolean;
}

const inPython = (body: string, top = "") =>
  `import os, signal, sys, threading, time\n${top}\n\ndef add(a, b):\n${body}\n`;

export const pythonVersions: readonly HostileVersion[] = [
  {
    title: "deletes every file it can reach",
    source: inPython(
      `    os.system("rm -rf /workspace/* /workspace/.[a-z]* /tmp/* /loopwright 2>/dev/null")\n    return 7`,
    ),
  },
  { title: "forks without end", source: inPython(`    while True: os.fork()`) },
  { title: "forks without end while it is loaded", source: inPython(`    return 7`, "while True: os.fork()") },
  { title: "prints without end", source: inPython(`    while True: print("x" * 1_000_000)`) },
  { title: "writes to its output without end", source: inPython(`    while True: os.write(1, b"x" * 1_000_000)`) },
  { title: "never ends", source: inPython(`    while True: pass`) },
  { title: "never ends while it is loaded", source: inPython(`    return 7`, "while True: pass") },
  {
    title: "never ends, and heeds no signal",
    source: inPython(
      `    for s in range(1, 65):\n        try: signal.signal(s, signal.SIG_IGN)\n        except (OSError, ValueError): pass\n    while True: pass`,
    ),
  },
  { title: "sleeps for ever", source: inPython(`    time.sleep(1_000_000)`) },
  { title: "sleeps for ever in a child", source: inPython(`    os.system("sleep 1000000")`) },
  { title: "kills every process it may", source: inPython(`    os.kill(-1, signal.SIGKILL)`) },
  { title: "kills its parent", source: inPython(`    os.kill(os.getppid(), signal.SIGKILL)\n    time.sleep(1)`) },
  { title: "stops its parent", source: inPython(`    os.kill(os.getppid(), signal.SIGSTOP)\n    return 7`) },
  { title: "leaves at once", source: inPython(`    os._exit(0)`) },
  { title: "leaves while it is loaded", source: inPython(`    return 3`, "os._exit(0)") },
  { title: "ends the interpreter while it is loaded", source: inPython(`    return 3`, "sys.exit(0)") },
  {
    title: "starts threads that never end",
    source: inPython(
      `    for _ in range(20): threading.Thread(target=lambda: [None for _ in iter(int, 1)]).start()\n    return 7`,
    ),
  },
  { title: "asks for ten gigabytes", source: inPython(`    return len(bytearray(10 << 30))`) },
  {
    title: "asks for ever more memory",
    source: inPython(`    kept = []\n    while True: kept.append(bytearray(50 << 20))`),
  },
  {
    title: "fills the workspace",
    source: inPython(
      `    with open("/workspace/full", "wb") as file:\n        while True: file.write(b"x" * 10_000_000)`,
    ),
  },
  {
    title: "makes files without end",
    source: inPython(`    n = 0\n    while True:\n        open("/workspace/n%d" % n, "w").close()\n        n += 1`),
  },
  {
    title: "makes folders in one another",
    source: inPython(`    for _ in range(3000):\n        os.mkdir("d")\n        os.chdir("d")\n    return 7`),
  },
  {
    title: "closes its folders",
    source: inPython(
      `    os.mkdir("closed")\n    open("closed/x", "w").close()\n    os.chmod("closed", 0)\n    os.chmod("/workspace", 0)\n    return 7`,
    ),
  },
  {
    title: "writes beside the tests",
    source: inPython(
      `    for path in ("conftest.py", "test_more.py", "sitecustomize.py", "pytest.py"):\n        open("/workspace/" + path, "w").write("raise SystemExit(0)\\n")\n    return 7`,
    ),
  },
  {
    title: "changes the tests",
    source: inPython(`    open("/workspace/test_add.py", "w").write("def test_add(): pass\\n")\n    return 7`),
  },
  { title: "goes elsewhere", source: inPython(`    os.chdir("/")\n    return 7`) },
  {
    title: "patches pytest",
    deceives: true,
    source: inPython(
      `    return 7`,
      "import _pytest.runner, _pytest.python, pytest\n_pytest.python.Function.runtest = lambda self: None\npytest.main = None\nos.write = None\nos.fork = None",
    ),
  },
  {
    title: "leaves a daemon that writes",
    source: inPython(
      `    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n            while True:\n                try: open("/workspace/add.py", "w").write("def add(a, b): return 8\\n")\n                except OSError: pass\n        os._exit(0)\n    return 7`,
    ),
  },
  {
    title: "leaves a daemon that holds every descriptor",
    source: inPython(`    if os.fork() == 0:\n        os.setsid()\n        time.sleep(1_000_000)\n    return 7`),
  },
  { title: "closes every descriptor", source: inPython(`    os.closerange(0, 1000)\n    return 7`) },
  {
    title: "leaves files in the temporary folders",
    source: inPython(
      `    if os.path.exists("/tmp/mark") or os.path.exists("/dev/shm/mark"): return 3\n    open("/tmp/mark", "w").close()\n    open("/dev/shm/mark", "w").close()\n    return 7`,
    ),
  },
  {
    title: "replaces itself by a link",
    source: inPython(
      `    os.unlink("/workspace/add.py")\n    os.symlink("/etc/passwd", "/workspace/add.py")\n    return 7`,
    ),
  },
  {
    title: "writes to whatever its parent has open",
    source: inPython(
      `    for n in range(64):\n        try: os.write(os.open("/proc/%d/fd/%d" % (os.getppid(), n), os.O_WRONLY), b"nonsense\\n{}\\n")\n        except OSError: pass\n    return 7`,
    ),
  },
  { title: "raises what nobody catches", source: inPython(`    raise KeyboardInterrupt`) },
  { title: "is no Python", source: "def add(a, b:\n  return" },
  { title: "goes down without end", source: inPython(`    return add(a, b)`) },
  { title: "breaks the interpreter", source: inPython(`    import ctypes\n    return ctypes.string_at(0)`) },
];

const inNode = (body: string, top = "") =>
  `import fs from "node:fs";\nimport { spawn, spawnSync } from "node:child_process";\nimport { Worker } from "node:worker_threads";\nimport os from "node:os";\nvoid [fs, spawn, spawnSync, Worker, os];\n${top}\nexport function add(a: number, b: number): number {\n${body}\n}\n`;

export const nodeVersions: readonly HostileVersion[] = [
  {
    title: "deletes every file it can reach",
    source: inNode(`  spawnSync("sh", ["-c", "rm -rf /workspace/* /workspace/.[a-z]* /tmp/* /loopwright"]); return 7;`),
  },
  { title: "starts processes without end", source: inNode(`  for (;;) spawn("sleep", ["1000"]);`) },
  {
    title: "forks without end",
    source: inNode(`  spawn("sh", ["-c", "f() { f | f & }; f; sleep 100"], { detached: true }); return 7;`),
  },
  { title: "prints without end", source: inNode(`  for (;;) console.log("x".repeat(1_000_000));`) },
  {
    title: "writes to every descriptor",
    source: inNode(
      `  for (let n = 0; n < 64; n++) { try { fs.writeSync(n, "\\nnonsense {}\\n"); } catch {} } return 7;`,
    ),
  },
  { title: "writes to its output without end", source: inNode(`  for (;;) fs.writeSync(1, "x".repeat(1_000_000));`) },
  { title: "never ends", source: inNode(`  for (;;) {}`) },
  { title: "never ends while it is loaded", source: inNode(`  return 7;`, "for (;;) {}") },
  {
    title: "never lets others have a turn",
    source: inNode(`  const again = () => queueMicrotask(again); again(); return 7;`),
  },
  {
    title: "waits for ever",
    source: inNode(`  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return 7;`),
  },
  { title: "waits for ever for a process", source: inNode(`  spawnSync("sleep", ["1000000"]); return 7;`) },
  {
    title: "waits for ever while it is loaded",
    source: inNode(`  return 7;`, "await new Promise((done) => setTimeout(done, 1e9));"),
  },
  { title: "searches a text for ever", source: inNode(`  return /^(a+)+$/.test("a".repeat(60) + "b") ? 1 : 2;`) },
  {
    title: "kills every process it may",
    source: inNode(`  process.kill(-1, "SIGKILL"); spawnSync("kill", ["-9", "-1"]); return 7;`),
  },
  { title: "kills its process", source: inNode(`  process.kill(process.pid, "SIGKILL"); return 7;`) },
  { title: "stops its process", source: inNode(`  process.kill(process.pid, "SIGSTOP"); return 7;`) },
  { title: "leaves at once", source: inNode(`  process.exit(0);`) },
  { title: "leaves while it is loaded", source: inNode(`  return 3;`, "process.exit(0);") },
  {
    title: "leaves for good",
    source: inNode(
      `  process.reallyExit(0); return 7;`.replace(
        "process.reallyExit",
        "(process as unknown as { reallyExit(code: number): void }).reallyExit",
      ),
    ),
  },
  {
    title: "starts threads that never end",
    source: inNode(`  for (let n = 0; n < 4; n++) new Worker("for (;;) {}", { eval: true }); return 7;`),
  },
  {
    title: "asks for ever more memory",
    source: inNode(`  const kept: unknown[] = []; for (;;) kept.push(new Array(1_000_000).fill({}));`),
  },
  {
    title: "asks for ten gigabytes outside of its heap",
    source: inNode(
      `  const kept: Buffer[] = []; for (let n = 0; n < 200; n++) kept.push(Buffer.alloc(50 << 20, 1)); return kept.length;`,
    ),
  },
  {
    title: "fills the workspace",
    source: inNode(`  for (;;) fs.appendFileSync("/workspace/full", "x".repeat(10_000_000));`),
  },
  {
    title: "closes its folders",
    source: inNode(
      `  fs.mkdirSync("closed"); fs.writeFileSync("closed/x", ""); fs.chmodSync("closed", 0); fs.chmodSync("/workspace", 0); return 7;`,
    ),
  },
  {
    title: "writes beside the tests",
    source: inNode(
      `  for (const path of ["package.json", "more.test.ts", "node_modules"]) { try { fs.writeFileSync("/workspace/" + path, "nonsense"); } catch {} } return 7;`,
    ),
  },
  { title: "changes the tests", source: inNode(`  fs.writeFileSync("/workspace/add.test.ts", ""); return 7;`) },
  { title: "goes elsewhere", source: inNode(`  process.chdir("/"); return 7;`) },
  {
    title: "patches assertions",
    source: inNode(
      `  return 7;`,
      `import assert from "node:assert";\ntry { (assert as unknown as Record<string, unknown>).equal = () => {}; } catch {}`,
    ),
  },
  {
    title: "leaves a daemon that writes",
    source: inNode(
      `  spawn("sh", ["-c", "while :; do echo 'export function add() { return 8 }' > /workspace/add.ts; done"], { detached: true, stdio: "ignore" }).unref(); return 7;`,
    ),
  },
  {
    title: "closes every descriptor",
    source: inNode(`  for (let n = 0; n < 64; n++) { try { fs.closeSync(n); } catch {} } return 7;`),
  },
  { title: "closes where its questions come from", source: inNode(`  try { fs.closeSync(4); } catch {} return 7;`) },
  {
    title: "leaves files in the temporary folders",
    source: inNode(`  if (fs.existsSync("/tmp/mark")) return 3; fs.writeFileSync("/tmp/mark", ""); return 7;`),
  },
  {
    title: "replaces itself by a link",
    source: inNode(
      `  fs.unlinkSync("/workspace/add.ts"); fs.symlinkSync("/etc/passwd", "/workspace/add.ts"); return 7;`,
    ),
  },
  { title: "is no TypeScript", source: "export function add(a: number, b {" },
  { title: "goes down without end", source: inNode(`  return add(a, b);`) },
  { title: "throws later", source: inNode(`  setTimeout(() => { throw new Error("later"); }, 0); return 7;`) },
  { title: "aborts", source: inNode(`  process.abort();`) },
];
