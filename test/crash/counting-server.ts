// A model server that counts every token it sends: those of each prompt that it takes up, and of each piece of an answer.
//
// By chance, but the same for a seed, it answers, answers with something unusable, tears an answer off, or has an error.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { randomStream } from "@loopwright/core";

export interface CountingServer extends AsyncDisposable {
  url: string;
  /** Tokens sent so far. */
  sent: number;
  /** Calls back once, when so many more tokens were sent. */
  after(tokens: number, then: () => void): void;
}

const LONGEST = 60;

/** Starts a server on a free port of this machine; a calm one answers whatever it is asked. */
export async function startCountingServer(seed: number, isCalm: boolean): Promise<CountingServer> {
  const random = isCalm ? () => 0.5 : randomStream("counting server", seed);
  let due: { at: number; then: () => void } | undefined;
  const count = (tokens: number) => {
    server.sent += tokens;
    if (!due || server.sent < due.at) return;
    const { then } = due;
    due = undefined;
    then();
  };
  const http = createServer((incoming, response) => {
    response.on("error", () => {});
    serve(incoming, response, random, count).catch(() => response.destroy());
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const server: CountingServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    sent: 0,
    after: (tokens, then) => {
      due = { at: server.sent + tokens, then };
    },
    [Symbol.asyncDispose]: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return server;
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  random: () => number,
  count: (tokens: number) => void,
): Promise<void> {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  const { model, response_format: format } = JSON.parse(body) as { model: string; response_format?: unknown };
  const [fate, length] = [random(), 5 + Math.floor(random() * (LONGEST - 5))];
  if (fate < 0.1) return void response.writeHead(fate < 0.05 ? 500 : 429).end();
  const prompt = Math.ceil(body.length / 8);
  const isTruncated = fate < 0.3;
  const isUnusable = fate > 0.85;
  const words = Array.from({ length }, (_, nth) => (format && !isUnusable ? "1,  " : `w${nth} `));
  const pieces = format && !isUnusable ? ["[", ...words, "1]"] : words;
  const send = (choice: object, more: object = {}) => {
    const event = { id: "1", object: "chat.completion.chunk", created: 1, model, choices: [choice], ...more };
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  response.writeHead(200, { "content-type": "text/event-stream" });
  count(prompt);
  for (const content of isTruncated ? pieces.slice(0, length / 2) : pieces) {
    await pause(2);
    if (response.destroyed) return;
    send({ index: 0, delta: { content }, finish_reason: null });
    count(1);
  }
  if (isTruncated) return void response.destroy();
  const usage = { prompt_tokens: prompt, completion_tokens: pieces.length, total_tokens: prompt + pieces.length };
  send({ index: 0, delta: {}, finish_reason: "stop" }, { usage });
  response.end("data: [DONE]\n\n");
}
