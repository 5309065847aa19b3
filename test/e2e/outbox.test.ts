// The outbox through the real program: servers that are down, slow, broken or lead elsewhere; processes that are killed; and
// the receiver of the docs, to the letter. All servers are on the loopback.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { type Folder, fixtureProject, type Started } from "../fakes/cli.ts";
import { freePort, Receiver, SECRET } from "../fakes/receiver.ts";

const env = { HOOK_SECRET: SECRET };

/** A project that tells a webhook. */
async function telling(url: string, more = ""): Promise<Folder> {
  const at = fixtureProject();
  const notify = `notify: { webhook: "${url}", secretEnv: HOOK_SECRET${more} }\n`;
  await at.write("loopwright.yaml", at.read("loopwright.yaml") + notify);
  return at;
}

interface Listed {
  id: string;
  tries: number;
  due: number;
}

/** What stands in the outbox; nothing is sent by looking. */
function rows(at: Folder): Listed[] {
  using db = new DatabaseSync(join(at.dir, ".loopwright/journal.db"));
  return db.prepare("SELECT id, tries, due FROM outbox ORDER BY number").all() as unknown as Listed[];
}

/** Changes what stands in the outbox. */
function change(at: Folder, sql: string): void {
  using db = new DatabaseSync(join(at.dir, ".loopwright/journal.db"), { timeout: 5000 });
  db.exec(sql);
}

/** Runs a command that only looks until nothing waits any more: one may be too slow for what it finds waiting. */
async function lookUntilSent(at: Folder): Promise<string> {
  let said = "";
  for (let looks = 0; looks < 60 && rows(at).length > 0; looks++) {
    change(at, "UPDATE outbox SET due = 0");
    said += (await at.cli("runs", { env })).stderr;
  }
  expect(rows(at)).toEqual([]);
  return said;
}

describe.concurrent("a message", { timeout: 120_000 }, () => {
  it("is sent signed by the run that it is about, and there once", async () => {
    using receiver = await Receiver.start();
    using at = await telling(receiver.url);
    const ended = await at.steer({ way: "done" }, "", { env });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    await at.cli("runs", { env });
    expect(receiver.got).toMatchObject([{ isSigned: true, body: { outcome: "done", loop: "steer", iterations: 2 } }]);
    expect(rows(at)).toEqual([]);
  });

  it("waits where the server is down, and the next command of any kind delivers it", async () => {
    const port = await freePort();
    using at = await telling(`http://ann:opensesame@127.0.0.1:${port}/hook?token=opensesame`);
    const ended = await at.steer({ way: "escalated" }, `--dir ${at.dir}`, { env });
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain(`nobody was told yet: 127.0.0.1:${port} could not be reached (ECONNREFUSED)`);
    expect(ended.stdout + ended.stderr).not.toContain("sesame");
    const [waiting] = rows(at);
    using receiver = await Receiver.start(port);
    await lookUntilSent(at);
    expect(receiver.got[0]).toMatchObject({ id: waiting!.id, isSigned: true, body: { gate: { name: "look" } } });
    const journal = readFileSync(join(at.dir, ".loopwright/journal.db"), "latin1");
    expect(journal).not.toContain("sesame");
    expect(journal).not.toContain(SECRET);
  });

  it("costs a run nothing where the server never answers: the same events, the end told before", async () => {
    using receiver = await Receiver.start();
    receiver.answer = () => {};
    using at = await telling(receiver.url);
    using alone = fixtureProject();
    const started = at.startSteer({ way: "done" }, "--json --seed 1", { env });
    await started.line('"type":"run-ended"');
    const quiet = await alone.steer({ way: "done" }, "--json --seed 1");
    const { lines, code } = await started.ended;
    const typesOf = (all: string[]) => all.map((line) => JSON.parse(line).type);
    expect(typesOf(lines)).toEqual(typesOf(quiet.lines));
    expect(code).toBe(quiet.code);
    expect(rows(at)).toMatchObject([{ tries: 1 }]);
    expect(receiver.got).toHaveLength(1);
  });

  it("goes to nobody else where the server redirects, and waits as long as it asks where it answers 429", async () => {
    using other = await Receiver.start();
    using receiver = await Receiver.start();
    receiver.answer = (response) => response.writeHead(307, { location: other.url }).end();
    using at = await telling(receiver.url);
    expect((await at.steer({ way: "done" }, "", { env })).stderr).toContain("redirects are not followed");
    receiver.answer = (response) => response.writeHead(429, { "retry-after": "3000" }).end();
    change(at, "UPDATE outbox SET due = 0");
    expect((await at.cli("runs", { env })).code).toBe(0);
    expect(rows(at)[0]!.due - Date.now()).toBeGreaterThan(2_000_000);
    expect(new Set(receiver.got.map(({ id }) => id)).size).toBe(1);
    expect(other.got).toEqual([]);
  });

  it("is given up after the last try, and that is said", async () => {
    using receiver = await Receiver.start();
    receiver.answer = (response) => response.writeHead(500).end();
    using at = await telling(receiver.url);
    await at.steer({ way: "done" }, "", { env });
    change(at, "UPDATE outbox SET tries = 19");
    expect(await lookUntilSent(at)).toContain("given up after 20 tries");
  });

  it("is sent by one of many processes that find it at the same moment", async () => {
    using receiver = await Receiver.start();
    using at = await telling(receiver.url);
    await at.steer({ way: "done" });
    let [now, most] = [0, 0];
    receiver.answer = async (response) => {
      most = Math.max(most, ++now);
      await sleep(100);
      now -= 1;
      response.end();
    };
    await Promise.all(Array.from({ length: 4 }, () => at.cli("runs", { env })));
    await lookUntilSent(at);
    expect(most).toBe(1);
    expect(receiver.acted.size).toBe(1);
  });

  it("waits unsigned for its secret", async () => {
    using receiver = await Receiver.start();
    using at = await telling(receiver.url);
    const ended = await at.steer({ way: "done" });
    expect(ended.stderr).toContain("$HOOK_SECRET, which notify.secretEnv names, is not set");
    expect(rows(at)).toMatchObject([{ tries: 0 }]);
    await at.cli("runs --dry-run", { env });
    expect(receiver.got).toEqual([]);
    await lookUntilSent(at);
    expect(receiver.got[0]).toMatchObject({ isSigned: true });
  });

  // Tests that run side by side have an expect of their own each.
  it("of a gate is sent while the command still asks", async ({ expect }) => {
    using receiver = await Receiver.start();
    using at = await telling(receiver.url, ", events: [waiting]");
    const started = at.start("run ask --input {}", { env });
    await expect.poll(() => receiver.got, { timeout: 60_000 }).toMatchObject([{ body: { outcome: "waiting" } }]);
    started.child.stdin.end();
    expect((await started.ended).code).toBe(6);
    expect(receiver.got).toHaveLength(1);
  });
});

