// The measured critics: templates and their variants, spoiled assets, and, where scripts/real-assets.ts has fetched them, models
// that nobody here made. With --quick only the tuning half of those, fewer variants, and no renders in
// `standard`.
//
//   recall                of the spoiled assets, those that get every code they should, and the verdict
//   false_positive_rate   of the good assets and the spoiled ones, those that fail, or have a hard code, without a reason
//   wrong_kind_passed     of 40 pairs of a prompt and an asset that is something else, those that pass; right pairs pass, or wait for a
//                         person where a word of the prompt can be judged by nobody
//   confusions            real assets that are taken for what they are not
//   tuning_*, held_*      real assets by halves: thresholds were set in view of the first, and frozen before the second was judged

import { loadGate } from "@loopwright/fab";
import { median, round } from "./cli.ts";
import { judgeFile } from "./critics/judge.ts";
import { judgeMutants, judgeStranger, type Mutant } from "./critics/mutants.ts";
import { judgePairs } from "./critics/pairs.ts";
import { judgeReal } from "./critics/real.ts";
import { countPassed } from "./critics/rendered.ts";
import { buildTemplates } from "./critics/templates.ts";
import type { Figures } from "./run.ts";

export const aims = { false_positive_rate: 0.05, wrong_kind_passed: 0, hard_geo_on_cars: 0, not_cars_as_cars: 0 };

/** Seeds that nothing was tuned on, nor judged with before the thresholds were frozen: 1 to 3 and 1001 to 1010 were. */
const fresh = Array.from({ length: 10 }, (_, at) => 2001 + at);

export async function run({ quick }: { quick: boolean }): Promise<Figures> {
  const gates = {
    car: await loadGate("car_realism_v001", import.meta.dirname),
    chair: await loadGate("furniture_realism_v001", import.meta.dirname),
  };
  const seeds = quick ? [1001, 1002] : fresh;
  const built = await buildTemplates([1, ...seeds]);
  const bases = built.filter(({ seed }) => seed === 1);
  const times: number[] = [];
  let failed = 0;
  for (const { name, seed, kind, bytes } of built) {
    const { verdict, hard, soft, ms } = await judgeFile(bytes, gates[kind]);
    times.push(ms);
    if (verdict === "pass") continue;
    failed += 1;
    console.error(`${name} ${seed}: ${verdict}, ${[...hard, ...soft]}`);
  }
  const mutants: Mutant[] = [];
  for (const base of bases)
    mutants.push(
      ...(await judgeMutants(base, gates[base.kind])),
      await judgeStranger(base, gates[base.kind === "car" ? "chair" : "car"]),
    );
  for (const { name, missing, surplus } of mutants)
    if (missing.length + surplus.length > 0) console.error(`${name}: missing ${missing}; surplus ${surplus}`);
  const wrong = mutants.filter(({ surplus }) => surplus.length > 0).length;
  return {
    variants: built.length - bases.length,
    templates_and_variants_failed: failed,
    templates_passed_draft: countPassed(bases, gates, "draft"),
    templates_passed_standard: quick ? null : countPassed(bases, gates, "standard"),
    mutants: mutants.length,
    recall: round(mutants.filter(({ missing }) => missing.length === 0).length / mutants.length),
    false_positive_rate: round((failed + wrong) / (built.length + mutants.length)),
    ...(await judgePairs(bases, gates)),
    ms_per_asset: round(median(times)),
    ...tellReal(await judgeReal(gates, { quick })),
  };
}

/** What counts for both halves together, and then each half. */
function tellReal(halves: Awaited<ReturnType<typeof judgeReal>>): Figures {
  if (!halves) {
    console.error("no real assets: node -C loopwright-source scripts/real-assets.ts fetches them");
    return { confusions: null };
  }
  const counts = Object.values(halves);
  const sum = (...keys: (keyof (typeof counts)[number])[]) =>
    counts.reduce((total, each) => keys.reduce((more, key) => more + each[key], total), 0);
  return {
    confusions: sum("others_as_cars", "others_as_chairs"),
    hard_geo_on_cars: sum("hard_geo_on_cars"),
    not_cars_as_cars: sum("not_cars_as_cars"),
    ...Object.fromEntries(
      Object.entries(halves).flatMap(([half, each]) =>
        Object.entries(each).map(([key, value]) => [`${half}_${key}`, value]),
      ),
    ),
  };
}
