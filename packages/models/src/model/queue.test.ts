import { describe, expect, it } from "vitest";
import type { Endpoint } from "../configuration/configuration.ts";
import { openQueues } from "./model.ts";

const server: Endpoint = {
  name: "local",
  kind: "openai-compatible",
  url: "http://127.0.0.1:1/v1",
  concurrency: 1,
  isLocal: true,
};

const never = new AbortController().signal;

/** A call that ends when it is told to, and what is under way at the server. */
function aServer() {
  const started: string[] = [];
  const waiting: (() => void)[] = [];
  let most = 0;
  const call = (name: string) => async () => {
    started.push(name);
    most = Math.max(most, waiting.length + 1);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return name;
  };
  const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
  return {
    started,
    call,
    settled,
    /** Ends the call that has been under way longest, and lets the next begin. */
    finish: async () => {
      waiting.shift()?.();
      await settled();
    },
    get most() {
      return most;
    },
  };
}

/** The order in which calls for these models are made, one at a time, all waiting from the start. */
async function order(models: string): Promise<string> {
  const enqueue = openQueues();
  const taken: string[] = [];
  await Promise.all([...models].map((model) => enqueue(server, model, never, async () => taken.push(model))));
  return taken.join("");
}

describe("the calls that wait for a server", () => {
  it("are grouped by model, so that a server does not swap models back and forth", async () => {
    expect(await order("ababab")).toBe("aaabbb");
    expect(await order("abcabc")).toBe("aabbcc");
  });

  it("overtake the one at the front at most eight times, so that none starves", async () => {
    expect(await order(`ab${"a".repeat(20)}`)).toBe(`a${"a".repeat(8)}b${"a".repeat(12)}`);
  });
});

describe("the queue of a server", () => {
  it("has as many calls under way as its endpoint allows, and no more", async () => {
    const { call, finish, settled, ...seen } = aServer();
    const enqueue = openQueues();
    const at = { ...server, concurrency: 2 };
    const done = Promise.all(["1", "2", "3", "4"].map((name) => enqueue(at, "m", never, call(name))));
    await settled();
    expect(seen.started).toEqual(["1", "2"]);
    for (let count = 0; count < 4; count++) await finish();
    expect(await done).toEqual(["1", "2", "3", "4"]);
  });

  it("is one for two endpoints at the same address", async () => {
    const { call, finish, settled, started } = aServer();
    const enqueue = openQueues();
    const done = [enqueue(server, "m", never, call("1")), enqueue({ ...server, name: "other" }, "m", never, call("2"))];
    await settled();
    expect(started).toEqual(["1"]);
    await finish();
    expect(started).toEqual(["1", "2"]);
    await finish();
    await Promise.all(done);
  });

  it("does not hold up calls to another server", async () => {
    const { call, finish, settled, started } = aServer();
    const enqueue = openQueues();
    const other = { ...server, url: "http://127.0.0.1:2/v1" };
    const done = [enqueue(server, "m", never, call("1")), enqueue(other, "m", never, call("2"))];
    await settled();
    expect(started).toEqual(["1", "2"]);
    await finish();
    await finish();
    await Promise.all(done);
  });

  it("groups the calls of two roles by their models", async () => {
    const { call, finish, settled, started } = aServer();
    const enqueue = openQueues();
    const done = ["a1", "b1", "a2", "b2"].map((name) => enqueue(server, name[0]!, never, call(name)));
    await settled();
    for (let count = 0; count < 4; count++) await finish();
    await Promise.all(done);
    expect(started).toEqual(["a1", "a2", "b1", "b2"]);
  });

  it("lets an aborted call go at once, with the reason, and never makes it", async () => {
    const { call, finish, settled, started } = aServer();
    const enqueue = openQueues();
    const abort = new AbortController();
    const first = enqueue(server, "m", never, call("1"));
    const second = enqueue(server, "m", abort.signal, call("2"));
    await settled();
    abort.abort(new Error("stop"));
    await expect(second).rejects.toThrow("stop");
    await finish();
    await first;
    expect(started).toEqual(["1"]);
  });

  it("goes on after a call that failed", async () => {
    const enqueue = openQueues();
    const failed = enqueue(server, "m", never, async () => {
      throw new Error("no");
    });
    const next = enqueue(server, "m", never, async () => "yes");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("yes");
  });
});
