import { type Artifact, type Json, type ModelCall, type ModelRequest, sha256 } from "@loopwright/core";
import { SimulatedClock } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import type { CallDetails } from "../calls.ts";
import { defaultRetry, type Endpoint, type ModelsConfiguration, type Profile } from "../configuration/configuration.ts";
import { countTokens } from "../prompt/fit.ts";
import { type Wire, type WireAnswer, WireError, type WireRequest } from "../wire/wire.ts";
import { type ModelOptions, RoleModel } from "./model.ts";

const endpoint = (name: string, more: Partial<Endpoint> = {}): Endpoint => ({
  name,
  kind: "openai-compatible",
  url: `http://${name}.test/v1`,
  concurrency: 1,
  isLocal: true,
  ...more,
});

const profile: Profile = { endpoint: "local", model: "small", maxTokens: 100, context: 4_000, fallback: [] };

function configure(more: Partial<Profile> = {}, rest: Partial<ModelsConfiguration> = {}): ModelsConfiguration {
  return {
    endpoints: {
      local: endpoint("local"),
      spare: endpoint("spare"),
      openai: endpoint("openai", { kind: "openai", url: "https://api.openai.com/v1", isLocal: false }),
      hosted: endpoint("hosted", { isLocal: false }),
    },
    profiles: { writer: { ...profile, ...more } },
    retry: defaultRetry,
    prices: {},
    ...rest,
  };
}

const reply = (more: Partial<WireAnswer> = {}): WireAnswer => ({
  text: "a hull",
  model: "small",
  finishReason: "stop",
  inputTokens: 10,
  outputTokens: 5,
  firstMs: 12.3,
  ms: 45.6,
  ...more,
});

const dead = (message = "connection refused") => new WireError(message, { isRetryable: true });
const status = (code: number, more: { isRetryable?: boolean; retryAfter?: number } = {}) =>
  new WireError(`answered ${code}`, { status: code, isRetryable: false, ...more });

type Step =
  | WireAnswer
  | Error
  | ((request: WireRequest, call: Parameters<Wire>[1]) => WireAnswer | Promise<WireAnswer>);

/** A model over a wire that answers by a script, and everything that was seen of it. */
function scripted(
  script: readonly Step[] | ((request: WireRequest) => Step),
  given = configure(),
  more?: ModelOptions,
) {
  const left = Array.isArray(script) ? [...(script as Step[])] : undefined;
  const requests: WireRequest[] = [];
  const wire: Wire = async (request, call) => {
    requests.push(request);
    const step = left ? left.shift() : (script as (request: WireRequest) => Step)(request);
    if (step === undefined) throw new Error("the script is at its end");
    if (step instanceof Error) throw step;
    return typeof step === "function" ? step(request, call) : step;
  };
  const model = new RoleModel("writer", given, wire, more);
  const clock = new SimulatedClock();
  const abort = new AbortController();
  const progress: Json[] = [];
  const files = new Map<string, Uint8Array>();
  const effect: ModelCall = {
    signal: abort.signal,
    idempotencyKey: "key",
    ordinal: "1/ask",
    progress: (data) => void progress.push(data),
    load: async ({ digest }) => files.get(digest)!,
    wait: (ms) => clock.wait(ms, abort.signal),
    charge: () => {},
    again: async () => {},
  };
  const call = (request: ModelRequest = { prompt: "draw" }) => model.call(request, effect);
  const details = async (request?: ModelRequest) => (await call(request)).details as unknown as Required<CallDetails>;
  return { model, call, details, requests, clock, abort, progress, files, effect };
}

