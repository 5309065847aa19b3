// Trees that a program makes to break whoever looks at them, with the real binary: each costs its iteration and no more. A
// model is told in a sentence what was wrong, and the run goes on from the last snapshot to its end.

import { execFileSync } from "node:child_process";
import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { removeAllNow } from "@loopwright/sandbox";
import { describe, expect, it } from "vitest";
import { type CliOptions, Folder, lastLine } from "../fakes/cli.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";
import { bwrap } from "../sandbox/bwrap-works.ts";

const right = "def add(a, b):\n    return a + b\n";
const wrong = "def add(a, b):\n    return a - b\n";
const tests = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n";

interface Hostile {
  title: string;
  /** Python that makes the tree in the folder it is run in. */
  program: string;
  /** What the model reads of it. */
  said: RegExp;
}

const trees: Hostile[] = [
  {
    title: "1,100 folders deep, past what a path can be long and Python can recurse",
    program: "import os\nfor _ in range(1100):\n    os.mkdir('d' * 200); os.chdir('d' * 200)\n",
    said: /folders nested deeper than 200|a path longer than 2000 bytes/,
  },
  {
    title: "of 101,000 files",
    program: "import os\nos.mkdir('many')\nfor i in range(101000):\n    os.close(os.open(f'many/{i}', os.O_CREAT))\n",
    said: /more than 100000 files and folders/,
  },
  {
    title: "of sparse files that are large to whoever reads them",
    program: "for i in range(5):\n    open(f'sparse-{i}', 'wb').truncate(250 << 20)\n",
    said: /more than 1000 MB in files/,
  },
];

/** Trees that are put right without a word, or in passing. */
const quiet: Hostile[] = [
  {
    title: "of folders that are locked, the workspace itself among them",
    program: "import os\nos.makedirs('a/b/c')\nos.chmod('a/b', 0)\nos.chmod('a', 0o100)\nos.chmod('.', 0)\n",
    said: /exit code 0/,
  },
];

/** What the kernel holds for a program in its sockets is on no account of the program's own. */
const sockets: Hostile = {
  title: "memory in sockets past the limit",
  program: `import os, socket, resource, time


def hold(done):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 1000), hard))
    held, size = [], 0
    try:
        while size < 170 << 20:
            held += socket.socketpair()
            for each in held[-2:]:
                each.setblocking(False)
                try:
                    while True:
                        size += each.send(b"x" * 16384)
                except BlockingIOError:
                    pass
    except OSError:
        pass
    os.write(done, b"%12d" % size)
    time.sleep(30)


def harm():
    ready, done = os.pipe()
    for _ in range(15):
        if os.fork() == 0:
            hold(done)
            os._exit(0)
    sizes = [int(os.read(ready, 12)) for _ in range(15)]
    raise ValueError("HE" + "LD %d MB" % (sum(sizes) >> 20))


def add(a, b):
    harm()
`,
  said: /\bmemory\b/,
};

const file = (path: string, text: string) => `===FILE: ${path}===\n${text}===END FILE===\n`;
const plan = {
  file: "calc.py",
  action: "create",
  functions: [{ name: "add", signature: "def add(a, b)", pseudocode: "+" }],
};

/** A model whose first answer does harm, and whose later ones are right. */
async function model(first: string): Promise<FaultServer & { asked: string[] }> {
  const server = Object.assign(await startFaultServer(), { asked: [] as string[] });
  server.otherwise = ({ body }) => {
    const text = JSON.stringify(body.messages);
    if (text.includes("You implement a plan") || text.includes("You fix programs")) {
      server.asked.push(body.messages.map(({ content }) => String(content)).join("\n"));
      return { text: server.asked.length === 1 ? first : `APPROACH: add\n${file("calc.py", right)}` };
    }
    if (text.includes("tests_correct")) return { text: JSON.stringify({ tests_correct: true, issues: [] }) };
    if (text.includes("You review")) return { text: JSON.stringify({ diagnosis: "it subtracts", plan: [plan] }) };
    return { text: JSON.stringify({ tests: { filename: "test_calc.py", content: tests }, plan: [plan] }) };
  };
  return server;
}

