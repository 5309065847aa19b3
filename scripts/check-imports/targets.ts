// What one import may reach: its own package, another package's exports, and what its package.json names.

import { isBuiltin } from "node:module";
import { dirname, join, normalize } from "node:path/posix";
import type { Package } from "../packages.ts";
import type { Import } from "./imports.ts";
import { dependenciesOf, type Finding, packageNameOf, type SourceFile, type Tree } from "./tree.ts";

/** One loop each: a loop knows no other. */
const loops = ["code", "hull", "novel", "fab"].map((name) => `@loopwright/${name}`);
const core = "@loopwright/core";
const coreMayImport = ["zod"];
const program = "loopwright";
const mayImportProgram = /^(test|bench|examples)\//;
const mayReachInside = /^(test|bench|scripts)\//;

/** What is wrong with a file's imports, one finding for each at most. */
export function targetFindings(file: SourceFile, tree: Tree): Finding[] {
  return file.imports.flatMap((each) => {
    const message = isPath(each.target) ? pathMessage(file, each.target) : nameMessage(file, each, tree);
    return message ? [{ place: `${file.path}:${each.line}`, message }] : [];
  });
}

/** Whether an import names a file, and not a package. */
export function isPath(target: string): boolean {
  return /^(\.{0,2}\/|\.{1,2}$|file:)/.test(target);
}

function pathMessage({ path, role, owner }: SourceFile, target: string): string | undefined {
  if (!target.startsWith(".")) return `'${target}' is a place on one machine; import it by name`;
  const reached = normalize(join(dirname(path), target));
  const [, folder, room] = /^packages\/([^/]+)\/([^/]+)/.exec(reached) ?? [];
  const isOwn = role !== "root" && reached.startsWith(`${owner.folder}/`);
  if (room === "dist" && !(isOwn && path.startsWith(`${owner.folder}/bin/`))) {
    return `'${target}' is built, and may be old; import the package by its name, or its source`;
  }
  if (isOwn || (folder && mayReachInside.test(path))) return undefined;
  if (folder) return `'${target}' reaches into packages/${folder}; import the package by its name`;
  if (role === "root" || (role === "test" && reached.startsWith("test/"))) return undefined;
  return `'${target}' leaves ${owner.folder}; only a test may, and only to test/`;
}

function nameMessage(file: SourceFile, { target, kind }: Import, tree: Tree): string | undefined {
  if (isBuiltin(target) || file.role === "program") return undefined;
  const name = packageNameOf(target);
  if (kind === "type" && isVendored(file.owner, name)) return undefined;
  const imported = tree.byName.get(name);
  return (
    directionMessage(file, name) ??
    (imported && exportMessage(target, imported)) ??
    (file.role === "root" && imported ? undefined : namedMessage(file, name, tree.root))
  );
}

/** Whether a package ships a copy of what it needs of a library, and so needs only its types to be built. */
function isVendored({ manifest }: Package, name: string): boolean {
  return Object.hasOwn(manifest.devDependencies ?? {}, name) && ((manifest.files ?? []) as string[]).includes("vendor");
}

/** What packages may not know of each other, whatever their package.json says. */
function directionMessage({ path, role, owner }: SourceFile, name: string): string | undefined {
  const from = owner.manifest.name;
  if (from === name) return undefined;
  if (name === program && !mayImportProgram.test(path)) {
    return `only test/, bench/ and examples/ may import ${program}; take what is needed as an argument`;
  }
  if (from === core && role === "source" && !coreMayImport.includes(name)) {
    return `the core imports nothing but node: and ${coreMayImport.join(", ")}, not '${name}'; make it a port`;
  }
  if (loops.includes(from) && loops.includes(name)) {
    return `the loop ${from} may not import the loop ${name}; move what both need into a package below them`;
  }
  return undefined;
}

function exportMessage(target: string, { folder, manifest }: Package): string | undefined {
  const subpath = `.${target.slice(manifest.name.length)}`;
  const isNamed = Object.entries(manifest.exports ?? {}).some(([key, value]) => {
    const [before, after] = key.split("*") as [string, string?];
    const matches = after === undefined ? key === subpath : subpath.startsWith(before) && subpath.endsWith(after);
    return matches && value !== null;
  });
  return isNamed ? undefined : `'${target}' is not in the exports of ${folder}/package.json; import what is, or add it`;
}

/** Tests may use what the root has for all of them, and may import their own package as others do. */
function namedMessage({ role, owner }: SourceFile, name: string, root: Package): string | undefined {
  const { folder, manifest } = owner;
  const isSource = role === "source";
  if (name === manifest.name) return isSource ? `'${name}' is this package itself; import the file` : undefined;
  const forTests = isSource ? {} : { ...manifest.devDependencies, ...root.manifest.devDependencies };
  if (dependenciesOf(manifest).includes(name) || Object.hasOwn(forTests, name)) return undefined;
  if (role === "root") return `'${name}' is not named in package.json; add it to its devDependencies`;
  return `'${name}' is not named in ${folder}/package.json; add it to its dependencies`;
}