describe("a call that is answered", () => {
  it("gives the raw answer with what it used and how it came about", async () => {
    const { call } = scripted([reply({ reasoning: "boats float", structured: "json_schema" })]);
    expect(await call()).toEqual({
      text: "a hull",
      model: "small",
      finishReason: "stop",
      usage: { tokens: 15, usd: 0 },
      details: {
        endpoint: "local",
        asked: "small",
        tries: [],
        cut: [],
        promptHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        inputTokens: 10,
        outputTokens: 5,
        isEstimated: false,
        costKnown: true,
        firstMs: 12,
        ms: 46,
        structured: "json_schema",
        reasoning: "boats float",
      },
    });
  });

  it("is asked as the profile says, also where the request says otherwise", async () => {
    const own = { temperature: 0, topP: 1, maxTokens: 50 };
    const configured = { temperature: 0.4, topP: 0.9, maxTokens: 100, hasMaxTokens: true } as const;
    const { call, requests, model } = scripted([reply(), reply()], configure(configured));
    await call();
    await call({ prompt: "draw", ...own });
    const { temperature, topP, maxTokens } = configured;
    for (const request of requests) expect(request).toMatchObject({ temperature, topP, maxTokens });
    expect(model.estimate({ prompt: "draw", ...own })).toEqual(model.estimate({ prompt: "draw" }));
  });

  it("is asked as the request says, where the profile is silent", async () => {
    const { call, requests } = scripted([reply(), reply()], configure());
    await call();
    await call({
      prompt: "draw",
      system: "be brief",
      temperature: 0,
      topP: 1,
      maxTokens: 50,
      schema: { type: "object" },
    });
    expect(requests).toEqual([
      { endpoint: "local", model: "small", prompt: "draw", images: [], maxTokens: 100 },
      {
        endpoint: "local",
        model: "small",
        system: "be brief",
        prompt: "draw",
        images: [],
        schema: { type: "object" },
        temperature: 0,
        topP: 1,
        maxTokens: 50,
      },
    ]);
  });

  it("is recorded even where it is empty or cut off: it was paid for", async () => {
    const { call } = scripted([reply({ text: "" }), reply({ text: "half a", finishReason: "length" })]);
    expect(await call()).toMatchObject({ text: "", finishReason: "stop" });
    expect(await call()).toMatchObject({ text: "half a", finishReason: "length" });
  });

  it("names the model that really answered beside the one that was asked", async () => {
    const { call } = scripted([reply({ model: "another" })]);
    expect(await call()).toMatchObject({ model: "another", details: { asked: "small" } });
  });

  it.each([
    ["nothing", { inputTokens: undefined, outputTokens: undefined }],
    ["no number", { inputTokens: Number.NaN, outputTokens: -1 }],
  ])("is counted by us, and said to be, where the server counts %s", async (_words, usage) => {
    const { call } = scripted([
      reply({ text: "one two three", reasoning: "four five", ...usage } as Partial<WireAnswer>),
    ]);
    const answer = await call({ prompt: "draw a boat", system: "be brief" });
    const [input, output] = [countTokens("draw a boat") + countTokens("be brief"), 3 + 2];
    expect(answer.usage.tokens).toBe(input + output);
    expect(answer.details).toMatchObject({ inputTokens: input, outputTokens: output, isEstimated: true });
  });

  it("is counted by us in part where the server counts only in part", async () => {
    const { details } = scripted([reply({ outputTokens: undefined } as Partial<WireAnswer>)]);
    expect(await details()).toMatchObject({ inputTokens: 10, outputTokens: 2, isEstimated: true });
  });

  it("has a hash that changes with anything that was sent, and with nothing else", async () => {
    const { details } = scripted(() => reply());
    const hash = async (request: ModelRequest) => (await details(request)).promptHash;
    const base = await hash({ prompt: "draw" });
    expect(await hash({ prompt: [{ name: "a", text: "draw", priority: 1 }], temperature: 1 })).toBe(base);
    const others = [{ prompt: "drew" }, { prompt: "draw", system: "x" }, { prompt: "draw", schema: {} }];
    const hashes = await Promise.all(others.map(hash));
    expect(new Set([base, ...hashes]).size).toBe(4);
  });
});

describe("what a call costs", () => {
  it("is by the price of the model that answered", async () => {
    const given = configure(
      { fallback: [{ endpoint: "openai", model: "gpt-4.1" }] },
      { retry: { waits: [], timeout: 1 } },
    );
    const { call } = scripted([dead(), reply({ inputTokens: 1_000_000, outputTokens: 500_000 })], given);
    expect(await call()).toMatchObject({ usage: { usd: 6 }, details: { costKnown: true, endpoint: "openai" } });
  });

  it("is said to be unknown where it is", async () => {
    const { call } = scripted([reply()], configure({ endpoint: "hosted", model: "mystery" }));
    expect(await call()).toMatchObject({ usage: { tokens: 15, usd: 0 }, details: { costKnown: false } });
  });

  it("is by the user's own price where there is one", async () => {
    const prices = { mystery: { input: 100_000, output: 0 } };
    const { call } = scripted([reply()], configure({ endpoint: "hosted", model: "mystery" }, { prices }));
    expect(await call()).toMatchObject({ usage: { usd: 1 }, details: { costKnown: true } });
  });
});

