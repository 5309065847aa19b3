// Engines on a journal in memory, with a clock that a test moves by hand.

import { LoopwrightError } from "../errors.ts";
import { Engine } from "../journal/control.ts";
import { thisProcess } from "../journal/leases.ts";
import { SqliteJournal } from "../journal/sqlite.ts";
import type { Clock, Journal, Store } from "../ports.ts";
import type { LoopEvent, StampedEvent } from "../record/events.ts";
import type { RunRecord } from "../record/fold.ts";
import { sha256 } from "../record/json.ts";
import type { Ports } from "../run/active-run.ts";

/** An engine in memory, with what a test looks at. */
export class TestEngine {
  readonly engine: Engine;
  readonly ports: Ports;
  readonly journal: Journal;
  readonly clock: SimulatedClock;
  /** Everything that listeners were told. */
  readonly events: LoopEvent[] = [];

  constructor(options: Partial<Ports> & { clock?: SimulatedClock }) {
    this.clock = options.clock ?? new SimulatedClock();
    this.ports = {
      ...{ journal: SqliteJournal.inMemory(), store: new MemoryStore(), process: thisProcess(), ...options },
      clock: this.clock,
      on: (event) => {
        this.events.push(event);
        return options.on?.(event);
      },
    };
    this.journal = this.ports.journal;
    this.engine = new Engine(this.ports);
  }

  /** Another process on the same journal, store and clock. */
  readonly other = (more: Partial<Ports> = {}): TestEngine => {
    const { journal, store } = this.ports;
    return memoryEngine({ journal, store, clock: this.clock, process: thisProcess(), ...(more as object) });
  };

  readonly chain = async (run: string): Promise<StampedEvent[]> =>
    (await this.journal.read(run)).map(({ body }) => JSON.parse(body) as StampedEvent);

  readonly types = async (run: string): Promise<string[]> => (await this.chain(run)).map(({ type }) => type);

  readonly record = (run: string): Promise<RunRecord> => this.engine.record(run);
}

/** An engine on a journal and a store in memory, with a clock that stands still. */
export function memoryEngine(options: Partial<Ports> & { clock?: SimulatedClock } = {}): TestEngine {
  return new TestEngine(options);
}

/** The one run of a journal, or the nth. */
export async function runOf({ journal }: Pick<TestEngine, "journal">, index = 0): Promise<string> {
  const run = (await journal.runs())[index];
  if (run === undefined) throw new Error(`there is no run ${index} in the journal`);
  return run;
}

/** Files by the digest of their bytes, in memory. */
export class MemoryStore implements Store {
  readonly #files = new Map<string, Uint8Array>();

  async put(bytes: Uint8Array): Promise<string> {
    const digest = sha256(bytes);
    this.#files.set(digest, Uint8Array.from(bytes));
    return digest;
  }

  async get(digest: string): Promise<Uint8Array> {
    const bytes = this.#files.get(digest);
    if (!bytes) throw new LoopwrightError("ARTIFACT_MISSING", `the artifact ${digest.slice(0, 12)} is missing`);
    return bytes;
  }

  delete(digest: string): void {
    this.#files.delete(digest);
  }
}

/** A clock that stands still until it is moved. */
export class SimulatedClock implements Clock {
  #wall = Date.UTC(2026, 0, 5, 12);
  #steady = 0;

  now(): number {
    return this.#wall;
  }

  steady(): number {
    return this.#steady;
  }

  /** Time passes while a process is at work. */
  advance(ms: number): void {
    this.#wall += ms;
    this.#steady += ms;
  }

  /** Waiting takes no time: the clock is moved. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.advance(ms);
  }

  /** The wall clock is set, forwards or backwards; nothing has lasted any time. */
  set(ms: number): void {
    this.#wall = ms;
  }
}
