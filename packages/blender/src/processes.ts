// The Blender at work and the one that waits: whatever becomes of the first, the second takes its place at once.

import { InfrastructureError } from "@loopwright/core";
import type { BlenderPlace } from "./worker/job.ts";
import { BlenderProcess } from "./worker/process.ts";

export class Processes {
  readonly #place: BlenderPlace;
  readonly #hasSpare: boolean;
  readonly #stopped = new AbortController();
  readonly #ending = new Set<Promise<void>>();
  #current: BlenderProcess | undefined;
  #spare: Promise<BlenderProcess | undefined> | undefined;

  constructor(place: BlenderPlace, hasSpare: boolean) {
    this.#place = place;
    this.#hasSpare = hasSpare;
  }

  /** The one at work; undefined where it is dead and none has taken its place. */
  get current(): BlenderProcess | undefined {
    return this.#current?.isAlive ? this.#current : undefined;
  }

  /** A fresh one takes over. */
  async next(): Promise<BlenderProcess> {
    this.drop();
    const spare = await this.#spare;
    this.#spare = undefined;
    // One that died a moment ago looks alive: what it is told to open would be taken for what killed it.
    const isThere = await spare?.answers();
    if (spare && !isThere) this.#end(spare);
    this.#current = spare && isThere ? spare : await this.#start();
    return this.#current;
  }

  /** Has another one wait; whether it starts is found out when it is needed. */
  prepare(): void {
    if (this.#hasSpare) this.#spare ??= this.#start().catch(() => undefined);
  }

  /** Ends the one at work, without waiting for its end. */
  drop(): void {
    const process = this.#current;
    this.#current = undefined;
    if (process) this.#end(process);
  }

  /** A Blender for one task, beside the others. */
  async lend<Result>(work: (process: BlenderProcess) => Promise<Result>): Promise<Result> {
    const process = await this.#start();
    try {
      return await work(process);
    } finally {
      this.#end(process);
    }
  }

  async stop(): Promise<void> {
    this.#stopped.abort(new InfrastructureError("BLENDER_STOPPED", "the Blender was stopped"));
    this.drop();
    const spare = await this.#spare;
    if (spare) this.#end(spare);
    await Promise.all(this.#ending);
  }

  #start(): Promise<BlenderProcess> {
    return BlenderProcess.start(this.#place, this.#stopped.signal);
  }

  #end(process: BlenderProcess): void {
    const ending = process.stop().catch(() => {});
    this.#ending.add(ending);
    void ending.finally(() => this.#ending.delete(ending));
  }
}
