import type { Json } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type FaultServer, faults, startFaultServer } from "../../../../test/fakes/fault-server.ts";
import { callOf, endpointAt, requestFor, wireErrorOf } from "../../../../test/fakes/wire.ts";
import { isStrict } from "./provider.ts";
import { sdkWire } from "./sdk-wire.ts";
import { openWays, type Way } from "./transport.ts";
import { type Wire, type WireAnswer, WireError } from "./wire.ts";

const schema = z.toJSONSchema(z.object({ score: z.number(), reason: z.string() })) as Json;

let server: FaultServer;
let wire: Wire;
beforeEach(async () => {
  server = await startFaultServer();
  wire = sdkWire({ local: endpointAt(server.url), other: endpointAt(server.url, { name: "other" }) });
});
afterEach(() => server.close());

function ask(more: { model?: string; endpoint?: string; schema?: Json } = { schema }) {
  return wire(requestFor("Score it.", { schema, ...more }), callOf());
}

function formats(): (string | undefined)[] {
  return server.requests.map(({ body }) => body.response_format?.type);
}

describe("over a real server", () => {
  test("the schema itself is sent first, and what was used is in the answer", async () => {
    expect(await ask()).toMatchObject({ structured: "json_schema" });
    expect(server.requests[0]!.body.response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "response", schema, strict: true },
    });
  });

  test("a server that refuses schemas is asked for plain JSON at once, and for nothing better again", async () => {
    server.refused = ["json_schema"];
    expect(await ask()).toMatchObject({ text: "ok", structured: "json_object" });
    expect(await ask()).toMatchObject({ structured: "json_object" });
    expect(formats()).toEqual(["json_schema", "json_object", "json_object"]);
  });

  test("a server that refuses both is left to the prompt, with no format and no schema", async () => {
    server.refused = ["json_schema", "json_object"];
    expect(await ask()).toMatchObject({ text: "ok", structured: "prompt" });
    expect(formats()).toEqual(["json_schema", "json_object", undefined]);
    expect(JSON.stringify(server.requests[2]!.body)).not.toContain("score");
  });

  test("a step that broke off in the middle of an answer is no refusal: it was paid for, and is told", async () => {
    server.next({ text: "half of it", fault: "error-event", body: '{"error":{"message":"no grammar","code":400}}' });
    expect(await wireErrorOf(ask())).toMatchObject({ status: 400, received: expect.any(Number) });
    expect(formats()).toEqual(["json_schema"]);
  });

  test("each step has an idempotency key of its own, for it is another request", async () => {
    server.refused = ["json_schema", "json_object"];
    await ask();
    expect(new Set(server.requests.map(({ headers }) => headers["idempotency-key"])).size).toBe(3);
  });

  test("another model, or the same at another endpoint, begins at the top", async () => {
    server.refused = ["json_schema"];
    await ask();
    await ask({ model: "second" });
    await ask({ endpoint: "other" });
    expect(formats().filter((format) => format === "json_schema")).toHaveLength(3);
  });

  test.each([400, 404, 422, 501])("a %i to a response format is a refusal of it", async (status) => {
    server.next({ status }, { text: "{}" });
    expect(await ask()).toMatchObject({ text: "{}", structured: "json_object" });
  });

  test.each([401, 403, 429, 500])("a %i is none, and ends the call", async (status) => {
    server.next({ status });
    expect(await wireErrorOf(ask())).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test("a request that is wrong in itself fails with the last words, and the model keeps its step", async () => {
    server.next(faults.badRequest(), faults.badRequest(), { status: 400, body: '{"error":"the prompt is too long"}' });
    const error = await wireErrorOf(ask());
    expect(error.message).toMatch(/answered 400: the prompt is too long$/);
    expect(formats()).toEqual(["json_schema", "json_object", undefined]);
    expect(await ask()).toMatchObject({ structured: "json_schema" });
  });

  test("a failure on the way down is not taken for a step that held", async () => {
    server.next(faults.badRequest(), faults.broken());
    expect(await wireErrorOf(ask())).toMatchObject({ status: 500, isRetryable: true });
    expect(await ask()).toMatchObject({ structured: "json_schema" });
  });

  test("a request without a schema has no format, and a 400 to it no second try", async () => {
    server.next({}, faults.badRequest());
    const plain = requestFor("Go.");
    expect(await wire(plain, callOf())).not.toHaveProperty("structured");
    expect(await wireErrorOf(wire(plain, callOf()))).toMatchObject({ status: 400 });
    expect(formats()).toEqual([undefined, undefined]);
  });
});

describe("the ways to ask", () => {
  const request = { endpoint: "e", model: "m", schema };
  const refusal = () => new WireError("no", { status: 400, isRetryable: false });
  const only = (step: Way["step"]) => async (way: Way) => {
    if (way.step !== step) throw refusal();
    return { structured: way.step } as WireAnswer;
  };

  test("Anthropic is asked for a schema or by the prompt, never for JSON without a schema", async () => {
    const steps: Way["step"][] = [];
    const asked = openWays()("anthropic", request, async ({ step }) => {
      steps.push(step);
      throw refusal();
    });
    await expect(asked).rejects.toThrow("no");
    expect(steps).toEqual(["json_schema", "prompt"]);
  });

  test("names that would run into one another are told apart", async () => {
    const ask = openWays();
    await ask("openai", { ...request, endpoint: "a b", model: "c" }, only("prompt"));
    const other = await ask("openai", { ...request, endpoint: "a", model: "b c" }, only("json_schema"));
    expect(other.structured).toBe("json_schema");
  });

  test("an error that is not the wire's goes through as it is", async () => {
    const bug = new RangeError("a bug");
    const asked = openWays()("openai", request, () => Promise.reject(bug));
    await expect(asked).rejects.toBe(bug);
  });
});

describe("strict mode", () => {
  const cases: [title: string, schema: z.ZodType, strict: boolean][] = [
    ["all properties required and no others allowed", z.object({ a: z.string(), b: z.array(z.number()) }), true],
    ["an optional property", z.object({ a: z.string().optional() }), false],
    ["other properties allowed", z.looseObject({ a: z.string() }), false],
    ["a nested object that is loose", z.object({ a: z.object({ b: z.number().optional() }) }), false],
    ["a loose object in a list", z.object({ a: z.array(z.looseObject({})) }), false],
    ["a record", z.object({ a: z.record(z.string(), z.number()) }), false],
    ["a choice of objects, one of them loose", z.object({ a: z.union([z.object({}), z.looseObject({})]) }), false],
    ["a choice of closed objects", z.object({ a: z.union([z.object({ b: z.null() }), z.literal("object")]) }), true],
    ["a property named like a keyword", z.object({ type: z.literal("object"), required: z.boolean() }), true],
  ];
  test.each(cases)("with %s is asked for as the schema allows", (_, schema, strict) => {
    expect(isStrict(z.toJSONSchema(schema) as Json)).toBe(strict);
  });

  test("looks into shared definitions too", () => {
    const loose = { type: "object", properties: { a: { type: "string" } } };
    const closed = { type: "object", properties: {}, required: [], additionalProperties: false };
    expect(isStrict({ ...closed, $defs: { part: loose } })).toBe(false);
    expect(isStrict({ ...closed, $defs: { part: closed } })).toBe(true);
    expect(isStrict({ ...closed, default: loose })).toBe(true);
  });

  test("is not claimed for a schema that could not be held to", async () => {
    const loose = z.toJSONSchema(z.object({ a: z.string().optional() })) as Json;
    await ask({ schema: loose });
    expect(server.requests[0]!.body.response_format?.json_schema?.strict).toBe(false);
  });
});
