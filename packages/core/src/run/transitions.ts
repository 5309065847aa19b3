// Transitions: what a phase's word on where to go, or that the run stops, comes to.
//
// L6: no worker's claim ends a run. `done` needs a passing verdict or an accepting answer.

import type { FinishContext } from "../context.ts";
import type { End, Goto, Transition } from "../define.ts";
import { LoopwrightError, UsageError } from "../errors.ts";
import { openGate } from "../gates.ts";
import { engineOutcomes, isFinal, outcomes } from "../outcomes.ts";
import type { DurableEvent, Ending, Entry, PatchRecord } from "../record/events.ts";
import { lastScore, slot } from "../record/fold.ts";
import { digestOf, type Json, plainJson } from "../record/json.ts";
import { checkValue, patchToRecord } from "../record/patch.ts";
import type { ActiveRun } from "./active-run.ts";
import { lostCharges } from "./charges.ts";
import { runEffect } from "./effects.ts";
import { ceilingEnding, FINISH, Visit } from "./visit.ts";
import { type RunEffect, type WorkcellPool, workcellHandle } from "./workcells.ts";

/** The events that a visit ends with, as its phase has returned it. */
export function transitionEvents(visit: Visit, returned: unknown): DurableEvent[] {
  checkTransition(visit.entry.phase, returned);
  checkAwaited(visit);
  const noted = worstLast(visit.noted);
  return returned.kind === "goto" ? advance(visit, noted, returned) : stop(visit, noted, returned);
}

/** The same events with the worst verdict after the others: it is the one that holds, for everyone who reads them. */
export function worstLast(noted: readonly DurableEvent[]): DurableEvent[] {
  const verdicts = noted.filter((event) => event.type === "verdict-recorded");
  if (verdicts.length < 2) return [...noted];
  const badness = { escalate: 2, fail: 1, pass: 0 };
  const [worst] = verdicts.toSorted(
    (a, b) => badness[b.verdict.verdict] - badness[a.verdict.verdict] || a.verdict.score - b.verdict.score,
  );
  return [...noted.filter((event) => event !== worst), worst!];
}

/** Refuses what a phase returned if it is neither `ctx.to(…)` nor `ctx.end(…)`. */
function checkTransition(phase: string, value: unknown): asserts value is Transition {
  const { kind, to, outcome, patch } = Object(value) as Partial<Record<string, unknown>>;
  const isGoto = kind === "goto" && typeof to === "string";
  const isEnd =
    kind === "end" &&
    typeof outcome === "string" &&
    Object.hasOwn(outcomes, outcome) &&
    !engineOutcomes.includes(outcome);
  if ((isGoto || isEnd) && typeof patch === "object" && patch !== null) return;
  const message = `phase '${phase}' must return ctx.to(…) or ctx.end(…), and returned something else`;
  throw new LoopwrightError("NO_TRANSITION", message);
}

/** The events of a transition to the next phase; where that would begin one iteration too many, of an ending. */
function advance(visit: Visit, noted: readonly DurableEvent[], { to, patch }: Goto): DurableEvent[] {
  const { run, entry } = visit;
  checkTarget(visit, to);
  const finished = { type: "phase-finished", ...at(visit), patch: patchOf(visit, patch) } as const;
  const enter = nextEntry(run, to);
  const hit = enter.iteration > entry.iteration ? run.hit({}, enter.iteration) : undefined;
  if (!hit) return [...noted, { ...finished, enter }];
  return [...noted, { ...finished, ending: { ...ceilingEnding(run, hit), next: to } }];
}

/** The events of an ending that a phase asked for. */
function stop(visit: Visit, noted: readonly DurableEvent[], end: End): DurableEvent[] {
  const { run, entry } = visit;
  if (end.outcome === "done" && !visit.mayBeDone) {
    const message = `phase '${entry.phase}' said done, but the last verdict is not a pass and no one has accepted the result`;
    throw new LoopwrightError("DONE_UNPROVEN", message);
  }
  const judged = noted.findLast((event) => event.type === "verdict-recorded")?.verdict;
  const reason = end.reason ?? judged?.reason ?? run.record.verdict?.reason ?? outcomes[end.outcome].meaning;
  for (const target of [end.next, ...Object.values(end.gate?.choices ?? {})]) if (target) checkTarget(visit, target);
  const next = isFinal(end.outcome) || end.gate ? undefined : (end.next ?? entry.phase);
  const by = end.outcome === "superseded" && end.by !== undefined ? successor(run, end.by) : undefined;
  const ending: Ending = { outcome: end.outcome, reason, ...(next && { next }), ...(by && { by }) };
  const patch = patchOf(visit, end.patch);
  return [...noted, { type: "phase-finished", ...at(visit), patch, ending }, ...endGate(visit, end)];
}

/** A phase's patch; where it does not fit the state's schema, that is a bug of the phase and of nobody's words. */
function patchOf({ run, entry }: Visit, patch: Readonly<Record<string, unknown>>): PatchRecord {
  try {
    return patchToRecord(run.loop.state, patch);
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    throw new LoopwrightError(cause.code, `phase '${entry.phase}': ${cause.message}`, { cause });
  }
}

/** The run that takes over: its id is decided with the ending, so that there is only ever one. */
function successor({ record, loop }: ActiveRun, input: unknown): NonNullable<Ending["by"]> {
  const [, root, count] = /^(.*?)(?:\.(\d+))?$/s.exec(record.run)!;
  const given = checkValue(loop.input, input, "the input of the next run");
  return { run: `${root}.${Number(count ?? 1) + 1}`, input: given };
}

function checkAwaited({ isBusy, entry }: Visit): void {
  if (!isBusy) return;
  const message = `phase '${entry.phase}' ended while an effect of it was under way; await every effect`;
  throw new LoopwrightError("EFFECT_NOT_AWAITED", message);
}

function checkTarget({ run, entry }: Visit, to: string): void {
  if (run.loop.phases[entry.phase]!.to.includes(to)) return;
  throw new LoopwrightError("PHASE_UNLISTED", `phase '${entry.phase}' went to '${to}', which its 'to' does not list`);
}

function endGate({ run, entry }: Visit, { gate }: End): DurableEvent[] {
  if (!gate) return [];
  const { choices: leadsTo, ...spec } = gate;
  const time = Math.max(run.ports.clock.now(), run.record.at);
  const id = `${gate.name}@${entry.visit}#end`;
  const opened = openGate({ ...spec, choices: Object.keys(leadsTo) }, id, digestOf(run.record.link), time);
  return [{ type: "gate-opened", key: gate.name, gate: { ...opened, leadsTo: { ...leadsTo } } }];
}

/** The entry into a phase: a new visit, and a new iteration where the loop says so. */
export function nextEntry(run: ActiveRun, phase: string): Entry {
  const iteration = run.record.iterations + (phase === run.loop.iteration ? 1 : 0);
  return { phase, visit: run.record.visits + 1, iteration };
}

function at({ entry, mayBeDone }: Visit): { visit: number; phase: string; mayBeDone: boolean } {
  return { visit: entry.visit, phase: entry.phase, mayBeDone: mayBeDone === true };
}

// The end of a run: the loop's last word, and the event that ends it.
//
// `finish` runs at every ending, ceilings and interruptions included; after a crash in between, all of it happens again. Its
// effects are journaled like those of a visit, whose number is 0. They cost no ceiling, and no model is asked.

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
    active: run.active(),
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
