// Charges for what has no end: tries that were stopped or whose process died (L5). Each is charged with what is left of its
// estimate, when the run stops and when it is taken up again.

import type { DurableEvent } from "../record/events.ts";
import type { EffectRecord, RunRecord } from "../record/fold.ts";
import { isUsed } from "../rules/ceilings.ts";

type Charge = Extract<DurableEvent, { type: "effect-charged" }>;

interface InFlight {
  visit: number;
  key: string;
  effect: Extract<EffectRecord, { status: "started" }>;
}

/** The effects without an end: under way, or in flight when their process died. */
export function inFlight({ entry, effects, finishing = {} }: RunRecord): InFlight[] {
  const found: InFlight[] = [];
  for (const [visit, some] of [[entry?.visit ?? 0, effects] as const, [0, finishing] as const]) {
    for (const [place, effect] of Object.entries(some))
      if (effect.status === "started") found.push({ visit, key: place.slice(1), effect });
  }
  return found;
}

/** What a run that no one drives is yet to be charged with. */
export function lostCharges(record: RunRecord): Charge[] {
  return inFlight(record).flatMap(({ visit, key, effect: { estimate } }) =>
    estimate && isUsed(estimate) ? [{ type: "effect-charged", visit, key, usage: estimate }] : [],
  );
}
