// A server from its start to its end: on stdio until the client closes it, on HTTP until a signal does.

import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { findBlender, requireInputs } from "../program.ts";
import { serveHttp } from "./http.ts";
import { makeServer, Session, type SessionOptions } from "./server.ts";

export interface ServeOptions extends SessionOptions {
  /** Listens on this port of the loopback address; stdio where it is left out. */
  http?: number;
  /** In place of a random one. */
  token?: string;
  stdin: Readable;
  stdout: Writable;
  /** Says something to whoever started it, beside the protocol. */
  say(line: string): void;
}

/** Serves until it is over; what is missing for it is said before that. */
export async function serve({ http, token, stdin, stdout, say, ...options }: ServeOptions): Promise<void> {
  requireInputs(options);
  const program = options.program ?? (await findBlender());
  if (!program.isTested) say(`Blender ${program.version} is not among the versions that this was tested with`);
  const session = new Session({ ...options, program });
  const served = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"].map((name) => once(process, name, { signal: served.signal }));
  const stopped = Promise.race(signals).catch(() => {});
  try {
    if (http === undefined) {
      const handle = serveStdio(() => makeServer(session), { transport: new StdioServerTransport(stdin, stdout) });
      say(`Blender ${program.version} on stdio; stop it with Ctrl-C or by closing its input`);
      await Promise.race([once(stdin, "close"), once(stdin, "end"), stopped]);
      await handle.close();
    } else {
      const server = await serveHttp(session, http, token);
      say(`Blender ${program.version} at ${server.url}`);
      say(token === undefined ? `its token: ${server.token}` : "its token is the one that you gave");
      await stopped;
      await server.close();
    }
  } finally {
    served.abort();
    await session.close();
  }
}
