// The measured critics: templates and their variants, spoiled assets, and, where scripts/real-assets.ts has fetched them, models
// that nobody here made. With --quick only the tuning half of those, and fewer variants.
//
//   recall                of the spoiled assets, those that get every code they should, and the verdict
//   false_positive_rate   of the good assets and the spoiled ones, those that fail, or have a hard code, without a reason
//   confusions            real assets that are taken for what they are not

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type GateConfig, loadGate } from "@loopwright/fab";
import { glbToModel } from "@loopwright/mesh";
import { median, round } from "./cli.ts";
import { judgeModel } from "./critics/judge.ts";
import { judgeMutants, type Mutant } from "./critics/mutants.ts";
import { buildTemplates } from "./critics/templates.ts";
import type { Figures } from "./run.ts";

export const aims = { false_positive_rate: 0.05, hard_geo_on_cars: 0, not_cars_as_cars: 0 };

/** Seeds that nothing was tuned on: the templates were drawn and looked at with 1 to 3. */
const fresh = Array.from({ length: 10 }, (_, at) => 1001 + at);
const folder = join(import.meta.dirname, "../.cache/real-assets");

type Kind = "car" | "chair";

export async function run({ quick }: { quick: boolean }): Promise<Figures> {
  const gates = {
    car: await loadGate("car_realism_v001", import.meta.dirname),
    chair: await loadGate("furniture_realism_v001", import.meta.dirname),
  };
  const bases = await buildTemplates([1]);
  const variants = await buildTemplates(quick ? fresh.slice(0, 2) : fresh);
  const times: number[] = [];
  let failed = 0;
  for (const { name, seed, kind, model } of [...bases, ...variants]) {
    const { verdict, hard, soft, ms } = await judgeModel(model, gates[kind]);
    times.push(ms);
    if (verdict === "pass") continue;
    failed += 1;
    console.error(`${name} ${seed}: ${verdict}, ${[...hard, ...soft]}`);
  }
  const mutants: Mutant[] = [];
  for (const base of bases) mutants.push(...(await judgeMutants(base, gates[base.kind])));
  const car = bases.find(({ kind }) => kind === "car")!;
  const chair = bases.find(({ kind }) => kind === "chair")!;
  mutants.push(await stranger("a chair at the car gate", chair.model, gates.car, "car"));
  mutants.push(await stranger("a car at the chair gate", car.model, gates.chair, "chair"));
  for (const { name, missing, surplus } of mutants)
    if (missing.length + surplus.length > 0) console.error(`${name}: missing ${missing}; surplus ${surplus}`);
  const wrong = mutants.filter(({ surplus }) => surplus.length > 0).length;
  const good = bases.length + variants.length;
  return {
    templates_and_variants: good,
    templates_and_variants_passed: good - failed,
    mutants: mutants.length,
    recall: round(mutants.filter(({ missing }) => missing.length === 0).length / mutants.length),
    false_positive_rate: round((failed + wrong) / (good + mutants.length)),
    ms_per_asset: round(median(times)),
    ...(await judgeReal(quick ? ["tuning"] : ["tuning", "held"], gates)),
  };
}

async function stranger(
  name: string,
  model: Parameters<typeof judgeModel>[0],
  gate: GateConfig,
  kind: Kind,
): Promise<Mutant> {
  const { hard, verdict, ms } = await judgeModel(model, gate);
  const expected = [`CAT_NO_${kind.toUpperCase()}_DETECTED`, "GEO_SCALE_IMPLAUSIBLE"];
  const missing = expected.filter((code) => !hard.includes(code));
  if (verdict === "pass") missing.push("passes");
  return { name, missing, surplus: hard.filter((code) => !expected.includes(code)), ms };
}

interface Real {
  name: string;
  kind: Kind | "other";
  half: string;
  file: string;
  triangles: number;
}

/** What never may pass for a car. */
const noCars = /chair|stroller|forkLift|tricycle|motorbike|yamaha|scooter|bike|bicycle|skateboard/i;

/** Models that nobody here made, at the gates of both kinds. */
async function judgeReal(halves: readonly string[], gates: Record<Kind, GateConfig>): Promise<Figures> {
  if (!existsSync(join(folder, "index.json"))) {
    console.error("no real assets: node -C loopwright-source scripts/real-assets.ts fetches them");
    return { confusions: null };
  }
  const index = (JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Real[]).filter(({ half }) =>
    halves.includes(half),
  );
  const counts = { cars: 0, cars_found: 0, cars_passed: 0, chairs: 0, chairs_found: 0, chairs_passed: 0, others: 0 };
  const counted = { hard_geo_on_cars: 0, not_cars_as_cars: 0, others_as_cars: 0, others_as_chairs: 0 };
  for (const { name, kind, file } of index) {
    const model = await glbToModel(readFileSync(join(folder, file)));
    for (const at of ["car", "chair"] as const) {
      const { verdict, hard, soft, scores, reason } = await judgeModel(model, gates[at]);
      const isFound = !hard.some((code) => code.startsWith("CAT_NO_"));
      if (kind === at) {
        counts[`${at}s`] += 1;
        if (isFound) counts[`${at}s_found`] += 1;
        if (verdict === "pass") counts[`${at}s_passed`] += 1;
        const grave = hard.filter((code) => code.startsWith("GEO_"));
        if (at === "car" && grave.length > 0) counted.hard_geo_on_cars += 1;
        if (!isFound || grave.length > 0) console.error(`${at} ${name}: ${[...hard, ...soft]}; ${reason}`);
      } else if (isFound) {
        console.error(`${name} is taken for a ${at}, ${scores.category}: ${verdict} ${hard}`);
        if (at === "car" && (kind === "chair" || noCars.test(name))) counted.not_cars_as_cars += 1;
        if (at === "car") counted.others_as_cars += 1;
        else counted.others_as_chairs += 1;
      }
    }
    if (kind === "other") counts.others += 1;
  }
  return { ...counts, ...counted, confusions: counted.others_as_cars + counted.others_as_chairs };
}
