// `npm run soak -- hull-kills`: hull runs on the real Blender, killed at every place: three runs, so that each place has each victim.

import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { killsFrom, runHull, victims } from "./hull-kills.ts";

const { scene, result: unbroken } = await runHull([]);
let [kills, same] = [0, 0];
for (const first of victims.keys()) {
  const planned = killsFrom(first);
  const { left, result } = await runHull(planned, scene);
  const isSame = left.length === 0 && isDeepStrictEqual(result, unbroken);
  kills += planned.length - left.length;
  if (isSame) same += 1;
  const words = planned.map(({ at, victim }) => `${victim} in ${at}`).join(", ");
  console.log(`${words}: ${isSame ? "the same" : `ANOTHER END ${JSON.stringify({ left, result })}`}`);
}
rmSync(scene, { force: true });
console.log(JSON.stringify({ runs: victims.length, same, kills }));
process.exitCode = same === victims.length ? 0 : 1;
