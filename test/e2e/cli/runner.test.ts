// What runs a repository's tests, as a person says it: in loopwright.yaml, by -c, and on resume.

import { describe, expect, it } from "vitest";
import { Folder } from "../../fakes/cli.ts";

const mixed = {
  "task.md": "# Words\n\n## Task\n\nSay them.\n",
  "workspace/a.py": "def f():\n    return 1\n",
  "workspace/test_a.py": "from a import f\n\ndef test_f():\n    assert f() == 1\n",
  "workspace/a.test.js": 'import test from "node:test";\ntest("a", () => {});\n',
};

async function folderWith(files: Readonly<Record<string, string>>): Promise<Folder> {
  const folder = new Folder();
  for (const [path, text] of Object.entries(files)) await folder.write(path, text);
  return folder;
}

// Nobody answers there: what is asked for comes after the repository's own tests.
const code = ["code", "--model", "lmstudio:none", "-c", "retry.waits=[]"];

describe("what runs a repository's tests", () => {
  it("is asked for where they are in two languages, and a resume goes on by the answer, as the next one does", async () => {
    using at = await folderWith(mixed);
    const refused = await at.cli(code);
    expect(refused.stderr).toContain("choose with -c code.test=pytest or -c code.test=node");
    for (const said of [["-c", "code.test=nonesuch"], []])
      expect((await at.cli(["resume", ...said])).stdout).toMatch(
        /'nonesuch' could not be run: .*nonesuch: .*not found/,
      );
    const resumed = await at.cli(["resume", "-c", "code.test=pytest", "-c", "retry.waits=[]"]);
    expect(resumed.stdout).toContain("the repository's own tests: 1 pass, 0 fail");
  });

  it("may be a command in loopwright.yaml, which needs no trust: it is run in the sandbox", async () => {
    using at = await folderWith({
      ...mixed,
      "loopwright.yaml": "code:\n  test: python3 -c 'import a; assert a.f() == 2'\n",
    });
    const { stdout } = await at.cli(code, { isTrusted: false });
    expect(stdout).toContain("the repository's own tests: 0 pass, 1 fail");
  });

  it.each([
    [
      { testReport: "out.xml" },
      "testReport in loopwright.yaml is the file that a command of yours writes its tests to",
    ],
    [{ test: "pytest", testReport: "out.xml" }, "name it: test: COMMAND"],
    [{ test: " " }, "test in loopwright.yaml is empty"],
    [
      { test: "make", testReport: "../out.xml" },
      "testReport in loopwright.yaml: ../out.xml lies outside the workspace",
    ],
  ])("is refused as %j, before anything is begun", async (block, words) => {
    using at = await folderWith({ ...mixed, "loopwright.yaml": JSON.stringify({ code: block }) });
    const { code: exit, stderr } = await at.cli(code);
    expect(stderr).toContain(words);
    expect(exit).toBe(2);
  });
});
