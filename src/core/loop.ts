// The loop: visit a phase, commit what it said, go to the next, until the run stops.
//
// L1  what a phase did is committed before the next one begins
// L3  state changes only by a committed patch
// L5  ceilings are checked before an act
// L6  no worker's claim ends a run: done needs a passing verdict or an accepting answer

import type { ActiveRun } from "./active-run.ts";
import { save } from "./artifacts.ts";
import type { End, Goto, Loop, Transition } from "./define.ts";
import { checkAsked } from "./effects.ts";
import { errorToRecord, failureClass, LoopwrightError, toError } from "./errors.ts";
import type { DurableEvent, Ending, Entry } from "./events.ts";
import { lastScore } from "./fold.ts";
import { openGate } from "./gates.ts";
import { digestOf } from "./json.ts";
import { isEngineOutcome, isFinal, outcomes } from "./outcomes.ts";
import { patchToRecord } from "./patch.ts";
import { phaseContext, type Surroundings } from "./phase-context.ts";
import { haltBefore } from "./signals.ts";
import { ceilingEnding, type HaltReason, Visit } from "./visit.ts";

const UNWIND_LIMIT_MS = 5_000;

/** Drives a run until it ends or waits. A fault is thrown; the run can be resumed once it is mended. */
export async function drive(run: ActiveRun, around: Surroundings, signal: AbortSignal): Promise<"ended" | "waiting"> {
  for (;;) {
    if (run.record.ending) await endRun(run, run.record.ending);
    if (run.record.ended) return "ended";
    const halt = (await haltBefore(run, signal)) ?? (await visitPhase(run, around, signal));
    if (halt?.kind === "waiting") return "waiting";
    if (halt?.kind === "fault") throw halt.error;
    if (halt?.kind === "ending") await endRun(run, halt.ending, halt.taken);
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
    checkTransition(entry.phase, transition);
    checkAwaited(visit);
    checkAsked(visit);
    await run.commit(transition.kind === "goto" ? goOn(visit, transition) : stop(visit, transition));
    return undefined;
  } catch (error) {
    return visit.halted ?? (await failVisit(visit, error));
  } finally {
    visit.close();
  }
}

