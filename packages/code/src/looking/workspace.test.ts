// Requests in the real workcell: what no model may see is not there, and tests run in the sandbox.

import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type ProjectCell, projectCells } from "@loopwright/workspace";
import { beforeAll, describe, expect, it } from "vitest";
import { bwrap } from "../../../../test/sandbox/bwrap-works.ts";
import { CodeTask, initialState } from "../task.ts";
import { answerLook } from "./answers.ts";
import { readRequests } from "./requests.ts";

const files = {
  "shop.py": "def rounded(value):\n    return int(value)\n",
  "tests/test_shop.py":
    "import os\nfrom shop import rounded\n\ndef test_down():\n    assert rounded(2.2) == 2\n\ndef test_up():\n    open('made', 'w').close()\n    assert rounded(2.6) == 3, os.getcwd()\n",
  "pyproject.toml": "[tool.pytest.ini_options]\npythonpath = ['.']\n",
  "hidden/test_hidden.py": "# MARK\ndef test_hidden():\n    assert False\n",
  "loopwright.yaml": "# MARK\n",
  "node_modules/dep/index.js": "// MARK\n",
  "picture.bin": "\0\0",
};

describe.skipIf(!bwrap)("in a real workspace (skipped where bwrap does not work)", { timeout: 120_000 }, () => {
  let cell: ProjectCell;
  const state = initialState(CodeTask.parse({ task: "x" }));
  beforeAll(async () => {
    const root = mkdtempSync(join(tmpdir(), "code-looking-"));
    const workspace = join(root, "shop");
    for (const [path, text] of Object.entries({ ...files, "../outside/secret.txt": "MARK\n" })) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
    symlinkSync(join(root, "outside"), join(workspace, "out"));
    symlinkSync(join(root, "outside/secret.txt"), join(workspace, "link.txt"));
    const start = projectCells({
      ...{ workspace, state: join(root, "state"), sandbox: bwrap! },
      ...{ heldOut: [join(workspace, "hidden")], ignore: ["loopwright.yaml"] },
    });
    cell = await start({ snapshot: undefined, signal: AbortSignal.timeout(100_000) });
  });
  const ask = (line: string) => answerLook(cell, readRequests([line]).looks[0]!, state, AbortSignal.timeout(100_000));

  it("what controls the run, held-out tests, installed packages and what links lead to are not there", async () => {
    expect((await ask("GREP MARK")).text).toBe("No line of the workspace holds it.");
    const list = (await ask("LIST .")).text;
    expect(list).toBe("picture.bin\npyproject.toml\nshop.py\ntests/ (1 file)");
    const unseen = [
      ...["hidden/test_hidden.py", "loopwright.yaml", "node_modules/dep/index.js", "out/secret.txt", "link.txt"],
      ...["../outside/secret.txt", "/etc/passwd", ".git/HEAD"],
    ];
    for (const path of unseen) expect((await ask(`READ ${path}`)).text).toContain("There is no file");
    expect((await ask("READ picture.bin")).text).toBe("picture.bin is no text, or too large to be shown.");
    expect((await ask("RUN hidden/test_hidden.py")).text).not.toContain("hidden/test_hidden.py,");
    expect((await ask("RUN hidden/test_hidden.py")).text).toContain("There is no test hidden/test_hidden.py.");
  });

  it("a test is run in the sandbox, by its file or its name, and leaves nothing behind", async () => {
    const { text, words } = await ask("RUN tests/test_shop.py");
    expect(words).toBe("run tests/test_shop.py (1 passed, 1 failed)");
    expect(text).toContain("FAILED tests/test_shop.py::test_up");
    expect(text).toContain("/workspace");
    expect(text).not.toContain(cell.folder);
    expect((await ask("RUN tests/test_shop.py::test_down")).text).toBe("1 passed, 0 failed");
    expect(await cell.listFiles()).not.toContain("made");
  });
});
