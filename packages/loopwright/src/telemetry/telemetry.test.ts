import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { defineLoop, InfrastructureError, type LoopEvent, type Model, pass } from "@loopwright/core";
import { dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { singlePhase } from "../../../../test/fakes/loops.ts";
import manifest from "../../package.json" with { type: "json" };
import { traceIdOf } from "./spans.ts";
import { openTelemetry } from "./telemetry.ts";

/** What has to be installed, as `npm install` takes it. */
const packages = Object.entries(manifest.devDependencies)
  .filter(([name]) => name.startsWith("@opentelemetry/"))
  .map(([name, version]) => `${name}@${version}`)
  .join(" ");

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number; message?: string };
}

/** A collector as OTLP over HTTP has it: what it was sent, as JSON. */
class Collector {
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  readonly paths: string[] = [];
  answer: RequestListener = (_, response) => void response.writeHead(200).end("{}");
  url = "";
  readonly #server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    this.bodies.push(body);
    this.headers.push(request.headers);
    this.paths.push(request.url ?? "");
    this.answer(request, response);
  });

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  spans(): SentSpan[] {
    return this.bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: SentSpan[] }[] }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  }

  named(name: string): SentSpan {
    const found = this.spans().filter((span) => span.name === name);
    expect(found, `spans called '${name}'`).toHaveLength(1);
    return found[0]!;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

const attributesOf = ({ attributes }: SentSpan) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, "arrayValue" in value ? value.arrayValue : Object.values(value)[0]]),
  );

const models = (role: string): Model => ({
  estimate: () => ({ tokens: 1, usd: 0 }),
  call: async () => {
    if (role === "dead") throw new InfrastructureError("MODEL_UNREACHABLE", "nobody answers");
    return {
      text: "the private answer",
      model: "big-2026-01",
      finishReason: "stop",
      usage: { tokens: 12, usd: 0.25 },
      details: {
        endpoint: "openai",
        asked: "big",
        inputTokens: 10,
        outputTokens: 2,
        costKnown: true,
        tries: [],
        firstMs: 5,
      },
    };
  },
});

const child = singlePhase(
  (ctx) => {
    ctx.verdict(pass(0.5, "fine"));
    return ctx.end("done");
  },
  { name: "part" },
);

const loop = defineLoop({
  name: "asks",
  version: 1,
  input: z.object({ role: z.string() }),
  state: z.object({}),
  initial: () => ({}),
  start: "propose",
  iteration: "propose",
  phases: {
    propose: {
      to: ["judge"],
      run: async (_, ctx) => {
        const request = { prompt: "the private prompt", temperature: 0.5, maxTokens: 99, schema: { type: "object" } };
        await ctx.model(ctx.input.role).call("ask", request);
        await ctx.effect("other", { run: () => 1 });
        return ctx.to("judge");
      },
    },
    judge: {
      to: [],
      run: async (_, ctx) => {
        await ctx.spawn("part", child, {});
        ctx.verdict(pass(0.75, "fine"));
        return ctx.end("done");
      },
    },
  },
});

let collector: Collector;
let warnings: string[];
beforeEach(async () => {
  collector = new Collector();
  await collector.start();
  warnings = [];
});
afterEach(() => {
  vi.unstubAllEnvs();
  return collector.stop();
});

const openIn = (env: Record<string, string>) => {
  const told = warnings;
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return openTelemetry((message) => told.push(message));
};

const openFor = async (env: Record<string, string>) => {
  const telemetry = await openIn(env);
  if (!telemetry) return expect.fail("there is no telemetry");
  return telemetry;
};

/** Runs the loop with its spans sent to the collector. */
async function runWith(env: Record<string, string>, role = "builder") {
  const telemetry = await openFor(env);
  const test = memoryEngine({ models, on: telemetry.on });
  const result = await test.engine.start(loop, { role });
  await telemetry.close();
  return { result, test };
}

const endpoint = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });

