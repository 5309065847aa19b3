// L5 over real HTTP: a try that got no answer is charged by its estimate wherever a model may have begun on one.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Ceilings } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FaultServer, faults, type Reply, startFaultServer } from "../../../../test/fakes/fault-server.ts";
import { passed, singlePhase } from "../../../../test/fakes/loops.ts";
import type { Endpoint, ModelsConfiguration, Profile } from "../configuration/configuration.ts";
import { openModels } from "../open-models.ts";
import { countTokens } from "../prompt/fit.ts";

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const PROMPT = "draw a boat";
const MOST = 200;
/** What one try may use: the prompt and the longest answer. */
const TRY = countTokens(PROMPT) + MOST;
const long = "a mast, a sail and a keel; ".repeat(400);
const good: Reply = { text: "a boat", usage: { input: 31, output: 7 } };

const at = (url: string, more: Partial<Endpoint> = {}): Endpoint => ({
  ...{ name: "local", kind: "openai-compatible", url, concurrency: 1, isLocal: true },
  ...more,
});

function configure(more: Partial<Profile> = {}, rest: Partial<ModelsConfiguration> = {}): ModelsConfiguration {
  const profile = { endpoint: "local", model: "small", maxTokens: MOST, context: 8_000, fallback: [], ...more };
  return {
    endpoints: { local: at(server.url) },
    profiles: { writer: profile },
    retry: { waits: [0, 0, 0], timeout: 20 },
    prices: {},
    ...rest,
  };
}

const asking = (ceilings: Partial<Ceilings> = {}) =>
  singlePhase(
    async (ctx) => {
      await ctx.model("writer").call("ask", { prompt: PROMPT });
      return passed(ctx);
    },
    { ceilings },
  );

/** Runs the loop that asks once; gives back how it ended and what it was charged with. */
async function charged(configuration = configure(), ceilings: Partial<Ceilings> = {}, signal?: AbortSignal) {
  const test = memoryEngine({ models: openModels(configuration) });
  const { outcome, run } = await test.engine.start(asking(ceilings), null, signal ? { signal } : {});
  const { usage } = await test.record(run);
  return { outcome, ...usage, chain: await test.chain(run), test, run };
}

