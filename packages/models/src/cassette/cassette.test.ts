import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineLoop, InfrastructureError, pass, UsageError } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { pictureToPng } from "@loopwright/mesh/png";
import { encode } from "fast-png";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { redactor } from "../configuration/secrets.ts";
import { RoleModel } from "../model/model.ts";
import { type Wire, type WireAnswer, WireError, type WireRequest } from "../wire/wire.ts";
import { cassetteWire } from "./cassette.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cassette-"));
  file = join(folder, "deep", "tape.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const base: WireRequest = { endpoint: "one", model: "m", prompt: "line 1\nline 2", images: [], maxTokens: 100 };
const answerOf = (text: string): WireAnswer => ({
  text,
  reasoning: "first\nthen",
  model: "m-2026",
  finishReason: "stop",
  inputTokens: 7,
  outputTokens: 3,
  firstMs: 12.5,
  ms: 40,
  structured: "json_schema",
});

/** A wire that counts its calls and answers with their number. */
function counting(): Wire & { calls: number } {
  const wire = async () => {
    wire.calls += 1;
    return answerOf(`answer ${wire.calls}`);
  };
  wire.calls = 0;
  return wire;
}

const call = (ordinal = "1/propose", onText: (text: string) => void = () => {}) => ({
  signal: new AbortController().signal,
  onText,
  idempotencyKey: "k",
  ordinal,
});

const open = (mode: Parameters<typeof cassetteWire>[1], inner?: Wire, secrets: string[] = []) =>
  cassetteWire(file, mode, inner, redactor(secrets));
const failing = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it did not fail"),
    (error: unknown) => error as InfrastructureError,
  );
const content = () => JSON.parse(readFileSync(file, "utf8"));

describe("the modes", () => {
  test("what was recorded is replayed whole, with no wire behind it", async () => {
    const recorded = await open("record", counting())(base, call());
    const seen: string[] = [];
    const replayed = await open("replay")(
      base,
      call("1/propose", (text) => seen.push(text)),
    );
    expect(replayed).toEqual(answerOf("answer 1"));
    expect(replayed).toEqual(recorded);
    expect(seen).toEqual(["answer 1"]);
  });

  test("replay never calls, even where a wire is given", async () => {
    const inner = counting();
    expect((await failing(open("replay", inner)(base, call()))).code).toBe("CASSETTE_MISS");
    expect(inner.calls).toBe(0);
  });

  test("record always calls, and overwrites", async () => {
    const inner = counting();
    const wire = open("record", inner);
    await wire(base, call());
    await wire(base, call());
    expect(inner.calls).toBe(2);
    expect(content().entries).toHaveLength(1);
    expect((await open("replay")(base, call())).text).toBe("answer 2");
  });

  test("auto calls once for what is not recorded, in this opening and in the next", async () => {
    const inner = counting();
    const wire = open("auto", inner);
    for (const again of [wire, wire, open("auto", inner)]) expect((await again(base, call())).text).toBe("answer 1");
    expect(inner.calls).toBe(1);
    await wire({ ...base, prompt: "other" }, call());
    expect(inner.calls).toBe(2);
  });

  test("auto without a wire replays, and fails loudly on a miss", async () => {
    await open("record", counting())(base, call());
    const wire = open("auto");
    expect((await wire(base, call())).text).toBe("answer 1");
    expect((await failing(wire(base, call("2/propose")))).code).toBe("CASSETTE_MISS");
  });

  test("record without a wire is refused at once", () => {
    expect(() => open("record")).toThrow(UsageError);
  });

  test("an aborted call is neither made nor replayed", async () => {
    const inner = counting();
    await open("record", inner)(base, call());
    const aborted = { ...call(), signal: AbortSignal.abort(new Error("stopped")) };
    await expect(open("auto", inner)(base, aborted)).rejects.toThrow("stopped");
    expect(inner.calls).toBe(1);
  });
});

