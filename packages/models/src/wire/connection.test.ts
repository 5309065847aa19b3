import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { openFetch, watchLife, wholeToEvent } from "./connection.ts";

const nobody = new AbortController().signal;
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(handler: Parameters<typeof createServer>[1]): Promise<string> {
  const server = createServer(handler as never);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function post(url: string, options: { search?: string; streamsWholeBodies?: boolean; body?: string } = {}) {
  const life = watchLife(2_000, nobody);
  const { search = "", streamsWholeBodies = false, body = "{}" } = options;
  try {
    const response = await openFetch(life, search, streamsWholeBodies)(url, { method: "POST", body });
    return { response, text: await response.text() };
  } finally {
    life.end();
  }
}

describe("a request", () => {
  test("goes out whole, with the endpoint's query, its credentials, and a connection of its own", async () => {
    const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
    const url = await serve(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request)).toString();
      seen.push({ url: request.url, headers: request.headers, body });
      response.end("yes");
    });
    const address = `${url.replace("http://", "http://me:pass@")}/v1/chat`;
    const { text } = await post(address, { search: "?api-version=7", body: '{"prompt":"größer"}' });
    expect(text).toBe("yes");
    expect(seen[0]).toMatchObject({ url: "/v1/chat?api-version=7", body: '{"prompt":"größer"}' });
    expect(seen[0]!.headers).toMatchObject({
      authorization: `Basic ${Buffer.from("me:pass").toString("base64")}`,
      connection: "close",
      "accept-encoding": "identity",
    });
  });

  test("comes back with its status and headers, several of one name among them", async () => {
    const url = await serve((_, response) => {
      response.writeHead(418, [
        ["x-one", "1"],
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ] as never);
      response.end("short and stout");
    });
    const { response, text } = await post(url);
    expect(response.status).toBe(418);
    expect(response.headers.get("x-one")).toBe("1");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(text).toBe("short and stout");
  });

  test.each([204, 304])("that is answered %i has no body", async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    const { response, text } = await post(url);
    expect(response.status).toBe(status);
    expect(text).toBe("");
  });

  test("whose answer is truncated is a lost connection", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    await expect(post(url)).rejects.toThrow("the connection was lost");
  });

  test("to a server that speaks something else fails", async () => {
    const { createServer: createRaw } = await import("node:net");
    const raw = createRaw((socket) => socket.end("220 mail.example ESMTP\r\n"));
    await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
    await expect(post(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`)).rejects.toThrow(/Parse Error/);
    raw.close();
  });

  test("over TLS to a server that speaks none fails", async () => {
    const url = await serve((_, response) => response.end("plain"));
    await expect(post(url.replace("http:", "https:"))).rejects.toThrow();
  });
});

describe("an answer in one body", () => {
  const whole = { id: "1", choices: [{ index: 0, message: { content: "hi" }, finish_reason: "stop" }] };

  test("becomes an event with all that it held", async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(whole));
    });
    const { text } = await post(url, { streamsWholeBodies: true });
    const chunk = { id: "1", choices: [{ index: 0, finish_reason: "stop", delta: { content: "hi" } }] };
    expect(text).toMatch(/^data: .*\n\ndata: \[DONE\]\n\n$/);
    expect(JSON.parse(text.split("\n")[0]!.slice(6))).toEqual(chunk);
    expect((await post(url)).text).toBe(JSON.stringify(whole));
  });

  test.each([400, 500])("stays as it is where the status is %i", async (status) => {
    const url = await serve((_, response) => {
      response.writeHead(status, { "content-type": "application/json" }).end('{"error":"no"}');
    });
    expect((await post(url, { streamsWholeBodies: true })).text).toBe('{"error":"no"}');
  });

  test.each([
    ["events under a wrong content type", 'data: {"a":1}\n\n', 'data: {"a":1}\n\n'],
    ["events after a comment", ': ping\n\ndata: {"a":1}\n\n', ': ping\n\ndata: {"a":1}\n\n'],
    ["an error in plain words", '{"error":"full"}', 'data: {"error":{"message":"full"}}\n\ndata: [DONE]\n\n'],
    ["JSON of another kind", '{"a":1}', 'data: {"a":1}\n\ndata: [DONE]\n\n'],
    ["null", "null", "data: null\n\ndata: [DONE]\n\n"],
    ["no JSON at all", "<html>\r\n\r\n</html>", "data: <html> </html>\n\ndata: [DONE]\n\n"],
    ["half of an object", '{"choices":[', 'data: {"choices":[\n\ndata: [DONE]\n\n'],
  ])("that is %s goes on for the package to judge", (_, text, events) => {
    expect(wholeToEvent(text)).toBe(events);
  });
});

test("A life without a beat ends, and has stalled.", async () => {
  const life = watchLife(30, nobody);
  await expect.poll(() => life.signal.aborted).toBe(true);
  expect(life.hasStalled).toBe(true);
});

test("Beats keep it for as long as they come.", async () => {
  const life = watchLife(150, nobody);
  for (let n = 0; n < 6; n++) {
    await pause(50);
    life.beat();
  }
  expect(life.signal.aborted).toBe(false);
  life.end();
});

test("Its caller's abort ends it, and is no stall.", () => {
  const controller = new AbortController();
  const life = watchLife(1_000, controller.signal);
  controller.abort(new Error("why"));
  expect(life.signal.reason).toEqual(new Error("why"));
  expect(life.hasStalled).toBe(false);
  life.end();
});

test("Its end aborts what still hangs on it, and a late beat does not start it again.", async () => {
  const life = watchLife(40, nobody);
  life.end();
  life.beat();
  expect(life.signal.aborted).toBe(true);
  await pause(80);
  expect(life.hasStalled).toBe(false);
});

test("A timeout of a year does not fire at once.", async () => {
  const life = watchLife(365 * 24 * 3600 * 1000, nobody);
  await pause(30);
  expect(life.signal.aborted).toBe(false);
  life.end();
});