describe.concurrent("a process that is killed with -9", { timeout: 120_000 }, () => {
  /** Ends a run by a kill at a point that the receiving side chooses. */
  async function killed(at: Folder, point: (started: Started) => Promise<unknown>): Promise<Listed> {
    const started = at.startSteer({ way: "done" }, "", { env });
    await point(started);
    started.send("SIGKILL");
    expect((await started.ended).signal).toBe("SIGKILL");
    const [row] = rows(at);
    expect(row).toMatchObject({ tries: 1 });
    return row!;
  }

  it("before it has sent anything loses nothing: the next command sends it once", async () => {
    const sockets: Socket[] = [];
    const deaf = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket)).listen(0, "127.0.0.1");
    await once(deaf, "listening");
    const { port } = deaf.address() as { port: number };
    using at = await telling(`http://127.0.0.1:${port}/hook`);
    const { id } = await killed(at, () => once(deaf, "connection"));
    for (const socket of sockets) socket.destroy();
    deaf.close();
    await once(deaf, "close");
    using receiver = await Receiver.start(port);
    await lookUntilSent(at);
    expect([...receiver.acted]).toEqual([id]);
  });

  it.each(["before the answer", "after the answer, before it is marked"])(
    "after it has sent, %s, sends again under the same key: a receiver that honors it acts once",
    async (moment) => {
      using receiver = await Receiver.start();
      using at = await telling(receiver.url);
      const { id } = await killed(at, async (started) => {
        const got = Promise.withResolvers<void>();
        receiver.answer = async (response) => {
          if (moment !== "before the answer") {
            await stopped(started);
            response.end();
            await once(response, "finish");
          }
          got.resolve();
        };
        await got.promise;
      });
      receiver.answer = (response) => response.end();
      await lookUntilSent(at);
      expect(receiver.got.length).toBeGreaterThan(1);
      for (const each of receiver.got) expect(each).toMatchObject({ id, isSigned: true, body: receiver.got[0]!.body });
      expect([...receiver.acted]).toEqual([id]);
    },
  );

  it("by its own command runs that again, with the same key", async () => {
    using at = fixtureProject();
    const command = `sh -c 'echo "$LOOPWRIGHT_MESSAGE_ID $1" >> told; test -e again || { touch again; kill -9 $(cat pid); sleep 60; }' sh`;
    await at.write("loopwright.yaml", `${at.read("loopwright.yaml")}notify: { command: ${JSON.stringify(command)} }\n`);
    const started = at.startSteer({ way: "done" });
    await at.write("pid", String(started.pid));
    expect((await started.ended).signal).toBe("SIGKILL");
    await lookUntilSent(at);
    const [first, ...again] = at.read("told").trim().split("\n");
    expect(first).toMatch(/^[0-9a-f]{32} done: as it was told \(/);
    expect(again.length).toBeGreaterThan(0);
    for (const line of again) expect(line).toBe(first);
  });
});

/** Stops a process where it is: it sees nothing of what comes after. */
async function stopped({ pid, send }: Started): Promise<void> {
  send("SIGSTOP");
  const state = () => /^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1];
  await vi.waitFor(() => expect(state()).toBe("T"), { timeout: 60_000 });
}

describe("the receiver of the docs", { timeout: 120_000 }, () => {
  it("takes what is signed and fresh, acts once for each key, and refuses the rest", async () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/notify.md"), "utf8");
    const port = await freePort();
    using at = await telling(`http://127.0.0.1:${port}/`);
    const file = join(at.dir, "receiver.mjs");
    writeFileSync(file, /```js\n([\s\S]*?)```/.exec(page)![1]!);
    const receiver = spawn(process.execPath, [file], {
      env: { ...env, PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    createInterface({ input: receiver.stdout }).on("line", (line) => lines.push(line));
    const post = (headers: Record<string, string>) =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: "{}" }).then(({ status }) => status);
    await expect.poll(() => post({}).catch(() => 0), { timeout: 60_000 }).toBe(401);
    await at.steer({ way: "done" }, "", { env });
    await at.steer({ way: "done", words: "once more" }, "", { env });
    receiver.kill();
    await once(receiver, "close");
    expect(lines).toEqual([
      expect.stringMatching(/^done: as it was told /),
      expect.stringMatching(/^done: once more /),
    ]);
  });
});