describe("spans", () => {
  test("of a run, its phases and its calls stand in one another, in a trace that the run's id gives", async () => {
    const { result } = await runWith(endpoint());
    const run = collector.named("invoke_workflow asks");
    const propose = collector.named("phase propose");
    const chat = collector.named("chat big");
    const judge = collector.named("phase judge");
    const part = collector.named("invoke_workflow part");
    const work = collector.named("phase work");
    expect(collector.spans()).toHaveLength(6);
    expect(run.parentSpanId).toBeUndefined();
    expect([propose, judge].map((span) => span.parentSpanId)).toEqual([run.spanId, run.spanId]);
    expect([chat, part, work].map((span) => span.parentSpanId)).toEqual([propose.spanId, judge.spanId, part.spanId]);
    expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(result.run)]));
    expect(traceIdOf(result.run)).toMatch(/^[0-9a-f]{32}$/);
    expect(collector.paths).toEqual(["/v1/traces"]);
    expect(warnings).toEqual([]);
  });

  test("of a call carry the GenAI attributes", async () => {
    const { result } = await runWith(endpoint());
    const chat = collector.named("chat big");
    expect(chat.kind).toBe(3);
    expect(attributesOf(chat)).toEqual({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "big",
      "gen_ai.request.temperature": 0.5,
      "gen_ai.request.max_tokens": 99,
      "gen_ai.output.type": "json",
      "gen_ai.response.model": "big-2026-01",
      "gen_ai.response.finish_reasons": { values: [{ stringValue: "stop" }] },
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 2,
      "loopwright.run": result.run,
      "loopwright.role": "builder",
      "loopwright.key": "ask",
      "loopwright.usd": 0.25,
      "loopwright.failed_tries": 0,
      "loopwright.first_ms": 5,
    });
  });

  test("of runs and phases say how they ended", async () => {
    await runWith(endpoint());
    expect(attributesOf(collector.named("invoke_workflow asks"))).toMatchObject({
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "asks",
      "loopwright.outcome": "done",
      "loopwright.iterations": 1,
      "loopwright.score": 0.75,
    });
    expect(attributesOf(collector.named("phase judge"))).toMatchObject({
      "loopwright.phase": "judge",
      "loopwright.visit": 2,
      "loopwright.iteration": 1,
      "loopwright.verdict": "pass",
    });
  });

  test("have the times of the run's own clock", async () => {
    const { test: engine } = await runWith(endpoint());
    const started = engine.events.find(({ type }) => type === "run-started")!.at;
    const { startTimeUnixNano, endTimeUnixNano } = collector.named("invoke_workflow asks");
    expect(startTimeUnixNano).toBe(`${started}000000`);
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  });

  test("hold no prompt and no answer", async () => {
    await runWith(endpoint());
    expect(collector.bodies.join()).not.toContain("private");
  });

  test("of a failed call, its visit and its run are errors with a type", async () => {
    await runWith(endpoint(), "dead");
    const failed = [collector.named("chat"), collector.named("phase propose"), collector.named("invoke_workflow asks")];
    expect(failed.map((span) => attributesOf(span)["error.type"])).toEqual([
      "MODEL_UNREACHABLE",
      "MODEL_UNREACHABLE",
      "failed",
    ]);
    expect(failed.map(({ status }) => status)).toEqual(Array(3).fill({ code: 2, message: "nobody answers" }));
  });

  test("of a killed run and of its resumption share a trace", async () => {
    const survivor = memoryEngine({ models });
    const first = await openFor(endpoint());
    const dying = doomed(survivor, dieAt("effect-finished", "before", 2), { models, on: first.on });
    await dying.engine.start(loop, { role: "builder" }).catch(() => {});
    await first.close();
    const run = await runOf(survivor);
    expect(
      collector
        .spans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["chat big", "invoke_workflow asks", "phase propose"]);
    const second = await openFor(endpoint());
    const resumed = await survivor.other({ models, on: second.on }).engine.resume(loop, run);
    await second.close();
    expect(resumed.outcome).toBe("done");
    const again = collector.named("invoke_workflow");
    expect(attributesOf(again)).toMatchObject({ "loopwright.resumed": true, "loopwright.outcome": "done" });
    expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(run)]));
    const ids = collector.spans().map(({ spanId }) => spanId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("of what is still open are ended when the process goes", async () => {
    const telemetry = await openFor(endpoint());
    const { events } = (await runWith({ ...endpoint() })).test;
    collector.bodies.length = 0;
    const until = events.findIndex(({ type }) => type === "phase-finished");
    for (const event of events.slice(0, until) as LoopEvent[]) telemetry.on(event);
    await telemetry.close();
    expect(collector.spans().map(({ name }) => name)).toEqual(["chat big", "phase propose", "invoke_workflow asks"]);
  });
});

/** Opens telemetry in a process of its own, in which the packages that fit `missing` cannot be found. */
async function openInChild(env: Record<string, string>, missing = /^$/) {
  const program = `
    const { registerHooks } = await import("node:module");
    const loaded = new Set();
    registerHooks({
      resolve: (name, context, next) => next(${missing}.test(name) ? name + "-is-not-there" : name, context),
      load: (url, context, next) => { if (url.includes("opentelemetry")) loaded.add(url); return next(url, context); },
    });
    const { openTelemetry } = await import(${JSON.stringify(join(import.meta.dirname, "telemetry.ts"))});
    const telemetry = await openTelemetry();
    console.log(JSON.stringify({ isOpen: telemetry !== undefined, loaded: loaded.size }));
    await telemetry?.close();`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--conditions=loopwright-source", "--input-type=module", "-e", program],
    { env: { PATH: process.env.PATH, ...env } },
  );
  return { ...(JSON.parse(stdout) as { isOpen: boolean; loaded: number }), stderr };
}

