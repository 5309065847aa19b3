// Fetches models that nobody here made, from Debian, and converts them to GLB at their true sizes. Nothing of it is committed.
// Run it with: node -C loopwright-source scripts/real-assets.ts [folder]   (needs apt-get and dpkg-deb)
//
// They are split into two halves by the hash of their names: critics are tuned on one, and judged on the held one once their
// thresholds are frozen. index.json has name, kind, half and file of each.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { glbToModel, type Model, meshToGlb } from "@loopwright/mesh";
import { unzipSync } from "fflate";
import { fitToSize, type Kind, readCatalog } from "./real-assets/catalog.ts";
import { readGltf1 } from "./real-assets/gltf1.ts";
import { readObj } from "./real-assets/obj.ts";

const packages = ["sweethome3d-furniture", "assimp-testmodels"];
const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../.cache/real-assets"));
const source = join(folder, "source");

fetchPackages();
const catalogs = unpackCatalogs();
const found: { name: string; kind: Kind; half: string; file: string; triangles: number }[] = [];
for (const piece of catalogs.flatMap(readCatalog))
  await convert(piece.name, piece.kind, () => fitToSize(readObj(piece.path), piece));
for (const { name, read } of testModels()) await convert(name, "other", read);
writeFileSync(join(folder, "index.json"), `${JSON.stringify(found, null, 1)}\n`);
const count = (kind: Kind) => found.filter((each) => each.kind === kind).length;
console.log(
  `${found.length} models in ${folder}: ${count("car")} cars, ${count("chair")} chairs, ${count("other")} others`,
);

function fetchPackages(): void {
  if (existsSync(join(source, "usr"))) return;
  mkdirSync(source, { recursive: true });
  execFileSync("apt-get", ["download", ...packages], { cwd: source, stdio: ["ignore", "ignore", "inherit"] });
  for (const file of globSync("*.deb", { cwd: source })) execFileSync("dpkg-deb", ["-x", file, "."], { cwd: source });
}

/** The catalogs' property files. */
function unpackCatalogs(): string[] {
  return globSync(join(source, "usr/share/sweethome3d/furniture/*.sh3f"))
    .sort()
    .map((archive) => {
      const target = join(source, "catalogs", basename(archive, ".sh3f"));
      const catalog = join(target, "PluginFurnitureCatalog.properties");
      if (existsSync(catalog)) return catalog;
      for (const [path, bytes] of Object.entries(unzipSync(readFileSync(archive)))) {
        if (path.endsWith("/")) continue;
        mkdirSync(dirname(join(target, path)), { recursive: true });
        writeFileSync(join(target, path), bytes);
      }
      return catalog;
    });
}

/** The models of assimp's tests that are a scene by themselves: a truck, and binary glTF files. */
function testModels() {
  const models = join(source, "usr/share/assimp/models");
  const truck = join(models, "glTF/CesiumMilkTruck/CesiumMilkTruck.gltf");
  const binary = globSync(join(models, "glTF2/**/*.glb")).sort();
  return [
    { name: "assimp-CesiumMilkTruck", read: () => readGltf1(truck) },
    ...binary.map((path) => ({ name: `assimp-${basename(path, ".glb")}`, read: () => glbToModel(readFileSync(path)) })),
  ];
}

async function convert(name: string, kind: Kind, read: () => Model | Promise<Model>): Promise<void> {
  const half = createHash("sha256").update(name).digest()[0]! % 2 === 0 ? "tuning" : "held";
  const file = join(half, kind, `${name}.glb`);
  try {
    const model = await read();
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), await meshToGlb(model, { name }));
    found.push({ name, kind, half, file, triangles: model.triangles.length / 3 });
  } catch (error) {
    console.error(`${name}: left out: ${error instanceof Error ? error.message : error}`);
  }
}
