// The engine: starts and resumes runs, and drives them with their child runs until they stop.

import type { Loop } from "../define.ts";
import { LoopwrightError, usage } from "../errors.ts";
import { drive } from "../loop.ts";
import { isFinal, type Outcome, outcomes, WAITING_EXIT } from "../outcomes.ts";
import type { Lease } from "../ports.ts";
import { inline, inlineState, outline, readOrTell } from "../record/chain.ts";
import type { Ceilings, GateRecord, RunStarted } from "../record/events.ts";
import { emptyRecord, lastScore, type RunRecord, waitingGateOf } from "../record/fold.ts";
import { type Json, plainJson } from "../record/json.ts";
import { loadRecord, loadRun, needsMigration } from "../record/load.ts";
import { checkValue, type State } from "../record/patch.ts";
import { redactEvent } from "../record/redact.ts";
import { checkCeilings, resolveCeilings } from "../rules/ceilings.ts";
import { ActiveRun, encode, type Ports } from "./active-run.ts";
import type { DriveChild } from "./phase-context.ts";
import type { GivenFile } from "./resume.ts";
import { Halt, haltOf } from "./visit.ts";
import { WorkcellPool } from "./workcells.ts";

const HEARTBEAT_MS = 2_000;

/** How a run is started. */
export interface StartOptions {
  /** The words of the run's id and folder; the loop's name where it is left out. */
  slug?: string;
  seed?: number;
  ceilings?: Partial<Ceilings>;
  /** The configuration as resolved, kept with the run. */
  config?: Json;
  signal?: AbortSignal;
}

/** How a run is resumed. */
export interface ResumeOptions {
  ceilings?: Partial<Ceilings>;
  /** Takes the run from a holder that is alive. */
  take?: boolean;
  /** What a person has made: an iteration of its own, where the loop takes such files. */
  file?: GivenFile;
  signal?: AbortSignal;
}

/** How a run stands when a command lets go of it. */
export interface RunResult<S = State> {
  run: string;
  /** Its folder's name in the project's `runs/`. */
  folder: string;
  /** Why it stopped; waiting is not an end. */
  outcome: Outcome | "waiting";
  reason: string;
  exitCode: number;
  iterations: number;
  score: number | null;
  state: S;
  /** The gate that it waits at, and the run that the gate belongs to. */
  gate?: GateRecord & { run: string };
  /** False where there was nothing to do: a final run, a ceiling not raised, a gate not answered. */
  advanced: boolean;
  /** All that its events amount to, large values only named. */
  record: RunRecord;
}

/** Starts and resumes runs on its ports. */
export class Runner {
  readonly ports: Ports;
  readonly #workcells: WorkcellPool;
  /** The runs that are driven here. */
  readonly #driven = new Set<string>();

  constructor(ports: Ports) {
    this.ports = ports;
    this.#workcells = new WorkcellPool(ports.workcells);
  }

  /** Starts a run and drives it until it stops, and after it those that take over. */
  async start<Input, S>(
    loop: Loop<Input, S>,
    input: NoInfer<Input>,
    options: StartOptions = {},
  ): Promise<RunResult<S>> {
    this.#refuseIfStopped();
    const ceilings = resolveCeilings(loop.ceilings, checkCeilings({ ...this.ports.ceilings, ...options.ceilings }));
    const seed = plainJson(options.seed ?? Math.floor(Math.random() * 2 ** 31), "the seed") as number;
    const config = plainJson(options.config ?? null, "the configuration");
    const base = `${timeStamp(this.ports.clock.now())}_${slug(options.slug ?? loop.name)}`;
    for (let count = 1; ; count++) {
      const id = count === 1 ? base : `${base}-${count}`;
      const facts = { seed, ceilings, config, folder: id, attempt: "attempt-000" };
      const run = await this.#create(loop as Loop, id, firstEvent(loop as Loop, input, facts));
      if (run) return this.#follow(await this.#drive(run, options.signal, true), loop, options);
    }
  }

