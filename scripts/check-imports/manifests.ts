// What a package.json says and what the package is: dependencies that are used, references that build them, one version.

import { readFileSync } from "node:fs";
import { join } from "node:path/posix";
import type { Package } from "../packages.ts";
import { dependenciesOf, type Finding, loopsOf, packageNameOf, placeIn, type Tree } from "./tree.ts";

/** What is wrong with the package.json files and the tsconfig.json beside each. */
export function manifestFindings(tree: Tree): Finding[] {
  return [
    ...tree.packages.flatMap((each) => [
      ...unusedDependencies(each, tree),
      ...wrongReferences(each, tree),
      ...wrongVersions(each, tree),
    ]),
    ...unbuiltPackages(tree),
  ];
}

function unusedDependencies(owner: Package, { files }: Tree): Finding[] {
  const sources = files.filter((file) => file.owner === owner && file.role === "source");
  const used = new Set(
    sources.flatMap(({ imports, mentions }) =>
      [...imports.map(({ target }) => target), ...mentions].map(packageNameOf),
    ),
  );
  // Packages of loops are found by their names in package.json, and imported by no source.
  for (const target of Object.values(loopsOf(owner.manifest))) used.add(packageNameOf(target));
  return dependenciesOf(owner.manifest)
    .filter((name) => !used.has(name))
    .map((name) => inManifest(owner, name, `'${name}' is named and no source imports it; take it out`));
}

function wrongReferences(owner: Package, tree: Tree): Finding[] {
  const path = `${owner.folder}/tsconfig.json`;
  const text = readFileSync(path, "utf8");
  const referred = referencesIn(text).map((each) => ({ written: each, folder: join(owner.folder, each) }));
  const needed = dependenciesOf(owner.manifest).flatMap((name) => tree.byName.get(name)?.folder ?? []);
  const at = (name: string, message: string) => ({ place: placeIn(path, text, name), message });
  return [
    ...needed
      .filter((folder) => !referred.some((each) => each.folder === folder))
      .map((folder) => at("references", `package.json depends on ${folder}; add it to references`)),
    ...referred
      .filter(({ folder }) => !needed.includes(folder))
      .map(({ written }) => at(written, `package.json does not depend on '${written}'; take it out of references`)),
  ];
}

/** A package that the whole build leaves out is not in the published ones. */
function unbuiltPackages({ packages }: Tree): Finding[] {
  const path = "tsconfig.build.json";
  const text = readFileSync(path, "utf8");
  const built = referencesIn(text).map((each) => join(each));
  return packages
    .filter(({ folder }) => !built.includes(folder))
    .map(({ folder }) => ({ place: placeIn(path, text, "references"), message: `add ${folder} to references` }));
}

const referencesIn = (text: string) =>
  ((JSON.parse(text) as { references?: { path: string }[] }).references ?? []).map(({ path }) => path);

function wrongVersions(owner: Package, { root, byName }: Tree): Finding[] {
  const { version } = root.manifest;
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = owner.manifest;
  const named = Object.entries({ ...devDependencies, ...peerDependencies, ...optionalDependencies, ...dependencies });
  const internal = named.filter(([name, range]) => byName.has(name) && range !== version);
  const own = [owner.manifest.version].filter((each) => each !== version);
  return [
    ...own.map((each) => inManifest(owner, "version", `the version is ${each}; all are ${version} as in package.json`)),
    ...internal.map(([name, range]) => inManifest(owner, name, `'${name}' is named as ${range}; write ${version}`)),
  ];
}

function inManifest({ folder, text }: Package, name: string, message: string): Finding {
  return { place: placeIn(`${folder}/package.json`, text, name), message };
}
