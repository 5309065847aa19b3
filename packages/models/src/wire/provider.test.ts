import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { LLMock } from "@copilotkit/aimock";
import type { Json } from "@loopwright/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { callOf, endpointAt, requestFor, wireErrorOf } from "../../../../test/fakes/wire.ts";
import type { Endpoint } from "../configuration/configuration.ts";
import { splitAddress } from "./provider.ts";
import { sdkWire } from "./sdk-wire.ts";
import type { WireRequest } from "./wire.ts";

const schema: Json = {
  type: "object",
  properties: { score: { type: "number" } },
  required: ["score"],
  additionalProperties: false,
};
const KEY = "key-of-the-provider";

type Kind = Exclude<Endpoint["kind"], "command">;
const models: Record<Kind, string> = {
  "openai-compatible": "devstral",
  openai: "gpt-4o",
  anthropic: "claude-sonnet-4-5",
};
const kinds = Object.keys(models) as Kind[];

function ask(
  kind: Kind,
  base: string,
  prompt: string,
  more: Partial<WireRequest> = {},
  endpoint: Partial<Endpoint> = {},
) {
  const wire = sdkWire({ local: endpointAt(base, { kind, key: KEY, ...endpoint }) }, { timeout: 5_000 });
  return wire(requestFor(prompt, { model: models[kind], ...more }), callOf());
}

