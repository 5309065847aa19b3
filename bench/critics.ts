// The measured critics: templates and their variants, spoiled assets, and, where scripts/real-assets.ts has fetched them, models
// that nobody here made. With --quick only the tuning half of those, and fewer variants.
//
//   recall                of the spoiled assets, those that get every code they should, and the verdict
//   false_positive_rate   of the good assets and the spoiled ones, those that fail, or have a hard code, without a reason
//   confusions            real assets that are taken for what they are not

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { category, type Evidence, type GateConfig, loadGate } from "@loopwright/fab";
import { glbToModel, type Model } from "@loopwright/mesh";
import { median, round } from "./cli.ts";
import { judgeFile, judgeModel } from "./critics/judge.ts";
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
  for (const { name, seed, kind, bytes } of [...bases, ...variants]) {
    const { verdict, hard, soft, ms } = await judgeFile(bytes, gates[kind]);
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
  const all = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Real[];
  const counts = { cars: 0, cars_found: 0, cars_passed: 0, chairs: 0, chairs_found: 0, chairs_passed: 0, others: 0 };
  const counted = { hard_geo_on_cars: 0, not_cars_as_cars: 0, others_as_cars: 0, others_as_chairs: 0 };
  for (const { name, kind, file } of all.filter(({ half }) => halves.includes(half))) {
    const bytes = readFileSync(join(folder, file));
    const model = await glbToModel(bytes);
    if (kind === "other") counts.others += 1;
    for (const at of ["car", "chair"] as const) {
      const isFound = categoryOf(model, gates[at]).score >= 0.5;
      if (kind !== at) {
        if (!isFound) continue;
        const { verdict, hard, scores } = await judgeFile(bytes, gates[at]);
        console.error(`${name} is taken for a ${at}, ${scores.category}: ${verdict} ${hard}`);
        if (at === "car" && (kind === "chair" || noCars.test(name))) counted.not_cars_as_cars += 1;
        counted[`others_as_${at}s`] += 1;
        continue;
      }
      const { verdict, hard, soft, reason } = await judgeFile(bytes, gates[at]);
      const grave = hard.filter((code) => code.startsWith("GEO_"));
      counts[`${at}s`] += 1;
      if (isFound) counts[`${at}s_found`] += 1;
      if (verdict === "pass") counts[`${at}s_passed`] += 1;
      if (at === "car" && grave.length > 0) counted.hard_geo_on_cars += 1;
      if (verdict !== "pass") console.error(`${at} ${name}: ${[...hard, ...soft]}; ${reason}`);
    }
  }
  return { ...counts, ...counted, confusions: counted.others_as_cars + counted.others_as_chairs };
}

/** Quicker than a whole judgement, and enough for what is nothing like it. */
function categoryOf(model: Model, gate: GateConfig) {
  return category.look({ model, gate } as Evidence) as { score: number };
}
