// `npm run soak -- fab-repairs`: every way to spoil an asset, on all three templates, repaired by search within three repairs.

import { buildTemplates } from "../../bench/critics/templates.ts";
import { Bench, gateOf } from "../fab/repair-chain.ts";
import { mutate, mutations } from "../fakes/mutations.ts";

const MOST = 3;
const built = await buildTemplates([1]);
await using bench = await Bench.open();
let [total, repaired, begun] = [0, 0, 0];
for (const mutation of mutations.filter(({ verdict }) => verdict === "fail"))
  for (const { name, kind, model } of built.filter((each) => mutation.kinds?.includes(each.kind) ?? true)) {
    const links = await bench.repair(await mutate(mutation, model, kind), await gateOf(kind));
    const isRepaired = links.at(-1)!.next === "done" && links.length - 1 <= MOST;
    total += 1;
    if (isRepaired) repaired += 1;
    if (links.some(({ plan }) => plan.startsWith("Begin"))) begun += 1;
    console.log(`${isRepaired ? "ok" : "NOT"}  ${mutation.name}, ${name}: ${links.map(({ plan }) => plan).join(" ")}`);
  }
console.log(JSON.stringify({ total, repaired, begun_again: begun }));
process.exitCode = repaired === total ? 0 : 1;