describe("the estimate before a call", () => {
  it("is the prompt, what goes along with it, and the longest answer", () => {
    const { model } = scripted([]);
    expect(model.estimate({ prompt: "hello world" })).toEqual({ tokens: 102, usd: 0 });
    expect(model.estimate({ prompt: "hello world", maxTokens: 8 }).tokens).toBe(10);
    const image: Artifact = { path: "a.png", digest: "d", size: 1 };
    expect(model.estimate({ prompt: "hello world", system: "be brief", images: [image] }).tokens).toBe(1_604);
  });

  it("is never more than the window: what does not fit is cut", () => {
    const { model } = scripted([]);
    expect(model.estimate({ prompt: "word ".repeat(50_000) }).tokens).toBe(4_000);
  });

  it("is at the dearest of the models that may be asked, so that no fallback breaks a ceiling", () => {
    const fallback = [
      { endpoint: "openai", model: "gpt-4.1-nano" },
      { endpoint: "openai", model: "gpt-4.1" },
    ];
    const { model } = scripted([], configure({ fallback, maxTokens: 1_000 }));
    expect(model.estimate({ prompt: "hello world" }).usd).toBeCloseTo((2 * 2 + 1_000 * 8) / 1e6, 12);
  });

  it("is no dollars where the price is not known", () => {
    const { model } = scripted([], configure({ endpoint: "hosted", model: "mystery" }));
    expect(model.estimate({ prompt: "hello world" }).usd).toBe(0);
  });
});

describe("a prompt in parts", () => {
  const parts = [
    { name: "task", text: "Draw a boat.", priority: 9 },
    { name: "log", text: "it leaks at the keel\n".repeat(2_000), priority: 1, floor: 0 },
  ];

  it("is cut to the window, and what was cut and sent is kept", async () => {
    const { call, requests } = scripted([reply()]);
    const { details } = await call({ prompt: parts });
    const { cut, sent } = details as unknown as Required<CallDetails>;
    expect(cut).toEqual([{ part: "log", from: countTokens(parts[1]!.text), to: expect.any(Number) }]);
    expect(sent).toBe(requests[0]!.prompt);
    expect(sent).toContain("Draw a boat.\n\nit leaks");
    expect(countTokens(sent!)).toBeLessThan(3_510);
  });

  it("is sent whole where it fits, and not kept twice", async () => {
    const { details } = scripted([reply()]);
    expect(await details({ prompt: [parts[0]!] })).not.toHaveProperty("sent");
  });

  it("is cut to the window that the server really has, where that is smaller", async () => {
    const { details, requests } = scripted([reply()], configure(), { served: { "local:small": 1_000 } });
    expect(await details({ prompt: parts })).toMatchObject({ served: 1_000 });
    expect(countTokens(requests[0]!.prompt)).toBeLessThan(810);
  });

  it("is cut to the configured window where the server has more", async () => {
    const { details } = scripted([reply()], configure(), { served: { "local:small": 100_000 } });
    expect(await details({ prompt: parts })).not.toHaveProperty("served");
  });

  it("that cannot fit is never sent", async () => {
    const { call, requests } = scripted([]);
    await expect(call({ prompt: parts[1]!.text })).rejects.toMatchObject({ code: "PROMPT_TOO_LARGE" });
    expect(requests).toEqual([]);
  });

  it("is fitted anew to each fallback, and one that has no room for it is passed over", async () => {
    const fallback = ["tiny", "large"].map((model) => ({ endpoint: "spare", model }));
    const given = configure({ fallback }, { retry: { waits: [], timeout: 1 } });
    const { details, requests } = scripted([dead(), reply()], given, { served: { "spare:tiny": 110 } });
    const { tries } = await details({ prompt: "draw a boat ".repeat(20) });
    expect(requests.map(({ model }) => model)).toEqual(["small", "large"]);
    expect(tries.map(({ model, error }) => `${model} ${error.slice(0, 40)}`)).toEqual([
      "small connection refused",
      "tiny the prompt does not fit the context of s",
    ]);
  });
});

