// Clocks for tests.

import type { Clock } from "../ports.ts";

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