  /** Goes on with a run from its last checkpoint; does nothing where what stopped it has not changed. A record of it that
   * was read already is brought up to date, and not read again. */
  async resume<Input, S>(
    loop: Loop<Input, S>,
    given: string | RunRecord,
    options: ResumeOptions = {},
  ): Promise<RunResult<S>> {
    const ceilings = checkCeilings(options.ceilings ?? {});
    const { journal } = this.ports;
    const record = typeof given === "string" ? await loadRecord(journal, given) : given;
    const { reopen, requireOpen } = await import("./resume.ts");
    if (options.file) requireOpen(loop as Loop, record, options.file);
    if (record.ended && isFinal(record.ended.outcome)) {
      const result = resultOf(record, await inlineState(record.state, journal, readOrTell), false);
      return this.#follow(result, loop, options);
    }
    if (record.parent) throw usage(`run ${record.run} belongs to ${record.parent.run}; resume that one`);
    needsMigration(loop as Loop, record);
    this.#refuseIfStopped();
    const run = await this.#attach(loop as Loop, record, options.take);
    const result = await this.#drive(run, options.signal, () => reopen(run, ceilings, options.file));
    return this.#follow(result, loop, options);
  }

  /** Goes on with the run that took over from one, if any did: it is started where it was not, and resumed where it was. */
  async #follow<Input, S>(result: RunResult, loop: Loop<Input, S>, options: ResumeOptions): Promise<RunResult<S>> {
    const { record } = result;
    if (!record.ended?.by) return result as RunResult<S>;
    const { run: id, input } = record.ended.by;
    const { run, seed, usage, active } = record;
    const config = await inline(record.config, this.ports.journal);
    const after = { run, usage, active };
    const ceilings = { ...record.ceilings, ...options.ceilings };
    const facts = { seed, ceilings, config, folder: id, attempt: "attempt-000", after };
    this.#refuseIfStopped();
    const started = firstEvent(loop as Loop, input, facts, record.iterations);
    const created = await this.#create(loop as Loop, id, started);
    const { file, ...others } = options;
    if (!created) return this.resume(loop, id, others);
    return this.#follow(await this.#drive(created, options.signal, true), loop, others);
  }

  async close(): Promise<void> {
    await this.#workcells.close();
  }

  #refuseIfStopped(): void {
    const stop = this.ports.killSwitch?.();
    if (stop !== undefined) throw new LoopwrightError("STOPPED", `no run is started or resumed: ${stop}`);
  }

  /** A new run and its first event in one commit (L1); undefined if the id is taken. */
  async #create(loop: Loop, id: string, given: RunStarted, parent?: ActiveRun): Promise<ActiveRun | undefined> {
    const { journal, clock } = this.ports;
    const active = given.after?.active ?? 0;
    const record = { ...emptyRecord(id), active };
    const started = redactEvent(given, this.ports.redact);
    const stamp = { at: clock.now(), active };
    const { stamped, ...commit } = encode([{ full: started, ...outline(started) }], record, stamp);
    const lease = await journal.create(id, this.ports.process, commit);
    if (!lease) return undefined;
    const { state, input, config } = started;
    const run = new ActiveRun(this.ports, loop, { record, state, input, config }, lease, parent);
    await run.take(stamped);
    return run;
  }

  async #attach(loop: Loop, given: string | RunRecord, take = false, parent?: ActiveRun): Promise<ActiveRun> {
    const { journal, process } = this.ports;
    const id = typeof given === "string" ? given : given.run;
    const isDriven = this.#driven.has(id);
    this.#driven.add(id);
    let lease: Lease | undefined;
    try {
      const held = isDriven ? undefined : await journal.holder(id, process);
      // One of our own could not be given back: the disk was full.
      const isLeft = held !== undefined && held.holder.opening === process.opening;
      lease = await journal.acquire(id, process, { take: take || isLeft });
      return new ActiveRun(this.ports, loop, await loadRun(journal, given), lease, parent);
    } catch (error) {
      if (!isDriven) this.#driven.delete(id);
      if (lease) await journal.yield(lease, lease.active);
      throw error;
    }
  }

  /** Drives a run while its lease is kept alive, and lets go of it. */
  async #drive(
    run: ActiveRun,
    outer: AbortSignal | undefined,
    way: true | (() => Promise<boolean>),
  ): Promise<RunResult> {
    const stop = new AbortController();
    const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
    const heartbeat = setInterval(() => void keepAlive(run, stop), HEARTBEAT_MS);
    this.#driven.add(run.record.run);
    try {
      const advanced = way === true || (await way());
      const around = { workcells: this.#workcells, child: this.#child };
      if (advanced && (await drive(run, around, signal)) === "ended") await this.#workcells.release(run);
      await run.detach();
      return resultOf(run.record, run.state, advanced);
    } catch (error) {
      await run.detach().catch(() => {});
      throw error;
    } finally {
      clearInterval(heartbeat);
      this.#driven.delete(run.record.run);
    }
  }

  /** Starts a child run, or goes on with the one that is there. One that has ended is not run again. */
  #child: DriveChild = async (loop, id, input, { parent, key, folder, seed, signal, ceilings: own }) => {
    const facts = { seed, ceilings: resolveCeilings(loop.ceilings, own), config: parent.config, folder, attempt: "" };
    const started = firstEvent(loop, input, { ...facts, parent: { run: parent.record.run, key } });
    const created = await this.#create(loop, id, started, parent);
    const run = created ?? (await this.#attach(loop, id, false, parent));
    const isOver = run.record.ended !== undefined && run.record.ended.outcome !== "interrupted";
    parent.children.set(key, run);
    const reopened = async () => {
      if (isOver) return false;
      const { reopen } = await import("./resume.ts");
      return reopen(run, {});
    };
    const result = await this.#drive(run, signal, created ? true : reopened);
    return { result, hit: run.record.ended?.hit };
  };
}