describe("the environment", () => {
  test("names the address of traces itself, headers, the service and other attributes", async () => {
    await runWith({
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/mine`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc,x-team=one",
      OTEL_SERVICE_NAME: "hulls",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=ci",
    });
    expect(collector.paths).toEqual(["/mine"]);
    expect(collector.headers[0]).toMatchObject({ authorization: "Bearer abc", "x-team": "one" });
    const { attributes } = JSON.parse(collector.bodies[0]!).resourceSpans[0].resource;
    expect(attributes).toEqual([
      { key: "service.name", value: { stringValue: "hulls" } },
      { key: "deployment.environment", value: { stringValue: "ci" } },
    ]);
  });

  test.each<[string, Record<string, string>]>([
    ["names no collector", {}],
    ["names an empty one", { OTEL_EXPORTER_OTLP_ENDPOINT: "" }],
    ["disables the SDK", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_SDK_DISABLED: "TRUE" }],
    ["wants no traces", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", OTEL_TRACES_EXPORTER: "none" }],
  ])("that %s gives no telemetry", async (_, env) => {
    expect(await openIn(env)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test("with an address that is none gives a warning, and no telemetry", async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "grpc://secret-user:secret-pass@h" };
    expect(await openIn(env)).toBeUndefined();
    expect(warnings).toEqual(["no spans are sent: the OTLP endpoint in the environment is no http address"]);
  });

  test("that names no collector loads nothing of OpenTelemetry", { timeout: 30_000 }, async () => {
    expect(await openInChild({})).toEqual({ isOpen: false, loaded: 0, stderr: "" });
    const opened = await openInChild(endpoint());
    expect(opened.isOpen).toBe(true);
    expect(opened.loaded).toBeGreaterThan(5);
  });
});

describe("without the packages of OpenTelemetry", { timeout: 30_000 }, () => {
  test("an environment that names a collector gets one sentence that says what to type, and no telemetry", async () => {
    const { isOpen, stderr } = await openInChild(endpoint(), /^@opentelemetry\//);
    expect(isOpen).toBe(false);
    expect(stderr).toBe(
      `loopwright: no spans are sent: OpenTelemetry is not installed; to have them, type \`npm install ${packages}\` where loopwright is installed\n`,
    );
  });

  test("the page on models says the same", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../../docs/models.md"), "utf8");
    expect(page).toContain(`\nnpm install ${packages}\n`);
  });

  test("an environment that names no collector gets no word", async () => {
    expect(await openInChild({}, /^@opentelemetry\//)).toEqual({ isOpen: false, loaded: 0, stderr: "" });
  });

  test("one of them alone is missed as all of them are", async () => {
    const { isOpen, stderr } = await openInChild(endpoint(), /^@opentelemetry\/exporter-trace-otlp-http$/);
    expect(isOpen).toBe(false);
    expect(stderr).toContain(`npm install ${packages}`);
  });
});

describe("a collector that", () => {
  test.each<[string, RequestListener | "gone"]>([
    ["is gone", "gone"],
    ["never answers", () => {}],
    ["refuses", (_, response) => void response.writeHead(401).end("no: Bearer secret-header")],
    ["is broken", (_, response) => void response.writeHead(500).end("oops")],
    ["tears the connection", (request) => void request.socket.destroy()],
  ])("%s does not slow the run, and is told of once", { timeout: 20_000 }, async (_, answer) => {
    const env: Record<string, string> = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url.replace("//", "//secret-user:secret-pass@")}?api_key=secret-query`,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20secret-header",
    };
    if (answer === "gone") env.OTEL_EXPORTER_OTLP_ENDPOINT = "http://secret-user:secret-pass@127.0.0.1:9/";
    else collector.answer = answer;
    const telemetry = await openFor(env);
    const { engine } = memoryEngine({ models, on: telemetry.on });
    const start = performance.now();
    for (let round = 0; round < 5; round += 1)
      expect((await engine.start(loop, { role: "builder" })).outcome).toBe("done");
    expect(performance.now() - start).toBeLessThan(1_000);
    const closing = performance.now();
    await telemetry.close();
    expect(performance.now() - closing).toBeLessThan(3_000);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(
      /^the collector at http:\/\/127\.0\.0\.1:\d+\/v1\/traces takes no spans \(.+\); the run goes on/,
    );
    expect(warnings[0]).not.toContain("secret");
  });

  test("is there gets spans while the run goes on, not only at its end", { timeout: 20_000 }, async () => {
    const telemetry = await openFor(endpoint());
    await memoryEngine({ models, on: telemetry.on }).engine.start(loop, { role: "builder" });
    await expect.poll(() => collector.spans().length, { timeout: 5_000 }).toBe(6);
    await telemetry.close();
    expect(collector.bodies).toHaveLength(1);
  });
});
