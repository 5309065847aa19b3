import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { defineLoop, type GateRecord, type Loop, type Message } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { passed, singlePhase } from "../../../test/fakes/loops.ts";
import { draftMessages, type Notify, post, runCommand } from "./outbox.ts";

const gate = { name: "accept", question: "Is it\u001b[31m good?", choices: ["yes", "no"], default: "no" };
const asking = singlePhase(async (ctx) => {
  await ctx.ask(gate);
  return passed(ctx);
});
const done = singlePhase((ctx) => passed(ctx));
const parentOf = (child: Loop<never, never>) =>
  singlePhase(async (ctx) => {
    await ctx.spawn("child", child, null as never);
    return passed(ctx);
  });
const escalating = defineLoop({
  name: "escalating",
  version: 1,
  input: z.null(),
  state: z.object({}),
  initial: () => ({}),
  start: "work",
  iteration: "work",
  phases: {
    work: {
      to: ["work"],
      run: (_state, ctx) =>
        ctx.end("escalated", {
          reason: "nobody knows",
          gate: { ...gate, choices: { yes: "work", no: null } },
        }),
    },
  },
});

/** What is told of a run of a loop. */
async function toldOf(
  loop: unknown,
  notify: Notify = { webhook: "http://a" },
  isAnswered: (gate: GateRecord) => boolean = () => false,
) {
  const test = memoryEngine({ messages: draftMessages(notify, isAnswered) });
  await test.engine.start(loop as Loop, null);
  const told: Record<string, unknown>[] = [];
  const { outbox } = test.journal;
  for (let next = () => outbox.claim(["webhook", "command"], 1, 2), one = await next(); one; one = await next())
    told.push({ to: one.to, ...JSON.parse(one.body) });
  return told;
}

describe("what is told of a run", () => {
  it("is how it ended, by every way that is set", async () => {
    const news = { loop: "single", outcome: "done", reason: "it is good", iterations: 1, score: 1 };
    const told = await toldOf(done, { webhook: "http://a", command: "echo" });
    expect(told).toMatchObject([
      { to: "webhook", ...news },
      { to: "command", ...news },
    ]);
    expect(told[0]!.text).toBe(`done: it is good (${told[0]!.run})`);
    expect(await toldOf(done, {})).toEqual([]);
  });

  it("is that it waits at a gate, and what is asked there", async () => {
    const told = await toldOf(asking);
    expect(told).toMatchObject([{ outcome: "waiting", iterations: 1, score: null, gate }]);
    expect(told[0]!.text).toBe(`waiting: Is it good? (${told[0]!.run})`);
  });

  it("is nothing of a gate that needs no answer of anyone elsewhere", async () => {
    expect(await toldOf(asking, undefined, () => true)).toEqual([]);
  });

  it("is one thing where an ending asks: the ending, with the question", async () => {
    expect(await toldOf(escalating)).toMatchObject([{ outcome: "escalated", reason: "nobody knows", gate }]);
  });

  it("is nothing of a child run, but that the run above waits for it", async () => {
    expect(await toldOf(parentOf(done as never))).toMatchObject([{ outcome: "done" }]);
    const told = await toldOf(parentOf(asking as never));
    expect(told).toMatchObject([{ outcome: "waiting", gate }]);
    expect(told[0]!.run).not.toContain("child");
  });

  it("is what `events` names, and without it everything but that another run took over", async () => {
    expect(await toldOf(done, { webhook: "http://a", events: ["waiting", "failed"] })).toEqual([]);
    expect(await toldOf(asking, { webhook: "http://a", events: ["waiting"] })).toHaveLength(1);
    const superseded = singlePhase((ctx) => ctx.end("superseded" as never));
    expect(await toldOf(superseded)).toEqual([]);
    expect(await toldOf(superseded, { webhook: "http://a", events: ["superseded"] })).toHaveLength(1);
  });
});

