// Charges for what has no end: tries that were stopped or whose process died, and child runs that were under way (L5).
//
// A try is charged with what is left of its estimate, a child run with what it has used, when the run stops and when it is
// taken up again. What an effect was charged with before is on record, so that nothing is charged twice.

import type { Journal } from "../ports.ts";
import type { DurableEvent, Usage } from "../record/events.ts";
import type { EffectRecord, RunRecord } from "../record/fold.ts";
import { loadRecord } from "../record/load.ts";
import { addUsage, isUsed, lessUsage, noUsage } from "../rules/ceilings.ts";

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
export async function lostCharges(journal: Journal, record: RunRecord): Promise<Charge[]> {
  const lost = inFlight(record);
  const children = lost.length > 0 ? await childrenOf(journal, record) : new Map<string, RunRecord>();
  const charges: Charge[] = [];
  for (const { visit, key, effect } of lost) {
    const child = children.get(key);
    const owed = child ? lessUsage(await spentBy(journal, child), effect.charged ?? noUsage) : noUsage;
    const usage = addUsage(owed, effect.estimate ?? noUsage);
    if (isUsed(usage)) charges.push({ type: "effect-charged", visit, key, usage });
  }
  return charges;
}

async function spentBy(journal: Journal, record: RunRecord): Promise<Usage> {
  return (await lostCharges(journal, record)).reduce((sum, { usage }) => addUsage(sum, usage), record.usage);
}

/** The child runs of the visit under way, by key. */
async function childrenOf(journal: Journal, { run, entry }: RunRecord): Promise<Map<string, RunRecord>> {
  const prefix = `${run}.${entry?.visit}-`;
  const direct = (await journal.runs(prefix)).filter((id) => !id.includes(".", prefix.length));
  const records = await Promise.all(direct.map((id) => loadRecord(journal, id)));
  return new Map(records.flatMap((child) => (child.parent?.run === run ? [[child.parent.key, child]] : [])));
}
