// Packs every package as npm publishes it: `npm run pack` into packed/, `npm run pack -- FOLDER` elsewhere.
// It builds from nothing, so that no file is packed whose source is gone.

import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, rmSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? join(root, "packed"));
// npm and what it starts run on the Node that the project brings.
const env = { ...process.env, PATH: [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter) };
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });

for (const built of globSync("packages/*/{dist,vendor}", { cwd: root })) rmSync(join(root, built), { recursive: true });
run("npm", "run", "--silent", "build");
mkdirSync(folder, { recursive: true });
for (const old of globSync("loopwright-*.tgz", { cwd: folder })) rmSync(join(folder, old));
run("npm", "pack", "--silent", "--workspaces", "--pack-destination", folder);
for (const tarball of globSync("loopwright-*.tgz", { cwd: folder }).sort()) console.log(join(folder, tarball));
