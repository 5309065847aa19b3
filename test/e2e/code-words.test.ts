// `loopwright code "TASK"` in a repository, with the real binary and no task.md: the result in the user's files, as a branch with a
// commit for each accepted iteration, or as a patch. The model is a script behind a real server.

import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder } from "../fakes/cli.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";

const MINUTE = 60_000;
const files = {
  "price.py": "def rounded(value):\n    return int(value)\n",
  "tests/test_price.py": "from price import rounded\n\ndef test_whole():\n    assert rounded(3) == 3\n",
};
const tests = {
  filename: "tests/test_round.py",
  content:
    "from price import rounded\n\ndef test_up():\n    assert rounded(2.6) == 3\n\ndef test_half():\n    assert rounded(2.5) == 3\n",
};
const plan = [{ file: "price.py", action: "round to the nearest", functions: [] }];

function edit(search: string, replace: string, approach: string): string {
  return `APPROACH: ${approach}\n===EDIT: price.py===\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n===END EDIT===\n`;
}

/** A server whose implementer gets half of it right first, and then all of it. */
async function serve(): Promise<FaultServer> {
  const server = await startFaultServer();
  const answers = [
    edit("    return int(value)", "    return round(value)", "use round"),
    edit("    return round(value)", "    return int(value + 0.5)", "halves go up"),
  ];
  server.otherwise = ({ prompt }) => {
    if (/tests, before any change|plan a change of a program/.test(prompt))
      return { text: JSON.stringify({ target_tests: [], tests, plan }) };
    if (prompt.includes("===EDIT:")) return { text: answers.shift() ?? "nothing" };
    return { text: JSON.stringify({ diagnosis: "halves go down", plan }) };
  };
  return server;
}

async function repository(): Promise<{ at: Folder; git: (...args: string[]) => string }> {
  const at = new Folder();
  for (const [path, text] of Object.entries(files)) await at.write(path, text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: at.dir, encoding: "utf8" });
  git("init", "-q", "-b", "trunk");
  git("add", "-A");
  git("commit", "-qm", "the first");
  return { at, git };
}

const typed = ({ url }: FaultServer, ...more: string[]) => [
  ...["code", "round to the nearest, halves up", "--url", url, "--model", "desk", "--seed", "1", ...more],
];

describe("a task in words", () => {
  it("becomes a branch with a commit for each accepted iteration, and no file of the user's changes", {
    timeout: 4 * MINUTE,
  }, async () => {
    await using server = await serve();
    const { at, git } = await repository();
    using _ = at;
    const ended = await at.cli(typed(server, "--branch", "fix"));
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    for (const line of [
      /^task +round to the nearest, halves up$/,
      new RegExp(`^workspace +\\S*${at.dir.split("/").at(-1)}$`),
      /^result +the new branch fix; your files stay as they are$/,
      /^ {2}committed to the branch fix: price\.py, tests\/test_round\.py$/,
      /^ {2}changed 2 files: \+\d+ −1$/,
      /^ {2}results: 2 of 2 target tests pass, 1 of 1 of the suite that passed before$/,
      /^cost {4}\d requests, /,
      /git merge fix/,
    ])
      expect(
        ended.lines.find((each) => line.test(each)),
        `${line}\n${ended.stdout}`,
      ).toBeDefined();
    expect(git("log", "--format=%s", "trunk..fix")).toBe("iteration 2: halves go up\niteration 1: use round\n");
    expect(git("show", "-s", "--format=%b", "fix~")).toMatch(/^Plan 1\. 2 of 3 tests pass/);
    expect(git("show", "fix:price.py")).toContain("int(value + 0.5)");
    expect(git("status", "--porcelain")).toBe("");
    expect(at.has("task.md")).toBe(false);
  });

  it("becomes nothing but a patch, which is all that --quiet prints, and apply brings it in later", {
    timeout: 4 * MINUTE,
  }, async () => {
    await using server = await serve();
    const { at, git } = await repository();
    using _ = at;
    const ended = await at.cli(typed(server, "--patch", "--quiet"));
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout).toMatch(/^diff --git a\/price\.py b\/price\.py\n/);
    expect(git("status", "--porcelain")).toBe("");
    await at.write(".git/info/exclude", "fix.patch\n");
    writeFileSync(join(at.dir, "fix.patch"), ended.stdout);
    git("apply", "--check", join(at.dir, "fix.patch"));
    const [run = ""] = at.runs();
    expect((await at.cli(`explain ${run}`)).stdout).toContain(`loopwright apply ${run}`);
    expect((await at.cli(`apply ${run}`)).code).toBe(0);
    expect(at.read("price.py")).toContain("int(value + 0.5)");
    expect((await at.cli(`undo ${run}`)).code).toBe(0);
    expect(git("status", "--porcelain")).toBe("");
    await at.cli(`apply ${run}`);
    await at.write("price.py", `${at.read("price.py")}\n# mine\n`);
    await at.cli(`apply ${run} --over`);
    const left = await at.cli(`undo ${run}`);
    expect(left.code).toBe(5);
    expect(left.stdout.match(/price\.py/g)).toHaveLength(1);
    expect(left.stdout).toContain("price.py (changed by you since, and left as you had it)");
    expect(left.stdout).toContain(`\`loopwright show ${run}\` names its diff`);
    expect(at.read("price.py")).toContain("# mine");
  });

  it("is refused with both --branch and --patch, and beside a task.md with another task", async () => {
    using at = new Folder();
    await at.write("task.md", "Write a shop.\n");
    const both = await at.cli(["code", "fix it", "--model", "lmstudio:m"]);
    expect([both.code, both.stderr]).toEqual([
      2,
      expect.stringMatching(/has a task of its own, and another one is said/),
    ]);
    const places = await at.cli("code --branch x --patch --model lmstudio:m");
    expect([places.code, places.stderr]).toEqual([2, expect.stringContaining("give --branch or --patch, not both")]);
  });
});

it("a workspace that is not there is an error, and nothing is begun", async () => {
  using at = new Folder();
  await at.write("shop.py", "def gross(net):\n    return net\n");
  const before = at.listing();
  const { code, stderr } = await at.cli(["code", "round it", "--workspace", "sohp", "--model", "lmstudio:desk"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^loopwright: --workspace: there is no \S+\/sohp \(make the folder first, if .*\)\n$/);
  expect(at.listing()).toEqual(before);
});
