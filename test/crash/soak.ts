// The long crash suite: `npm run soak [-- --points 3000]`. Every write of every run is a kill point, then runs are
// killed again and again at random writes and random moments, until the number of kill points is reached.

import { deepStrictEqual } from "node:assert";
import { parseArgs } from "node:util";
import { randomStream } from "../../src/index.ts";
import { countWrites, inParallel, type KillPoint, killPoints, runKilled, scenarioNames } from "./harness.ts";

const { values } = parseArgs({
  options: { points: { type: "string", default: "3000" }, seed: { type: "string", default: "1" } },
});
const wanted = Number(values.points);
const random = randomStream("soak", Number(values.seed));
let tried = 0;
let failed = 0;

const plans: { name: string; kills: KillPoint[] }[] = [];
for (const name of scenarioNames) {
  for (const kills of killPoints(await countWrites(name))) plans.push({ name, kills });
}
for (let points = plans.length; points < wanted; ) {
  const name = scenarioNames[Math.floor(random() * scenarioNames.length)]!;
  const kills = Array.from({ length: 1 + Math.floor(random() * 6) }, randomKill);
  plans.push({ name, kills });
  points += kills.length;
}

const unbroken = new Map<string, unknown>();
for (const name of scenarioNames) unbroken.set(name, (await runKilled(name, [])).outcome);

await inParallel(
  plans.map(({ name, kills }) => async () => {
    try {
      const { outcome, faults, killed } = await runKilled(name, kills);
      tried += killed;
      deepStrictEqual(faults, []);
      deepStrictEqual(outcome, unbroken.get(name));
    } catch (error) {
      failed += 1;
      console.error(`${name} ${JSON.stringify(kills)}: ${(error as Error).message}`);
    }
    if (tried % 100 < kills.length) console.log(`${tried} kills, ${failed} runs differ`);
  }),
  2,
);
console.log(`kill points tried: ${tried}; runs that did not end the same: ${failed}`);
process.exitCode = failed === 0 ? 0 : 1;

function randomKill(): KillPoint {
  if (random() < 0.5) return { afterMs: 60 + random() * 500 };
  return { side: random() < 0.5 ? "before" : "after", nth: 1 + Math.floor(random() * 25) };
}
