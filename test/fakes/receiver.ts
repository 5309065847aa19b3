// A webhook's receiver on this machine: it notes what it gets, checks the signature, acts once for each key, and answers as
// it is told.

import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export const SECRET = "a secret of sixteen";

export interface Received {
  id: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  isSigned: boolean;
}

export class Receiver implements Disposable {
  /** Every request, in order. */
  readonly got: Received[] = [];
  /** What it acted on. */
  readonly acted = new Set<string>();
  /** How it answers. */
  answer: (response: ServerResponse) => unknown = (response) => response.end();
  readonly port: number;
  readonly #server: ReturnType<typeof createServer>;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async start(port = 0): Promise<Receiver> {
    const server = createServer(async (request, response) => {
      const raw = await text(request);
      receiver.#take(request.headers, raw);
      receiver.answer(response);
    }).listen(port, "127.0.0.1");
    await once(server, "listening");
    const receiver = new Receiver(server);
    return receiver;
  }

  #take(headers: IncomingHttpHeaders, raw: string): void {
    const id = String(headers["webhook-id"]);
    const mac = createHmac("sha256", SECRET).update(`${id}.${headers["webhook-timestamp"]}.${raw}`);
    const isSigned = headers["webhook-signature"] === `v1,${mac.digest("base64")}`;
    this.got.push({ id, headers, body: JSON.parse(raw), isSigned });
    if (isSigned) this.acted.add(id);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/hook`;
  }

  [Symbol.dispose](): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** A port that nothing listens at: it was free a moment ago. */
export async function freePort(): Promise<number> {
  using receiver = await Receiver.start();
  return receiver.port;
}