describe("the key", () => {
  const changes: [string, Partial<WireRequest>][] = [
    ["another model", { model: "n" }],
    ["another prompt", { prompt: "line 1\nline 2 " }],
    ["a system text", { system: "be brief" }],
    ["an empty system text", { system: "" }],
    ["a temperature", { temperature: 0 }],
    ["a top-p", { topP: 0.9 }],
    ["a longest answer", { maxTokens: 101 }],
    ["a schema", { schema: { type: "object" } }],
    ["a picture", { images: [{ bytes: Buffer.from("x"), mediaType: "image/jpeg", digest: "d" }] }],
  ];
  test.each(changes)("changes with %s", async (_, change) => {
    await open("record", counting())(base, call());
    expect((await failing(open("replay")({ ...base, ...change }, call()))).code).toBe("CASSETTE_MISS");
  });

  test("changes with the ordinal, so that votes differ", async () => {
    const wire = open("record", counting());
    await wire(base, call("1/vote-a"));
    await wire(base, call("1/vote-b"));
    const replay = open("replay");
    expect((await replay(base, call("1/vote-b"))).text).toBe("answer 2");
    expect((await replay(base, call("1/vote-a"))).text).toBe("answer 1");
  });

  test("does not change with the endpoint, the try, or the order of a schema's keys", async () => {
    await open("record", counting())({ ...base, schema: { a: 1, b: { c: 1, d: 2 } } }, call());
    const elsewhere = { ...base, endpoint: "two", schema: { b: { d: 2, c: 1 }, a: 1 } };
    expect((await open("replay")(elsewhere, { ...call(), idempotencyKey: "other" })).text).toBe("answer 1");
  });

  test("does not change when a picture is packed anew, and does when a pixel changes", async () => {
    const image = (bytes: Uint8Array, digest: string) => ({ bytes, mediaType: "image/png", digest });
    const picture = { width: 2, height: 1, channels: 1 as const, data: Uint8Array.from([0, 255]) };
    await open("record", counting())({ ...base, images: [image(pictureToPng(picture), "a")] }, call());
    const repacked = encode({ ...picture, depth: 8 }, { zlib: { level: 9 }, interlace: "Adam7" });
    expect((await open("replay")({ ...base, images: [image(repacked, "b")] }, call())).text).toBe("answer 1");
    const other = pictureToPng({ ...picture, data: Uint8Array.from([0, 254]) });
    expect((await failing(open("replay")({ ...base, images: [image(other, "a")] }, call()))).code).toBe(
      "CASSETTE_MISS",
    );
  });
});

describe("a miss", () => {
  test("shows the nearest recorded request as a diff, and what to type", async () => {
    const wire = open("record", counting());
    await wire({ ...base, prompt: "something\nquite different" }, call("1/judge"));
    await wire({ ...base, prompt: "make a hull\nof 9 planks\nthat floats", temperature: 0.2 }, call("2/propose"));
    const asked = { ...base, prompt: "make a hull\nof 12 planks\nthat floats", temperature: 0.2 };
    const error = await failing(open("replay")(asked, call("2/propose")));
    expect(error).toBeInstanceOf(InfrastructureError);
    expect(error.message.split("\n").slice(1)).toEqual([
      " prompt:",
      " make a hull",
      "-of 9 planks",
      "+of 12 planks",
      " that floats",
    ]);
    expect(error.message).toContain("--cassette-mode record");
    expect(error.message).toContain(file);
  });

  test("says so where only the ordinal differs", async () => {
    await open("record", counting())(base, call("1/propose"));
    const { message } = await failing(open("replay")(base, call("2/propose")));
    expect(message).toContain("-ordinal: 1/propose\n+ordinal: 2/propose");
    expect(message).not.toContain("-line");
  });

  test("stays readable where everything is long", async () => {
    const long = (word: string) =>
      Array.from({ length: 3_000 }, (_, line) => `${word} ${line} ${"x".repeat(500)}`).join("\n");
    await open("record", counting())({ ...base, prompt: long("before") }, call());
    const { message } = await failing(open("replay")({ ...base, prompt: long("after") }, call()));
    expect(message.length).toBeLessThan(8_000);
    expect(message.split("\n").length).toBeLessThan(45);
    expect(message).toMatch(/more lines|too different/);
  });

  test("shows no secret", async () => {
    await open("record", counting(), ["sk-topsecret"])({ ...base, prompt: "old sk-topsecret" }, call());
    const { message } = await failing(
      open("replay", undefined, ["sk-topsecret"])({ ...base, prompt: "new sk-topsecret" }, call()),
    );
    expect(message).toContain("+new [secret]");
    expect(message).not.toContain("topsecret");
  });

  test("says where there is no cassette, or an empty one", async () => {
    expect((await failing(open("replay")(base, call()))).message).toContain("there is no cassette");
    expect(existsSync(join(folder, "deep"))).toBe(false);
    file = join(folder, "empty.json");
    writeFileSync(file, JSON.stringify({ cassette: "loopwright", version: 1, entries: [] }));
    expect((await failing(open("replay")(base, call()))).message).toContain("is empty");
  });
});

describe("secrets", () => {
  const secret = 'key-"quoted"-42';
  const inner: Wire = async () => ({ ...answerOf(`your key is ${secret}`), reasoning: encodeURIComponent(secret) });

  test("enter neither the request nor the answer, and the recording run sees what a replay sees", async () => {
    const asked = { ...base, system: secret, prompt: `use ${secret}`, schema: { [secret]: [secret] } };
    const recorded = await open("record", inner, [secret])(asked, call());
    expect(recorded.text).toBe("your key is [secret]");
    const written = readFileSync(file, "utf8");
    expect(written).not.toContain("quoted");
    expect(content().entries[0]).toMatchObject({
      request: { system: "[secret]", prompt: "use [secret]", schema: { "[secret]": ["[secret]"] } },
      answer: { text: "your key is [secret]", reasoning: "[secret]" },
    });
    expect(await open("replay", undefined, [secret])(asked, call())).toEqual(recorded);
  });

  test("may be others where it is replayed", async () => {
    await open("record", inner, ["key-of-monday"])({ ...base, prompt: "use key-of-monday" }, call());
    const replay = open("replay", undefined, ["key-of-friday"]);
    expect((await replay({ ...base, prompt: "use key-of-friday" }, call())).finishReason).toBe("stop");
  });

  test("of the replaying machine do not hide words that were none when it was recorded", async () => {
    await open("record", inner)({ ...base, prompt: "connect to postgres" }, call());
    const replay = open("replay", undefined, ["postgres"]);
    expect((await replay({ ...base, prompt: "connect to postgres" }, call())).finishReason).toBe("stop");
  });
});

