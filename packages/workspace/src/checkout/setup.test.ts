import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { calm, fill, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";

/** A server of packages: whatever is asked of it is a module. */
async function packages() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.end("def one():\n    return 1\n");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { asked, url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

const fetched = (url: string) =>
  `python3 -c "from urllib.request import urlopen; import os; os.makedirs('.venv/lib'); open('.venv/pyvenv.cfg', 'w'); open('.venv/lib/one.py', 'wb').write(urlopen('${url}/one').read())"`;

describe("what a program needs", () => {
  it("is installed once for its lock files with the network, and seen by jobs that have none", async () => {
    await using server = await packages();
    const setup = [fetched(server.url)];
    const { cell, user, open } = await openBench({ "requirements.txt": "one\n", "a.py": "" }, { setup });
    expect(await cell.setUp([], calm)).toMatchObject({ commands: setup, isKept: false });
    expect(await cell.setUp([], calm)).toBeUndefined();
    expect(server.asked).toEqual(["/one"]);
    const [seen, written, reached] = await cell.runCommands([
      "cat .venv/lib/one.py",
      "touch .venv/lib/two.py",
      fetched(server.url),
    ]);
    expect(seen).toMatchObject({ done: { code: 0, output: expect.stringContaining("def one") } });
    expect(written!.done!.code).not.toBe(0);
    expect(reached!.done!.code).not.toBe(0);
    expect(existsSync(join(user, ".venv"))).toBe(false);
    const later = await open(await cell.snapshot());
    expect(await later.setUp([], calm)).toBeUndefined();
    expect((await later.runCommands(["cat .venv/lib/one.py"]))[0]).toMatchObject({ done: { code: 0 } });
    // Taken in anew with the same lock files it is kept, with others it is installed again.
    const again = await open();
    expect(await again.setUp([], calm)).toMatchObject({ isKept: true });
    writeFileSync(join(user, "requirements.txt"), "one\ntwo\n");
    expect(await (await open()).setUp([], calm)).toMatchObject({ isKept: false });
    expect(server.asked).toEqual(["/one", "/one"]);
  });

  it("is told with what was said where a command of it fails, and nothing of it is kept", async () => {
    const { cell, user } = await openBench({ "a.py": "" }, { setup: ["echo no such package >&2; exit 3"] });
    expect(await cell.setUp([], calm)).toMatchObject({
      failed: { command: expect.stringContaining("exit 3"), said: "exit code 3: no such package" },
    });
    fill(user, {});
    expect(readdirSync(user)).toEqual(["a.py"]);
    expect((await cell.setUp([], calm))?.failed).toBeDefined();
  });
});
