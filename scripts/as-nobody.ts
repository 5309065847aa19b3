// Runs tests as a user who is not root, where root works here: `npm run test:nobody -- test/attack`. The tree is copied to a
// folder of that user's, with what is installed.

import { spawnSync } from "node:child_process";
import { constants, cpSync, lchownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const NOBODY = { uid: 65534, gid: 65534 };
const root = join(import.meta.dirname, "..");

if (process.getuid?.() !== 0) {
  console.error("You are not root, so the tests run as you: npx vitest run test/attack");
  process.exit(2);
}
const base = mkdtempSync(join(tmpdir(), "loopwright-nobody-"));
try {
  const [tree, home] = [join(base, "tree"), join(base, "home")];
  const filter = (path: string) => basename(path) !== ".git";
  cpSync(root, tree, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE, filter });
  mkdirSync(home);
  giveAway(base);
  const words = process.argv.length > 2 ? process.argv.slice(2) : ["test/attack"];
  const env = { PATH: `${join(tree, "node_modules/.bin")}:${process.env.PATH}`, HOME: home };
  const vitest = join(tree, "node_modules/vitest/vitest.mjs");
  const options = { cwd: tree, env, stdio: "inherit", ...NOBODY } as const;
  process.exitCode = spawnSync(process.execPath, [vitest, "run", ...words], options).status ?? 1;
} finally {
  rmSync(base, { recursive: true, force: true });
}

function giveAway(folder: string): void {
  for (const path of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    lchownSync(join(folder, path), NOBODY.uid, NOBODY.gid);
}
