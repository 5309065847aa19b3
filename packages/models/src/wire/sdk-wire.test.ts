import { hash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FaultServer, type MessageContent, startFaultServer } from "../../../../test/fakes/fault-server.ts";
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

describe("an answer", () => {
  test("comes whole, with the server's count and the times that it took", async () => {
    server.next({ text: "The hull is too narrow.", usage: { input: 12, output: 6 }, delay: 60, drip: 20 });
    const answer = await ask("What is wrong?");
    expect(answer).toEqual({
      text: "The hull is too narrow.",
      model: "fake",
      finishReason: "stop",
      inputTokens: 12,
      outputTokens: 6,
      firstMs: expect.any(Number),
      ms: expect.any(Number),
    });
    expect(answer.firstMs).toBeGreaterThanOrEqual(60);
    expect(answer.ms).toBeGreaterThanOrEqual(answer.firstMs + 80);
  });

  test("is told as it streams, each time all of the text so far", async () => {
    server.next({ text: "one two three", piece: 4 });
    const call = callOf();
    await ask("Count.", {}, 5_000, call);
    expect(call.told).toEqual(["one ", "one two ", "one two thre", "one two three"]);
  });

  test("asks for a stream with its usage, and sends every parameter of the request", async () => {
    await ask("Go.", { system: "Be brief.", temperature: 0.4, topP: 0.9, maxTokens: 321, model: "devstral" });
    const { body, headers } = server.requests[0]!;
    expect(body).toEqual({
      model: "devstral",
      max_tokens: 321,
      temperature: 0.4,
      top_p: 0.9,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Go." },
      ],
    });
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(headers["idempotency-key"]).toBe("key-1");
  });

  test("can be asked for under a key that no header could carry", async () => {
    await ask("Go.", {}, 5_000, callOf({ idempotencyKey: "run/構築 é\n1" }));
    expect(decodeURIComponent(String(server.requests[0]!.headers["idempotency-key"]))).toBe("run/構築 é\n1");
  });

  test("keeps think blocks in its text, and sets apart what the server sets apart as reasoning", async () => {
    server.next({ text: "<think>a } b</think>yes", reasoning: "first I weigh it" });
    expect(await ask("Well?")).toMatchObject({ text: "<think>a } b</think>yes", reasoning: "first I weigh it" });
  });

  test("tells its first sign when reasoning begins, before there is any text", async () => {
    server.next({ reasoning: "abcd", text: "yes", drip: 80, piece: 10 });
    const call = callOf();
    const { firstMs, ms } = await ask("Well?", {}, 5_000, call);
    expect(call.told).toEqual(["", "yes"]);
    expect(ms - firstMs).toBeGreaterThanOrEqual(70);
  });

  test("names the model that really answered", async () => {
    server.next({ model: "another-model" });
    expect(await ask("Who?")).toMatchObject({ model: "another-model" });
  });

  test("has no count where the server does not count", async () => {
    server.next({ usage: "none" });
    expect(await ask("Go.")).toMatchObject({ text: "ok", inputTokens: undefined, outputTokens: undefined });
  });

  test("has no count where the server counts nought for words that it gave", async () => {
    server.next({ usage: { input: 0, output: 0 } });
    expect(await ask("Go.")).toMatchObject({ inputTokens: undefined, outputTokens: undefined });
  });

  test("that is empty is an answer, for its asker to judge", async () => {
    server.next({ text: "" });
    expect(await ask("Go.")).toMatchObject({ text: "", finishReason: "stop", outputTokens: 0 });
  });

  test("that was cut off says so by its finish reason", async () => {
    server.next({ text: "and then the", finishReason: "length" });
    expect(await ask("Go on.")).toMatchObject({ text: "and then the", finishReason: "length" });
  });

  test("with a finish reason that nobody knows keeps it", async () => {
    server.next({ finishReason: "eos_token" });
    expect(await ask("Go on.")).toMatchObject({ finishReason: "eos_token" });
  });

  test("in one JSON body, from a server that does not stream, is as good as a streamed one", async () => {
    server.next({ streams: false, text: "all at once", reasoning: "hm", usage: { input: 3, output: 4 } });
    const answer = { text: "all at once", reasoning: "hm", inputTokens: 3, outputTokens: 4, finishReason: "stop" };
    expect(await ask("Go.")).toMatchObject(answer);
  });

  test("of five thousand pieces comes whole", async () => {
    const text = "word ".repeat(5_000);
    server.next({ text, piece: 5 });
    const answer = await ask("Write.");
    expect(hash("sha256", answer.text)).toBe(hash("sha256", text));
  });
});

describe("pictures", () => {
  test("arrive byte for byte, with their media type, before the text and in order", async () => {
    const images = [0, 1].map((n) => ({ bytes: pixels(n, 3_000), mediaType: "image/png", digest: `d${n}` }));
    await ask("Compare them.", { images });
    const content = server.requests[0]!.body.messages[0]!.content as Exclude<MessageContent, string>;
    expect(content.map((part) => part.image_url?.url.split(",")[0])).toEqual([
      "data:image/png;base64",
      "data:image/png;base64",
      undefined,
    ]);
    const sent = content.slice(0, 2).map((part) => Buffer.from(part.image_url!.url.split(",")[1]!, "base64"));
    expect(sent.map((bytes, n) => bytes.equals(images[n]!.bytes))).toEqual([true, true]);
    expect(server.requests[0]!.prompt).toBe("Compare them.");
  });
});

test("An endpoint that there is not is named.", async () => {
  const error = await wireErrorOf(ask("Go.", { endpoint: "nowhere" }));
  expect(error).toMatchObject({ message: "there is no endpoint nowhere", isRetryable: false });
});

test("An address that is none is told without another try.", async () => {
  const wire = sdkWire({ local: endpointAt("not an address") });
  expect(await wireErrorOf(wire(requestFor("Go."), callOf()))).toMatchObject({ isRetryable: false });
});

function pixels(seed: number, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, n) => (n * 31 + seed * 7) % 256);
}

describe("a key that is missing", () => {
  test("is said before anything is sent", async () => {
    const wire = sdkWire({ local: endpointAt(server.url, { keyEnv: "LOCAL_KEY" }) });
    const error = await wireErrorOf(wire(requestFor("Go."), callOf()));
    expect(error).toMatchObject({ lacksKey: "LOCAL_KEY", isRetryable: false });
    expect(server.requests).toEqual([]);
  });
});
