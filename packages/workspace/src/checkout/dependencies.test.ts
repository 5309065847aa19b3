import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calm, fill, openBench, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { dependenciesIn } from "./dependencies.ts";

describe("folders of installed packages", () => {
  it("are those of a usual name, virtual environments, and those that are named", () => {
    const root = temporaryFolder();
    fill(root, { "node_modules/a/x.js": "", "pkg/node_modules/b/x.js": "", "env/pyvenv.cfg": "", "vendor/c.py": "" });
    expect(dependenciesIn(root)).toEqual(["env", "node_modules", "pkg/node_modules"]);
    expect(dependenciesIn(root, ["vendor", "gone"])).toEqual(["env", "node_modules", "pkg/node_modules", "vendor"]);
  });

  it("are never a link to something else", () => {
    const base = temporaryFolder();
    const root = join(base, "user");
    fill(base, { "user/a.py": "", "keys/id": "secret", "other/node_modules/x.js": "", "envs/one/pyvenv.cfg": "" });
    mkdirSync(join(root, "pkg"));
    symlinkSync("../keys", join(root, "node_modules"));
    symlinkSync("../keys", join(root, "vendor"));
    symlinkSync("../../other/node_modules", join(root, "pkg/node_modules"));
    symlinkSync("../envs/one", join(root, ".venv"));
    expect(dependenciesIn(root, ["vendor"])).toEqual([".venv", "pkg/node_modules"]);
  });

  it("are read-only to jobs but for a cache that tools have made there, which is empty for each", async () => {
    const runner = {
      command: "ls -A node_modules/.cache | wc -l && touch node_modules/.cache/y && ! touch node_modules/y",
    };
    const { cell, user } = await openBench({ "node_modules/.cache/x": "x", "node_modules/a.js": "" }, { runner });
    expect((await cell.runTests({ signal: calm })).tests).toMatchObject([{ state: "passed" }]);
    const done = await cell.runCommands(["touch node_modules/.cache/z", "ls node_modules/.cache/z"]);
    expect(done).toMatchObject([{ done: { code: 0 } }, { done: { code: 2 } }]);
    expect(readdirSync(join(user, "node_modules/.cache"))).toEqual(["x"]);
  });
});
