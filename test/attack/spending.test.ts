// A model's server, a cassette or a loop that lies about what was spent: a ceiling still stops the run, and no sum is less than
// what was seen to come.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryEngine } from "@loopwright/core/testing";
import { countTokens, type ModelsConfiguration, openModels } from "@loopwright/models";
import { afterEach, describe, expect, it } from "vitest";
import { climb, passed, singlePhase } from "../fakes/loops.ts";

const PROMPT = "draw a boat with a mast and a keel";
const ANSWER = "a boat, with a mast, a sail and a keel; ".repeat(20);
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that says of what it used whatever it was told to say, as text. */
async function lyingServer(usage: string): Promise<{ url: string; count: () => number }> {
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const part = (delta: string, finish: string) =>
        `data: {"id":"1","created":1,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`;
      response.write(part(JSON.stringify({ role: "assistant", content: ANSWER }), "null"));
      response.write(part("{}", '"stop"'));
      response.end(`data: {"id":"1","created":1,"model":"m","choices":[],"usage":${usage}}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, count: () => count };
}

function configuration(url: string): ModelsConfiguration {
  const profile = { endpoint: "local", model: "m", maxTokens: 400, context: 8_000, fallback: [] };
  return {
    endpoints: { local: { name: "local", kind: "openai-compatible", url, concurrency: 1, isLocal: false } },
    profiles: { writer: profile },
    retry: { waits: [0], timeout: 20 },
    prices: { m: { input: 1_000_000, output: 1_000_000 } },
  };
}

const asking = singlePhase(async (ctx) => {
  for (let round = 0; round < 50; round++) await ctx.model("writer").call(`ask-${round}`, { prompt: PROMPT });
  return passed(ctx);
});

/** What was used and seen to come by one call. */
const SEEN = countTokens(ANSWER);

const usages = {
  negative: '{"prompt_tokens":-1000000,"completion_tokens":-1000000,"total_tokens":-2000000}',
  "negative in part": '{"prompt_tokens":-5000,"completion_tokens":300,"total_tokens":-4700}',
  nought: '{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}',
  "too large for a number": '{"prompt_tokens":1e999,"completion_tokens":1e999,"total_tokens":1e999}',
  huge: '{"prompt_tokens":1e300,"completion_tokens":1e300,"total_tokens":1e300}',
  words: '{"prompt_tokens":"none","completion_tokens":"NaN","total_tokens":"-1"}',
  null: "null",
  empty: "{}",
  lists: '{"prompt_tokens":[],"completion_tokens":{},"total_tokens":[1]}',
  "details that take away":
    '{"prompt_tokens":200,"completion_tokens":200,"total_tokens":400,"prompt_tokens_details":{"cached_tokens":100000},"completion_tokens_details":{"reasoning_tokens":900000}}',
};

describe("a server that says it used", () => {
  it.each(Object.entries(usages))("%s is stopped by the ceiling on tokens", async (_, usage) => {
    const server = await lyingServer(usage);
    const test = memoryEngine({ models: openModels(configuration(server.url)) });
    const { run, outcome } = await test.engine.start(asking, null, { ceilings: { tokens: SEEN * 6, usd: 1e15 } });
    const { usage: used } = await test.record(run);
    expect(outcome).not.toBe("done");
    expect(server.count()).toBeLessThanOrEqual(12);
    expect(Number.isFinite(used.tokens) && used.tokens >= Math.min(SEEN, 200)).toBe(true);
  });

  it.each(Object.entries(usages))("%s is stopped by the ceiling on dollars", async (_, usage) => {
    const server = await lyingServer(usage);
    const test = memoryEngine({ models: openModels(configuration(server.url)) });
    const { run, outcome } = await test.engine.start(asking, null, { ceilings: { tokens: 1e15, usd: SEEN * 6 } });
    const { usage: used } = await test.record(run);
    expect(outcome).not.toBe("done");
    expect(server.count()).toBeLessThanOrEqual(12);
    expect(Number.isFinite(used.usd) && used.usd >= Math.min(SEEN, 200)).toBe(true);
  });
});

describe("a loop that charges", () => {
  it.each([Number.NaN, -5, Number.POSITIVE_INFINITY, "7", null, [], { valueOf: () => -1 }])(
    "%s is charged by its estimate, and never less than before",
    async (tokens) => {
      const test = memoryEngine();
      const loop = singlePhase(async (ctx) => {
        await ctx.effect("honest", { run: (effect) => effect.charge({ tokens: 50 }) });
        await ctx
          .effect("lies", { estimate: { tokens: 30 }, run: (effect) => effect.charge({ tokens: tokens as number }) })
          .catch(() => {});
        return passed(ctx);
      });
      const { run } = await test.engine.start(loop, null);
      expect((await test.record(run)).usage.tokens).toBeGreaterThanOrEqual(tokens === null ? 50 : 80);
    },
  );

  it.each([Number.NaN, -5, Number.POSITIVE_INFINITY, "7"])("an estimate of %s starts nothing", async (tokens) => {
    const test = memoryEngine();
    const ran: boolean[] = [];
    const loop = singlePhase(async (ctx) => {
      await ctx.effect("x", { estimate: { tokens: tokens as number }, run: () => void ran.push(true) });
      return passed(ctx);
    });
    await test.engine.start(loop, null).catch(() => {});
    expect(ran).toEqual([]);
  });

  it("in a thousand effects at once cannot pass the ceiling by more than those that were free to start", async () => {
    const test = memoryEngine();
    let spent = 0;
    const loop = singlePhase(async (ctx) => {
      await Promise.allSettled(
        Array.from({ length: 1_000 }, (_, index) =>
          ctx.effect(`e${index}`, {
            estimate: { tokens: 10 },
            run: async (effect) => {
              spent += 10;
              await new Promise((resolve) => setImmediate(resolve));
              effect.charge({ tokens: 10 });
            },
          }),
        ),
      );
      return passed(ctx);
    });
    await test.engine.start(loop, null, { ceilings: { tokens: 100 } });
    expect(spent).toBeLessThanOrEqual(100);
  });

  it("to a child of a child is charged to the first, and its ceiling stops them all", async () => {
    const test = memoryEngine();
    const charge = (n: number) =>
      singlePhase(
        async (ctx) => {
          await ctx.effect("x", { run: (effect) => effect.charge({ tokens: n }) });
          return passed(ctx);
        },
        { name: "leaf" },
      );
    const middle = singlePhase(
      async (ctx) => {
        for (let i = 0; i < 10; i++) await ctx.spawn(`c${i}`, charge(30), null);
        return passed(ctx);
      },
      { name: "middle" },
    );
    const top = singlePhase(async (ctx) => {
      await ctx.spawn("m", middle, null);
      return passed(ctx);
    });
    const { run, outcome } = await test.engine.start(top, null, { ceilings: { tokens: 100 } });
    expect(outcome).not.toBe("done");
    expect((await test.record(run)).usage.tokens).toBeGreaterThanOrEqual(90);
    expect((await test.record(run)).usage.tokens).toBeLessThanOrEqual(130);
  });
});

describe("a ceiling", () => {
  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, "9", null, {}])(
    "of %s is no ceiling, and nothing starts or goes on",
    async (value) => {
      const test = memoryEngine();
      const given = { iterations: value as number };
      await expect(test.engine.start(climb(), { top: 3 }, { ceilings: given })).rejects.toThrow(/ceiling/);
      const { run } = await test.engine.start(climb(), { top: 9 }, { ceilings: { iterations: 2 } });
      await expect(test.engine.resume(climb(), run, { ceilings: given })).rejects.toThrow(/ceiling/);
      expect((await test.record(run)).iterations).toBe(2);
    },
  );

  it("that a signal in the journal raises must be a number too", async () => {
    const test = memoryEngine();
    const { run } = await test.engine.start(climb(), { top: 9 }, { ceilings: { iterations: 2 } });
    for (const [index, iterations] of [-1, "9e9", null, { a: 1 }].entries())
      await test.journal.signal(run, {
        id: `raise:${index}`,
        at: 1,
        body: { kind: "raise", ceilings: { iterations } },
      } as never);
    await test.engine.resume(climb(), run).catch(() => {});
    const { iterations, ceilings } = await test.record(run);
    expect([iterations, ceilings.iterations]).toEqual([2, 2]);
  });
});
