// MCP over HTTP: on this machine alone, for whoever has the token. All clients share one scene.

import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { makeServer, type Session } from "./server.ts";

const LARGEST_BODY = 4 * 2 ** 20;
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

export interface HttpServer {
  url: string;
  token: string;
  close(): Promise<void>;
}

/** Listens on the loopback address; port 0 is any that is free. */
export async function serveHttp(
  session: Session,
  port: number,
  token = randomBytes(24).toString("hex"),
): Promise<HttpServer> {
  const options = { maxRequestBodySize: LARGEST_BODY };
  const handler = createMcpHandler(() => makeServer(session), { ...options, legacy: "reject" });
  const legacy = new LegacyClients(session);
  const fetch = async (request: Request) =>
    (await isLegacyRequest(request, undefined, options)) ? legacy.fetch(request) : handler.fetch(request);
  const server = createServer((request, response) => {
    const refused = refuse(request, token);
    if (refused) return void response.writeHead(refused.status, refused.headers).end(`${refused.words}\n`);
    handle(fetch, request, response).catch(() => response.destroy());
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const close = async () => {
    await Promise.all([handler.close(), legacy.close()]);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { url, token, close };
}

interface Refused {
  status: number;
  words: string;
  headers?: Record<string, string>;
}

/** A page in a browser can reach this machine too, by a name that it has made lead here: it is known by its Host and Origin. */
function refuse({ headers, url = "/" }: IncomingMessage, token: string): Refused | undefined {
  if (!isLoopback(`http://${headers.host}`)) return { status: 403, words: "this server is for this machine alone" };
  if (headers.origin !== undefined && !isLoopback(headers.origin))
    return { status: 403, words: "this server is for no web page" };
  if (!isToken(headers.authorization, token))
    return {
      status: 401,
      words: "send the header 'Authorization: Bearer TOKEN' with the token that the server printed",
      headers: { "www-authenticate": "Bearer" },
    };
  return url.split("?", 1)[0] === "/mcp" ? undefined : { status: 404, words: "the server is at /mcp" };
}

function isLoopback(address: string): boolean {
  try {
    return LOOPBACK.has(new URL(address).hostname);
  } catch {
    return false;
  }
}

function isToken(given: string | undefined, token: string): boolean {
  const [mine, theirs] = [Buffer.from(`Bearer ${token}`), Buffer.from(given ?? "")];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

/** Node's request and response, as the SDK's handler knows them. */
async function handle(
  serve: (request: Request) => Promise<Response>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { method = "GET", headers } = request;
  const hasBody = method !== "GET" && method !== "HEAD";
  const given = new Request(`http://${headers.host}${request.url}`, {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value] as [string, string]] : [],
    ),
    signal: gone.signal,
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: "half" } : {}),
  } as RequestInit);
  const answer = await serve(given);
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response);
  else response.end();
}

/** Clients come and go without a word; the oldest are forgotten. */
const MOST_SESSIONS = 64;

/** Clients of the protocol's form of 2025: each has a session, by which what it cancels is found. */
class LegacyClients {
  readonly #session: Session;
  readonly #open = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Serves one request; one that begins a session is answered with its id. */
  async fetch(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request);
    const known = this.#open.get(id);
    return known ? known.handleRequest(request) : new Response("there is no such session: begin anew", { status: 404 });
  }

  async #begin(request: Request): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: async (id) => {
        this.#open.set(id, transport);
        const [oldest] = this.#open.values();
        if (this.#open.size > MOST_SESSIONS) await oldest?.close();
      },
    });
    const server = makeServer(this.#session);
    await server.connect(transport);
    server.server.onclose = () => this.#open.delete(transport.sessionId ?? "");
    return transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((transport) => transport.close()));
  }
}
