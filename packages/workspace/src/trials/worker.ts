// One warm worker: a job in the sandbox that is asked in lines and answers in lines, and is started anew when it has died.

import { randomBytes } from "node:crypto";
import { InfrastructureError } from "@loopwright/core";
import type { Sandbox, SandboxJob } from "@loopwright/sandbox";
import { tailOf } from "../runners/evidence.ts";

/** A worker's death, as whoever asked it hears of it. */
export class WorkerDied extends Error {
  readonly reason: "died" | "limit" | "stopped";

  constructor(reason: "died" | "limit" | "stopped", message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What a worker is started with, for each start afresh. */
export interface WorkerStart {
  sandbox: Sandbox;
  /** The job, given the id that its first answer must carry. */
  job(hello: string): Promise<Omit<SandboxJob, "signal" | "channel">>;
  signal: AbortSignal;
}

const START_LIMIT_MS = 60_000;
/** A worker that tries a version says so twice a second: one that is silent for so long has been stopped, or hangs. */
const SILENCE_MS = 10_000;
/** Longer than any answer is: what a tested program pours out instead is dropped. */
const LONGEST_ANSWER = 64 * 2 ** 20;
const KEPT_WORDS = 4_000;

interface Waiting {
  id: string;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** A running worker. One question at a time. */
export class Worker {
  readonly #stop = new AbortController();
  #write: (text: string) => void = () => {};
  #waiting: Waiting | undefined;
  #silence: NodeJS.Timeout | undefined;
  #held = "";
  #isDead: WorkerDied | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  static async start({ sandbox, job, signal }: WorkerStart): Promise<Worker> {
    const worker = new Worker();
    const hello = newId();
    const ready = worker.#wait(hello, START_LIMIT_MS, START_LIMIT_MS);
    ready.catch(() => {});
    try {
      worker.#run(sandbox, { ...(await job(hello)), signal: AbortSignal.any([signal, worker.#stop.signal]) });
      await ready;
    } catch (error) {
      await worker.stop();
      signal.throwIfAborted();
      if (!(error instanceof WorkerDied)) throw error;
      throw new InfrastructureError("TRIALS_FAILED", `a worker for trials does not start: ${error.message}`);
    }
    return worker;
  }

  get isAlive(): boolean {
    return this.#isDead === undefined;
  }

  /** Asks; rejects with WorkerDied where no answer comes, and the worker is dead then. */
  async ask<Answer>(question: object, limitMs: number, silenceMs = SILENCE_MS): Promise<Answer> {
    const id = newId();
    const answer = this.#wait(id, limitMs, silenceMs);
    this.#write(`${JSON.stringify({ ...question, id })}\n`);
    return (await answer) as Answer;
  }

  /** Ends it; settles when nothing of it is left. */
  async stop(): Promise<void> {
    this.#die(new WorkerDied("stopped", "it was stopped"));
    await this.#ended;
  }

  #run(sandbox: Sandbox, job: SandboxJob): void {
    const channel = {
      onStart: (write: (text: string) => void) => {
        this.#write = write;
      },
      onOutput: (chunk: Uint8Array) => this.#hear(Buffer.from(chunk).toString("latin1")),
    };
    this.#ended = sandbox.run({ ...job, channel }).then(
      ({ stopped, output }) =>
        this.#die(new WorkerDied(stopped === undefined ? "died" : "limit", stopped ?? tailOf(output))),
      (error) => this.#die(new WorkerDied("died", error instanceof Error ? error.message : String(error))),
    );
  }

  #hear(text: string): void {
    this.#silence?.refresh();
    this.#held += text;
    const lines = this.#held.split("\n");
    this.#held = lines.pop()!;
    if (this.#held.length > LONGEST_ANSWER) this.#held = this.#held.slice(-KEPT_WORDS);
    for (const line of lines) {
      const waiting = this.#waiting;
      if (!waiting || !line.startsWith(`${waiting.id} `)) continue;
      this.#waiting = undefined;
      const json = Buffer.from(line.slice(waiting.id.length + 1), "latin1").toString("utf8");
      try {
        waiting.resolve(JSON.parse(json));
      } catch {
        waiting.reject(this.#die(new WorkerDied("died", "its answer is torn")));
      }
    }
  }

  #wait(id: string, limitMs: number, silenceMs: number): Promise<unknown> {
    if (this.#isDead) return Promise.reject(this.#isDead);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const give = () => this.#die(new WorkerDied("limit", "it does not answer"));
    const timer = setTimeout(give, limitMs);
    this.#silence = setTimeout(give, silenceMs);
    this.#waiting = { id, resolve, reject };
    return promise.finally(() => {
      clearTimeout(timer);
      clearTimeout(this.#silence);
    });
  }

  #die(why: WorkerDied): WorkerDied {
    this.#isDead ??= why;
    this.#waiting?.reject(this.#isDead);
    this.#waiting = undefined;
    this.#stop.abort();
    return this.#isDead;
  }
}

function newId(): string {
  return randomBytes(12).toString("hex");
}