describe("pictures", () => {
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3);

  it.each([
    ["image/png", [...png]],
    ["image/jpeg", [0xff, 0xd8, 0xff, 0xe0, 0, 0]],
    ["image/gif", [...Buffer.from("GIF89a...")]],
    ["image/webp", [...Buffer.from("RIFF\x01\x02\x03\x04WEBPVP8 ")]],
  ])("are sent with their bytes as %s, whatever the file is called", async (mediaType, bytes) => {
    const { call, files, requests } = scripted([reply()]);
    const image = { path: "iter-000/view", digest: sha256(Uint8Array.from(bytes)), size: bytes.length };
    files.set(image.digest, Uint8Array.from(bytes));
    await call({ prompt: "look", images: [image] });
    expect(requests[0]!.images).toEqual([{ bytes: Uint8Array.from(bytes), mediaType, digest: image.digest }]);
  });

  it("that are none are refused, by name, before anything is sent", async () => {
    const { call, files, requests } = scripted([]);
    files.set("d", new TextEncoder().encode("<svg/>"));
    const refusal = call({ prompt: "look", images: [{ path: "iter-000/view.svg", digest: "d", size: 6 }] });
    await expect(refusal).rejects.toMatchObject({ code: "IMAGE_UNKNOWN", message: /iter-000\/view\.svg/ });
    expect(requests).toEqual([]);
  });

  it("count in the hash by their digest", async () => {
    const { details, files } = scripted(() => reply());
    const image = (digest: string) => ({ path: "a.png", digest, size: png.length });
    for (const digest of ["d1", "d2"]) files.set(digest, png);
    const [one, two] = [
      await details({ prompt: "x", images: [image("d1")] }),
      await details({ prompt: "x", images: [image("d2")] }),
    ];
    expect(one.promptHash).not.toBe(two.promptHash);
  });
});

describe("a call that fails and may pass", () => {
  it("is tried four times, with waits of 2, 8 and 32 seconds on the run's clock", async () => {
    const { call, requests, clock } = scripted([dead(), dead(), dead(), reply()]);
    const start = clock.now();
    const { details } = await call();
    expect(requests).toHaveLength(4);
    expect(clock.now() - start).toBe(42_000);
    expect((details as unknown as Required<CallDetails>).tries).toEqual(
      [2, 8, 32].map((waited) => ({ endpoint: "local", model: "small", error: "connection refused", waited })),
    );
  });

  it("waits as long as the server asks", async () => {
    const { details, clock } = scripted([status(429, { isRetryable: true, retryAfter: 61 }), reply()]);
    const start = clock.now();
    expect((await details()).tries).toMatchObject([{ waited: 61 }]);
    expect(clock.now() - start).toBe(61_000);
  });

  it("tells whoever watches that it waits, and why", async () => {
    const { call, progress } = scripted([dead(), reply()]);
    await call();
    expect(progress).toEqual([{ model: "small", error: "connection refused", next_try_in_s: 2 }]);
  });

  it("goes to the fallbacks in order, each with tries of its own", async () => {
    const fallback = [
      { endpoint: "spare", model: "b" },
      { endpoint: "hosted", model: "c" },
    ];
    const given = configure({ fallback }, { retry: { waits: [1], timeout: 1 } });
    const { call, requests, effect } = scripted(
      ({ model }) => (model === "c" ? reply({ model }) : dead(`${model} is dead`)),
      given,
    );
    const told: unknown[] = [];
    effect.tellReplaced = async (note) => void told.push([requests.length, note]);
    const answer = await call();
    expect(told).toEqual([
      [2, { role: "writer", model: "local:small", by: "spare:b", error: "small is dead" }],
      [4, { role: "writer", model: "spare:b", by: "hosted:c", error: "b is dead" }],
    ]);
    expect(requests.map(({ endpoint, model }) => `${endpoint}:${model}`)).toEqual([
      "local:small",
      "local:small",
      "spare:b",
      "spare:b",
      "hosted:c",
    ]);
    expect(answer).toMatchObject({ model: "c", details: { endpoint: "hosted", asked: "c", costKnown: false } });
    const { tries } = answer.details as unknown as Required<CallDetails>;
    expect(tries.map(({ waited }) => waited)).toEqual([1, 0, 1, 0]);
  });

  it("ends as E0 where nothing answers, with each model and its last error in one line", async () => {
    const given = configure(
      { fallback: [{ endpoint: "spare", model: "b" }] },
      { retry: { waits: [1, 2], timeout: 1 } },
    );
    let count = 0;
    const { call, requests } = scripted(() => dead(`down (${++count})\nand a second line`), given);
    const failure = await call().catch((error: unknown) => error);
    expect(requests).toHaveLength(6);
    expect(failure).toMatchObject({
      name: "InfrastructureError",
      code: "MODEL_UNREACHABLE",
      data: { role: "writer", tries: 6 },
    });
    const { message } = failure as Error;
    expect(message).not.toContain("\n");
    expect(message).toContain("'writer': local:small after 3 tries: down (3); spare:b after 3 tries: down (6). ");
    expect(message).toContain("loopwright doctor --models");
  });
});