const folder = mkdtempSync(join(tmpdir(), "loopwright-outbox-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const message: Message = {
  id: "0123456789abcdef",
  run: "a-run",
  at: 1,
  to: "webhook",
  body: JSON.stringify({ text: 'done: it "passed"; $(touch owned) (a-run)', outcome: "done" }),
  tries: 1,
};
const never = new AbortController().signal;

/** A server of this machine's, for one test. */
async function serve(answer: RequestListener) {
  const seen: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    seen.push({ headers: request.headers, body: await text(request) });
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://${host}/hook/sesame?token=opensesame`, host, seen, [Symbol.dispose]: stop };
}

const send = ({ webhook, secret }: Notify, signal = never) => post(message, webhook!, secret, signal);

describe("a webhook", () => {
  it("gets the body signed over its id, the time and itself", async () => {
    using server = await serve((_request, response) => response.end());
    const plain = "a secret of any kind";
    const encoded = `whsec_${Buffer.from("bytes\0of a key").toString("base64")}`;
    for (const [secret, key] of [
      [plain, plain],
      [encoded, "bytes\0of a key"],
    ] as const) {
      expect(await send({ webhook: server.url, secret })).toBeUndefined();
      const { headers, body } = server.seen.at(-1)!;
      expect(body).toBe(message.body);
      expect(headers).toMatchObject({
        "content-type": "application/json",
        "webhook-id": message.id,
        "idempotency-key": message.id,
        "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      });
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
      expect(Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"]))).toBeLessThan(60);
    }
    await send({ webhook: server.url });
    expect(server.seen.at(-1)!.headers).not.toHaveProperty("webhook-signature");
  });

  it.each([
    ["500", { status: 500, headers: {} }, { error: "HOST answered 500" }],
    ["404", { status: 404, headers: {} }, { error: "HOST answered 404" }],
    [
      "429 and a time in seconds",
      { status: 429, headers: { "retry-after": "90" } },
      { error: "HOST answered 429", wait: 90_000 },
    ],
    ["429 and no time at all", { status: 429, headers: { "retry-after": "soon" } }, { error: "HOST answered 429" }],
  ])("that answers %s has not got it", async (_, { status, headers }, result) => {
    using server = await serve((_request, response) => response.writeHead(status, headers).end("<secret>"));
    const expected = { ...result, error: result.error.replace("HOST", server.host) };
    expect(await send({ webhook: server.url })).toEqual(expected);
  });

  it.each([301, 302, 303, 307, 308])("that redirects with %i leads nowhere", async (status) => {
    using other = await serve((_request, response) => response.end());
    using server = await serve((_request, response) => response.writeHead(status, { location: other.url }).end());
    const error = `${server.host} answered ${status}, and redirects are not followed`;
    expect(await send({ webhook: server.url })).toEqual({ error });
    expect(server.seen).toHaveLength(1);
    expect(other.seen).toEqual([]);
  });

  it("that answers without an end is read no further than a little, and has got it", async () => {
    const closed = Promise.withResolvers<void>();
    using server = await serve((_request, response) => {
      response.on("close", closed.resolve).on("error", () => {});
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", more);
      more();
    });
    expect(await send({ webhook: server.url })).toBeUndefined();
    await closed.promise;
  });

  it("that never answers is given up when its time is over", async () => {
    using server = await serve(() => {});
    const stop = new AbortController();
    const result = send({ webhook: server.url }, stop.signal);
    await expect.poll(() => server.seen).toHaveLength(1);
    stop.abort();
    expect(await result).toEqual({ error: `${server.host} did not answer in time` });
  });

  it("that is not there says so without its address's secrets", async () => {
    using server = await serve((_request, response) => response.end());
    server[Symbol.dispose]();
    const failed = await send({ webhook: server.url.replace("//", "//ann:opensesame@"), secret: "opensesame" });
    expect(failed?.error).toMatch(/^127\.0\.0\.1:\d+ could not be reached \([A-Z_]+\)$/);
  });

  it("gets the name and the password of its address, as any client sends them", async () => {
    using server = await serve((_request, response) => response.end());
    await send({ webhook: server.url.replace("//", "//ann:sesame@") });
    const basic = Buffer.from("ann:sesame").toString("base64");
    expect(server.seen[0]!.headers.authorization).toBe(`Basic ${basic}`);
  });
});

describe("a command", () => {
  const run = (command: string, signal = never) => runCommand(message, command, signal);

  it("gets the message as one argument, nothing of it read by the shell", async () => {
    const file = join(folder, "message");
    expect(await run(`printf '%s' > '${file}'`)).toBeUndefined();
    expect(readFileSync(file, "utf8")).toBe('done: it "passed"; $(touch owned) (a-run)');
  });

  it("that fails says how, and not what it is: it may hold a key", async () => {
    expect(await run("exit 3 # opensesame")).toEqual({ error: "notify.command exited with 3" });
    expect(await run("kill -9 $$ # opensesame")).toEqual({ error: "notify.command exited with SIGKILL" });
  });

  it("that does not end is ended", async () => {
    expect(await run("exec sleep 600 #", AbortSignal.timeout(100))).toEqual({
      error: "notify.command did not end in time",
    });
  });
});
