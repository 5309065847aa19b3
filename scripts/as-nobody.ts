// Runs tests as a user who is not root, where root works here: `npm run test:nobody -- test/attack`. The tree is copied to a
// folder of that user's, with its packages linked to one another there, and all others where they are installed.

import { spawnSync } from "node:child_process";
import { chownSync, cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const NOBODY = { uid: 65534, gid: 65534 };
const root = join(import.meta.dirname, "..");

if (process.getuid?.() !== 0) {
  console.error(
    "Only root can run tests as another user; you are not root, so run them with: npx vitest run test/attack",
  );
  process.exit(2);
}
const base = mkdtempSync(join(tmpdir(), "loopwright-nobody-"));
try {
  const tree = join(base, "tree");
  copyTree(tree);
  const home = join(base, "home");
  mkdirSync(home);
  giveAway(base);
  const words = process.argv.length > 2 ? process.argv.slice(2) : ["test/attack"];
  const env = { PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`, HOME: home };
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", ...words], {
    cwd: tree,
    env,
    stdio: "inherit",
    ...NOBODY,
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

function copyTree(tree: string): void {
  const isLeftOut = (path: string) => [".git", "node_modules"].includes(basename(path));
  cpSync(root, tree, { recursive: true, filter: (path) => !isLeftOut(path) });
  const installed = join(root, "node_modules");
  for (const name of readdirSync(installed)) {
    if (name === "loopwright" || name === "@loopwright" || name.startsWith(".")) continue;
    link(join(installed, name), join(tree, "node_modules", name));
  }
  for (const name of readdirSync(join(tree, "packages"))) {
    const own = name === "loopwright" ? name : `@loopwright/${name}`;
    link(join(tree, "packages", name), join(tree, "node_modules", own));
  }
}

function link(to: string, at: string): void {
  mkdirSync(join(at, ".."), { recursive: true });
  symlinkSync(to, at);
}

function giveAway(folder: string): void {
  chownSync(folder, NOBODY.uid, NOBODY.gid);
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    lchownSync(join(folder, path), NOBODY.uid, NOBODY.gid);
}
