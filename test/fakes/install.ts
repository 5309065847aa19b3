// The packages as npm installs them: from their tarballs, into an empty folder, with production dependencies only.

import { execFileSync } from "node:child_process";
import { existsSync, globSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Packs every package as it is built now; gives back the tarballs. */
export function packBuilt(folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  npm(root, "pack", "--workspaces", "--pack-destination", folder);
  return tarballsIn(folder);
}

/** The tarballs of our packages in a folder. */
export function tarballsIn(folder: string): string[] {
  return globSync("loopwright-*.tgz", { cwd: folder }).map((file) => join(folder, file));
}

/** Installs packages together, in a new folder or beside what is there; gives back its node_modules. */
export function install(
  folder: string,
  packages: readonly string[],
  which: "production" | "all" = "production",
): string {
  mkdirSync(folder, { recursive: true });
  const manifest = join(folder, "package.json");
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "type": "module" }');
  npm(
    folder,
    "install",
    ...(which === "all" ? [] : ["--omit=dev"]),
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    ...packages,
  );
  return join(folder, "node_modules");
}

/** The paths of the packages in a node_modules, those inside another package too: `node_modules/zod`. */
export function packagesIn(modules: string): string[] {
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
  return Object.keys(packages);
}

/** The bytes of all files in a folder. */
export function bytesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return files.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
}

/** Runs npm on the Node that the project brings, without what `npm run` tells its scripts of the repository; gives back what it prints. */
export function npm(cwd: string, ...args: readonly string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const PATH = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter);
  return execFileSync("npm", [...args, "--silent"], {
    cwd,
    env: { ...Object.fromEntries(inherited), PATH },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
}
