// Imports go downward only. This check reads every import of src/ and says which one goes up or sideways.

import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, normalize } from "node:path";

/** From the ground up: a layer may import itself and what stands before it. */
const layers = [
  "core",
  "journal",
  "report",
  "mesh",
  "models",
  "git",
  "tracker",
  "workcells",
  "loops",
  "project",
  "cli",
  "dashboard",
  "index",
];
const schemaLibrary = "zod";

const layerOf = (path: string) => path.split("/")[1]!.replace(/\.ts$/, "");
const faults: string[] = [];

for (const file of globSync("src/**/*.ts").map((path) => path.replaceAll("\\", "/"))) {
  if (/\.test(-d)?\.ts$/.test(file)) continue;
  const layer = layerOf(file);
  if (!layers.includes(layer)) faults.push(`${file}: '${layer}' is no layer; name it in scripts/check-imports.ts`);
  for (const target of importsOf(file)) {
    const fault = faultOf(file, layer, target);
    if (fault) faults.push(`${file}: ${fault}`);
  }
}

for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log("imports go downward only");

function importsOf(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const pattern =
    /(?:^|\n)\s*(?:import|export)\b[^;]*?\bfrom\s*"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s*"([^"]+)"/g;
  return [...source.matchAll(pattern)].map((match) => (match[1] ?? match[2] ?? match[3])!);
}

function faultOf(file: string, layer: string, target: string): string | undefined {
  if (isBuiltin(target)) return undefined;
  if (!target.startsWith(".")) {
    return layer === "core" && target !== schemaLibrary
      ? `the core imports nothing but node: and ${schemaLibrary}, not '${target}'`
      : undefined;
  }
  const path = normalize(join(dirname(file), target));
  const other = layerOf(path);
  if (layers.indexOf(other) > layers.indexOf(layer))
    return `'${layer}' may not import '${other}', which stands above it`;
  const [own, its] = [file, path].map((p) => (p.startsWith("src/loops/") ? p.split("/")[2] : undefined));
  if (own !== undefined && its !== undefined && own !== its)
    return `the loop '${own}' may not import the loop '${its}'`;
  return undefined;
}
