// A result as a patch: git takes it, wherever the folder lies in its repository.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { Checkout } from "./checkout.ts";

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd, encoding: "utf8" });
}

async function open(sub: string) {
  const base = temporaryFolder();
  const [user, state] = [join(base, "user"), join(base, "state")];
  mkdirSync(state);
  fill(user, { "pkg/a b.py": "1\n2\n3\n", "pkg/old.py": "x\n" });
  git(user, "init", "-q");
  git(user, "add", "-A");
  git(user, "commit", "-qm", "the first");
  const checkout = new Checkout({ user: join(user, sub), state, ignore: [] });
  await checkout.takeIn();
  return { base, user, checkout };
}

it.each([
  [".", "pkg/"],
  ["pkg", ""],
])("The patch of %s is applied by git from the top of the repository, and touches nothing before", async (sub, at) => {
  const { base, user, checkout } = await open(sub);
  fill(checkout.folder, { [`${at}a b.py`]: "1\nnew\n3\n", [`${at}deep/n.py`]: "n\n" });
  writeFileSync(join(checkout.folder, `${at}picture`), Uint8Array.of(0, 1, 2, 255));
  rmSync(join(checkout.folder, `${at}old.py`));
  const { files, text } = await checkout.patch(await checkout.snapshots.take(null));
  expect(files).toEqual([
    { path: `${at}a b.py`, added: 1, removed: 1 },
    { path: `${at}deep/n.py`, added: 1, removed: 0 },
    { path: `${at}old.py`, added: 0, removed: 1 },
    { path: `${at}picture`, added: null, removed: null },
  ]);
  expect(git(user, "status", "--porcelain")).toBe("");
  writeFileSync(join(base, "result.patch"), text!);
  git(user, "apply", "--index", join(base, "result.patch"));
  expect(git(user, "status", "--porcelain")).toBe('M  "pkg/a b.py"\nA  pkg/deep/n.py\nD  pkg/old.py\nA  pkg/picture\n');
  expect(readFileSync(join(user, "pkg/a b.py"), "utf8")).toBe("1\nnew\n3\n");
});

it("Where nothing was changed there is no patch", async () => {
  const { checkout } = await open(".");
  expect(await checkout.patch(await checkout.snapshots.take(null))).toEqual({ files: [] });
});
