// Attempts on what is protected inside the workspace: git directories, tests, settings of the runner.

import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attempt } from "../attempt.ts";
import type { Host } from "../host.ts";

const refused = /Read-only|busy|cross-device|denied|not permitted|superuser/i;
const TEST = "def test_it():\n    assert False\n";

export const workspaceAttempts: Attempt[] = [
  ...[
    ["a git hook", "printf '#!/bin/sh\\n' > .git/hooks/pre-commit"],
    ["git's configuration", "git config core.fsmonitor /workspace/x; echo x >> .git/config"],
    ["git's index and branches", "git add -A; git commit -m x --allow-empty; git checkout -b other; git stash"],
    ["a git directory moved away", "mv .git elsewhere && echo got in; rm -rf .git"],
    ["a git directory closed", "chmod -R 000 .git && echo got in"],
  ].map(([title, program]): Attempt => ({ title: title!, ...onRepository(program!, "") })),
  {
    title: "a nested repository",
    ...onRepository("echo x >> deep/nested/.git/config; rm -rf deep/nested/.git; mv deep other", "deep/nested"),
  },
  {
    title: "the folder of a nested repository, replaced as a whole",
    ...onRepository("mv deep/nested deep/moved && mkdir -p deep/nested/.git && echo got in", "deep/nested"),
  },
  {
    title: "a .git file that points elsewhere",
    before: ({ workspace }) => writeFileSync(join(workspace, ".git"), "gitdir: /elsewhere\n"),
    programs: [["sh", "echo 'gitdir: /workspace/x' > .git; rm .git; mv .git y; ln -sf x .git"]],
    says: refused,
    after: ({ workspace }) => assert.equal(readFileSync(join(workspace, ".git"), "utf8"), "gitdir: /elsewhere\n"),
  },
  {
    title: "a bare repository",
    before: ({ workspace }) => void execFileSync("git", ["init", "-q", "--bare", join(workspace, "bare")]),
    programs: [["sh", "echo x >> bare/config; echo x > bare/hooks/update"]],
    says: refused,
    after: ({ workspace }) => assert.ok(!readFileSync(join(workspace, "bare/config"), "utf8").includes("x\n")),
  },
  {
    title: "new git directories, left for the user's git to find",
    programs: [
      [
        "sh",
        "git init -q . ; git init -q a/b; git init -q --bare c; echo 'gitdir: a/b/.git' > a/.git; mkdir d; ln -s ../a/b/.git d/.git; mkdir e; cp -r .git e/.GIT",
      ],
    ],
    after({ workspace }, { removed }) {
      assert.deepEqual(removed?.toSorted(), [".git", "a/.git", "a/b/.git", "c", "d/.git", "e/.GIT"]);
      for (const path of removed ?? []) assert.ok(!existsSync(join(workspace, path)), path);
    },
  },
  {
    title: "a git directory hidden in a folder that is closed",
    programs: [["sh", "mkdir -p closed/x && git init -q closed/x && chmod 000 closed"]],
    after: ({ workspace }) => assert.ok(!existsSync(join(workspace, "closed/x/.git"))),
  },
  {
    title: "a git directory deeper than a path can be long",
    programs: [
      [
        "python",
        "name = 'x' * 200\nfor _ in range(30):\n    os.mkdir(name); os.chdir(name)\nos.mkdir('.git')\nprint('made')",
      ],
    ],
    says: /made/,
    // No path reaches it, from outside neither; it must not make the sandbox stumble.
    after: ({ workspace }) => void execFileSync("rm", ["-rf", join(workspace, "x".repeat(200))]),
  },

  ...[
    ["written", "echo x > tests/test_it.py; echo x >> tests/test_it.py"],
    ["removed", "rm -f tests/test_it.py; rm -rf tests; unlink tests/test_it.py"],
    ["renamed over", "echo x > other.py; mv -f other.py tests/test_it.py; mv tests/test_it.py moved.py"],
    ["replaced by a symlink", "ln -sf /dev/null tests/test_it.py; rm tests/test_it.py"],
    ["made writable", "chmod 777 tests/test_it.py && echo x > tests/test_it.py"],
    ["hidden by its folder's being renamed", "mv tests moved && mkdir tests && echo x > tests/test_it.py"],
    ["hidden by its folder's being removed", "rm -rf tests; rmdir tests; mkdir tests && echo got in"],
    ["reached by a hard link", "ln tests/test_it.py link.py && echo x > link.py"],
    ["reached by a symlink", "ln -s tests/test_it.py link.py && echo x > link.py"],
    ["reached through a descriptor", "exec 3< tests/test_it.py; echo x > /proc/self/fd/3"],
    ["reached by another spelling", "echo x > ./tests/../tests//test_it.py; echo x > /workspace/tests/test_it.py"],
    [
      "truncated in place",
      "python3 -c 'import os; os.truncate(\"tests/test_it.py\", 0)'; dd if=/dev/null of=tests/test_it.py",
    ],
    ["mounted over", "mount --bind /dev/null tests/test_it.py; umount tests/test_it.py"],
  ].map(
    ([title, program]): Attempt => ({
      title: `a protected test, ${title}`,
      before: withTests,
      programs: [["sh", program!]],
      readOnly: ["tests/test_it.py"],
      says: refused,
      after: assertTestIsSame,
    }),
  ),
  {
    title: "a protected test, by a name in other case",
    before: withTests,
    programs: [
      [
        "sh",
        "mkdir -p TESTS; echo x > TESTS/test_it.py; echo x > tests/TEST_IT.py; mv tests/TEST_IT.py tests/test_it.py",
      ],
    ],
    readOnly: ["tests/test_it.py"],
    says: refused,
    after: assertTestIsSame,
  },
  {
    title: "a protected folder, by new files in it",
    before: withTests,
    programs: [["sh", "echo x > tests/conftest.py; mkdir tests/more; mv tests moved"]],
    readOnly: ["tests"],
    says: refused,
    after({ workspace }) {
      assert.deepEqual(readdirSync(join(workspace, "tests")), ["test_it.py"]);
    },
  },
  {
    title: "a protected path that is a symlink",
    before(host) {
      withTests(host);
      symlinkSync("tests", join(host.workspace, "checks"));
    },
    programs: [["sh", "echo x > checks/test_it.py; rm checks; mkdir checks; echo x > checks/test_it.py"]],
    readOnly: ["checks/test_it.py"],
    says: refused,
    after(host) {
      assertTestIsSame(host);
      assert.ok(lstatSync(join(host.workspace, "checks")).isSymbolicLink());
    },
  },
  {
    title: "settings and hooks of the runner that had not been there",
    programs: [
      [
        "sh",
        "echo x | tee conftest.py pytest.ini sitecustomize.py usercustomize.py; mkdir -p package.json/x; ln -s /etc/passwd tox.ini; echo x > own.py",
      ],
    ],
    readOnly: [
      "conftest.py",
      "pytest.ini",
      "sitecustomize.py",
      "usercustomize.py",
      "package.json",
      "tox.ini",
      "setup.cfg",
    ],
    after({ workspace }, { removed }) {
      assert.equal(removed?.length, 6);
      assert.deepEqual(readdirSync(workspace).toSorted(), ["host.sock", "own.py"]);
    },
  },
  {
    title: "a runner's file removed outside, by way of a symlink where its folder should be",
    programs: [["sh", ({ outside }) => `ln -s ${outside} pkg; ls pkg`]],
    readOnly: ["pkg/secret", "pkg/more/conftest.py"],
    says: /No such file|pkg/,
  },
  {
    title: "a symlink out of the workspace as a protected path, to have its target mounted",
    before: ({ workspace, outside }) => symlinkSync(outside, join(workspace, "data")),
    programs: [["sh", ({ outside }) => `cat data/secret ${outside}/secret`]],
    readOnly: ["data", "data/secret"],
    says: /No such file/,
  },
  {
    title: "pipes and sockets left for others to hang on",
    programs: [
      ["sh", "mkfifo pipe; mkdir sub; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"sub/s\")'"],
    ],
    after({ workspace }, { removed }) {
      assert.deepEqual(removed?.toSorted(), ["pipe", "sub/s"]);
      assert.deepEqual(readdirSync(workspace).toSorted(), ["host.sock", "sub"]);
    },
  },
];

