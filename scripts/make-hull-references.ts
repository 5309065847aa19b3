// Makes the reference pictures: of the demo, the silhouettes of a hull that the loft cannot reach exactly; of the recorded run,
// shaded pictures of a trawler.
// Run it with: node scripts/make-hull-references.ts [seed]

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { maskToPicture, type Picture, pictureToPng, shade, silhouette } from "@loopwright/mesh";
import { drawTarget } from "../test/fixtures/hull/targets.ts";
import { trawler, trawlerFrame } from "../test/fixtures/hull/trawler.ts";

const SIZE = 512;
const views = ["front", "side", "top"] as const;
const seed = Number(process.argv[2] ?? 103);

function write(folder: string, draw: (view: (typeof views)[number]) => Picture): void {
  const into = join(import.meta.dirname, "..", folder);
  mkdirSync(into, { recursive: true });
  for (const view of views) writeFileSync(join(into, `${view}.png`), pictureToPng(draw(view)));
}

const { mesh, frame } = drawTarget(seed);
write("packages/hull/demo/references", (view) => maskToPicture(silhouette(mesh, view, frame, SIZE)));
console.log(`seed ${seed}; the frame of the demo's pictures:`, JSON.stringify(frame));
const boat = trawler();
write("test/fixtures/hull/recorded/references", (view) => shade(boat, view, trawlerFrame, SIZE));
console.log("the frame of the trawler's:", JSON.stringify(trawlerFrame));
