import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createPlainServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Message } from "@loopwright/core";
import { afterAll, describe, expect, it } from "vitest";
import type { Notify } from "./messages.ts";
import { send, wayHindrance } from "./ways.ts";

const folder = mkdtempSync(join(tmpdir(), "loopwright-ways-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const message: Message = {
  id: "0123456789abcdef",
  run: "a-run",
  at: 1,
  to: "webhook",
  body: JSON.stringify({ text: 'done: it "passed"; $(touch owned) (a-run)', outcome: "done" }),
  seal: "",
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

const post = (notify: Notify, signal = never) => send(message, notify, signal);

describe("a webhook", () => {
  it("gets the body signed over its id, the time and itself", async () => {
    using server = await serve((_request, response) => response.end());
    const plain = "a secret of any kind";
    const encoded = `whsec_${Buffer.from("bytes\0of a key").toString("base64")}`;
    for (const [secret, key] of [
      [plain, plain],
      [encoded, "bytes\0of a key"],
    ] as const) {
      expect(await post({ webhook: server.url, secret })).toEqual({});
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
    await post({ webhook: server.url });
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
    [
      "503 and a time that is over",
      { status: 503, headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" } },
      { error: "HOST answered 503" },
    ],
  ])("that answers %s has not got it", async (_, { status, headers }, result) => {
    using server = await serve((_request, response) => response.writeHead(status, headers).end("<secret>"));
    const expected = { ...result, error: result.error.replace("HOST", server.host) };
    expect(await post({ webhook: server.url })).toEqual(expected);
  });

  it("that answers 503 and a date is left alone until then", async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    using server = await serve((_request, response) => response.writeHead(503, { "retry-after": date }).end());
    const { wait } = (await post({ webhook: server.url })) as { wait: number };
    expect(wait).toBeGreaterThan(3_000_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  it.each([301, 302, 303, 307, 308])("that redirects with %i leads nowhere", async (status) => {
    using other = await serve((_request, response) => response.end());
    using server = await serve((_request, response) => response.writeHead(status, { location: other.url }).end());
    const error = `${server.host} answered ${status}, and redirects are not followed`;
    expect(await post({ webhook: server.url })).toEqual({ error });
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
    expect(await post({ webhook: server.url })).toEqual({});
    await closed.promise;
  });

  it("that never answers is given up when its time is over", async () => {
    using server = await serve(() => {});
    const stop = new AbortController();
    const result = post({ webhook: server.url }, stop.signal);
    await expect.poll(() => server.seen).toHaveLength(1);
    stop.abort();
    expect(await result).toEqual({ error: `${server.host} did not answer in time` });
  });

  it("that is not there, or speaks no HTTP, says so without its address's secrets", async () => {
    const plain = createPlainServer((socket) =>
      socket
        .on("error", () => {})
        .resume()
        .end("hello?\n"),
    ).listen(0, "127.0.0.1");
    await once(plain, "listening");
    const { port } = plain.address() as AddressInfo;
    const broken = await post({ webhook: `http://ann:opensesame@127.0.0.1:${port}/sesame` });
    plain.close();
    await once(plain, "close");
    const down = await post({ webhook: `http://ann:opensesame@127.0.0.1:${port}/sesame`, secret: "opensesame" });
    expect(broken.error).toMatch(/^127\.0\.0\.1:\d+ could not be reached \([A-Z_]+\)$/);
    expect(down.error).toBe(`127.0.0.1:${port} could not be reached (ECONNREFUSED)`);
  });

  it("gets the name and the password of its address, as any client sends them", async () => {
    using server = await serve((_request, response) => response.end());
    await post({ webhook: server.url.replace("//", "//ann:sesame@") });
    const basic = Buffer.from("ann:sesame").toString("base64");
    expect(server.seen[0]!.headers.authorization).toBe(`Basic ${basic}`);
  });
});

describe("a command", () => {
  const run = (command: string, signal = never) => send({ ...message, to: "command" }, { command }, signal);

  it("gets the message as one argument, nothing of it read by the shell", async () => {
    const file = join(folder, "message");
    expect(await run(`printf '%s' > '${file}'`)).toEqual({});
    expect(readFileSync(file, "utf8")).toBe('done: it "passed"; $(touch owned) (a-run)');
  });

  it("gets the message's key, and not the journal's", async () => {
    const file = join(folder, "key");
    process.env.LOOPWRIGHT_JOURNAL_KEY = "a key";
    await run(`printf '%s' "\${LOOPWRIGHT_JOURNAL_KEY-none} $LOOPWRIGHT_MESSAGE_ID" > '${file}' || echo`);
    delete process.env.LOOPWRIGHT_JOURNAL_KEY;
    expect(readFileSync(file, "utf8")).toBe(`none ${message.id}`);
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

describe("a way", () => {
  it("is none where the configuration names none, or its secret is not there: nothing goes unsigned", () => {
    const webhook = "http://a";
    expect(wayHindrance(message, { webhook })).toBeUndefined();
    expect(wayHindrance(message, { webhook, secretEnv: "HOOK", secret: "x" })).toBeUndefined();
    expect(wayHindrance(message, { webhook, secretEnv: "HOOK", secret: "" })).toContain("$HOOK");
    expect(wayHindrance(message, { command: "x" })).toBe("notify.webhook is not set");
    expect(wayHindrance({ ...message, to: "constructor" }, { webhook })).toContain("no way called");
  });
});
