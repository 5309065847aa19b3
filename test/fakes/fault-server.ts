// A model server that fails on purpose: OpenAI chat completions over real HTTP, streamed or in one body.
//
//   await using server = await startFaultServer();
//   server.next(faults.tooMany(2), { text: "hello" });        // the first request gets 429, the second an answer
//   server.otherwise = { text: "{}" };                         // what comes when nothing more was told (default: "ok")
//   server.otherwise = (request) => ({ text: request.prompt }); // or made of the request
//   server.refused = ["json_schema"];                          // 400 for these response formats; nothing is taken of `next`
//   … ask `${server.url}` (it ends in /v1), then look at server.requests
//
// Each request is logged when it has been read, and `request.ended` tells how it ended: "answered", "cut" by the server,
// or "left" by the client. Closing (or `await using`) ends every connection.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import {
  type ChatBody,
  howItEnds,
  type MessageContent,
  type Reply,
  type SeenRequest,
  sendReply,
} from "./fault-replies.ts";

export type { ChatBody, MessageContent, Reply, SeenRequest } from "./fault-replies.ts";

export type ReplyOf = Reply | ((request: SeenRequest) => Reply);

export interface FaultServer extends AsyncDisposable {
  /** The base address, with /v1. */
  url: string;
  /** Every request for a completion so far, in order. */
  requests: SeenRequest[];
  /** Tells the replies to the next requests, after those told before. */
  next(...replies: ReplyOf[]): void;
  otherwise: ReplyOf;
  /** Response formats that are answered with 400; `tools` for a server that has none. */
  refused: readonly string[];
  /** What GET /v1/models lists. */
  models: readonly string[];
  /** Connections that are open now. */
  connections(): number;
  close(): Promise<void>;
}

/** The HTTP errors that servers give most. */
export const faults = {
  tooMany: (retryAfter?: number | string): Reply => ({
    status: 429,
    headers: retryAfter === undefined ? {} : { "retry-after": String(retryAfter) },
  }),
  broken: (): Reply => ({ status: 500 }),
  unauthorized: (): Reply => ({ status: 401 }),
  badRequest: (): Reply => ({ status: 400 }),
} as const;

/** Starts a server on a free port of this machine. */
export async function startFaultServer(): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const queue: ReplyOf[] = [];
  const closing = new AbortController();
  const http = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  http.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  });

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? "/";
    if (incoming.method === "GET" && path.endsWith("/models")) {
      const data = server.models.map((id) => ({ id, object: "model", created: 0, owned_by: "test" }));
      return sendJson(response, 200, { object: "list", data });
    }
    const text = await readBody(incoming);
    if (!path.split("?")[0]!.endsWith("/chat/completions")) {
      return sendJson(response, 404, { error: { message: `nothing at ${path}` } });
    }
    const body = JSON.parse(text) as ChatBody;
    const request: SeenRequest = {
      path,
      headers: incoming.headers,
      body,
      prompt: textOf(body.messages.at(-1)?.content ?? ""),
      ended: howItEnds(response),
    };
    server.requests.push(request);
    await sendReply(response, request, choose(request), closing.signal);
  }

  function choose(request: SeenRequest): Reply {
    const format = request.body.response_format?.type;
    if (format !== undefined && server.refused.includes(format)) {
      return { status: 400, body: JSON.stringify({ error: `'response_format.type' must not be '${format}'` }) };
    }
    if (request.body.tools && server.refused.includes("tools")) {
      return {
        status: 400,
        body: JSON.stringify({ error: { message: `${request.body.model} does not support tools` } }),
      };
    }
    const reply = queue.shift() ?? server.otherwise;
    return typeof reply === "function" ? reply(request) : reply;
  }

  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const server: FaultServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    requests: [],
    next: (...replies) => void queue.push(...replies),
    otherwise: { text: "ok" },
    refused: [],
    models: ["fake"],
    connections: () => sockets.size,
    close: async () => {
      closing.abort();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;
}

function textOf(content: MessageContent): string {
  if (typeof content === "string") return content;
  return content.map(({ text }) => text ?? "").join("");
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
