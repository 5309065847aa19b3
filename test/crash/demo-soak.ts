// The long form of demo.test.ts: `npm run soak -- demo [--kills 50]`. Demos of several seeds are killed at random moments,
// some of them more than once, until there were as many kills as wanted.

import { deepStrictEqual } from "node:assert";
import { parseArgs } from "node:util";
import { randomStream } from "@loopwright/core";
import { type DemoResult, runDemo } from "./demos.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "50" }, seed: { type: "string", default: "1" } },
});
const wanted = Number(values.kills);
const random = randomStream("demo soak", Number(values.seed));
const unbroken = new Map<number, { result: DemoResult; events: number }>();
let [killed, demos, different] = [0, 0, 0];

while (killed < wanted) {
  const seed = 1 + Math.floor(random() * 5);
  const whole = unbroken.get(seed) ?? (await runDemo(seed));
  unbroken.set(seed, whole);
  const moments = Array.from({ length: 1 + Math.floor(random() * 6) }, () => 1 + random() * whole.events);
  try {
    const broken = await runDemo(seed, moments);
    killed += broken.killed;
    deepStrictEqual(broken.result, whole.result);
  } catch (error) {
    different += 1;
    console.error(`seed ${seed}, killed after ${moments.map(Math.ceil)} events: ${(error as Error).message}`);
  }
  demos += 1;
  console.log(`${demos} demos, ${killed} kills, ${different} ended differently`);
}
process.exitCode = different === 0 ? 0 : 1;
