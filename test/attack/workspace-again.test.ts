// What commands and tested programs leave in a workspace: nothing of it hangs the host, is read or written elsewhere, or is
// taken for something that it is not.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox, removeAllNow } from "@loopwright/sandbox";
import { type ProjectCell, projectCells } from "@loopwright/workspace";
import { afterEach, describe, expect, it } from "vitest";
import { bwrap } from "../sandbox/bwrap-works.ts";

const tests = "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n";
const right = "def add(a, b):\n    return a + b\n";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Place {
  cell: ProjectCell;
  base: string;
  workspace: string;
}

async function open(): Promise<Place> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-again-")));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "add.py"), right);
  writeFileSync(join(base, "secret.txt"), "outside");
  const sandbox = await openSandbox("bwrap");
  const options = { workspace, state: join(base, "state"), sandbox };
  const cell = await projectCells(options)({ snapshot: undefined, signal: AbortSignal.timeout(120_000) });
  await cell.writeTests([{ path: "test_add.py", content: tests }]);
  closing.push(async () => {
    await cell.stop();
    removeAllNow(base);
  });
  return { cell, base, workspace };
}

/** The longest time in which nothing else of this process could run. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 5);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return Math.max(longest, performance.now() - last);
}

/** Programs that a model has run, after which everything must still be as it should. */
const programs: [string, string][] = [
  ["pipes under the names of sources", "import os\nfor n in ('a.py', 'b.ts', 'notes.md', 'junit.xml'): os.mkfifo(n)\n"],
  [
    "sockets under the names of sources",
    "import socket\nfor n in ('a.py', 'b.ts'):\n    socket.socket(socket.AF_UNIX).bind(n)\n",
  ],
  ["a pipe in the place of the program", "import os\nos.remove('add.py'); os.mkfifo('add.py')\n"],
  ["a link to itself in the place of the program", "import os\nos.remove('add.py'); os.symlink('add.py', 'add.py')\n"],
  [
    "links to files outside",
    "import os\nos.symlink('../secret.txt', 'a.py'); os.symlink('../../secret.txt', 'b.py'); os.symlink('/etc/passwd', 'c.py'); os.symlink('/proc/self/mem', 'd.py'); os.symlink('/dev/zero', 'e.py')\n",
  ],
  [
    "a folder that links to its parent",
    "import os\nos.mkdir('d'); os.symlink('..', 'd/up'); os.symlink('/', 'd/root')\n",
  ],
  [
    "hard links to a protected test",
    "import os\nfor i in range(50):\n    try: os.link('test_add.py', f'copy{i}.py')\n    except OSError: pass\n",
  ],
  [
    "names that differ by case and form only",
    "for n in ('ADD.PY', 'Add.py', 'caf\\u00e9.py', 'cafe\\u0301.py', 'TEST_ADD.PY'): open(n, 'w').write('x = 1\\n')\n",
  ],
  [
    "names of control and direction",
    "for n in ('a\\nb.py', 'a\\tb', '\\u202egpj.py', '-rf', '--help', 'x\\x1b[2J', '$(id)', '`id`', 'a\\\\b', '\"q\"'): open(n, 'w').write('x = 1\\n')\n",
  ],
  [
    "names of git's own",
    "import os\nfor n in ('.gitattributes', '.gitmodules', '.gitignore'): open(n, 'w').write('* filter=x diff=y export-ignore\\n[submodule]\\n')\nos.makedirs('GIT~1', exist_ok=True); os.makedirs('.gIt', exist_ok=True); os.makedirs('.g\\u200cit', exist_ok=True)\n",
  ],
  [
    "times before and after all others",
    "import os\nfor i, t in enumerate((-2**31, 0, 2**33, 2**40)):\n    open(f'f{i}', 'w').close()\n    try: os.utime(f'f{i}', (t, t))\n    except (OSError, OverflowError): pass\n",
  ],
  [
    "modes that lock everything",
    "import os\nos.makedirs('a/b')\nopen('a/b/c', 'w').close()\nfor n in ('a/b/c', 'a/b', 'a', 'add.py'): os.chmod(n, 0)\n",
  ],
  ["a folder of 5,000 links", "import os\nos.mkdir('l')\nfor i in range(5000): os.symlink('x' * 200, f'l/{i}')\n"],
  [
    "a folder with one name of 255 bytes in each of 7 levels",
    "import os\nfor i in range(7):\n    os.mkdir('n' * 255); os.chdir('n' * 255)\nopen('f', 'w').close()\n",
  ],
  [
    "caches full of programs",
    "import os\nfor d in ('__pycache__', 'node_modules', '.venv', '.tox', 'deep/__pycache__'):\n    os.makedirs(d, exist_ok=True); open(d + '/add.py', 'w').write('1/0')\n",
  ],
];