describe("a try that got no answer", () => {
  it("is charged with at least what had come of it: a stream that broke after 2,000 tokens", async () => {
    server.next({ text: long.repeat(2), fault: "cut", piece: 400 }, good);
    const { outcome, tokens } = await charged(configure({ maxTokens: 1_000 }));
    const sent = countTokens(long);
    expect(sent).toBeGreaterThan(2_000);
    expect(outcome).toBe("done");
    expect(tokens).toBeGreaterThanOrEqual(sent + 38);
    expect(tokens).toBeLessThanOrEqual(sent * 1.1 + 38);
  });

  it("is charged with what a model thought before its stream broke", async () => {
    server.next({ reasoning: long.repeat(2), text: "a", fault: "cut", piece: 400 }, good);
    expect((await charged()).tokens).toBeGreaterThanOrEqual(countTokens(long) + 38);
  });

  it.each<NonNullable<Reply["fault"]>>(["refuse", "hang", "stall", "cut", "end", "malformed", "error-event"])(
    "is charged by its estimate, beside the one that did: %s",
    async (fault) => {
      server.next({ text: "a little boat", fault }, good);
      const timeout = fault === "hang" || fault === "stall" ? 2 : 20;
      const { outcome, tokens } = await charged(configure({}, { retry: { waits: [0], timeout } }));
      expect({ outcome, tokens }).toEqual({ outcome: "done", tokens: TRY + 38 });
    },
  );

  it("is charged by its estimate where half of an answer in one body came", async () => {
    server.next({ text: "a little boat", fault: "cut", streams: false }, good);
    expect((await charged()).tokens).toBe(TRY + 38);
  });

  it.each([504, 524])("is charged by its estimate where a gateway gave up waiting for it: %i", async (status) => {
    server.next({ status }, good);
    expect((await charged()).tokens).toBe(TRY + 38);
  });

  it.each([
    ["a 429", faults.tooMany()],
    ["a 500", faults.broken()],
    ["a 503", { status: 503 }],
    ["an error in place of an answer", { fault: "error-event", text: "" }],
  ] as [string, Reply][])("costs nothing where the server said that there is none: %s", async (_what, reply) => {
    server.next(reply, good);
    expect((await charged()).tokens).toBe(38);
  });

  it("costs nothing where the server was not reached", async () => {
    const gone = await startFaultServer();
    await gone.close();
    const endpoints = { local: at(gone.url), spare: at(server.url, { name: "spare" }) };
    server.otherwise = good;
    const { outcome, tokens } = await charged(
      configure({ fallback: [{ endpoint: "spare", model: "other" }] }, { endpoints }),
    );
    expect({ outcome, tokens }).toEqual({ outcome: "done", tokens: 38 });
  });

  it("is charged for each, also where none answers in the end and the run fails", async () => {
    server.otherwise = { text: "a little boat", fault: "cut" };
    expect(await charged()).toMatchObject({ outcome: "failed", tokens: 4 * TRY });
  });

  it("is charged at the price of the model that was asked, fallbacks included", async () => {
    await using spare = await startFaultServer();
    server.otherwise = { text: "a little boat", fault: "cut" };
    spare.next({ text: "a little boat", fault: "cut" }, good);
    const hosted = { isLocal: false };
    const { outcome, tokens, usd } = await charged(
      configure(
        { fallback: [{ endpoint: "spare", model: "dear" }] },
        {
          endpoints: { local: at(server.url, hosted), spare: at(spare.url, { name: "spare", ...hosted }) },
          prices: { small: { input: 1, output: 1 }, dear: { input: 10, output: 10 } },
        },
      ),
    );
    expect({ outcome, tokens }).toEqual({ outcome: "done", tokens: 5 * TRY + 38 });
    expect(usd).toBeCloseTo((4 * TRY + 10 * TRY + 10 * 38) / 1e6, 12);
  });

  it("counts before the next: no further try is made past the ceiling", async () => {
    server.otherwise = { text: "a little boat", fault: "cut" };
    const { outcome, tokens } = await charged(configure(), { tokens: 2 * TRY + 10 });
    expect({ outcome, tokens }).toEqual({ outcome: "ceiling", tokens: 2 * TRY });
    expect(server.requests).toHaveLength(2);
  });

  it("is charged by its estimate where the run is interrupted in the middle of a stream", async () => {
    const stop = new AbortController();
    server.next(() => {
      setTimeout(() => stop.abort(), 100);
      return { text: long, drip: 5 };
    });
    const { outcome, tokens } = await charged(configure(), {}, stop.signal);
    expect({ outcome, tokens }).toEqual({ outcome: "interrupted", tokens: TRY });
  });

  it.each([
    ["printed something and failed", "cat >/dev/null; echo a boat; exit 3", 4 * TRY],
    ["was killed before it had printed anything", "kill -KILL $$", 4 * TRY],
    ["failed without a word of an answer", "cat >/dev/null; echo 'no key' >&2; exit 3", 0],
    ["failed with a code like a shell's, and had printed something", "echo a boat; exit 127", TRY],
    ["is not there", "no-such-program-here", 0],
  ])("of a program that %s is charged accordingly", async (_, line, tokens) => {
    const endpoints = { local: at(line, { kind: "command" }) };
    expect(await charged(configure({}, { endpoints }))).toMatchObject({ outcome: "failed", tokens });
  });
});

describe("a cassette", () => {
  const folder = () => mkdtempSync(join(tmpdir(), "loopwright-lost-"));

  it("that cannot be written leaves no call uncharged", async () => {
    const file = join(folder(), "cassette.json");
    server.next(() => {
      writeFileSync(file, "no cassette");
      return good;
    });
    const { outcome, tokens } = await charged(configure({}, { cassette: { file, mode: "record" } }));
    expect({ outcome, tokens }).toEqual({ outcome: "failed", tokens: TRY });
  });

  it("is charged in a replay as in the recording, failures included", async () => {
    const file = join(folder(), "cassette.json");
    await using spare = await startFaultServer();
    server.otherwise = { text: "a little boat", fault: "cut" };
    spare.otherwise = good;
    const endpoints = { local: at(server.url), spare: at(spare.url, { name: "spare" }) };
    const fallback = [{ endpoint: "spare", model: "other" }];
    const recorded = await charged(configure({ fallback }, { endpoints, cassette: { file, mode: "record" } }));
    expect(recorded.tokens).toBe(4 * TRY + 38);
    const replayed = await charged(configure({ fallback }, { endpoints, cassette: { file, mode: "replay" } }));
    expect(replayed).toMatchObject({ outcome: "done", tokens: recorded.tokens });
  });
});

describe("a server's count that no call can have", () => {
  it.each([1e308, -5, 2 ** 60])("is not taken: %d", async (count) => {
    server.next({ text: "a boat", usage: { input: count, output: count } });
    const { outcome, tokens } = await charged();
    expect(outcome).toBe("done");
    expect(tokens).toBe(countTokens(PROMPT) + countTokens("a boat"));
  });
});
