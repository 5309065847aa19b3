import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import type { Json, ModelTool } from "@loopwright/core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FaultServer, startFaultServer } from "../../../../test/fakes/fault-server.ts";
import { callOf, endpointAt, requestFor, wireErrorOf } from "../../../../test/fakes/wire.ts";
import { cassetteWire } from "../cassette/cassette.ts";
import { redactor } from "../configuration/secrets.ts";
import { sdkWire } from "./sdk-wire.ts";
import { redactWire, type WireRequest } from "./wire.ts";

const schema: Json = { type: "object", properties: { plan: { type: "string" } }, required: ["plan"] };
const tools: ModelTool[] = [
  {
    name: "read",
    description: "Shows lines of a file.",
    parameters: {
      type: "object",
      properties: { path: { type: "string" }, from: { type: "integer" } },
      required: ["path"],
      additionalProperties: false,
    },
  },
  {
    name: "grep",
    description: "Finds a text.",
    parameters: {
      type: "object",
      properties: { pattern: { type: "string" } },
      required: ["pattern"],
      additionalProperties: false,
    },
  },
];
const read = { name: "read", input: '{"path":"src/a.py","from":3}' };
const grep = { name: "grep", input: '{"pattern":"def batch"}' };
const asCalled = [
  { name: "read", input: { path: "src/a.py", from: 3 } },
  { name: "grep", input: { pattern: "def batch" } },
];

describe("over a mock of the providers' wire formats", () => {
  const mock = new LLMock({ port: 0 });
  const models = { "openai-compatible": "devstral", openai: "gpt-4o", anthropic: "claude-sonnet-4-5" } as const;
  const kinds = Object.keys(models) as (keyof typeof models)[];
  beforeAll(async () => {
    const toolCalls = [read, grep].map(({ name, input }) => ({ name, arguments: input }));
    mock.onMessage(/look/, { toolCalls });
    mock.onMessage(/both/, { content: "First this.", toolCalls: toolCalls.slice(1) });
    mock.onMessage(/answer/, { content: '{"plan":"x"}' });
    await mock.start();
  });
  afterAll(() => mock.stop());

  const ask = (kind: keyof typeof models, prompt: string, more: Partial<WireRequest> = {}) =>
    sdkWire({ local: endpointAt(`${mock.url}/v1`, { kind, key: "k" }) }, { timeout: 5_000 })(
      requestFor(prompt, { model: models[kind], tools, ...more }),
      callOf(),
    );

  test.each(kinds)("%s calls several tools at once, with their arguments read", async (kind) => {
    const answer = await ask(kind, "look");
    expect(answer).toMatchObject({ text: "", toolCalls: asCalled, finishReason: "tool-calls" });
  });

  test.each(kinds)("%s can say something beside a call", async (kind) => {
    expect(await ask(kind, "both")).toMatchObject({ text: "First this.", toolCalls: asCalled.slice(1) });
  });

  test.each(kinds)("%s can answer without a call, in the form that the prompt asks for", async (kind) => {
    const answer = await ask(kind, "answer", { schema });
    expect(answer).toMatchObject({ text: '{"plan":"x"}', structured: "prompt", finishReason: "stop" });
    expect(answer).not.toHaveProperty("toolCalls");
    expect(JSON.stringify(mock.getLastRequest()?.body)).not.toMatch(/json_schema|"json"/);
  });
});

describe("over a server of one's own", () => {
  let server: FaultServer;
  beforeEach(async () => {
    server = await startFaultServer();
  });
  afterEach(() => server.close());

  const open = () => sdkWire({ local: endpointAt(server.url) }, { timeout: 5_000 });

  test("tools are sent with what they take, strict only where every argument is wanted", async () => {
    server.next({ toolCalls: [read] });
    await open()(requestFor("look", { tools }), callOf());
    const { body, headers } = server.requests[0]!;
    expect(body.tools!.map(({ function: each }) => [each.name, each.parameters, each.strict])).toEqual([
      ["read", tools[0]!.parameters, false],
      ["grep", tools[1]!.parameters, true],
    ]);
    expect(headers["idempotency-key"]).toBe("key-1%20tools");
  });

  test.each([true, false])("calls come whole, streamed or not (%s)", async (streams) => {
    server.next({ toolCalls: [read, grep], piece: 3, streams, usage: { input: 5, output: 9 } });
    const answer = await open()(requestFor("look", { tools }), callOf());
    expect(answer).toMatchObject({ text: "", toolCalls: asCalled, outputTokens: 9 });
  });

  test("a call whose arguments are no JSON, or of a tool that was not offered, is told as it came", async () => {
    server.next({
      toolCalls: [
        { name: "read", input: "src/a.py, please" },
        { name: "rm", input: "{}" },
      ],
    });
    const { toolCalls } = await open()(requestFor("look", { tools }), callOf());
    expect(toolCalls).toEqual([
      { name: "read", input: "src/a.py, please" },
      { name: "rm", input: {} },
    ]);
  });

  test("a stream that is truncated in the middle of a call is no answer, and what had come is counted", async () => {
    server.next({ toolCalls: [read], fault: "cut" });
    const error = await wireErrorOf(open()(requestFor("look", { tools }), callOf()));
    expect(error).toMatchObject({ isRetryable: true, received: expect.any(Number) });
    expect(error.received).toBeGreaterThan(0);
  });

  test("a server that refuses tools is asked without them, once, and says so once", async () => {
    server.refused = ["tools"];
    const wire = open();
    const first = await wire(requestFor("look", { tools, schema }), callOf());
    expect(first).toMatchObject({ text: "ok", structured: "json_schema" });
    expect(first.toolsRefused).toContain("fake does not support tools");
    expect(await wire(requestFor("look", { tools, schema }), callOf())).not.toHaveProperty("toolsRefused");
    expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, false, false]);
  });

  test("where the request is refused without tools too, they were not at fault, and are offered again", async () => {
    server.next({ status: 400 }, { status: 400 }, { toolCalls: [read] });
    const wire = open();
    await wireErrorOf(wire(requestFor("look", { tools }), callOf()));
    expect(await wire(requestFor("look", { tools }), callOf())).toHaveProperty("toolCalls");
  });

  test("a cassette keeps tools and calls, and gives them back without a server", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "tools-")), "cassette.json");
    server.next({ toolCalls: [read, { name: "grep", input: '{"pattern":"sk-0123456789"}' }] });
    const redact = redactor(["sk-0123456789"]);
    const request = requestFor("look", { tools });
    const recorded = await cassetteWire(file, "record", redactWire(open(), redact), redact)(request, callOf());
    const replay = cassetteWire(file, "replay", undefined, redact);
    expect(await replay(request, callOf())).toEqual(recorded);
    expect(recorded.toolCalls).toEqual([asCalled[0], { name: "grep", input: { pattern: "[secret]" } }]);
    expect(readFileSync(file, "utf8")).not.toContain("sk-0123456789");
    const { tools: _, ...without } = request;
    await expect(replay(without, callOf())).rejects.toThrow("-tool: read");
  });
});
