// Packs every package as npm publishes it: `npm run pack` into packed/, `npm run pack -- FOLDER` elsewhere.
// It builds from nothing, so that no file is packed whose source is gone, and in a copy, for a Loopwright that is linked from this
// clone may be running.

import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, delimiter, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? join(root, "packed"));
// npm and what it starts run on the Node that the project brings.
const env = { ...process.env, PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter) };

mkdirSync(join(root, ".cache"), { recursive: true });
// Inside of the clone, so that the libraries that it has installed are found.
const copy = mkdtempSync(join(root, ".cache/pack-"));
try {
  const sources = ["package.json", "tsconfig*.json", "scripts", "packages", "node_modules/{loopwright,@loopwright}"];
  const isSource = (path: string) => !["dist", "vendor", "node_modules"].includes(basename(path));
  for (const path of globSync(sources, { cwd: root }))
    cpSync(join(root, path), join(copy, path), { recursive: true, verbatimSymlinks: true, filter: isSource });
  npm("run", "build");
  mkdirSync(folder, { recursive: true });
  for (const old of globSync("loopwright-*.tgz", { cwd: folder })) rmSync(join(folder, old));
  npm("pack", "--workspaces", "--pack-destination", folder);
} finally {
  rmSync(copy, { recursive: true });
}
for (const tarball of globSync("loopwright-*.tgz", { cwd: folder }).sort()) console.log(join(folder, tarball));

function npm(...args: string[]): void {
  // `npm run` tells what it starts to work in the clone.
  execFileSync("npm", ["--prefix", copy, "--silent", ...args], {
    cwd: copy,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
