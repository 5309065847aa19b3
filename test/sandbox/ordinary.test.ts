// What programs ordinarily do works in the sandbox, whoever runs it.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { SandboxJob } from "@loopwright/sandbox";
import { afterAll, describe, expect, it } from "vitest";
import { LIMITS } from "./attempt.ts";
import { bwrap } from "./bwrap-works.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-ordinary-"));
  folders.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function run(workspace: string, command: string[], more: Partial<SandboxJob> = {}) {
  const signal = AbortSignal.timeout(60_000);
  return bwrap!.run({ command, workspace, readOnly: [], limits: LIMITS, signal, ...more });
}

describe.skipIf(!bwrap)(
  "In the sandbox (skipped where bwrap does not work)",
  { concurrent: true, timeout: 60_000 },
  () => {
    it("pytest runs, and its report comes out of a writable folder", async () => {
      const workspace = folderWith({
        "boat.py": "def floats():\n    return True\n",
        "tests/test_boat.py":
          "from boat import floats\ndef test_floats(tmp_path):\n    (tmp_path / 'x').write_text('x')\n    assert floats()\n",
      });
      const reports = folderWith();
      const command = ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml", "/reports/junit.xml"];
      const outcome = await run(workspace, command, { readOnly: ["tests"], writable: { "/reports": reports } });
      expect(outcome).toMatchObject({ code: 0, output: expect.stringContaining("1 passed") });
      expect(readFileSync(join(reports, "junit.xml"), "utf8")).toContain('tests="1"');
    });

    it("a failing pytest says so by its exit code, with paths of the workspace inside", async () => {
      const workspace = folderWith({ "test_boat.py": "def test_sinks():\n    assert False\n" });
      const outcome = await run(workspace, ["python3", "-m", "pytest", "-q"]);
      expect(outcome.code).toBe(1);
      expect(outcome.output).toContain("test_boat.py:2: AssertionError");
      expect(outcome.output).not.toContain(workspace);
    });

    it("node --test runs TypeScript by stripping its types", async () => {
      const workspace = folderWith({
        "boat.ts": "export const floats = (tons: number): boolean => tons < 3;\n",
        "boat.test.ts":
          'import test from "node:test";\nimport assert from "node:assert";\nimport { floats } from "./boat.ts";\ntest("floats", () => assert.ok(floats(1)));\n',
        "package.json": '{ "type": "module" }',
      });
      const outcome = await run(workspace, ["node", "--test"]);
      expect(outcome).toMatchObject({ code: 0, output: expect.stringMatching(/pass 1/) });
    });

    it("git reads a repository that it cannot write", async () => {
      const workspace = folderWith({ "a.txt": "a" });
      execFileSync("git", ["init", "-q", "-b", "main", workspace]);
      const outcome = await run(workspace, ["git", "status", "--short"]);
      expect(outcome).toMatchObject({ code: 0, output: "?? a.txt\n" });
    });

    it("a virtual environment of the workspace is imported from", async () => {
      const workspace = folderWith();
      execFileSync("python3", ["-m", "venv", "--without-pip", join(workspace, ".venv")]);
      const [library] = readdirSync(join(workspace, ".venv/lib"));
      writeFileSync(join(workspace, `.venv/lib/${library}/site-packages/keel.py`), "depth = 3\n");
      const outcome = await run(workspace, [".venv/bin/python", "-c", "import keel; print(keel.depth)"], {
        readOnly: [".venv"],
      });
      expect(outcome).toMatchObject({ code: 0, output: "3\n" });
    });

    it("temporary files, subprocesses, threads, pools and terminals work", async () => {
      const program = `
import concurrent.futures, multiprocessing, os, pty, sqlite3, ssl, subprocess, tempfile, threading
with tempfile.NamedTemporaryFile() as f: f.write(b"x")
print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())
print(sum(concurrent.futures.ThreadPoolExecutor(4).map(len, ["a", "bb"])))
with multiprocessing.Pool(2) as pool: print(pool.map(abs, [-1, -2]))
print(len(pty.openpty()), os.path.expanduser("~"), os.getcwd())
import getpass, pwd
print(getpass.getuser(), pwd.getpwuid(os.getuid()).pw_name)`;
      const outcome = await run(folderWith({ "main.py": program }), ["python3", "main.py"]);
      expect(outcome).toMatchObject({ code: 0, output: "child\n3\n[1, 2]\n2 /tmp /workspace\nloop loop\n" });
    });

    it("localhost is reached in a network of the job's own", async () => {
      const program = `const server = require("http").createServer((q, r) => r.end("hello")).listen(0, "localhost", async () => {
      console.log(await (await fetch("http://localhost:" + server.address().port)).text()); server.close(); });`;
      const outcome = await run(folderWith(), ["node", "-e", program]);
      expect(outcome).toMatchObject({ code: 0, output: "hello\n" });
    });

    it("worker threads and WebAssembly run under the limit on memory", async () => {
      const program = `const { Worker } = require("worker_threads");
      for (let i = 0; i < 3; i++) new Worker("new WebAssembly.Memory({ initial: 10, maximum: 1000 }); console.log('ok')", { eval: true });`;
      const outcome = await run(folderWith(), ["node", "-e", program]);
      expect(outcome).toMatchObject({ code: 0, output: "ok\nok\nok\n" });
    });

    it("input, environment and read-only folders arrive", async () => {
      const held = folderWith({ "data.txt": "held\n" });
      const outcome = await run(
        folderWith(),
        ["sh", "-c", "cat; echo $BOAT; cat /held/data.txt; echo x > /held/data.txt"],
        {
          stdin: "typed\n",
          env: { BOAT: "dinghy" },
          mounts: { "/held": held },
        },
      );
      expect(outcome.output).toMatch(/^typed\ndinghy\nheld\n.*Read-only file system\n$/);
      expect(readFileSync(join(held, "data.txt"), "utf8")).toBe("held\n");
    });

    it("stdout and stderr come in the order in which they were written", async () => {
      const outcome = await run(folderWith(), ["sh", "-c", "for i in 1 2 3 4; do echo out $i; echo err $i >&2; done"]);
      expect(outcome.output).toBe([1, 2, 3, 4].map((i) => `out ${i}\nerr ${i}\n`).join(""));
    });

    it("an exit code is the program's own, and a signal's is 128 and its number", async () => {
      const workspace = folderWith();
      expect((await run(workspace, ["sh", "-c", "exit 7"])).code).toBe(7);
      expect((await run(workspace, ["sh", "-c", "kill -SEGV $$"])).code).toBe(139);
      expect(await run(workspace, ["no-such-program"])).toMatchObject({
        code: 127,
        output: expect.stringContaining("not found"),
      });
    });

    it("files are made, changed and made executable as the user's own", async () => {
      const workspace = folderWith({ "a.sh": "#!/bin/sh\necho runs\n" });
      const outcome = await run(workspace, [
        "sh",
        "-c",
        "chmod +x a.sh && ./a.sh && mkdir b && mv a.sh b/ && ln -s b c",
      ]);
      expect(outcome).toMatchObject({ code: 0, output: "runs\n" });
      expect(statSync(join(workspace, "b/a.sh"))).toMatchObject({ uid: process.getuid!(), gid: process.getgid!() });
      expect(outcome.removed).toBeUndefined();
    });

    it("a command that no program can be started with is told back", async () => {
      const workspace = folderWith();
      expect(await run(workspace, ["echo", "a\0b"])).toMatchObject({
        code: 126,
        output: expect.stringContaining("NUL"),
      });
      expect(await run(workspace, ["echo", "x".repeat(200_000)])).toMatchObject({ code: 126 });
    });
  },
);