const users: [string, CliOptions["user"]][] = [
  ["whoever runs this", undefined],
  ...(process.getuid?.() === 0
    ? [["an ordinary user", { uid: 65534, gid: 65534 }] as [string, CliOptions["user"]]]
    : []),
];

async function run(first: string, user: CliOptions["user"]) {
  const at = new Folder();
  await using server = await model(first);
  try {
    await at.write("task.md", "# Task\n\nWrite `calc.py` with `add(a, b)`.\n");
    if (user) {
      chownSync(at.dir, user.uid, user.gid);
      for (const name of readdirSync(at.dir)) chownSync(join(at.dir, name), user.uid, user.gid);
    }
    const flags = ["--url", server.url, "--model", "desk", "--seed", "1", "--json"];
    const ended = await at.cli(["code", ...flags], user ? { user } : {});
    const made = at.has("workspace") ? readdirSync(join(at.dir, "workspace")).sort() : [];
    return { ended, asked: server.asked, made };
  } finally {
    removeAllNow(at.dir);
  }
}

// They wait for the disk, and hardly any other test runs meanwhile: two at once.
describe.skipIf(!bwrap).concurrent.each(users)(
  "A hostile tree, for %s (skipped where bwrap does not work)",
  (_, user) => {
    it.each([...trees, ...quiet])(
      "$title, made by a command, costs an iteration and not the run",
      {
        timeout: 240_000,
      },
      async ({ program, said }) => {
        const command = `===CMD===\npython3 make.py\n===END CMD===\n`;
        const first = `APPROACH: harm\n${file("calc.py", wrong)}${file("make.py", program)}${command}`;
        const { ended, asked, made } = await run(first, user);
        expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
        expect(asked.length).toBeGreaterThanOrEqual(2);
        expect(asked[1]).toMatch(said);
        expect(made).toContain("calc.py");
      },
    );

    it.each(user ? [] : trees)(
      "$title, made by the tested program, costs an iteration and not the run",
      {
        timeout: 240_000,
      },
      async ({ program, said }) => {
        const { ended, asked } = await run(`APPROACH: harm\n${file("calc.py", `${program}\n${right}`)}`, user);
        expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
        expect(asked.length).toBeGreaterThanOrEqual(2);
        expect(asked[1]).toMatch(said);
      },
    );
  },
);

describe.skipIf(!bwrap || process.getuid?.() !== 0)(
  "A tested program, with control groups (skipped without root)",
  () => {
    it(`that holds ${sockets.title} costs an iteration and not the run`, { timeout: 240_000 }, async () => {
      const { ended, asked } = await run(`APPROACH: harm\n${file("calc.py", sockets.program)}`, undefined);
      expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
      expect(/HELD \d+ MB/.exec(asked[1]!)?.[0]).toBeUndefined();
      expect(asked[1]).toMatch(sockets.said);
    });
  },
);

describe.skipIf(!bwrap)("A workspace of the user's that is past a limit (skipped where bwrap does not work)", () => {
  it("is refused in a sentence with the exit code 2, before a model is asked", { timeout: 120_000 }, async () => {
    using at = new Folder();
    await using server = await model("");
    await at.write("task.md", "# Task\n\nWrite `calc.py`.\n");
    await at.write("workspace/a.py", "");
    execFileSync("sh", ["-c", "for i in 1 2 3 4 5; do truncate -s 250M workspace/large-$i; done"], { cwd: at.dir });
    const ended = await at.cli(["code", "--url", server.url, "--model", "desk", "--seed", "1"]);
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.stderr).toMatch(/holds more than 1000 MB in files.*--workspace/s);
    expect(server.requests).toEqual([]);
  });
});