describe("over a mock of the providers' wire formats", () => {
  const mock = new LLMock({ port: 0 });
  beforeAll(async () => {
    mock.onMessage(/hello/, { content: "Hi there!", usage: { input_tokens: 11, output_tokens: 7 } });
    mock.onMessage(/think/, { content: "So it is.", reasoning: "let me think" });
    mock.onMessage(/json/, { content: '{"score":1}' });
    await mock.start();
  });
  afterEach(() => mock.clearChaos());
  afterAll(() => mock.stop());

  test.each(kinds)("%s answers, and tells its model and its count", async (kind) => {
    const answer = await ask(kind, `${mock.url}/v1`, "hello", { system: "Be brief.", temperature: 0.4 });
    expect(answer).toMatchObject({ text: "Hi there!", model: models[kind], finishReason: "stop" });
    expect(answer).toMatchObject({ inputTokens: 11, outputTokens: 7 });
  });

  test.each(kinds)("%s has its reasoning set apart", async (kind) => {
    expect(await ask(kind, `${mock.url}/v1`, "think")).toMatchObject({ text: "So it is.", reasoning: "let me think" });
  });

  test.each(kinds)("%s answers to a schema in its own way", async (kind) => {
    const answer = await ask(kind, `${mock.url}/v1`, "json", { schema });
    expect(answer).toMatchObject({ text: '{"score":1}', structured: "json_schema", finishReason: "stop" });
  });

  test("an Anthropic model that knows no schemas is given one as a tool, and answers with text all the same", async () => {
    const answer = await ask("anthropic", `${mock.url}/v1`, "json", { schema, model: "claude-3-haiku-20240307" });
    expect(answer).toMatchObject({ text: '{"score":1}', structured: "json_schema", finishReason: "stop" });
    expect(JSON.stringify(mock.getLastRequest()?.body)).toContain('"tools"');
  });

  test("what a package leaves out of a request is not printed", async () => {
    const printed: string[] = [];
    const listen = ({ message }: Error) => void printed.push(message);
    process.on("warning", listen);
    await ask("openai", `${mock.url}/v1`, "hello", { model: "gpt-5.1", temperature: 0.4 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("warning", listen);
    expect(printed).toEqual([]);
  });

  test.each(kinds)("%s says 429 with the wait that was asked for, after one request", async (kind) => {
    mock.clearRequests();
    mock.setChaos({ rateLimitRate: 1 });
    const error = await wireErrorOf(ask(kind, `${mock.url}/v1`, "hello"));
    expect(error).toMatchObject({ status: 429, isRetryable: true, retryAfter: expect.any(Number) });
    expect(mock.getRequests()).toHaveLength(1);
  });

  test.each(kinds)("%s that drops the connection or talks nonsense gives no answer", async (kind) => {
    mock.setChaos({ disconnectRate: 1 });
    expect(await wireErrorOf(ask(kind, `${mock.url}/v1`, "hello"))).toMatchObject({ isRetryable: true });
    mock.setChaos({ malformedRate: 1 });
    expect(await wireErrorOf(ask(kind, `${mock.url}/v1`, "hello"))).toMatchObject({ isRetryable: true });
  });
});

describe("over a bare server", () => {
  interface Seen {
    url: string;
    headers: IncomingHttpHeaders;
    body: string;
  }
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** Keeps what it is sent, and answers with these events, or with 400 where there are none. */
  async function listen(events?: object[]): Promise<{ url: string; seen: Seen[] }> {
    const seen: Seen[] = [];
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      seen.push({ url: request.url!, headers: request.headers, body });
      response.writeHead(events ? 200 : 400, { "content-type": "text/event-stream" });
      response.end(events?.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") ?? "no");
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
  }

  test.each(kinds)("%s is sent pictures byte for byte", async (kind) => {
    const { url, seen } = await listen();
    const bytes = Uint8Array.from({ length: 999 }, (_, n) => (n * 37) % 256);
    await wireErrorOf(ask(kind, url, "Look.", { images: [{ bytes, mediaType: "image/png", digest: "d" }] }));
    expect(seen[0]!.body).toContain(Buffer.from(bytes).toString("base64"));
    expect(seen[0]!.body).toContain("image/png");
    expect(seen[0]!.body).toContain("Look.");
  });

  test.each(kinds)("%s is sent its key, the user's headers and the address's query", async (kind) => {
    const { url, seen } = await listen();
    const endpoint = { url: `${url}/?api-version=7`, headers: { "x-team": "loops" } };
    await wireErrorOf(ask(kind, url, "Go.", {}, endpoint));
    const { headers } = seen[0]!;
    expect(kind === "anthropic" ? headers["x-api-key"] : headers.authorization).toContain(KEY);
    expect(headers["x-team"]).toBe("loops");
    expect(seen[0]!.url).toMatch(/^\/v1\/(chat\/completions|responses|messages)\?api-version=7$/);
  });

  test.each(kinds)("%s takes no key of the environment for an endpoint that has none", async (kind) => {
    const { url, seen } = await listen();
    const names = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"] as const;
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = "of-the-environment";
    await wireErrorOf(ask(kind, url, "Go.", {}, { key: undefined }));
    for (const [n, name] of names.entries()) {
      if (before[n] === undefined) delete process.env[name];
      else process.env[name] = before[n];
    }
    expect(JSON.stringify(seen[0]!.headers)).not.toContain("of-the-environment");
  });

  test("openai is told to keep nothing", async () => {
    const { url, seen } = await listen();
    await wireErrorOf(ask("openai", url, "Go."));
    expect(JSON.parse(seen[0]!.body)).toMatchObject({ store: false, stream: true, max_output_tokens: 100 });
  });

  const openings: Record<Kind, object[]> = {
    "openai-compatible": [{ model: "m", choices: [{ index: 0, delta: { content: "half" } }] }],
    openai: [
      { type: "response.created", response: { id: "r", created_at: 1, model: "gpt-4o" } },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "i" } },
      { type: "response.output_text.delta", item_id: "i", delta: "half" },
    ],
    anthropic: [
      { type: "message_start", message: { id: "i", model: "claude", usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half" } },
    ],
  };
  test.each(kinds)("%s that ends tidily in the middle has given no answer", async (kind) => {
    const { url } = await listen(openings[kind]);
    const error = await wireErrorOf(ask(kind, url, "Go."));
    expect(error.isRetryable).toBe(true);
    expect(error.message).toMatch(/broke off its answer/);
  });

  test.each(kinds)("%s that says nothing at all has given no answer", async (kind) => {
    const { url } = await listen([]);
    expect(await wireErrorOf(ask(kind, url, "Go."))).toMatchObject({ isRetryable: true });
  });

  test("openai's answer that was cut off says so", async () => {
    const usage = { input_tokens: 3, output_tokens: 100 };
    const incomplete = { incomplete_details: { reason: "max_output_tokens" }, usage };
    const { url } = await listen([...openings.openai, { type: "response.incomplete", response: incomplete }]);
    expect(await ask("openai", url, "Go.")).toMatchObject({ text: "half", finishReason: "length", outputTokens: 100 });
  });

  test("anthropic's error inside a stream is told by its words", async () => {
    const overloaded = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    const { url } = await listen([...openings.anthropic, overloaded]);
    const error = await wireErrorOf(ask("anthropic", url, "Go."));
    expect(error.isRetryable).toBe(true);
    expect(error.message).toMatch(/Overloaded$/);
  });
});

test("An address is split from its query and its trailing slashes.", () => {
  expect(splitAddress("http://h:1/v1")).toEqual({ base: "http://h:1/v1", search: "" });
  expect(splitAddress("http://h:1/v1//?a=b?c#d")).toEqual({ base: "http://h:1/v1", search: "?a=b?c" });
  expect(splitAddress("http://h:1/")).toEqual({ base: "http://h:1", search: "" });
});
