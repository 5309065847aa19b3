// The long crash suite: `npm run soak -- engine [--points 3000]`. Every write of every run is a kill point, then runs are
// killed again and again at random writes and random moments, until the number of kill points is reached.

import { deepStrictEqual } from "node:assert";
import { parseArgs } from "node:util";
import { randomStream } from "loopwright";
import { countWrites, inParallel, type KillPoint, killPoints, runKilled, scenarioNames } from "./harness.ts";

const { values } = parseArgs({
  options: { points: { type: "string", default: "3000" }, seed: { type: "string", default: "1" } },
});
const wanted = Number(values.points);
const random = randomStream("soak", Number(values.seed));
interface Plan {
  name: string;
  kills: (KillPoint | undefined)[];
}

let tried = 0;
let failed = 0;

const unbroken = new Map<string, unknown>();
for (const name of scenarioNames) unbroken.set(name, (await runKilled(name, [])).outcome);

const everyWrite: Plan[] = [];
for (const name of scenarioNames) {
  for (const kills of killPoints(await countWrites(name))) everyWrite.push({ name, kills });
}
await inParallel(
  everyWrite.map((plan) => () => attempt(plan)),
  2,
);
const untilEnough = async () => {
  while (tried < wanted) await attempt(randomPlan());
};
await Promise.all([untilEnough(), untilEnough()]);
console.log(`kill points tried: ${tried}; runs that did not end the same: ${failed}`);
process.exitCode = failed === 0 ? 0 : 1;

async function attempt({ name, kills }: Plan): Promise<void> {
  const before = Math.floor(tried / 100);
  try {
    const { outcome, faults, killed } = await runKilled(name, kills);
    tried += killed;
    deepStrictEqual(faults, []);
    deepStrictEqual(outcome, unbroken.get(name));
  } catch (error) {
    failed += 1;
    console.error(`${name} ${JSON.stringify(kills)}: ${(error as Error).message}`);
  }
  if (Math.floor(tried / 100) > before) console.log(`${tried} kills, ${failed} runs differ`);
}

function randomPlan(): Plan {
  const name = scenarioNames[Math.floor(random() * scenarioNames.length)]!;
  return { name, kills: Array.from({ length: 1 + Math.floor(random() * 6) }, randomKill) };
}

function randomKill(): KillPoint {
  if (random() < 0.5) return { afterMs: 60 + random() * 500 };
  return { side: random() < 0.5 ? "before" : "after", nth: 1 + Math.floor(random() * 25) };
}
