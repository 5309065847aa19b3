// The long form of spending.test.ts: `npm run soak -- spending [--runs 40] [--seed 1]`. Runs with children and streams are
// killed and interrupted, and what they were charged with is compared with what the server sent.

import { parseArgs } from "node:util";
import { inParallel } from "./harness.ts";
import { spend } from "./spending.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "40" }, seed: { type: "string", default: "1" } },
});
const sum = { runs: 0, killed: 0, interrupted: 0, sent: 0, recorded: 0, inFlight: 0 };
let wrong = 0;

const seeds = Array.from({ length: Number(values.runs) }, (_, nth) => Number(values.seed) + nth);
await inParallel(
  seeds.map((seed) => () => attempt(seed)),
  2,
);
console.log(`${JSON.stringify(sum)}; runs charged with too little or too much: ${wrong}`);
process.exitCode = wrong === 0 ? 0 : 1;

async function attempt(seed: number): Promise<void> {
  const { faults, ...spent } = await spend(seed, seed % 7);
  for (const name of ["killed", "interrupted", "sent", "recorded", "inFlight"] as const) sum[name] += spent[name];
  sum.runs += 1;
  if (faults.length > 0) wrong += 1;
  console.log(`seed ${seed}: ${JSON.stringify(spent)}${faults.map((fault) => `\n  ${fault}`).join("")}`);
}
