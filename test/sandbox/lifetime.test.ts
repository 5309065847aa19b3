// A job's life: aborted, side by side, and ended with the process that started it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { SandboxJob } from "@loopwright/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LIMITS } from "./attempt.ts";
import { bwrap } from "./bwrap-works.ts";

const mayChangeUser = process.getuid?.() === 0;
const HEARTBEAT = "while :; do echo x >> alive; sleep 0.01; done";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loopwright-lifetime-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newWorkspace = () => mkdtempSync(join(folder, "workspace-"));
const job = (command: string[], more: Partial<SandboxJob> = {}): SandboxJob => {
  const signal = AbortSignal.timeout(60_000);
  return { command, workspace: newWorkspace(), readOnly: [], limits: LIMITS, signal, ...more };
};

async function untilAlive(workspace: string): Promise<void> {
  while (!statSync(join(workspace, "alive"), { throwIfNoEntry: false })) await wait(10);
}

async function expectDead(workspace: string): Promise<void> {
  const { size } = statSync(join(workspace, "alive"));
  await wait(150);
  expect(statSync(join(workspace, "alive")).size).toBe(size);
}

describe.skipIf(!bwrap)("A job (skipped where bwrap does not work)", { concurrent: true, timeout: 60_000 }, () => {
  it("is dead with all its processes once it is aborted, and rejects with the reason", async () => {
    const abort = new AbortController();
    const aborted = job(["sh", "-c", `trap '' TERM INT; setsid sh -c '${HEARTBEAT}' & ${HEARTBEAT}`], {
      signal: abort.signal,
    });
    const running = bwrap!.run(aborted);
    await untilAlive(aborted.workspace);
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
    await expectDead(aborted.workspace);
  });

  it("does not start when it is aborted already, and dies when it is aborted while it starts", async () => {
    const early = job(["sh", "-c", HEARTBEAT], { signal: AbortSignal.abort(new Error("too late")) });
    await expect(bwrap!.run(early)).rejects.toThrow("too late");
    for (let ms = 0; ms < 12; ms += 2) {
      const abort = new AbortController();
      const starting = job(["sh", "-c", HEARTBEAT], { signal: abort.signal });
      const running = bwrap!.run(starting);
      setTimeout(() => abort.abort(new Error("stop")), ms);
      await expect(running).rejects.toThrow("stop");
      const before = statSync(join(starting.workspace, "alive"), { throwIfNoEntry: false })?.size;
      await wait(50);
      expect(statSync(join(starting.workspace, "alive"), { throwIfNoEntry: false })?.size).toBe(before);
    }
  });

  it("leaves protected paths clean when it is aborted", async () => {
    const abort = new AbortController();
    const aborted = job(["sh", "-c", `touch conftest.py; ${HEARTBEAT}`], {
      signal: abort.signal,
      readOnly: ["conftest.py"],
    });
    const running = bwrap!.run(aborted);
    await untilAlive(aborted.workspace);
    abort.abort();
    await expect(running).rejects.toThrow();
    expect(statSync(join(aborted.workspace, "conftest.py"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("runs beside others, each in a workspace of its own", async () => {
    const outputs = await Promise.all(
      Array.from(
        { length: 12 },
        async (_, index) => (await bwrap!.run(job(["sh", "-c", `echo ${index} > n; ls; cat n`]))).output,
      ),
    );
    expect(outputs).toEqual(Array.from({ length: 12 }, (_, index) => `n\n${index}\n`));
  });

  it("dies when the process that started it is killed", async () => {
    const workspace = newWorkspace();
    const parent = startProgram("start-job.ts", [workspace, HEARTBEAT]);
    await untilAlive(workspace);
    parent.kill("SIGKILL");
    await once(parent, "exit");
    await wait(100);
    await expectDead(workspace);
  });

  it("has no descriptor that its starter was given", async () => {
    const workspace = newWorkspace();
    const secret = join(folder, "secret");
    writeFileSync(secret, "do not tell");
    const descriptor = openSync(secret, "r+");
    // Node closes those in a row for its children by itself, and not one that stands apart.
    const inherit = [descriptor, ...Array.from({ length: 96 }, () => "ignore" as const), descriptor];
    const script = "for f in /proc/self/fd/*; do cat $f; echo changed > $f; done < /dev/null; ls -l /proc/self/fd";
    const output = await outputOf(startProgram("start-job.ts", [workspace, script], inherit));
    closeSync(descriptor);
    expect(output).toContain("/dev/null");
    expect(output).not.toContain("secret");
    expect(output).not.toContain("do not tell");
    expect(readFileSync(secret, "utf8")).toBe("do not tell");
  });
});

describe.skipIf(!bwrap || !mayChangeUser)(
  "An ordinary user (skipped where bwrap does not work, or root does not run this)",
  () => {
    it("has the same sandbox: every attempt fails there too", { timeout: 300_000 }, async () => {
      const output = await outputOf(startProgram("all-attempts.ts", [], [], { uid: 65534, gid: 65534 }));
      expect(output).toMatch(/^[1-9]\d* attempts, 0 got through\n$/);
    });
  },
);

/** Starts one of the programs beside this file, as whom and with what is said. */
function startProgram(
  name: string,
  args: string[],
  descriptors: (number | "ignore")[] = [],
  user: { uid?: number; gid?: number } = {},
): ChildProcess {
  const program = fileURLToPath(new URL(`programs/${name}`, import.meta.url));
  const options = ["--conditions=loopwright-source", program, ...args];
  const env = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR };
  return spawn(process.execPath, options, { stdio: ["ignore", "pipe", "inherit", ...descriptors], env, ...user });
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = "";
  child.stdout!.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  return output;
}
