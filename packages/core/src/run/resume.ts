// Resuming: what has changed since a run stopped, and where it goes on.
//
// What a person has made meanwhile becomes an iteration of its own, in the phase that the loop names for it. What was under way
// is left: an iteration that had begun keeps its number, and has no score.

import type { Loop } from "../define.ts";
import { UsageError } from "../errors.ts";
import { isFinal } from "../outcomes.ts";
import type { AnswerRecord, Artifact, Ceilings, DurableEvent, Entry, GateRecord } from "../record/events.ts";
import { openGateOf, type RunRecord, waitingGateOf } from "../record/fold.ts";
import { checkPhase, loadRecord, needsMigration } from "../record/load.ts";
import { checkValue, type State } from "../record/patch.ts";
import { type CeilingName, ceilingHit, hitToReason } from "../rules/ceilings.ts";
import type { ActiveRun } from "./active-run.ts";
import { lostCharges } from "./charges.ts";
import { findAnswer } from "./gate-calls.ts";
import { nextEntry } from "./transitions.ts";
import { ceilingEnding, raiseCeilings } from "./visit.ts";

/** How a run goes on: what to record, the signals that are taken up, and the phase it enters anew, if any. */
interface Way {
  events?: DurableEvent[];
  taken?: string[];
  enter?: Entry;
  /** What a person has made, or said, for that phase. */
  given?: Artifact;
  answer?: AnswerRecord;
}

/** Takes a stopped run up again. False if what stopped it has not changed: it is left as it is. */
export async function reopen(run: ActiveRun, ceilings: Partial<Ceilings>, file?: GivenFile): Promise<boolean> {
  const { ports, record, loop } = run;
  if (record.ended && isFinal(record.ended.outcome)) return false;
  const migrated = needsMigration(loop, record) ? [migration(run)] : [];
  const isNew = Object.entries(ceilings).some(([name, limit]) => record.ceilings[name as CeilingName] !== limit);
  const changed: DurableEvent[] = isNew ? [{ type: "ceilings-changed", ceilings }] : [];
  const before = [...migrated, ...changed, ...(await lostCharges(ports.journal, record))];
  if (before.length > 0) await run.commit(before);
  const signals = await ports.journal.signals(record.run);
  await raiseCeilings(run, signals);
  const isCancelled = signals.some(({ body }) => body.kind === "cancel");
  const way: Way | undefined = isCancelled ? {} : file ? await wayByHand(run, file) : await nextWay(run);
  if (!way) return false;
  const pauses = signals.filter(({ body }) => body.kind === "pause").map(({ id }) => id);
  const { enter, given, answer } = way;
  // Where that would be an iteration too many, it is an ending.
  const hit = enter && run.hit({}, enter.iteration);
  const next = hit ? { ending: { ...ceilingEnding(run, hit), next: enter.phase } } : enter && { enter };
  const said = { ...(given && { given }), ...(answer && { answer }) };
  const resumed: DurableEvent = { type: "run-resumed", by: ports.process, ...next, ...said };
  await run.commit([...(way.events ?? []), resumed], [...(way.taken ?? []), ...pauses]);
  return true;
}

/** The way through the phase that takes in what a person has made; throws where the loop cannot mean it. */
async function wayByHand(run: ActiveRun, file: GivenFile): Promise<Way> {
  const { check, file: name } = run.loop.byHand!;
  const enter = enterByHand(run);
  try {
    await check(file.bytes, run.input as never);
  } catch (error) {
    throw error instanceof UsageError ? notTaken(file, error.message) : error;
  }
  const given = await run.save(name, file.bytes, "iteration", enter.iteration);
  return { events: [{ type: "artifact-saved", artifact: given }], enter, given };
}

async function nextWay(run: ActiveRun): Promise<Way | undefined> {
  const { record } = run;
  if (record.ending) return {};
  const open = openGateOf(record);
  if (open?.gate.leadsTo) return wayThrough(run, open.key, open.gate);
  if (!record.ended && open) return (await findAnswer(run, open.gate)) && {};
  if (!record.ended) return (await isChildWaiting(run)) ? undefined : {};
  if (isStillBlocked(record)) return undefined;
  return record.ended.next ? { enter: entryInto(run, record.ended.next) } : {};
}

