// Engines on a journal in memory, with a clock that a test moves by hand.

import { LoopwrightError } from "../errors.ts";
import * as control from "../journal/control.ts";
import { thisProcess } from "../journal/leases.ts";
import { SqliteJournal } from "../journal/sqlite.ts";
import type { Journal, Store } from "../ports.ts";
import { readRecord } from "../read.ts";
import type { LoopEvent, StampedEvent } from "../record/events.ts";
import type { RunRecord } from "../record/fold.ts";
import { sha256 } from "../record/json.ts";
import type { Ports } from "../run/active-run.ts";
import { Engine } from "../run/engine.ts";
import { SimulatedClock } from "./clock.ts";

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
  /** The events in a run's journal. */
  chain(run: string): Promise<StampedEvent[]>;
  /** The types of the events in a run's journal. */
  types(run: string): Promise<string[]>;
  record(run: string): Promise<RunRecord>;
  answer: Bound<typeof control.answer>;
  pause: Bound<typeof control.pause>;
  cancel: Bound<typeof control.cancel>;
  raise: Bound<typeof control.raise>;
  fork: Bound<typeof control.fork>;
}

type Bound<F> = F extends (control: control.Control, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

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
  const chain = async (run: string) => (await journal.read(run)).map(({ body }) => JSON.parse(body) as StampedEvent);
  return {
    engine: new Engine(ports),
    ports,
    journal,
    clock,
    events,
    other: (more = {}) => memoryEngine({ journal, store, clock, process: thisProcess(), ...(more as object) }),
    chain,
    types: async (run) => (await chain(run)).map(({ type }) => type),
    record: (run) => readRecord({ journal }, run),
    answer: (...rest) => control.answer(ports, ...rest),
    pause: (...rest) => control.pause(ports, ...rest),
    cancel: (...rest) => control.cancel(ports, ...rest),
    raise: (...rest) => control.raise(ports, ...rest),
    fork: (...rest) => control.fork(ports, ...rest),
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

  async delete(digest: string): Promise<void> {
    this.#files.delete(digest);
  }
}
