// Engines on a journal in memory, with a clock that a test moves by hand.

import { LoopwrightError } from "../errors.ts";
import { thisProcess } from "../journal/leases.ts";
import { SqliteJournal } from "../journal/sqlite.ts";
import type { Clock, Journal, Store } from "../ports.ts";
import type { LoopEvent, StampedEvent } from "../record/events.ts";
import type { RunRecord } from "../record/fold.ts";
import { sha256 } from "../record/json.ts";
import type { Ports } from "../run/active-run.ts";
import { Engine } from "../run/engine.ts";

/** An engine in memory, with what a test looks at. */
export interface TestEngine {
  engine: Engine;
  ports: Ports;
  journal: Journal;
  clock: SimulatedClock;
  /** Everything that listeners were told. */
  events: LoopEvent[];
  /** Another process on the same journal, store and clock. */
  other(options?: Partial<Ports>): TestEngine;
  chain(run: string): Promise<StampedEvent[]>;
  types(run: string): Promise<string[]>;
  record(run: string): Promise<RunRecord>;
}

/** An engine on a journal and a store in memory, with a clock that stands still. */
export function memoryEngine(options: Partial<Ports> & { clock?: SimulatedClock } = {}): TestEngine {
  const clock = options.clock ?? new SimulatedClock();
  const events: LoopEvent[] = [];
  const ports: Ports = {
    journal: SqliteJournal.inMemory(),
    store: new MemoryStore(),
    process: thisProcess(),
    ...options,
    clock,
    on: (event) => {
      events.push(event);
      return options.on?.(event);
    },
  };
  const { journal, store } = ports;
  const engine = new Engine(ports);
  const chain = async (run: string) => (await journal.read(run)).map(({ body }) => JSON.parse(body) as StampedEvent);
  return {
    engine,
    ports,
    journal,
    clock,
    events,
    other: (more = {}) => memoryEngine({ journal, store, clock, process: thisProcess(), ...(more as object) }),
    chain,
    types: async (run) => (await chain(run)).map(({ type }) => type),
    record: (run) => engine.record(run),
  };
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

/** The machine's own clock, for what only real time can show. */
export class RealClock extends SimulatedClock {
  override now(): number {
    return Date.now();
  }

  override steady(): number {
    return performance.now();
  }
}
