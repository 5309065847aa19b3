// A place for a warm worker: whoever asks finds one there, started anew where the last has died.
//
// A version that a worker dies of is tried once more, as the first of a fresh worker, before it is said to be its fault:
// what an earlier version left cannot count against it.

import { Worker, WorkerDied } from "@loopwright/sandbox";
import { type WorkerPlace, workerJob } from "./job.ts";
import type { TrialOutcome, Version } from "./types.ts";

/** What a worker is told before it tries anything: what others found out, and which tests there are to try. */
export interface Lessons {
  learn?: object;
  plan?: object;
}

const LESSON_LIMIT_MS = 600_000;
/** A worker that tries a version says so twice a second: one that is silent for so long has been stopped, or hangs. */
const SILENCE_MS = 10_000;

export class Slot {
  readonly #place: WorkerPlace;
  readonly #index: number;
  readonly #lessons: Lessons;
  #halt = new AbortController();
  #worker: Worker | undefined;
  #learned: Lessons = {};
  #isFresh = true;

  /** The lessons are shared, and looked at before each question. */
  constructor(place: WorkerPlace, index: number, lessons: Lessons) {
    this.#place = place;
    this.#index = index;
    this.#lessons = lessons;
  }

  /** Asks a worker that has been told everything; rejects with WorkerDied where no answer comes. */
  async ask<Answer>(question: object, limitMs: number): Promise<Answer> {
    const worker = await this.#ready();
    return worker.ask<Answer>(question, limitMs, SILENCE_MS);
  }

  /** What becomes of a version. */
  async try(version: Version, limitMs: number): Promise<TrialOutcome> {
    const files = version.map(({ path, content }) => [path, content]);
    for (;;) {
      const worker = await this.#ready();
      const isFresh = this.#isFresh;
      this.#isFresh = false;
      try {
        return await worker.ask<TrialOutcome>({ do: "try", files }, limitMs, SILENCE_MS);
      } catch (error) {
        if (!(error instanceof WorkerDied) || error.reason === "stopped") throw error;
        if (isFresh) return { fixed: [], passes: false, stopped: error.reason };
      }
    }
  }

  /** Ends the worker at once; whoever asks next finds a new one. */
  async stop(): Promise<void> {
    this.#halt.abort(new WorkerDied("stopped", "it was stopped"));
    await this.#worker?.stop();
  }

  async #ready(): Promise<Worker> {
    if (!this.#worker?.isAlive) await this.#start();
    const worker = this.#worker!;
    for (const name of ["learn", "plan"] as const) {
      const lesson = this.#lessons[name];
      if (lesson === undefined || this.#learned[name] === lesson) continue;
      await worker.ask({ do: name, ...lesson }, LESSON_LIMIT_MS);
      this.#learned = { ...this.#learned, [name]: lesson };
    }
    return worker;
  }

  async #start(): Promise<void> {
    await this.#worker?.stop();
    this.#halt = new AbortController();
    const { sandbox, signal } = this.#place;
    const both = AbortSignal.any([signal, this.#halt.signal]);
    this.#learned = {};
    this.#isFresh = true;
    this.#worker = await Worker.start({
      sandbox,
      signal: both,
      job: (hello) => workerJob(this.#place, this.#index, hello),
    });
  }
}
