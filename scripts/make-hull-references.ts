// Makes the reference pictures of examples/hull: the silhouettes of a hull that the loft cannot reach exactly.
// Run it with: node scripts/make-hull-references.ts [seed]

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { maskToPicture, pictureToPng, silhouette } from "@loopwright/mesh";
import { drawTarget } from "../test/fixtures/hull/targets.ts";

const SIZE = 512;
const seed = Number(process.argv[2] ?? 103);
const folder = join(import.meta.dirname, "../packages/hull/demo/references");
const { mesh, frame } = drawTarget(seed);
mkdirSync(folder, { recursive: true });
for (const view of ["front", "side", "top"] as const) {
  writeFileSync(join(folder, `${view}.png`), pictureToPng(maskToPicture(silhouette(mesh, view, frame, SIZE))));
}
console.log(`seed ${seed}; the frame of the pictures:`, JSON.stringify(frame));
