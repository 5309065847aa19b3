import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FaultServer, faults, type Reply, startFaultServer } from "../../../../test/fakes/fault-server.ts";
import { callOf, endpointAt, requestFor, wireErrorOf } from "../../../../test/fakes/wire.ts";
import { sdkWire } from "./sdk-wire.ts";
import type { WireRequest } from "./wire.ts";

const KEY = "sk-local-0123456789";

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

function ask(prompt: string, more: Partial<WireRequest> = {}, timeout = 5_000, call = callOf()) {
  return sdkWire({ local: endpointAt(server.url, { key: KEY }) }, { timeout })(requestFor(prompt, more), call);
}

describe("an HTTP error", () => {
  const cases: { status: number; isRetryable: boolean }[] = [
    { status: 400, isRetryable: false },
    { status: 401, isRetryable: false },
    { status: 403, isRetryable: false },
    { status: 404, isRetryable: false },
    { status: 408, isRetryable: true },
    { status: 409, isRetryable: true },
    { status: 422, isRetryable: false },
    { status: 429, isRetryable: true },
    { status: 500, isRetryable: true },
    { status: 503, isRetryable: true },
    { status: 529, isRetryable: true },
  ];
  test.each(cases)("$status is told after one request, and another try may help: $isRetryable", async (expected) => {
    server.next({ status: expected.status });
    expect(await wireErrorOf(ask("Go."))).toMatchObject(expected);
    expect(server.requests).toHaveLength(1);
  });

  test("says the server's words, the endpoint, its address and the model", async () => {
    server.next(faults.unauthorized());
    const { message } = await wireErrorOf(ask("Go.", { model: "devstral" }));
    expect(message).toBe(`local (${server.url}), asked for devstral, answered 401: Incorrect API key provided`);
  });

  test("passes on how long the server asks to wait", async () => {
    server.next(faults.tooMany(7), { status: 503, headers: { "retry-after-ms": "250" } });
    expect(await wireErrorOf(ask("Go."))).toMatchObject({ status: 429, retryAfter: 7 });
    expect(await wireErrorOf(ask("Go."))).toMatchObject({ status: 503, retryAfter: 0.25 });
  });

  test("keeps neither the key nor the rest of a long body that echoes it", async () => {
    server.next({ status: 400, body: `${"x".repeat(490)}${KEY}${"y".repeat(5_000)}` });
    const error = await wireErrorOf(ask("Go."));
    expect(error.message).not.toContain("sk-local");
    expect(error.message).toContain("x".repeat(490));
    expect(error.message.length).toBeLessThan(700);
    expect(error.cause).toBeUndefined();
  });

  test("without a body is told by its status", async () => {
    server.next({ status: 502, body: "" });
    expect((await wireErrorOf(ask("Go."))).message).toMatch(/answered 502$/);
  });

  test("is not followed where it is a redirect, for the key was meant for one address", async () => {
    server.next({ status: 307, headers: { location: "http://127.0.0.1:9/v2/chat/completions?key=abcdef" } });
    const error = await wireErrorOf(ask("Go."));
    expect(error).toMatchObject({ status: 307, isRetryable: false });
    expect(error.message).toMatch(/it points to http:\/\/127\.0\.0\.1:9\/v2\/chat\/completions$/);
  });
});

