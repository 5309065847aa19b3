// Models that nobody here made, at the gates of both kinds, each half for itself.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { category, type Evidence, type GateConfig } from "@loopwright/fab";
import { glbToModel, type Model } from "@loopwright/mesh";
import { judgeFile } from "./judge.ts";
import type { Built } from "./templates.ts";

const folder = join(import.meta.dirname, "../../.cache/real-assets");
const halves = ["tuning", "held"] as const;

type Kind = Built["kind"];

interface Real {
  name: string;
  kind: Kind | "other";
  half: (typeof halves)[number];
  file: string;
}

/** What never may pass for a car. */
const noCars = /chair|stroller|forkLift|tricycle|motorbike|yamaha|scooter|bike|bicycle|skateboard/i;

/** Of cars and chairs: how many there are, are taken for what they are, and pass. Of everything: what is taken for what it is not. */
export interface RealCounts {
  cars: number;
  cars_found: number;
  cars_passed: number;
  chairs: number;
  chairs_found: number;
  chairs_passed: number;
  others: number;
  hard_geo_on_cars: number;
  not_cars_as_cars: number;
  others_as_cars: number;
  others_as_chairs: number;
}

const none: RealCounts = {
  ...{ cars: 0, cars_found: 0, cars_passed: 0, chairs: 0, chairs_found: 0, chairs_passed: 0, others: 0 },
  ...{ hard_geo_on_cars: 0, not_cars_as_cars: 0, others_as_cars: 0, others_as_chairs: 0 },
};

/** The counts of both halves, or of the tuned one alone; undefined where nothing was fetched. */
export async function judgeReal(
  gates: Record<Kind, GateConfig>,
  { quick }: { quick: boolean },
): Promise<Partial<Record<(typeof halves)[number], RealCounts>> | undefined> {
  if (!existsSync(join(folder, "index.json"))) return undefined;
  const all = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as Real[];
  const counts: Partial<Record<(typeof halves)[number], RealCounts>> = {};
  for (const half of quick ? halves.slice(0, 1) : halves) {
    counts[half] = { ...none };
    for (const real of all.filter((each) => each.half === half)) await judgeOne(real, gates, counts[half]);
  }
  return counts;
}

async function judgeOne({ name, kind, half, file }: Real, gates: Record<Kind, GateConfig>, counts: RealCounts) {
  const bytes = readFileSync(join(folder, file));
  const model = await glbToModel(bytes);
  if (kind === "other") counts.others += 1;
  for (const at of ["car", "chair"] as const) {
    const isFound = categoryOf(model, gates[at]) >= 0.5;
    if (kind !== at && !isFound) continue;
    const { verdict, hard, soft, reason } = await judgeFile(bytes, gates[at]);
    if (verdict !== "pass" || kind !== at)
      console.error(`${half} ${kind} ${name} at the gate for a ${at}: ${verdict} ${[...hard, ...soft]}; ${reason}`);
    if (kind !== at) {
      if (at === "car" && (kind === "chair" || noCars.test(name))) counts.not_cars_as_cars += 1;
      counts[`others_as_${at}s`] += 1;
      continue;
    }
    counts[`${at}s`] += 1;
    if (isFound) counts[`${at}s_found`] += 1;
    if (verdict === "pass") counts[`${at}s_passed`] += 1;
    if (at === "car" && hard.some((code) => code.startsWith("GEO_"))) counts.hard_geo_on_cars += 1;
  }
}

/** Quicker than a whole judgment, and enough for what is nothing like it. */
function categoryOf(model: Model, gate: GateConfig): number {
  return (category.look({ model, gate } as Evidence) as { score: number }).score;
}