/** Says that the writer is alive, and looks whether the run was cancelled or taken over meanwhile. */
async function keepAlive(run: ActiveRun, stop: AbortController): Promise<void> {
  try {
    await run.ports.journal.beat(run.lease, run.active());
    const halt = haltOf(await run.ports.journal.signals(run.record.run), ["cancel"]);
    if (halt) stop.abort(new Halt(halt));
  } catch (error) {
    if (error instanceof LoopwrightError && error.code === "LEASE_LOST") stop.abort(new Halt({ kind: "fault", error }));
  }
}

function firstEvent(
  loop: Loop,
  input: unknown,
  facts: Pick<RunStarted, "seed" | "ceilings" | "config" | "folder" | "attempt" | "parent" | "after">,
  iterations = 0,
): RunStarted {
  const given = checkValue(loop.input, input, "input");
  const state = checkValue(loop.state, loop.initial(given as never), "the initial state") as State;
  const enter = { phase: loop.start, visit: 1, iteration: iterations + (loop.start === loop.iteration ? 1 : 0) };
  const { name, version, phases, iteration: iterationPhase } = loop;
  const definition = { loop: name, version, phases: Object.keys(phases), iterationPhase };
  return { type: "run-started", ...definition, input: given, state, ...facts, enter };
}

/** How a run stands, for whoever started or resumed it. */
function resultOf(record: RunRecord, state: State, advanced: boolean): RunResult {
  const { run, folder, iterations, ended } = record;
  const gate = waitingGateOf(record);
  const stands = ended
    ? { outcome: ended.outcome, reason: ended.reason, exitCode: outcomes[ended.outcome].exit }
    : { outcome: "waiting" as const, reason: gate?.question ?? "it waits", exitCode: WAITING_EXIT };
  return {
    run,
    folder,
    ...stands,
    iterations,
    score: lastScore(record),
    state,
    ...(gate && { gate }),
    advanced,
    record,
  };
}

/** yyyymmdd-hhmmss in local time. */
function timeStamp(now: number): string {
  const local = new Date(now - new Date(now).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}

function slug(words: string): string {
  const plain = words.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return plain.replace(/^-+|-+$/g, "").slice(0, 40) || "run";
}
