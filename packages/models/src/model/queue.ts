// Queues: one for each server, so that it gets no more calls at once than it is meant to.
//
// Of the calls that wait, one for the model that was used last goes first: a server on one's own machine must not load
// two models in turns. So that others do not wait for ever, the call at the front is overtaken only so many times.

import type PQueue from "p-queue";
import type { RunFunction } from "p-queue";
import type { Endpoint } from "../configuration/configuration.ts";

/** How many calls may overtake the one at the front. */
const MOST_OVERTAKES = 8;

/** What a call says of itself when it joins a queue. */
interface TurnOptions {
  id?: string | undefined;
  model?: string;
}

/** Calls that wait for their turn. */
export class Turns {
  #waiting: { run: RunFunction; id: string | undefined; model: string | undefined }[] = [];
  #lastModel: string | undefined;
  #overtakes = 0;

  get size(): number {
    return this.#waiting.length;
  }

  enqueue(run: RunFunction, { id, model }: TurnOptions = {}): void {
    this.#waiting.push({ run, id, model });
  }

  /** Takes the next call: of the same model as the last one, or the one that has waited longest. */
  dequeue(): RunFunction | undefined {
    const same = this.#waiting.findIndex(({ model }) => model === this.#lastModel);
    const index = same > 0 && this.#overtakes < MOST_OVERTAKES ? same : 0;
    this.#overtakes = index === 0 ? 0 : this.#overtakes + 1;
    const [next] = this.#waiting.splice(index, 1);
    this.#lastModel = next?.model ?? this.#lastModel;
    return next?.run;
  }

  remove(id: string): void {
    this.#waiting = this.#waiting.filter((turn) => turn.id !== id);
  }

  /** All calls have the same priority. */
  filter(): RunFunction[] {
    return this.#waiting.map(({ run }) => run);
  }

  setPriority(): void {}
}

/** Makes a call when its turn has come; an aborted one leaves the queue at once. */
export type Enqueue = <Result>(
  endpoint: Endpoint,
  model: string,
  signal: AbortSignal,
  call: () => Promise<Result>,
) => Promise<Result>;

type TurnQueue = PQueue<Turns, TurnOptions & { signal?: AbortSignal }>;

/** Opens the queues of all endpoints. Two endpoints at one address are one server, and share a queue. */
export function openQueues(): Enqueue {
  const queues = new Map<string, TurnQueue>();
  return async (endpoint, model, signal, call) => {
    const { default: Queue } = await import("p-queue");
    const address = `${endpoint.kind === "command" ? "command" : "http"} ${endpoint.url}`;
    let queue = queues.get(address);
    if (queue === undefined) {
      queue = new Queue({ concurrency: endpoint.concurrency, queueClass: Turns });
      queues.set(address, queue);
    }
    return queue.add(call, { model, signal });
  };
}