/** Whether the child run that this one waits for still waits for its own answer. */
async function isChildWaiting(run: ActiveRun): Promise<boolean> {
  const { waitingOn } = run.record;
  if (!waitingOn) return false;
  const child = await loadRecord(run.ports.journal, waitingOn.child);
  if (openGateOf(child)?.gate.id !== waitingOn.gate.id) return false;
  return (await findAnswer(run, waitingOn.gate, waitingOn.child)) === undefined;
}

/** The way through a gate that an ending opened. A choice that leads nowhere is recorded, and the gate asks again. */
async function wayThrough(run: ActiveRun, key: string, gate: GateRecord): Promise<Way | undefined> {
  const found = await findAnswer(run, gate);
  if (!found) return undefined;
  const answered: DurableEvent = { type: "gate-answered", key, id: gate.id, name: gate.name, answer: found.answer };
  const phase = gate.leadsTo![found.answer.choice];
  if (phase) return { events: [answered], taken: found.taken, enter: entryInto(run, phase), answer: found.answer };
  if (found.answer.by === "person") {
    const again: GateRecord = { ...gate, id: `${gate.id}+`, openedAt: Math.max(run.ports.clock.now(), run.record.at) };
    await run.commit([answered, { type: "gate-opened", key, gate: again }], found.taken);
  }
  return undefined;
}

function entryInto(run: ActiveRun, phase: string): Entry {
  checkPhase(run.loop, run.record, phase);
  return nextEntry(run, phase);
}

/** Whether the ceiling that stopped the run would stop it again at once. */
function isStillBlocked({ ended, ceilings }: RunRecord): boolean {
  if (ended?.outcome !== "ceiling" || !ended.hit) return false;
  const nothing = { iterations: 0, minutes: -1, tokens: 0, usd: 0, phaseMinutes: -1 };
  return ceilingHit(ceilings, { ...nothing, [ended.hit.ceiling]: ended.hit.used }) !== undefined;
}

/** The event that carries the state over to the loop's version (L8). */
function migration({ loop, record, state }: ActiveRun): DurableEvent {
  const ahead = [record.entry?.phase, record.ended?.next, ...Object.values(openGateOf(record)?.gate.leadsTo ?? {})];
  for (const phase of ahead) if (phase) checkPhase(loop, record, phase);
  const migrated = checkValue(loop.state, loop.migrate!(state, record.version), "the migrated state") as State;
  const phases = Object.keys(loop.phases);
  return { type: "run-migrated", version: loop.version, phases, iterationPhase: loop.iteration, state: migrated };
}

/** A file as it was given. */
export interface GivenFile {
  name: string;
  bytes: Uint8Array;
}

/** Throws where no file can be taken in: by this loop, or by a run that stands so. */
export function requireOpen({ name, byHand }: Loop, record: RunRecord, file: GivenFile): void {
  const refuse = (why: string) => notTaken(file, why);
  const { run, ended, ending, iterations } = record;
  if (!byHand) throw refuse(`the loop '${name}' goes on without files; leave --with out`);
  if (ended && isFinal(ended.outcome)) throw refuse(`run ${run} has ended as ${ended.outcome}`);
  if (ending) throw refuse(`run ${run} was stopped while it ended; finish that first: \`loopwright resume ${run}\``);
  if (waitingGateOf(record))
    throw refuse(`run ${run} waits for an answer; give it first: \`loopwright explain ${run}\``);
  if (iterations === 0)
    throw refuse(`run ${run} has not begun its first iteration; go on without it first: \`loopwright resume ${run}\``);
}

function notTaken({ name }: GivenFile, why: string): UsageError {
  return new UsageError("FILE_NOT_TAKEN", `${name} is not taken in: ${why}`);
}

/** The entry into the phase. It takes the number of an iteration that was entered and not begun. */
function enterByHand(run: ActiveRun): Entry {
  const { entry, effects, iterations, visits } = run.record;
  const isUnbegun = entry?.phase === run.loop.iteration && Object.keys(effects).length === 0;
  const iteration = isUnbegun ? iterations : iterations + 1;
  const hit = run.hit({}, iteration);
  if (hit) {
    const how = hit.ceiling === "iterations" ? `: --max-iterations ${iteration}` : "";
    throw new UsageError("CEILING", `nothing is taken in: ${hitToReason(hit)}, in the same command${how}`);
  }
  return { phase: run.loop.byHand!.phase, visit: visits + 1, iteration };
}
