// `npm run soak -- fab-kills`: a chain on the real Blender for each place that it can be killed at, and one killed at all of them.

import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { killedChain, places } from "./fab-kills.ts";

const run = (kills: Parameters<typeof killedChain>[1]) =>
  killedChain(mkdtempSync(join(tmpdir(), "loopwright-fab-kill-")), kills);
const { end: unbroken } = await run([]);
let [kills, same] = [0, 0];
const plans = [...places.map((place) => [place]), places];
for (const plan of plans) {
  const { killed, end } = await run(plan);
  const isSame = killed > 0 && isDeepStrictEqual(end, unbroken);
  kills += killed;
  if (isSame) same += 1;
  const words = plan.map(({ nth, name }) => `${name} of run ${nth}`).join(", ");
  console.log(`${words}: ${isSame ? "the same" : `ANOTHER END ${JSON.stringify(end)}`}`);
}
console.log(JSON.stringify({ chains: plans.length, same, kills }));
process.exitCode = same === plans.length ? 0 : 1;
