// What other processes can want of a run: an answer, a pause, a cancel, higher ceilings; a fork.

import { LoopwrightError, UsageError } from "../errors.ts";
import { answerSignalId, checkChoice, type GateRecord, isExpired } from "../gates.ts";
import type { Clock, Commit, Journal, ProcessId, Row, Store } from "../ports.ts";
import { blobsIn, outline } from "../record/chain.ts";
import type { DurableEvent, StampedEvent } from "../record/events.ts";
import { type RunRecord, waitingGateOf } from "../record/fold.ts";
import type { Json } from "../record/json.ts";
import { relink } from "../record/links.ts";
import { foldRows, loadRecord, parseRow } from "../record/load.ts";
import { type Redact, redactTexts } from "../record/redact.ts";
import { type Ceilings, checkCeilings } from "../rules/ceilings.ts";
import { encode } from "../run/active-run.ts";

/** What is needed to speak to a run that another process may hold. */
export interface Control {
  journal: Journal;
  /** Takes secrets out of what a person says. */
  redact?: Redact | undefined;
  store: Store;
  clock: Clock;
  process: ProcessId;
}

/** Answers the gate that a run waits at, its child's included. The first answer to a gate counts. */
export async function answer(
  { journal, clock, redact }: Control,
  run: string,
  choice: string,
  note?: string,
): Promise<{ run: string; gate: GateRecord; choice: string; counted: boolean }> {
  const { record } = await loadRecord(journal, run);
  const waiting = waitingGateOf(record);
  if (!waiting) throw new UsageError("NO_OPEN_GATE", `run ${run} waits at no gate, so there is nothing to answer`);
  const { run: owner, ...gate } = waiting;
  checkChoice(gate, choice);
  if (isExpired(gate, clock.now())) {
    throw new UsageError(
      "GATE_EXPIRED",
      `the gate '${gate.name}' of run ${owner} has expired; a resume takes its default, '${gate.default}'`,
    );
  }
  const body = { kind: "answer" as const, choice, ...(note !== undefined && { note: redactTexts(note, redact) }) };
  const id = answerSignalId(gate);
  const counted = await journal.signal(owner, { id, at: clock.now(), body });
  if (counted) return { run: owner, gate, choice, counted };
  const first = (await journal.signals(owner)).find((signal) => signal.id === id)?.body;
  return { run: owner, gate, choice: first?.kind === "answer" ? first.choice : choice, counted };
}

/** What was answered to the gate that a run waits at, and waits for the run to go on; undefined where nothing was. */
export async function answerOf({ journal }: Pick<Control, "journal">, record: RunRecord): Promise<string | undefined> {
  const gate = waitingGateOf(record);
  if (!gate) return undefined;
  const body = (await journal.signals(gate.run)).find(({ id }) => id === answerSignalId(gate))?.body;
  return body?.kind === "answer" ? body.choice : undefined;
}

/** Asks a running run to stop at its next phase boundary; `isDry` only throws where there is none to ask. */
export async function pause({ journal, clock, process }: Control, run: string, { isDry = false } = {}): Promise<void> {
  const { record } = await loadRecord(journal, run);
  const holder = await journal.holder(run, process);
  if (!holder?.alive) throw new UsageError("NOT_RUNNING", `run ${run} is not running, so there is nothing to pause`);
  if (isDry) return;
  await journal.signal(run, { id: `pause:${record.seq}`, at: clock.now(), body: { kind: "pause" } });
}

/** Asks for a run to be ended for good. True if a live process will do it; else the next resume does. */
export async function cancel({ journal, clock, process }: Control, run: string): Promise<boolean> {
  await loadRecord(journal, run);
  await journal.signal(run, { id: "cancel", at: clock.now(), body: { kind: "cancel" } });
  return (await journal.holder(run, process))?.alive ?? false;
}

/** Changes the ceilings of a run; its writer takes them up at the next phase boundary or resume. */
export async function raise({ journal, clock }: Control, run: string, ceilings: Partial<Ceilings>): Promise<void> {
  checkCeilings(ceilings);
  const { record } = await loadRecord(journal, run);
  const id = `raise:${record.seq}:${JSON.stringify(ceilings)}`;
  await journal.signal(run, { id, at: clock.now(), body: { kind: "raise", ceilings: ceilings as Json } });
}

/** A new run that stands where another one entered an iteration. Its events up to there are the same. */
export async function fork(
  { journal, clock, process }: Control,
  run: string,
  iteration: number,
  options: { seed?: number } = {},
): Promise<string> {
  const rows = await journal.read(run);
  if (rows.length === 0) throw new LoopwrightError("RUN_NOT_FOUND", `there is no run '${run}'`);
  const { record } = await loadRecord(journal, run);
  const end = iteration < 1 ? -1 : rows.findIndex((row) => iterationEntered(parseRow(run, row)) === iteration);
  if (end < 0) {
    const message = `run ${run} never entered iteration ${iteration}; it has had ${record.iterations}`;
    throw new UsageError("ITERATION_UNKNOWN", message);
  }
  const prefix = rows.slice(0, end + 1);
  const needs = await contentsAt(journal, run, prefix);
  for (let count = 1; ; count++) {
    const name = `${run}-fork${count === 1 ? "" : count}`;
    const forked: DurableEvent = {
      type: "run-forked",
      from: run,
      iteration,
      seed: options.seed ?? record.seed,
      folder: name,
    };
    const copied = relink(prefix, name);
    const stamp = stampOf(prefix, clock);
    const { rows: added, blobs } = encode([{ full: forked, ...outline(forked) }], copied.at(-1)!, stamp);
    const lease = await journal.create(name, process, { rows: [...copied, ...added], blobs, needs });
    if (!lease) continue;
    await journal.yield(lease, stamp.active);
    return name;
  }
}

/** What a run that stands at the end of these rows needs: the values that it goes on with, and the files that are there. */
async function contentsAt(journal: Journal, run: string, rows: readonly Row[]): Promise<NonNullable<Commit["needs"]>> {
  const { input, config, state, iterations } = foldRows(run, rows);
  const files: string[] = [];
  for (const row of rows) {
    const event = parseRow(run, row);
    if (event.type !== "artifact-saved") continue;
    if (await journal.isFileReleased(event.artifact.digest)) throw pruned(run, iterations);
    files.push(event.artifact.digest);
  }
  const blobs = [...blobsIn([input, config, ...Object.values(state)])];
  for (const digest of blobs) if ((await journal.blob(digest)).state === "released") throw pruned(run, iterations);
  return { blobs, files };
}

function pruned(run: string, iteration: number): UsageError {
  const message = `run ${run} was pruned, and what it had made before iteration ${iteration} is gone, so no run can begin there; start a new one, or fork one that is whole`;
  return new UsageError("RUN_PRUNED", message);
}

function iterationEntered(event: StampedEvent): number | undefined {
  return "enter" in event ? event.enter?.iteration : undefined;
}

function stampOf(prefix: readonly Row[], clock: Clock): { at: number; active: number } {
  const last = JSON.parse(prefix.at(-1)!.body) as StampedEvent;
  return { at: Math.max(clock.now(), last.at), active: last.active };
}