describe("a call that is refused", () => {
  it("for want of a key says whose and where to put it", async () => {
    const { call } = scripted([new WireError("x", { isRetryable: false, lacksKey: "SMALL_KEY" })]);
    await expect(call()).rejects.toMatchObject({
      code: "MODEL_KEY_MISSING",
      message: expect.stringMatching(
        /^local:small, the model of the role 'writer', needs a key.*no SMALL_KEY; nothing was/,
      ),
    });
  });

  it("with a first line that ends in a colon is told with what follows", async () => {
    const { call } = scripted([new WireError("the server said:\n  no such model\n", { isRetryable: false })]);
    await expect(call()).rejects.toThrow("the server said: no such model. ");
  });

  it.each([
    [401, "'keyEnv'"],
    [402, "topped up"],
    [403, "may use 'small'"],
    [404, "name 'small'"],
    [413, "'context'"],
    [422, "Fix the request"],
  ])("with %i is neither tried again nor sent elsewhere, and says what to do", async (code, remedy) => {
    const { call, requests, clock } = scripted(
      [status(code)],
      configure({ fallback: [{ endpoint: "spare", model: "b" }] }),
    );
    const start = clock.now();
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: "InfrastructureError", code: "MODEL_REFUSED", data: { status: code } });
    expect((failure as Error).message).toContain(
      `local:small refused the call for the role 'writer': answered ${code}`,
    );
    expect((failure as Error).message).toContain(remedy);
    expect(requests).toHaveLength(1);
    expect(clock.now()).toBe(start);
  });

  it("by a fallback says why that one was asked", async () => {
    const given = configure({ fallback: [{ endpoint: "spare", model: "b" }] }, { retry: { waits: [], timeout: 1 } });
    const { call } = scripted([dead(), status(401)], given);
    await expect(call()).rejects.toThrow(
      "spare:b refused the call for the role 'writer': answered 401 (it was asked because of: local:small after 1 try: connection refused)",
    );
  });

  it("by no server but by a fault is thrown as it is", async () => {
    const bug = new TypeError("x is not a function");
    const { call, requests } = scripted([bug]);
    await expect(call()).rejects.toBe(bug);
    expect(requests).toHaveLength(1);
  });
});

describe("a call that is aborted", () => {
  const stop = new Error("the run is stopped");

  it("while it waits for its next try, throws the reason and calls no more", async () => {
    const { call, requests, abort, effect } = scripted([dead(), reply()]);
    effect.wait = async () => {
      abort.abort(stop);
      effect.signal.throwIfAborted();
    };
    await expect(call()).rejects.toBe(stop);
    expect(requests).toHaveLength(1);
  });

  it("throws the reason whatever the clock makes of it", async () => {
    const { call, abort, effect } = scripted([dead(), reply()]);
    effect.wait = async () => {
      abort.abort(stop);
      throw new DOMException("the timer was stopped", "AbortError");
    };
    await expect(call()).rejects.toBe(stop);
  });

  it("while it is under way, stops at once, though the server says nothing", async () => {
    const { call, requests, abort } = scripted([
      () => {
        setTimeout(() => abort.abort(stop), 5);
        return new Promise<WireAnswer>(() => {});
      },
    ]);
    await expect(call()).rejects.toBe(stop);
    expect(requests).toHaveLength(1);
  });

  it("counts as no failure of the model, whatever the wire makes of it", async () => {
    const fallback = [{ endpoint: "spare", model: "b" }];
    const { call, requests, abort, progress } = scripted(
      [
        () => {
          abort.abort(stop);
          throw dead("the socket was closed");
        },
      ],
      configure({ fallback }),
    );
    await expect(call()).rejects.toBe(stop);
    expect(requests).toHaveLength(1);
    expect(progress).toEqual([]);
  });

  it("before it began, is never made", async () => {
    const { call, requests, abort } = scripted([reply()]);
    abort.abort(stop);
    await expect(call()).rejects.toBe(stop);
    expect(requests).toEqual([]);
  });
});

