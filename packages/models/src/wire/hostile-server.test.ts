// A server that speaks for a model as a hostile party: what it sends costs no more than its call.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { callOf, endpointAt, requestFor, wireErrorOf } from "../../../../test/fakes/wire.ts";
import { sdkWire } from "./sdk-wire.ts";

type Send = (response: ServerResponse) => void;
const KEY = "sk-hostile-0123456789";

/** Writes for as long as anybody listens. */
function endless(response: ServerResponse, head: string, part: string): void {
  const go = () => {
    while (!response.destroyed && response.write(part));
  };
  response.on("drain", go).on("error", () => {});
  response.write(head);
  go();
}

const delta = (text: string, field = "content") =>
  `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { [field]: text } }] })}\n\n`;
const stream = { "content-type": "text/event-stream" };
const long = "x".repeat(2 ** 20);

/** What a hostile server does, and what is said of it. */
const servers: [string, RegExp, Send][] = [
  ["words without end", /more than \d+ characters/, (r) => endless(r.writeHead(200, stream), "", delta(long))],
  [
    "reasoning without end",
    /more than \d+ (?:characters|bytes)/,
    (r) => endless(r.writeHead(200, stream), "", delta(long, "reasoning_content")),
  ],
  ["one line without end", /more than \d+ bytes/, (r) => endless(r.writeHead(200, stream), "data: ", long)],
  ["comments without end", /more than \d+ bytes/, (r) => endless(r.writeHead(200, stream), "", `: ${long}\n\n`)],
  [
    "a body without end",
    /more than \d+ bytes/,
    (r) => endless(r.writeHead(200, { "content-type": "application/json" }), '{"a":"', long),
  ],
  [
    "an error without end",
    /more than \d+ bytes|answered 500/,
    (r) => endless(r.writeHead(500, { "content-type": "application/json" }), '{"error":"', long),
  ],
  [
    "a header that is too long",
    /cannot be reached|broke off/,
    (r) => r.socket!.end(`HTTP/1.1 200 OK\r\nx: ${long}\r\n\r\n`),
  ],
  ["a status that is none", /cannot be reached|broke off|answered/, (r) => r.socket!.end("HTTP/1.1 999999 x\r\n\r\n")],
  [
    "a length that is not kept",
    /broke off/,
    (r) => r.writeHead(200, { ...stream, "content-length": "9999" }).write(delta("a"), () => r.destroy()),
  ],
  [
    "a tool call that nobody asked for",
    /broke off|finish reason/,
    (r) =>
      r
        .writeHead(200, stream)
        .end(
          `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "a", function: { name: "sh", arguments: "{" } }] } }] })}\n\n`,
        ),
  ],
  [
    "a nesting that no parser bears",
    /broke off|finish reason|call stack/,
    (r) => r.writeHead(200, stream).end(`data: ${"[".repeat(200_000)}\n\n`),
  ],
  ["a redirect to another host", /answered 308/, (r) => r.writeHead(308, { location: "http://127.0.0.1:9/v1" }).end()],
];

describe("A server", { timeout: 60_000 }, () => {
  it.each(servers)("that sends %s ends its call, and learns no more than that", async (_, words, send) => {
    const server = createServer((request, response) => {
      request.resume();
      request.on("error", () => {});
      request.on("end", () => send(response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      const wire = sdkWire({ local: endpointAt(url, { key: KEY }) }, { timeout: 20_000 });
      const error = await wireErrorOf(wire(requestFor("Go."), callOf()));
      expect(error.message).toMatch(words);
      expect(error.message).not.toContain(KEY);
      expect(error.message.length).toBeLessThan(2_000);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
