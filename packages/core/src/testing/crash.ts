// Processes that die: before or after a commit, with no one to see whether it is on disk.

import { thisProcess } from "../journal/leases.ts";
import type { Commit, Journal } from "../ports.ts";
import type { DurableEvent, ProcessId, StampedEvent } from "../record/events.ts";
import type { Ports } from "../run/active-run.ts";
import type { TestEngine } from "./engine.ts";

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

/** When to die: before an event is on disk, or just after, with no one to see that it is. Counts are of its commit, from 0. */
export type Fate = (event: StampedEvent, at: number) => "before" | "after" | undefined;

/** A journal as seen by a process that dies at an event: from then on nothing can be read or written. */
export function mortal(inner: Journal, fate: Fate): Journal {
  let isDead = false;
  const die = () => {
    isDead = true;
    throw new Crash();
  };
  const write = async (commit: Commit, go: () => Promise<unknown>) => {
    const fates = commit.rows.map(({ body }, at) => fate(JSON.parse(body) as StampedEvent, at));
    if (fates.includes("before")) die();
    const result = await go();
    if (fates.includes("after")) die();
    return result;
  };
  return new Proxy(inner, {
    get(target, name) {
      const method = Reflect.get(target, name, target) as (...args: unknown[]) => Promise<unknown>;
      if (typeof method !== "function") return method;
      // Whoever survives it still has the journal.
      if (name === "close") return async () => {};
      return async (...args: unknown[]) => {
        if (isDead) throw new Crash();
        const go = () => method.apply(target, args);
        if (name === "append") return write(args[1] as Commit, go);
        // A run that is there is not created again: nothing is written.
        const isTaken = name === "create" && (await target.runs()).includes(args[0] as string);
        if (name === "create" && !isTaken) return write(args[2] as Commit, go);
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