describe("a stream that fails", () => {
  const halves: { fault: NonNullable<Reply["fault"]>; words: RegExp }[] = [
    { fault: "refuse", words: /cannot be reached: socket hang up$/ },
    { fault: "cut", words: /broke off its answer: the connection was lost$/ },
    { fault: "end", words: /broke off its answer: .*without a finish reason/ },
    { fault: "malformed", words: /broke off its answer: JSON parsing failed/ },
    { fault: "error-event", words: /answered 500: The model has crashed$/ },
  ];
  test.each(halves)("by '$fault' is no answer, and another try may help", async ({ fault, words }) => {
    server.next({ text: "half of an answer is none", fault });
    const error = await wireErrorOf(ask("Go."));
    expect(error.isRetryable).toBe(true);
    expect(error.message).toMatch(words);
    expect(server.requests).toHaveLength(1);
  });

  test.each(["cut", "end"] as const)("by '%s' inside one JSON body is no answer either", async (fault) => {
    server.next({ text: "half of an answer is none", streams: false, fault });
    const error = await wireErrorOf(ask("Go."));
    expect(error.isRetryable).toBe(true);
    expect(error.message).toMatch(/broke off its answer/);
  });

  test("with the server's own error passes on its words, and tries that cannot help are named", async () => {
    server.next(
      { fault: "error-event", body: '{"error":{"message":"context length exceeded","code":400}}' },
      { fault: "error-event", body: '{"error":{"message":"out of memory"}}' },
    );
    const hopeless = await wireErrorOf(ask("Go."));
    expect(hopeless).toMatchObject({ status: 400, isRetryable: false });
    expect(hopeless.message).toMatch(/context length exceeded$/);
    const other = await wireErrorOf(ask("Go."));
    expect(other).toMatchObject({ status: undefined, isRetryable: true });
    expect(other.message).toMatch(/broke off its answer: out of memory$/);
  });

  test("with an error in a body that says 200 is no answer", async () => {
    const odd = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"error":"Model unloaded"}');
    });
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const { port } = odd.address() as { port: number };
    const wire = sdkWire({ local: endpointAt(`http://127.0.0.1:${port}/v1`) });
    const error = await wireErrorOf(wire(requestFor("Go."), callOf()));
    odd.close();
    expect(error.message).toMatch(/broke off its answer: Model unloaded$/);
  });

  test("because nobody listens cannot be reached", async () => {
    await server.close();
    const error = await wireErrorOf(ask("Go."));
    expect(error).toMatchObject({ status: undefined, isRetryable: true });
    expect(error.message).toMatch(/cannot be reached: connect ECONNREFUSED/);
  });
});

describe("a stall", () => {
  test.each(["hang", "stall"] as const)("by '%s' ends the call and its connection", async (fault) => {
    server.next({ text: "half of an answer is none", fault });
    const error = await wireErrorOf(ask("Go.", {}, 150));
    expect(error.isRetryable).toBe(true);
    expect(error.message).toBe(`local (${server.url}), asked for fake, stalled: no sign of life for 0.15 s`);
    expect(await server.requests[0]!.ended).toBe("left");
  });

  test("is not a slow drip: every byte is a sign of life", async () => {
    server.next({ text: "slow but sure, this one", drip: 100 });
    const answer = await ask("Go.", {}, 250);
    expect(answer.text).toBe("slow but sure, this one");
    expect(answer.ms).toBeGreaterThan(500);
  });

  test("is not a server that says it is loading its model", async () => {
    server.next({ delay: 600, ping: 60 });
    expect(await ask("Go.", {}, 300)).toMatchObject({ text: "ok" });
  });
});

describe("when the caller aborts", () => {
  test.each(["hang", "stall"] as const)(
    "while the server is in a '%s', the reason is thrown and the connection closed",
    async (fault) => {
      server.next({ text: "half of an answer is none", fault });
      const controller = new AbortController();
      const reason = new Error("paused");
      const asked = ask("Go.", {}, 5_000, callOf({ signal: controller.signal }));
      await expect.poll(() => server.requests.length).toBe(1);
      controller.abort(reason);
      await expect(asked).rejects.toBe(reason);
      expect(await server.requests[0]!.ended).toBe("left");
    },
  );

  test("in the middle of an answer, no more of it is told", async () => {
    server.next({ text: "word ".repeat(100), drip: 10 });
    const controller = new AbortController();
    const told: string[] = [];
    const onText = (text: string) => {
      told.push(text);
      if (told.length === 3) controller.abort(new Error("enough"));
    };
    await expect(ask("Go.", {}, 5_000, callOf({ signal: controller.signal, onText }))).rejects.toThrow("enough");
    expect(await server.requests[0]!.ended).toBe("left");
    expect(told.length).toBeLessThan(6);
  });

  test("before the call, nothing is sent", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(ask("Go.", {}, 5_000, callOf({ signal }))).rejects.toThrow("too late");
    expect(server.requests).toHaveLength(0);
  });
});

test("No connection is left after any call, and none of its timers.", async () => {
  const before = timers();
  const replies: Reply[] = [{}, faults.broken(), { fault: "cut" }, { fault: "malformed" }, { fault: "error-event" }];
  server.next(...replies);
  const results = await Promise.allSettled(replies.map((_, n) => ask(`Go ${n}.`)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect.poll(() => server.connections()).toBe(0);
  expect(timers()).toBeLessThanOrEqual(before);
});

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}