/** An attempt on a git repository in a folder of the workspace, which must be the same byte for byte afterwards. */
function onRepository(program: string, folder: string): Omit<Attempt, "title"> {
  const kept = new Map<string, string>();
  return {
    before(host) {
      const path = join(host.workspace, folder);
      mkdirSync(path, { recursive: true });
      execFileSync("git", ["init", "-q", path]);
      kept.set("digest", digestOf(path));
    },
    programs: [["sh", `${program}; true`]],
    says: /Read-only|busy|denied|not permitted|unable|could not/i,
    after: (host) => assert.equal(digestOf(join(host.workspace, folder)), kept.get("digest")),
  };
}

function digestOf(folder: string): string {
  const script = "find .git -printf '%p %m %s %l\\n' | sort; find .git -type f | sort | xargs cat | sha256sum";
  return execFileSync("sh", ["-c", script], { cwd: folder, encoding: "utf8" });
}

function withTests({ workspace }: Host): void {
  mkdirSync(join(workspace, "tests"));
  writeFileSync(join(workspace, "tests/test_it.py"), TEST, { mode: 0o644 });
}

function assertTestIsSame({ workspace }: Host): void {
  const path = join(workspace, "tests/test_it.py");
  assert.equal(readFileSync(path, "utf8"), TEST);
  assert.ok(lstatSync(path).isFile());
  assert.equal(lstatSync(path).mode & 0o777, 0o644);
}
