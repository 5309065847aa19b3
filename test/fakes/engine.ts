// Engines on a journal in memory, with a clock that a test moves by hand and processes that can die.

import {
  type Clock,
  type Commit,
  type DurableEvent,
  Engine,
  type Journal,
  type LoopEvent,
  MemoryJournal,
  MemoryStore,
  type Ports,
  type ProcessId,
  type RunRecord,
  readRecord,
  type StampedEvent,
  thisProcess,
} from "@loopwright/core";
import * as control from "../../packages/core/src/journal/control.ts";

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
    journal: new MemoryJournal(),
    store: new MemoryStore(),
    process: thisProcess(),
    ...options,
    clock,
    on: (event) => {
      events.push(event);
      options.on?.(event);
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

/** A process of this host that is no longer there, so that its leases are free at once. */
export function deadProcess(): ProcessId {
  return { ...thisProcess(), pid: 2 ** 30, started: "gone" };
}

/** What a journal throws once its process is dead. */
export class Crash extends Error {
  constructor() {
    super("the process was killed");
  }
}

/** When to die: before an event is on disk, or just after, with no one to see that it is. */
export type Fate = (event: StampedEvent) => "before" | "after" | undefined;

/** A journal as seen by a process that dies at an event: from then on nothing can be read or written. */
export function mortal(inner: Journal, fate: Fate): Journal {
  let isDead = false;
  const die = () => {
    isDead = true;
    throw new Crash();
  };
  const write = async (commit: Commit, go: () => Promise<unknown>) => {
    const fates = commit.rows.map(({ body }) => fate(JSON.parse(body) as StampedEvent));
    if (fates.includes("before")) die();
    const result = await go();
    if (fates.includes("after")) die();
    return result;
  };
  return new Proxy(inner, {
    get(target, name) {
      const method = Reflect.get(target, name, target) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        if (isDead) throw new Crash();
        const go = () => method.apply(target, args);
        if (name === "append") return write(args[1] as Commit, go);
        if (name === "create") return write(args[2] as Commit, go);
        return go();
      };
    },
  });
}

/** Dies at the nth event of a type (from 1), before or after it is on disk. */
export function dieAt(type: DurableEvent["type"], when: "before" | "after", nth = 1): Fate {
  let count = 0;
  return (event) => (event.type === type && ++count === nth ? when : undefined);
}

/** A process that will die: its engine on the same journal, store and clock. */
export function doomed(survivor: TestEngine, fate: Fate, options: Partial<Ports> = {}): TestEngine {
  return survivor.other({ ...options, journal: mortal(survivor.journal, fate), process: deadProcess() });
}

/** The one run of a journal, or the nth. */
export async function runOf({ journal }: Pick<TestEngine, "journal">, index = 0): Promise<string> {
  const run = (await journal.runs())[index];
  if (run === undefined) throw new Error(`there is no run ${index} in the journal`);
  return run;
}