describe("failures", () => {
  const broken: Wire = async () => {
    throw new WireError("503 from sk-topsecret", { status: 503, isRetryable: true, retryAfter: 4 });
  };

  test("that another try might have fixed are replayed where no answer came, so that a fallback is asked again", async () => {
    await failing(open("record", broken, ["sk-topsecret"])(base, call()));
    const error = await failing(open("replay")(base, call()));
    expect(error).toBeInstanceOf(WireError);
    expect(error).toMatchObject({ message: "503 from [secret]", status: 503, isRetryable: true, retryAfter: 4 });
  });

  test("are called again in auto, and give way to an answer", async () => {
    await failing(open("auto", broken)(base, call()));
    expect((await open("auto", counting())(base, call())).text).toBe("answer 1");
    expect(content().entries).toMatchObject([{ answer: { text: "answer 1" } }]);
    expect(content().entries[0].failure).toBeUndefined();
  });

  test("never take the place of an answer: a server that is down spoils no cassette", async () => {
    await open("record", counting())(base, call());
    await failing(open("record", broken)(base, call()));
    expect((await open("replay")(base, call())).text).toBe("answer 1");
  });

  test("that no other try would fix, and aborts, are not recorded", async () => {
    const refusing: Wire = async () => {
      throw new WireError("401", { status: 401, isRetryable: false });
    };
    await failing(open("record", refusing)(base, call()));
    await expect(
      open("record", async () => {
        throw new Error("stopped");
      })(base, call()),
    ).rejects.toThrow("stopped");
    expect(existsSync(file)).toBe(false);
  });
});

describe("in a run", () => {
  const configuration = {
    endpoints: { dead: endpoint("dead"), spare: endpoint("spare") },
    profiles: {
      default: {
        endpoint: "dead",
        model: "big",
        maxTokens: 50,
        context: 4_000,
        fallback: [{ endpoint: "spare", model: "small" }],
      },
    },
    retry: { waits: [2, 8], timeout: 5 },
    prices: {},
  };
  function endpoint(name: string) {
    return { name, kind: "openai-compatible" as const, url: "http://127.0.0.1:9/v1", concurrency: 1, isLocal: true };
  }
  const loop = defineLoop({
    name: "asks",
    version: 1,
    input: z.object({ question: z.string() }),
    state: z.object({ said: z.string() }),
    initial: () => ({ said: "" }),
    start: "ask",
    iteration: "ask",
    phases: {
      ask: {
        to: [],
        run: async (_, ctx) => {
          const { text } = await ctx.model("builder").call("propose", { prompt: ctx.input.question });
          ctx.verdict(pass(1, "said"));
          return ctx.end("done", { patch: { said: text } });
        },
      },
    },
  });
  const engineOn = (wire: Wire) => memoryEngine({ models: (role) => new RoleModel(role, configuration, wire) });
  const onlySpare: Wire = async ({ endpoint: name }) => {
    if (name === "dead") throw new WireError("nobody there", { isRetryable: true });
    return answerOf("from the spare");
  };

  test("a run that a fallback answered replays to the same end with no server at all", async () => {
    const recording = engineOn(open("record", onlySpare));
    const first = await recording.engine.start(loop, { question: "well?" });
    const replaying = engineOn(open("replay"));
    const second = await replaying.engine.start(loop, { question: "well?" });
    expect([first.outcome, second.outcome]).toEqual(["done", "done"]);
    const answerIn = (events: typeof recording.events) => events.find(({ type }) => type === "effect-finished");
    expect(answerIn(replaying.events)).toMatchObject({ result: { text: "from the spare" } });
    expect(answerIn(replaying.events)).toMatchObject({
      result: (answerIn(recording.events) as { result: object }).result,
    });
  });

  test("a miss ends the run as failed, with the diff, and asks no fallback", async () => {
    await engineOn(open("record", onlySpare)).engine.start(loop, { question: "well?" });
    const { engine, events } = engineOn(open("replay"));
    const result = await engine.start(loop, { question: "well then?" });
    expect(result.outcome).toBe("failed");
    const failed = events.find(({ type }) => type === "effect-failed");
    expect(failed).toMatchObject({ error: { code: "CASSETTE_MISS", kind: "E0" } });
    expect((failed as { error: Error }).error.message).toContain("-well?\n+well then?");
  });
});

test("Nothing but the cassette is left in its folder.", async () => {
  const wire = open("record", counting());
  await Promise.all(Array.from({ length: 20 }, (_, index) => wire(base, call(`${index}/vote`))));
  expect(readdirSync(join(folder, "deep"))).toEqual(["tape.json"]);
  expect(content().entries).toHaveLength(20);
});
