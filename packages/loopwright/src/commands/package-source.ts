// Where the packages come from. They are on no registry yet: a project refers to the tarballs that `npm run pack` makes. No
// other file knows.

import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const own = join(import.meta.dirname, "../..");

/** What a package.json says of each package of ours: the tarball that it was installed from, or that a clone packs. */
export function packageSpecs(): Record<string, string> {
  const modules = dirname(own);
  const installed = join(modules, ".package-lock.json");
  return existsSync(installed) ? installedSpecs(installed, dirname(modules)) : packedSpecs(dirname(modules));
}

/** From what npm has written down of its install. */
function installedSpecs(lockFile: string, root: string): Record<string, string> {
  const { packages } = readJson(lockFile) as { packages: Record<string, { version: string; resolved?: string }> };
  const specs = Object.entries(packages).flatMap(([path, { version, resolved = "" }]) => {
    const name = path.replace(/^node_modules\//, "");
    if (name !== "loopwright" && !name.startsWith("@loopwright/")) return [];
    return [[name, resolved.startsWith("file:") ? `file:${resolve(root, resolved.slice(5))}` : version]];
  });
  return Object.fromEntries(specs);
}

/** A clone's own tarballs. */
function packedSpecs(clone: string): Record<string, string> {
  const specs = globSync("packages/*/package.json", { cwd: clone })
    .sort()
    .map((path) => {
      const { name, version } = readJson(join(clone, path)) as { name: string; version: string };
      const file = `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
      return [name, `file:${join(clone, "packed", file)}`];
    });
  return Object.fromEntries(specs);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