/** Runs the phase's own code. A halted phase gets a moment to unwind; what it returns then does not count. */
async function runPhase(visit: Visit, ctx: unknown): Promise<Transition | undefined> {
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

/** Refuses what a phase returned if it is neither `ctx.to(…)` nor `ctx.end(…)`. */
function checkTransition(phase: string, value: unknown): asserts value is Transition {
  const { kind, to, outcome, patch } = (typeof value === "object" && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const isGoto = kind === "goto" && typeof to === "string";
  const isEnd =
    kind === "end" && typeof outcome === "string" && Object.hasOwn(outcomes, outcome) && !isEngineOutcome(outcome);
  if ((isGoto || isEnd) && typeof patch === "object" && patch !== null) return;
  throw new LoopwrightError(
    "NO_TRANSITION",
    `phase '${phase}' must return ctx.to(…) or ctx.end(…), and returned something else`,
  );
}

/** The events of a transition to the next phase; where that would begin one iteration too many, of an ending. */
function goOn(visit: Visit, { to, patch }: Goto): DurableEvent[] {
  const { run, entry, noted } = visit;
  checkTarget(visit, to);
  const finished = { type: "phase-finished", ...at(visit), patch: patchToRecord(run.loop.state, patch) } as const;
  const enter = nextEntry(run, to);
  const hit = enter.iteration > entry.iteration ? run.hit({}, enter.iteration) : undefined;
  if (!hit) return [...noted, { ...finished, enter }];
  return [...noted, { ...finished, ending: { ...ceilingEnding(run, hit), next: to } }];
}

/** The events of an ending that a phase asked for. */
function stop(visit: Visit, end: End): DurableEvent[] {
  const { run, entry, noted } = visit;
  if (end.outcome === "done" && !visit.mayBeDone) {
    const message = `phase '${entry.phase}' said done, but the last verdict is not a pass and no one has accepted the result`;
    throw new LoopwrightError("DONE_UNPROVEN", message);
  }
  const judged = noted.findLast((event) => event.type === "verdict-recorded")?.verdict;
  const reason = end.reason ?? judged?.reason ?? run.record.verdict?.reason ?? outcomes[end.outcome].meaning;
  for (const target of [end.next, ...Object.values(end.gate?.choices ?? {})]) if (target) checkTarget(visit, target);
  const next = isFinal(end.outcome) || end.gate ? undefined : (end.next ?? entry.phase);
  const ending: Ending = { outcome: end.outcome, reason, ...(next && { next }) };
  const patch = patchToRecord(run.loop.state, end.patch);
  return [...noted, { type: "phase-finished", ...at(visit), patch, ending }, ...endGate(visit, end)];
}

function checkAwaited({ isBusy, entry }: Visit): void {
  if (isBusy)
    throw new LoopwrightError(
      "EFFECT_NOT_AWAITED",
      `phase '${entry.phase}' ended while an effect of it was under way; await every effect`,
    );
}

function checkTarget({ run, entry }: Visit, to: string): void {
  if (run.loop.phases[entry.phase]!.to.includes(to)) return;
  throw new LoopwrightError("PHASE_UNLISTED", `phase '${entry.phase}' went to '${to}', which its 'to' does not list`);
}

function endGate({ run, entry }: Visit, { gate }: End): DurableEvent[] {
  if (!gate) return [];
  const { choices: leadsTo, ...spec } = gate;
  const time = Math.max(run.ports.clock.now(), run.record.at);
  const opened = openGate(
    { ...spec, choices: Object.keys(leadsTo) },
    `${gate.name}@${entry.visit}#end`,
    digestOf(run.record.link),
    time,
  );
  return [{ type: "gate-opened", key: gate.name, gate: { ...opened, leadsTo: { ...leadsTo } } }];
}

/** A visit that ends by throwing names the effect, so that the next resume retries only that one (L2). */
async function failVisit(visit: Visit, error: unknown): Promise<HaltReason> {
  const { run, entry } = visit;
  const effect = effectBehind(visit, error);
  await run.commit([
    {
      type: "visit-failed",
      visit: entry.visit,
      phase: entry.phase,
      error: errorToRecord(error),
      ...(effect && { effect }),
    },
  ]);
  if (failureClass(error)) return { kind: "ending", ending: { outcome: "failed", reason: (error as Error).message } };
  return { kind: "fault", error: toError(error) };
}

/** The effect that an error came from, however the phase has wrapped it. */
function effectBehind(visit: Visit, error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth > 20) return undefined;
  return visit.thrownBy.get(error) ?? effectBehind(visit, (error as Error).cause, depth + 1);
}

/** Lets the loop have its last word, then ends the run. After a crash in between, both happen again. */
async function endRun(run: ActiveRun, ending: Ending, taken: readonly string[] = []): Promise<void> {
  const saved: DurableEvent[] = [];
  await (run.loop as Loop<unknown, unknown>).finish?.(run.state as never, ending, {
    input: run.input as never,
    iterations: run.record.iterations,
    scores: run.record.scores,
    save: async (name, bytes) => {
      const artifact = await save(run, name, bytes, 0);
      saved.push({ type: "artifact-saved", artifact });
      return artifact;
    },
    load: (artifact) => run.ports.store.get(artifact.digest),
  });
  const isReached = ending.outcome === "ceiling" && ending.hit;
  const reached: DurableEvent[] = isReached ? [{ type: "ceiling-reached", ...isReached }] : [];
  const { iterations } = run.record;
  await run.commit(
    [...saved, ...reached, { type: "run-ended", ...ending, iterations, score: lastScore(run.record) }],
    taken,
  );
}

/** The entry into a phase: a new visit, and a new iteration where the loop says so. */
export function nextEntry(run: ActiveRun, phase: string): Entry {
  const iteration = run.record.iterations + (phase === run.loop.iteration ? 1 : 0);
  return { phase, visit: run.record.visits + 1, iteration };
}

function at({ entry, mayBeDone }: Visit): { visit: number; phase: string; mayBeDone: boolean } {
  return { visit: entry.visit, phase: entry.phase, mayBeDone: mayBeDone === true };
}
