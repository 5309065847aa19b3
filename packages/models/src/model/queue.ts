// Queues: one for each server, so that it gets no more calls at once than it is meant to.
//
// Of the calls that wait, one for the model that was used last goes first: a server on one's own machine must not load
// two models in turns. So that others do not wait for ever, the call at the front is overtaken only so many times.

import type { Endpoint } from "../configuration/configuration.ts";

/** How many calls may overtake the one at the front. */
const MOST_OVERTAKES = 8;

/** Makes a call when its turn has come; an aborted one leaves the queue at once. */
export type Enqueue = ReturnType<typeof openQueues>;

/** Opens the queues of all endpoints. Two endpoints at one address are one server, and share a queue. */
export function openQueues() {
  const queues = new Map<string, Queue>();
  return <Result>(endpoint: Endpoint, model: string, signal: AbortSignal, call: () => Promise<Result>) => {
    const address = `${endpoint.kind === "command" ? "command" : "http"} ${endpoint.url}`;
    const queue = queues.get(address) ?? new Queue(endpoint.concurrency);
    queues.set(address, queue);
    return queue.run(model, signal, call);
  };
}

class Queue {
  #free: number;
  #waiting: { model: string; begin: () => void }[] = [];
  #lastModel: string | undefined;
  #overtakes = 0;

  constructor(concurrency: number) {
    this.#free = concurrency;
  }

  async run<Result>(model: string, signal: AbortSignal, call: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    const begun = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<never>();
    const turn = { model, begin: begun.resolve };
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort);
    this.#waiting.push(turn);
    this.#next();
    try {
      await Promise.race([begun.promise, aborted.promise]);
      return await Promise.race([call(), aborted.promise]);
    } finally {
      signal.removeEventListener("abort", abort);
      if (!this.#waiting.includes(turn)) this.#free++;
      this.#waiting = this.#waiting.filter((other) => other !== turn);
      this.#next();
    }
  }

  /** Lets a call begin where there is room: one of the same model as the last one, or the one that has waited longest. */
  #next(): void {
    if (this.#free === 0 || this.#waiting.length === 0) return;
    const same = this.#waiting.findIndex(({ model }) => model === this.#lastModel);
    const index = same > 0 && this.#overtakes < MOST_OVERTAKES ? same : 0;
    this.#overtakes = index === 0 ? 0 : this.#overtakes + 1;
    const [turn] = this.#waiting.splice(index, 1);
    this.#lastModel = turn!.model;
    this.#free--;
    turn!.begin();
  }
}
