// A worker: a job that stays, is asked in lines and answers in lines, until it dies.

import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { InfrastructureError } from "@loopwright/core";
import type { Sandbox, SandboxJob } from "./types.ts";

/** A worker's death, as whoever asked it hears of it. */
export class WorkerDied extends Error {
  readonly reason: "died" | "limit" | "stopped";

  constructor(reason: WorkerDied["reason"], message: string) {
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
  /** The most characters of an answer. */
  longestAnswer?: number;
}

const START_LIMIT_MS = 60_000;
/** Longer than any answer is: what a program pours out beside its answers is dropped. */
const LONGEST_ANSWER = 64 * 2 ** 20;
const LAST_WORDS = 2_000;

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
  /** The line that is being heard, in pieces. */
  #held: string[] = [];
  #heldLength = 0;
  #isDead: WorkerDied | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  readonly #longest: number;

  private constructor(longest: number) {
    this.#longest = longest;
  }

  static async start({ sandbox, job, signal, longestAnswer = LONGEST_ANSWER }: WorkerStart): Promise<Worker> {
    const worker = new Worker(longestAnswer);
    const hello = randomUUID();
    const ready = worker.#wait(hello, START_LIMIT_MS, START_LIMIT_MS);
    ready.catch(() => {});
    try {
      worker.#run(sandbox, { ...(await job(hello)), signal: AbortSignal.any([signal, worker.#stop.signal]) });
      await ready;
    } catch (error) {
      await worker.stop();
      signal.throwIfAborted();
      if (!(error instanceof WorkerDied)) throw error;
      throw new InfrastructureError("WORKER_FAILED", `a worker does not start: ${error.message}`);
    }
    return worker;
  }

  get isAlive(): boolean {
    return this.#isDead === undefined;
  }

  /** Asks; rejects with WorkerDied where no answer comes, and the worker is dead then. Where it says something all the time,
   * silence ends it sooner. */
  async ask<Answer>(question: object, limitMs: number, silenceMs = limitMs): Promise<Answer> {
    const id = randomUUID();
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
      ({ stopped, output, code }) =>
        this.#die(new WorkerDied(stopped === undefined ? "died" : "limit", stopped ?? lastWords(output, code))),
      (error) => this.#die(new WorkerDied("died", error instanceof Error ? error.message : String(error))),
    );
  }

  #hear(text: string): void {
    this.#silence?.refresh();
    const [first, ...more] = text.split("\n");
    this.#hold(first!);
    for (const part of more) {
      this.#take(this.#held.join(""));
      [this.#held, this.#heldLength] = [[], 0];
      this.#hold(part);
    }
  }

  #hold(part: string): void {
    this.#held.push(part);
    this.#heldLength += part.length;
    if (this.#heldLength <= this.#longest) return;
    const isAnswer = this.#waiting && this.#held.join("").startsWith(this.#waiting.id);
    [this.#held, this.#heldLength] = [[], 0];
    if (isAnswer) this.#die(new WorkerDied("limit", `its answer is longer than ${this.#longest} characters`));
  }

  #take(line: string): void {
    const waiting = this.#waiting;
    if (!waiting || !line.startsWith(`${waiting.id} `)) return;
    this.#waiting = undefined;
    const json = Buffer.from(line.slice(waiting.id.length + 1), "latin1").toString("utf8");
    try {
      waiting.resolve(JSON.parse(json));
    } catch {
      waiting.reject(this.#die(new WorkerDied("died", "its answer is truncated")));
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

/** The signal that ended it, else what it said last. */
function lastWords(output: string, code: number | null): string {
  const signal = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
  if (signal) return `it was ended by ${signal}`;
  const text = output.trim();
  if (text === "") return `it ended with exit code ${code}`;
  return text.length <= LAST_WORDS ? text : `…\n${text.slice(-LAST_WORDS)}`;
}
