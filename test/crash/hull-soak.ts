// `npm run soak -- hull [--targets 20] [--first 1]`: targets of a wider family than the builder's, by search on the real Blender,
// each killed once with SIGKILL and resumed.

import { parseArgs } from "node:util";
import { fitTarget } from "./hull-fit.ts";

const { values } = parseArgs({
  options: { targets: { type: "string", default: "20" }, first: { type: "string", default: "1" } },
});
const [total, first] = [Number(values.targets), Number(values.first)];
const fits: Awaited<ReturnType<typeof fitTarget>>[] = [];
const begun = performance.now();
for (let seed = first; seed < first + total; seed++) {
  fits.push(await fitTarget(seed));
  console.log(`seed ${seed}: ${JSON.stringify(fits.at(-1))}`);
}
const count = (holds: (each: (typeof fits)[number]) => boolean) => fits.filter(holds).length;
const ious = fits.map(({ iou }) => iou).sort((a, b) => a - b);
const result = {
  total,
  completed: count(({ isCompleted }) => isCompleted),
  killed: count(({ isKilled }) => isKilled),
  resumed: count(({ isKilled, isCompleted }) => isKilled && isCompleted),
  whole: count((each) => each.isWhole),
  improved: count(({ start, score }) => score > start),
  median_iou: ious[Math.floor(ious.length / 2)],
  seconds_per_iteration: (performance.now() - begun) / 1000 / fits.reduce((sum, { iterations }) => sum + iterations, 0),
};
console.log(JSON.stringify(result));
const { completed, killed, resumed, whole, improved } = result;
const isGood = completed === total && resumed === killed && whole === total && improved >= total * 0.95;
process.exitCode = isGood && result.median_iou! >= 0.96 ? 0 : 1;
