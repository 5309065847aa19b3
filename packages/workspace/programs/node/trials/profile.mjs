// What a thread executes, as V8 counts it, for the warm worker for node --test. The counts are asked for from the worker's
// own thread, so that one that never ends tells them too.

import { Session } from "node:inspector/promises";
import { setTimeout as wait } from "node:timers/promises";

const ANSWER_LIMIT_MS = 5_000;
const waiting = new Map();
const attached = [];
let session;
let asked = 0;

async function connect() {
  if (session) return;
  session = new Session();
  session.connect();
  session.on("NodeWorker.attachedToWorker", ({ params }) => attached.push(params.sessionId));
  session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
    const { id, result } = JSON.parse(params.message);
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  await session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
}

/** The counts of the one thread that runs. */
export class Profile {
  #id;

  async begin() {
    await connect();
    while (attached.length === 0) await wait(1);
    this.#id = attached.at(-1);
    attached.length = 0;
    await this.#ask("Profiler.enable");
    await this.#ask("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  async take() {
    return (await this.#ask("Profiler.takePreciseCoverage"))?.result ?? [];
  }

  #ask(method, params) {
    const id = ++asked;
    const { promise, resolve } = Promise.withResolvers();
    waiting.set(id, resolve);
    session.post("NodeWorker.sendMessageToWorker", {
      sessionId: this.#id,
      message: JSON.stringify({ id, method, params }),
    });
    return Promise.race([promise, wait(ANSWER_LIMIT_MS)]);
  }
}