describe("progress while an answer streams", () => {
  it("has words, tokens and their rate, at most five times a second", async () => {
    let now = 0;
    const words = Array.from({ length: 101 }, (_, index) => `word${index % 10}`);
    const { call, progress } = scripted(
      [
        (_request, { onText }) => {
          for (let count = 1; count <= words.length; count++) {
            onText(words.slice(0, count).join(" "));
            now += 20;
          }
          return reply();
        },
      ],
      configure(),
      { now: () => now },
    );
    await call();
    expect(progress).toHaveLength(11);
    expect(progress[0]).toEqual({ words: 1, tokens: 2, tokens_per_s: 0, model: "small" });
    const last = progress.at(-1) as Record<string, number>;
    expect(last).toMatchObject({ words: 101, model: "small" });
    expect(last.tokens).toBeGreaterThan(195);
    expect(last.tokens_per_s).toBeCloseTo(last.tokens! / 2, 0);
  });

  it("starts anew with every try", async () => {
    const { call, progress } = scripted(
      [
        (_request, { onText }) => {
          onText("one two three");
          throw dead();
        },
        (_request, { onText }) => {
          onText("one");
          return reply();
        },
      ],
      configure(),
      { now: () => 0 },
    );
    await call();
    expect(progress.map((data) => (data as { words?: number }).words)).toEqual([3, undefined, 1]);
  });
});

describe("a role", () => {
  it("that has no model is named, with the roles that have one and what to type", () => {
    const make = () => new RoleModel("judge", configure(), async () => reply());
    expect(make).toThrow(
      "no model is configured for the role 'judge' (configured are writer). Name one with --model judge=",
    );
    expect(make).toThrow(expect.objectContaining({ code: "MODEL_UNKNOWN", name: "InfrastructureError" }));
  });

  it("has the default model where it has none of its own", async () => {
    const given = configure({}, { profiles: { default: { ...profile, model: "shared" } } });
    const { details } = scripted([reply()], given);
    expect(await details()).toMatchObject({ asked: "shared" });
  });

  it("whose fallback is at an endpoint that there is not is refused before any call", () => {
    const given = configure({ fallback: [{ endpoint: "nowhere", model: "b" }] });
    expect(() => new RoleModel("writer", given, async () => reply())).toThrow(
      "the role 'writer' names the endpoint 'nowhere', which is not configured; known are local, spare, openai, hosted",
    );
  });

  it("names an endpoint that goes by two names by its own", async () => {
    const base = configure();
    const given = {
      ...base,
      endpoints: { default: base.endpoints.local! },
      profiles: { writer: { ...profile, endpoint: "default" } },
    };
    const { details, requests } = scripted([reply()], given);
    expect(await details()).toMatchObject({ endpoint: "local" });
    expect(requests[0]!.endpoint).toBe("default");
  });
});

describe("tools", () => {
  const tools = [{ name: "read", description: "Shows a file.", parameters: { type: "object" } }];
  const offered = async (name: string, more: Partial<Profile> = {}, at: Partial<Endpoint> = {}) => {
    const given = configure({ endpoint: name, ...more });
    const endpoints = { ...given.endpoints, [name]: { ...given.endpoints[name]!, ...at } };
    const { call, requests } = scripted([reply()], { ...given, endpoints });
    await call({ prompt: "Look.", tools });
    return requests[0]!.tools !== undefined;
  };

  it("are offered where the profile says so, else the endpoint, else where the provider is known to have them", async () => {
    expect([await offered("local"), await offered("openai")]).toEqual([false, true]);
    expect(await offered("local", {}, { kind: "anthropic" })).toBe(true);
    expect([await offered("local", {}, { tools: true }), await offered("openai", {}, { tools: false })]).toEqual([
      true,
      false,
    ]);
    expect(await offered("local", { tools: true }, { tools: false })).toBe(true);
    expect(await offered("local", { tools: true }, { kind: "command" })).toBe(false);
  });

  it("that were called, and that a server refused them, are on record; the count of tokens has both", async () => {
    const toolCalls = [{ name: "read", input: { path: "a.py" } }];
    const {
      inputTokens: _,
      outputTokens: __,
      ...uncounted
    } = reply({ text: "", toolCalls, toolsRefused: "it has none" });
    const { call } = scripted([uncounted], configure({ tools: true }));
    const answer = await call({ prompt: "Look.", tools });
    expect(answer).toMatchObject({ toolCalls, details: { toolsRefused: "it has none", isEstimated: true } });
    expect((answer.details as unknown as Required<CallDetails>).outputTokens).toBe(
      countTokens(JSON.stringify(toolCalls)),
    );
    expect((answer.details as unknown as Required<CallDetails>).inputTokens).toBeGreaterThan(
      countTokens(JSON.stringify(tools)),
    );
  });
});