describe.skipIf(!bwrap)("A workspace (skipped where bwrap does not work)", { timeout: 60_000 }, () => {
  it.each(programs)("with %s is snapshotted, tested and restored", async (_, program) => {
    const { cell, base, workspace } = await open();
    const start = await cell.snapshot();
    await cell.writeFiles([{ path: "make.py", content: program }]);
    const [made] = await cell.runCommands(["python3 make.py"]);
    expect(made!.done, JSON.stringify(made)).toBeDefined();
    const signal = AbortSignal.timeout(60_000);
    const at = await cell.snapshot();
    const listed = await cell.readFiles();
    expect(listed.map(({ content }) => content).join("\n")).not.toMatch(/outside|root:/);
    const changes = await cell.changes();
    expect(changes.map(({ after }) => after).join("\n")).not.toMatch(/outside|root:/);
    await cell.runTests({ signal });
    await cell.restore(at);
    expect(await cell.snapshot()).toBe(at);
    await cell.restore(start);
    expect(await cell.snapshot()).toBe(start);
    expect((await cell.runTests({ signal })).tests).toMatchObject([{ state: "passed" }]);
    expect(readFileSync(join(base, "secret.txt"), "utf8")).toBe("outside");
    expect(readdirSync(workspace)).toEqual(["add.py"]);
  });

  it("whose file has changed while its times and size have not is not what it was", async () => {
    const { cell } = await open();
    const before = await cell.snapshot();
    await cell.runCommands([
      `python3 -c "import os; s = os.stat('add.py'); open('add.py', 'r+').write('def add(a, b):\\n    return a - b\\n'); os.utime('add.py', ns=(s.st_atime_ns, s.st_mtime_ns))"`,
    ]);
    const after = await cell.snapshot();
    expect(after).not.toBe(before);
    await cell.restore(before);
    expect((await cell.readFiles(["add.py"]))[0]?.content).toBe(right);
  });

  it("that a tested program rewrites is delivered as it was judged", async () => {
    const { cell, workspace } = await open();
    const source = `import atexit\n${right}\natexit.register(lambda: open(__file__, 'w').write('wrong'))\n`;
    await cell.writeFiles([{ path: "add.py", content: source }]);
    const at = await cell.snapshot();
    await cell.runTests({ signal: AbortSignal.timeout(60_000) });
    await cell.restore(at);
    await cell.apply();
    expect(readFileSync(join(workspace, "add.py"), "utf8")).toBe(source);
  });

  it("of many files lets the host go on with its other work while it is looked at", async () => {
    const { cell } = await open();
    await cell.runCommands([
      `python3 -c "import os; os.mkdir('m'); [open(f'm/{i}', 'w').write(str(i)) for i in range(8000)]"`,
    ]);
    const longest = await longestBlock(async () => {
      const at = await cell.snapshot();
      await cell.restore(at);
      await cell.changes();
    });
    expect(longest).toBeLessThan(30_000);
  });

  it("whose applied files are the user's keeps no bit that runs as another", async () => {
    const { cell, workspace } = await open();
    await cell.runCommands(["printf 'echo x' > run.sh", "chmod 7777 run.sh", "chmod 777 run.sh", "chmod 777 add.py"]);
    await cell.apply();
    expect(statSync(join(workspace, "run.sh")).mode & 0o7000).toBe(0);
  });
});
