// Clients of the protocol's form of 2025 over HTTP: each has a session, by which what it cancels is found.

import { randomUUID } from "node:crypto";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { makeServer } from "./server.ts";
import type { Session } from "./session.ts";

/** Clients come and go without a word; the oldest are forgotten. */
const MOST_SESSIONS = 64;

export class LegacyClients {
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
      onsessioninitialized: (id) => this.#remember(id, transport),
    });
    const server = makeServer(this.#session);
    await server.connect(transport);
    server.server.onclose = () => {
      if (transport.sessionId !== undefined) this.#open.delete(transport.sessionId);
    };
    return transport.handleRequest(request);
  }

  async #remember(id: string, transport: WebStandardStreamableHTTPServerTransport): Promise<void> {
    this.#open.set(id, transport);
    const [oldest] = this.#open.values();
    if (this.#open.size > MOST_SESSIONS) await oldest?.close();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.values()].map((transport) => transport.close()));
  }
}
