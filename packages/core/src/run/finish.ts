// The end of a run: the loop's last word, and the event that ends it.
//
// `finish` runs at every ending, ceilings and interruptions included; after a crash in between, all of it happens again. Its
// effects are journaled like those of a visit, whose number is 0. They cost no ceiling, and no model is asked.

import type { FinishContext } from "../context.ts";
import type { DurableEvent, Ending } from "../record/events.ts";
import { lastScore, slot } from "../record/fold.ts";
import { type Json, plainJson } from "../record/json.ts";
import type { ActiveRun } from "./active-run.ts";
import { lostCharges } from "./charges.ts";
import { runEffect } from "./effects.ts";
import { FINISH, Visit } from "./visit.ts";
import { type RunEffect, type WorkcellPool, workcellHandle } from "./workcells.ts";

/** However an ending came about, the last word may take so long and no longer. */
const LIMIT_MS = 5 * 60_000;

/** Lets the loop have its last word, then ends the run. After a crash in between, both happen again. */
export async function endRun(
  run: ActiveRun,
  workcells: WorkcellPool,
  ending: Ending,
  taken: readonly string[] = [],
): Promise<void> {
  const saved = run.loop.finish ? await finish(run, workcells, ending) : [];
  const hit = ending.outcome === "ceiling" ? ending.hit : undefined;
  const reached: DurableEvent[] = hit ? [{ type: "ceiling-reached", ...hit }] : [];
  const ended = { iterations: run.record.iterations, score: lastScore(run.record) };
  const lost = await lostCharges(run.ports.journal, run.record);
  await run.commit([...saved, ...lost, ...reached, { type: "run-ended", ...ending, ...ended }], taken);
}

/** The loop's last word; gives back what it saved and told. */
async function finish(run: ActiveRun, workcells: WorkcellPool, ending: Ending): Promise<DurableEvent[]> {
  const saved: DurableEvent[] = [];
  const entry = { phase: "finish", visit: FINISH, iteration: run.record.iterations };
  const visit = new Visit(run, entry, AbortSignal.timeout(LIMIT_MS));
  const effect: RunEffect = (key, spec, together) => runEffect(visit, key, spec, () => {}, together);
  const isKnown = (key: string) => slot(key) in visit.effects;
  const ctx: FinishContext<Json> = {
    input: run.input,
    iterations: run.record.iterations,
    scores: run.record.scores,
    workcell: (kind, snapshot) => workcellHandle(workcells, run, kind, snapshot, effect, isKnown),
    save: async (name, bytes) => {
      const artifact = await run.save(name, bytes, "attempt");
      saved.push({ type: "artifact-saved", artifact });
      return artifact;
    },
    load: (artifact) => run.ports.store.get(artifact.digest),
    tell: (name, data) => {
      saved.push({ type: "loop-noted", name, data: plainJson(data, `the note '${name}'`), atEnd: true });
    },
  };
  try {
    await run.loop.finish!(run.state as never, ending, ctx as never);
  } catch (error) {
    throw visit.halted?.kind === "fault" ? visit.halted.error : error;
  } finally {
    visit.close();
  }
  return saved;
}
