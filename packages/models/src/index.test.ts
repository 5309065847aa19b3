// Roles to answers over real HTTP: a server that fails on purpose, the real wire, and an engine whose clock is moved.

import { spawnSync } from "node:child_process";
import type { Ceilings, Json, ModelAnswer, ModelRequest } from "@loopwright/core";
import { Crash, dieAt, doomed, memoryEngine, runOf, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { type FaultServer, faults, startFaultServer } from "../../../test/fakes/fault-server.ts";
import { passed, singlePhase } from "../../../test/fakes/loops.ts";
import type { CallDetails } from "./calls.ts";
import { defaultRetry, type Endpoint, type ModelsConfiguration, type Profile } from "./configuration/configuration.ts";
import { openModels } from "./index.ts";
import { type Wire, WireError } from "./wire/wire.ts";

const KEY = "sk-canary-0123456789";

function endpoint(name: string, url: string, more: Partial<Endpoint> = {}): Endpoint {
  return { name, kind: "openai-compatible", url, concurrency: 1, isLocal: true, ...more };
}

function configure(url: string, more: Partial<Profile> = {}, spare = "http://127.0.0.1:9/v1"): ModelsConfiguration {
  const profile: Profile = { endpoint: "local", model: "small", maxTokens: 200, context: 8_000, fallback: [], ...more };
  return {
    endpoints: { local: endpoint("local", url, { key: KEY }), spare: endpoint("spare", spare) },
    profiles: { writer: profile },
    retry: defaultRetry,
    prices: {},
  };
}

/** A loop that asks once, and ends as done with the answer. */
const asking = (request: ModelRequest = { prompt: "draw a boat" }, ceilings: Partial<Ceilings> = {}) =>
  singlePhase(
    async (ctx) => {
      const answer = await ctx.model("writer").call("ask", request);
      return passed(ctx, { result: answer as unknown as Json });
    },
    { ceilings },
  );

const engineOn = (configuration: ModelsConfiguration) => memoryEngine({ models: openModels(configuration) });

/** Drives a run and gives back how it ended, with the answer and the time that passed on the run's clock. */
async function drive(test: TestEngine, loop = asking()) {
  const start = test.clock.now();
  const { outcome, reason, state, run } = await test.engine.start(loop, null);
  const answer = state.result as unknown as ModelAnswer | undefined;
  const details = answer?.details as unknown as Required<CallDetails> | undefined;
  return { run, outcome, reason, answer, details, waited: test.clock.now() - start };
}

/** The address of a server that was there and is gone. */
async function deadAddress(): Promise<string> {
  const server = await startFaultServer();
  await server.close();
  return server.url;
}

const asked = ({ requests }: FaultServer) => requests.map(({ body }) => body.model);

describe("a run whose model is at a server", () => {
  it("gets its answer, with the server's own count", async () => {
    await using server = await startFaultServer();
    server.next({ text: "a boat", usage: { input: 31, output: 7 } });
    const { outcome, answer, details } = await drive(engineOn(configure(server.url)));
    expect(outcome).toBe("done");
    expect(answer).toMatchObject({
      text: "a boat",
      model: "small",
      finishReason: "stop",
      usage: { tokens: 38, usd: 0 },
    });
    expect(details).toMatchObject({ endpoint: "local", isEstimated: false, tries: [] });
    expect(server.requests).toHaveLength(1);
  });

  it("waits as long as a 429 asks for, on the run's clock and in no real time", async () => {
    await using server = await startFaultServer();
    server.next(faults.tooMany(120), { text: "a boat" });
    const start = performance.now();
    const { outcome, waited, details } = await drive(engineOn(configure(server.url)));
    expect(outcome).toBe("done");
    expect(waited).toBe(120_000);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect(details!.tries).toMatchObject([{ endpoint: "local", waited: 120 }]);
    expect(server.requests).toHaveLength(2);
  });

  it("outlasts three errors of the server", async () => {
    await using server = await startFaultServer();
    server.next(faults.broken(), { fault: "cut", text: "half of an answer" }, { fault: "refuse" }, { text: "a boat" });
    const { answer, waited } = await drive(engineOn(configure(server.url)));
    expect(answer!.text).toBe("a boat");
    expect(waited).toBe(42_000);
    expect(server.requests).toHaveLength(4);
  });

  it("is answered by the fallback where the endpoint stays dead", async () => {
    await using spare = await startFaultServer();
    spare.otherwise = { text: "from the spare" };
    const given = configure(await deadAddress(), { fallback: [{ endpoint: "spare", model: "big" }] }, spare.url);
    const { answer, details } = await drive(engineOn(given));
    expect(answer).toMatchObject({ text: "from the spare", model: "big" });
    expect(details).toMatchObject({ endpoint: "spare", asked: "big" });
    expect(details!.tries.map(({ endpoint }) => endpoint)).toEqual(["local", "local", "local", "local"]);
    expect(asked(spare)).toEqual(["big"]);
  });

  it("ends as failed where nothing answers, and goes on when the endpoint is back", async () => {
    await using server = await startFaultServer();
    server.otherwise = faults.broken();
    const given = configure(server.url, { fallback: [{ endpoint: "spare", model: "big" }] }, await deadAddress());
    const test = engineOn(given);
    const { outcome, reason, run } = await drive(test);
    expect(outcome).toBe("failed");
    expect(reason).toContain("no model answered for the role 'writer': local:small after 4 tries: ");
    expect(reason).toContain("spare:big after 4 tries: ");
    expect(server.requests).toHaveLength(4);

    server.otherwise = { text: "back again" };
    const resumed = await test.engine.resume(asking(), run);
    expect(resumed.outcome).toBe("done");
    expect(resumed.state.result).toMatchObject({ text: "back again" });
    expect(server.requests).toHaveLength(5);
  });

  it("ends as failed on a wrong key, after one request, and its fallback is not asked", async () => {
    await using server = await startFaultServer();
    await using spare = await startFaultServer();
    server.otherwise = faults.unauthorized();
    const given = configure(server.url, { fallback: [{ endpoint: "spare", model: "big" }] }, spare.url);
    const { outcome, reason, waited } = await drive(engineOn(given));
    expect(outcome).toBe("failed");
    expect(reason).toContain("local:small refused the call for the role 'writer'");
    expect(reason).toContain("Check the key of the endpoint 'local'");
    expect(waited).toBe(0);
    expect(server.requests).toHaveLength(1);
    expect(spare.requests).toHaveLength(0);
  });

  it("ends at its ceiling on tokens before a call that would break it", async () => {
    await using server = await startFaultServer();
    const { outcome } = await drive(engineOn(configure(server.url)), asking({ prompt: "draw" }, { tokens: 150 }));
    expect(outcome).toBe("ceiling");
    expect(server.requests).toHaveLength(0);
  });

  it("ends at its ceiling on dollars before a call that would break it, by the dearest fallback", async () => {
    await using server = await startFaultServer();
    const given = configure(server.url, { fallback: [{ endpoint: "spare", model: "big" }] });
    const hosted = { ...given.endpoints.spare!, isLocal: false };
    const dear = {
      ...given,
      endpoints: { ...given.endpoints, spare: hosted },
      prices: { big: { input: 10, output: 50 } },
    };
    const { outcome } = await drive(engineOn(dear), asking({ prompt: "draw" }, { usd: 0.005 }));
    expect(outcome).toBe("ceiling");
    expect(server.requests).toHaveLength(0);
  });

  it("sends nothing again after a crash, once the answer is recorded", async () => {
    await using server = await startFaultServer();
    const test = engineOn(configure(server.url));
    const mortal = doomed(test, dieAt("effect-finished", "after"), { models: openModels(configure(server.url)) });
    await expect(mortal.engine.start(asking(), null)).rejects.toThrow(Crash);
    const { outcome, state } = await test.engine.resume(asking(), await runOf(test));
    expect(outcome).toBe("done");
    expect(state.result).toMatchObject({ text: "ok" });
    expect(server.requests).toHaveLength(1);
  });

  it("asks again after a crash, where the answer was not recorded", async () => {
    await using server = await startFaultServer();
    const test = engineOn(configure(server.url));
    const mortal = doomed(test, dieAt("effect-finished", "before"), { models: openModels(configure(server.url)) });
    await expect(mortal.engine.start(asking(), null)).rejects.toThrow(Crash);
    expect((await test.engine.resume(asking(), await runOf(test))).outcome).toBe("done");
    expect(server.requests).toHaveLength(2);
  });

  it("stops at once when it is told to, and leaves the connection", async () => {
    await using server = await startFaultServer();
    server.next({ fault: "stall", text: "half of an answer" });
    const test = engineOn(configure(server.url));
    const abort = new AbortController();
    const running = test.engine.start(asking(), null, { signal: abort.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    abort.abort();
    expect((await running).outcome).not.toBe("failed");
    expect(await server.requests[0]!.ended).toBe("left");
    expect(await test.types(await runOf(test))).not.toContain("effect-failed");
  });

  it("is a fault with what to change where its prompt cannot fit, and goes on once the window is larger", async () => {
    await using server = await startFaultServer();
    const loop = asking({ prompt: "draw a boat ".repeat(500) });
    const test = engineOn(configure(server.url, { context: 1_000 }));
    await expect(test.engine.start(loop, null)).rejects.toThrow(/does not fit the context of local:small/);
    expect(server.requests).toHaveLength(0);
    const roomy = test.other({ models: openModels(configure(server.url)) });
    expect((await roomy.engine.resume(loop, await runOf(test))).outcome).toBe("done");
  });

  it("calls two models at one server in groups, one call at a time", async () => {
    await using server = await startFaultServer();
    server.otherwise = { text: "ok", drip: 5 };
    const given = configure(server.url);
    const { writer } = given.profiles;
    const models = openModels({ ...given, profiles: { writer: writer!, judge: { ...writer!, model: "other" } } });
    const loop = singlePhase(async (ctx) => {
      const calls = ["writer", "judge", "writer", "judge", "writer"].map((role, index) => [
        `call-${index}`,
        (side: typeof ctx) => side.model(role).call("ask", { prompt: `${index}` }),
      ]);
      await ctx.all(Object.fromEntries(calls));
      return passed(ctx);
    });
    expect((await memoryEngine({ models }).engine.start(loop, null)).outcome).toBe("done");
    expect(asked(server)).toEqual(["small", "small", "small", "other", "other"]);
  });
});

describe("the models of a configuration", () => {
  const echo: Wire = async ({ prompt, model }) => ({ text: prompt, model, finishReason: "stop", firstMs: 1, ms: 2 });
  const given = configure("http://127.0.0.1:9/v1");

  it("are one for each role", () => {
    const models = openModels(given, { wire: echo });
    expect(models("writer")).toBe(models("writer"));
  });

  it("end a run whose role has none as failed, with what to type", async () => {
    const test = memoryEngine({ models: openModels(given, { wire: echo }) });
    const loop = singlePhase(async (ctx) => {
      await ctx.model("judge").call("ask", { prompt: "?" });
      return passed(ctx);
    });
    const { outcome, reason } = await test.engine.start(loop, null);
    expect(outcome).toBe("failed");
    expect(reason).toMatch(/no model is configured for the role 'judge' \(configured are writer\).*--model judge=/);
  });

  it("let no secret into an answer, an error or progress", async () => {
    const secret = "hush-hush-123";
    const told = `your key is ${KEY}, and ${secret}`;
    const leaky: Wire = async (_request, { onText }) => {
      onText(told);
      return { text: told, reasoning: told, model: told, finishReason: "stop", firstMs: 1, ms: 2 };
    };
    const failing: Wire = async () => {
      throw new WireError(told, { status: 401, isRetryable: false });
    };
    for (const wire of [leaky, failing]) {
      const test = memoryEngine({ models: openModels(given, { wire, secrets: [secret] }) });
      const { run } = await test.engine.start(asking(), null);
      const written = JSON.stringify([await test.chain(run), test.events]);
      expect(written).toContain("your key is [secret], and [secret]");
      expect(written).not.toContain(KEY);
      expect(written).not.toContain(secret);
    }
  });

  it("are opened without loading what calls a model, until one is called", () => {
    const program = `
      const { registerHooks } = await import("node:module");
      const seen = new Set();
      registerHooks({ resolve: (name, context, next) => (seen.add(name), next(name, context)) });
      const heavy = () => ["./wire/sdk-wire.ts", "ai"].filter((name) => seen.has(name));
      const { openModels } = await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
      const model = openModels(${JSON.stringify(given)})("writer");
      const before = heavy();
      const call = { signal: AbortSignal.timeout(20_000), progress() {}, wait: async () => {} };
      await model.call({ prompt: "x" }, call).catch(() => {});
      console.log(JSON.stringify([before, heavy()]));`;
    const { stdout } = spawnSync(
      process.execPath,
      ["--conditions=loopwright-source", "--input-type=module", "-e", program],
      { encoding: "utf8" },
    );
    expect(JSON.parse(stdout)).toEqual([[], ["./wire/sdk-wire.ts", "ai"]]);
  });
});
