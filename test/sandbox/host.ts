// The machine around a workspace, as an attempt finds it: a secret beside it, listeners that count who comes, a process.

import { strict as assert } from "node:assert";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Host extends AsyncDisposable {
  workspace: string;
  /** A folder beside the workspace, with the file `secret`. */
  outside: string;
  secret: string;
  /** Ports that listen on the loopback addresses, and sockets by name. */
  ports: { tcp: number; tcp6: number; udp: number };
  abstractSocket: string;
  workspaceSocket: string;
  /** A process of the user's. */
  neighbor: ChildProcess;
  /** Fails where anyone came, the folder beside the workspace has changed, or the neighbor has died. */
  assertUntouched(): void;
  isTouched(): boolean;
}

/** Makes a machine ready for one attempt. */
export async function openHost(): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-host-"));
  const [workspace, outside] = [join(folder, "workspace"), join(folder, "outside")];
  mkdirSync(workspace);
  mkdirSync(outside);
  const secret = randomBytes(12).toString("hex");
  writeFileSync(join(outside, "secret"), secret);

  let visits = 0;
  const visited = () => {
    visits += 1;
  };
  const abstractSocket = `loopwright-${secret}`;
  const workspaceSocket = join(workspace, "host.sock");
  const servers = [
    await listen(visited, { host: "127.0.0.1", port: 0 }),
    await listen(visited, { host: "::1", port: 0 }).catch(() => undefined),
    await listen(visited, { path: `\0${abstractSocket}` }),
    await listen(visited, { path: workspaceSocket }),
  ];
  const udp = createSocket("udp4").on("message", visited);
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const neighbor = spawn("sleep", ["600"], { stdio: "ignore" });
  await once(neighbor, "spawn");

  const isTouched = () =>
    visits > 0 ||
    neighbor.exitCode !== null ||
    neighbor.signalCode !== null ||
    readdirSync(outside).join() !== "secret" ||
    readFileSync(join(outside, "secret"), "utf8") !== secret;
  return {
    workspace,
    outside,
    secret,
    ports: { tcp: portOf(servers[0]), tcp6: portOf(servers[1]), udp: udp.address().port },
    abstractSocket,
    workspaceSocket,
    neighbor,
    isTouched,
    assertUntouched: () => assert.equal(isTouched(), false, "something outside was reached"),
    async [Symbol.asyncDispose]() {
      for (const server of servers) server?.close();
      udp.close();
      neighbor.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function listen(visited: () => void, where: { host: string; port: number } | { path: string }): Promise<Server> {
  const server = createServer((socket) => {
    visited();
    socket.destroy();
  });
  server.listen(where);
  await once(server, "listening");
  return server;
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return address && typeof address === "object" ? address.port : 1;
}
