// The loop: visit a phase, commit what it said, go to the next, until the run stops.
//
// L1  what a phase did is committed before the next one begins
// L3  state changes only by a committed patch
// L5  ceilings are checked before an act
// L6  no worker's claim ends a run: done needs a passing verdict or an accepting answer

import { errorToRecord, failureClass, toError } from "./errors.ts";
import type { ActiveRun } from "./run/active-run.ts";
import { checkAsked } from "./run/effects.ts";
import { phaseContext, type Surroundings } from "./run/phase-context.ts";
import { endRun, transitionEvents } from "./run/transitions.ts";
import { type HaltReason, haltBefore, Visit } from "./run/visit.ts";

const UNWIND_LIMIT_MS = 5_000;
/** A loop whose effects are all quick still lets heartbeats, Ctrl-C and timers through this often. */
const BREATH_MS = 20;

/** Drives a run until it ends or waits. A fault is thrown; the run can be resumed once it is fixed. */
export async function drive(run: ActiveRun, around: Surroundings, signal: AbortSignal): Promise<"ended" | "waiting"> {
  for (let breath = performance.now(); ; ) {
    if (performance.now() - breath > BREATH_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      breath = performance.now();
    }
    if (run.record.ending) await endRun(run, around.workcells, run.record.ending);
    if (run.record.ended) return "ended";
    const halt = (await haltBefore(run, signal)) ?? (await visitPhase(run, around, signal));
    if (halt?.kind === "waiting") return "waiting";
    if (halt?.kind === "fault") throw halt.error;
    if (halt?.kind === "ending") await endRun(run, around.workcells, halt.ending, halt.taken);
  }
}

/** One visit: runs the phase and commits where it goes, or says what halted it. */
async function visitPhase(run: ActiveRun, around: Surroundings, signal: AbortSignal): Promise<HaltReason | undefined> {
  const entry = run.record.entry!;
  run.show({ type: "phase-started", ...entry });
  const visit = new Visit(run, entry, signal);
  try {
    const transition = await runPhase(visit, phaseContext(visit, around, run.input));
    if (visit.halted) return visit.halted;
    checkAsked(visit);
    await run.commit(transitionEvents(visit, transition));
    return undefined;
  } catch (error) {
    return visit.halted ?? (await failVisit(visit, error));
  } finally {
    visit.close();
  }
}

/** Runs the phase's own code. A halted phase gets a moment to unwind; what it returns then does not count. */
async function runPhase(visit: Visit, ctx: unknown): Promise<unknown> {
  const { run, entry } = visit;
  const work = (async () => run.loop.phases[entry.phase]!.run(run.state as never, ctx as never))();
  const halted = visit.halting.then(async () => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise((resolve) => {
      timer = setTimeout(resolve, UNWIND_LIMIT_MS);
    });
    await Promise.race([work.catch(() => {}), limit]);
    clearTimeout(timer);
    return undefined;
  });
  return Promise.race([work.then((transition) => (visit.halted ? halted : transition)), halted]);
}

/** A visit that ends by throwing names the effect, so that the next resume retries only that one (L2). */
async function failVisit(visit: Visit, error: unknown): Promise<HaltReason> {
  const { visit: number, phase } = visit.entry;
  const effect = effectBehind(visit, error);
  const failed = { type: "visit-failed", visit: number, phase, error: errorToRecord(error) } as const;
  await visit.run.commit([effect === undefined ? failed : { ...failed, effect }]);
  if (failureClass(error)) return { kind: "ending", ending: { outcome: "failed", reason: (error as Error).message } };
  return { kind: "fault", error: toError(error) };
}

/** The effect that an error came from, however the phase has wrapped it. */
function effectBehind(visit: Visit, error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 20) return undefined;
  return visit.thrownBy.get(error) ?? effectBehind(visit, (error as Error).cause, depth + 1);
}
