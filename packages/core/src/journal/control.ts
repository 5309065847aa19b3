// What other processes can want of a run: an answer, a pause, a cancel, higher ceilings; a fork.
//
// None of it takes the run's lease: its writer finds what is wanted as a signal.

import { UsageError } from "../errors.ts";
import { answerSignalId, checkChoice, isExpired } from "../gates.ts";
import type { Clock, Journal, Row, SignalBody } from "../ports.ts";
import { Reader } from "../read.ts";
import { blobsIn, outline, relink } from "../record/chain.ts";
import type { Ceilings, DurableEvent, ProcessId } from "../record/events.ts";
import { type RunRecord, waitingGateOf } from "../record/fold.ts";
import type { Json } from "../record/json.ts";
import { foldRows, parseRow } from "../record/load.ts";
import { type Redact, redactTexts } from "../record/redact.ts";
import { checkCeilings } from "../rules/ceilings.ts";
import type { Ports } from "../run/active-run.ts";
import type { Runner } from "../run/runner.ts";

/** What speaks to runs that another process may hold, and looks at them. */
export class Control extends Reader {
  declare readonly ports: Reader["ports"] & {
    readonly clock: Clock;
    readonly process: ProcessId;
    /** Takes secrets out of what a person says. */
    readonly redact?: Redact | undefined;
  };

  /** Answers the gate that a run waits at, its child's included. The first answer to a gate counts. */
  async answer(run: string, choice: string, note?: string) {
    const { journal, clock, redact } = this.ports;
    const record = await this.record(run);
    const waiting = waitingGateOf(record);
    if (!waiting) throw new UsageError("NO_OPEN_GATE", `run ${run} waits at no gate, so there is nothing to answer`);
    const { run: owner, ...gate } = waiting;
    checkChoice(gate, choice);
    if (isExpired(gate, clock.now())) {
      const message = `the gate '${gate.name}' of run ${owner} has expired; a resume takes its default, '${gate.default}'`;
      throw new UsageError("GATE_EXPIRED", message);
    }
    const body = { kind: "answer" as const, choice, ...(note !== undefined && { note: redactTexts(note, redact) }) };
    const counted = await journal.signal(owner, { id: answerSignalId(gate), at: clock.now(), body });
    return { run: owner, gate, choice: counted ? choice : ((await this.givenAnswer(record)) ?? choice), counted };
  }

  /** What was answered to the gate that a run waits at, and waits for the run to go on; undefined where nothing was. */
  async givenAnswer(record: RunRecord): Promise<string | undefined> {
    const gate = waitingGateOf(record);
    if (!gate) return undefined;
    const body = (await this.ports.journal.signals(gate.run)).find(({ id }) => id === answerSignalId(gate))?.body;
    return body?.kind === "answer" ? body.choice : undefined;
  }

  /** Asks a running run to stop at its next phase boundary; `isDry` only throws where there is none to ask. */
  async pause(run: string, { isDry = false } = {}): Promise<void> {
    const { seq } = await this.record(run);
    if (!(await this.#isHeld(run)))
      throw new UsageError("NOT_RUNNING", `run ${run} is not running, so there is nothing to pause`);
    if (!isDry) await this.#signal(run, `pause:${seq}`, { kind: "pause" });
  }

  /** Asks for a run to be ended for good. True if a live process will do it; else the next resume does. */
  async cancel(run: string): Promise<boolean> {
    await this.record(run);
    await this.#signal(run, "cancel", { kind: "cancel" });
    return this.#isHeld(run);
  }

  /** Changes the ceilings of a run; its writer takes them up at the next phase boundary or resume. */
  async raise(run: string, ceilings: Partial<Ceilings>): Promise<void> {
    checkCeilings(ceilings);
    const { seq } = await this.record(run);
    await this.#signal(run, `raise:${seq}:${JSON.stringify(ceilings)}`, { kind: "raise", ceilings: ceilings as Json });
  }

  #signal(run: string, id: string, body: SignalBody): Promise<boolean> {
    return this.ports.journal.signal(run, { id, at: this.ports.clock.now(), body });
  }

  async #isHeld(run: string): Promise<boolean> {
    return (await this.ports.journal.holder(run, this.ports.process))?.alive ?? false;
  }

  /** A new run that stands where another one entered an iteration. Its events up to there are the same. */
  async fork(run: string, iteration: number, options: { seed?: number } = {}): Promise<string> {
    const { journal, clock, process } = this.ports;
    const record = await this.record(run);
    const rows = await journal.read(run);
    const events = rows.map((row) => parseRow(run, row));
    const end = events.findIndex((event) => "enter" in event && event.enter?.iteration === iteration);
    if (end < 0 || iteration < 1) {
      const message = `run ${run} never entered iteration ${iteration}; it has had ${record.iterations}`;
      throw new UsageError("ITERATION_UNKNOWN", message);
    }
    const prefix = rows.slice(0, end + 1);
    await refusePruned(journal, run, prefix);
    const { at, active } = events[end]!;
    const stamp = { at: Math.max(clock.now(), at), active };
    for (let count = 1; ; count++) {
      const name = `${run}-fork${count === 1 ? "" : count}`;
      const seed = options.seed ?? record.seed;
      const forked: DurableEvent = { type: "run-forked", from: run, iteration, seed, folder: name };
      const copied = relink(prefix, name);
      const { encode } = await import("../run/active-run.ts");
      const { rows: added, blobs } = encode([{ full: forked, ...outline(forked) }], copied.at(-1)!, stamp);
      const lease = await journal.create(name, process, { rows: [...copied, ...added], blobs });
      if (!lease) continue;
      await journal.yield(lease, active);
      return name;
    }
  }
}

/** A run that stands at the end of these rows needs the values that it goes on with, and the files that are there. */
async function refusePruned(journal: Journal, run: string, rows: readonly Row[]): Promise<void> {
  const { input, config, state, iterations } = foldRows(run, rows);
  const message = `run ${run} was pruned, and what it had made before iteration ${iterations} is gone, so no run can begin there; start a new one, or fork one that is whole`;
  for (const row of rows) {
    const event = parseRow(run, row);
    if (event.type === "artifact-saved" && (await journal.isFileReleased(event.artifact.digest)))
      throw new UsageError("RUN_PRUNED", message);
  }
  for (const digest of blobsIn([input, config, ...Object.values(state)]))
    if ((await journal.blob(digest)).state === "released") throw new UsageError("RUN_PRUNED", message);
}

// What starts and resumes runs. The code that drives them is loaded with the first of them: whoever only looks at runs does without.

export type { ResumeOptions, RunResult, StartOptions } from "../run/runner.ts";

/** Starts and resumes runs on its ports; a `Project` is one on a folder. */
export class Engine extends Control {
  declare readonly ports: Ports;
  #runner: Promise<Runner> | undefined;

  constructor(ports: Ports) {
    super(ports);
  }

  /** Starts a run and drives it until it stops, and after it those that take over. */
  readonly start: Runner["start"] = async (...given) => (await this.#loaded()).start(...given);

  /** Goes on with a run from its last checkpoint; does nothing where what stopped it has not changed. */
  readonly resume: Runner["resume"] = async (...given) => (await this.#loaded()).resume(...given);

  #loaded(): Promise<Runner> {
    this.#runner ??= import("../run/runner.ts").then(({ Runner }) => new Runner(this.ports));
    return this.#runner;
  }

  async close(): Promise<void> {
    await (await this.#runner)?.close();
    await this.ports.journal.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
