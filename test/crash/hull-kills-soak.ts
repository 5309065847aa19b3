// `npm run soak -- hull-kills`: hull runs on the real Blender, killed at every place, each victim at a time, one kill in each run.

import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { placeNames, runHull, victims } from "./hull-kills.ts";

const { scene, result: unbroken } = await runHull([]);
const kills = placeNames.flatMap((at) => victims.map((victim) => ({ at, victim })));
let same = 0;
for (const kill of kills) {
  const { left, result } = await runHull([kill], scene);
  const isSame = left.length === 0 && isDeepStrictEqual(result, unbroken);
  if (isSame) same += 1;
  console.log(`${kill.victim} killed in ${kill.at}: ${isSame ? "the same" : `ANOTHER END ${JSON.stringify(result)}`}`);
}
rmSync(scene, { force: true });
console.log(JSON.stringify({ kills: kills.length, same }));
process.exitCode = same === kills.length ? 0 : 1;
