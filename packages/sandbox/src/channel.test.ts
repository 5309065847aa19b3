import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openSandbox } from "./sandbox.ts";
import type { Limits, SandboxJob } from "./types.ts";

const LIMITS: Limits = {
  wallMs: 20_000,
  cpuMs: 20_000,
  memoryBytes: 2 ** 28,
  processes: 32,
  fileBytes: 2 ** 20,
  outputChars: 1_000,
};

/** A job that is talked with: what it has said so far, and how to say something to it. */
function conversation(command: string[], signal = AbortSignal.timeout(30_000)) {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-channel-")));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const heard = { text: "", onText: () => {} };
  const { promise: started, resolve } = Promise.withResolvers<(text: string) => void>();
  const channel = {
    onStart: resolve,
    onOutput(chunk: Uint8Array) {
      heard.text += Buffer.from(chunk).toString();
      heard.onText();
    },
  };
  const job: SandboxJob = { command, workspace, readOnly: [], limits: LIMITS, signal, channel };
  const until = (part: string) =>
    new Promise<void>((done) => {
      heard.onText = () => heard.text.includes(part) && done();
      heard.onText();
    });
  return { job, heard, started, until };
}

describe.each(["bwrap", "none"] as const)("A job that is talked with, in the sandbox '%s'", (kind) => {
  it("hears what is said while it runs, and is heard at once", async () => {
    const { job, started, until } = conversation(["sh", "-c", 'while read line; do echo "you said $line"; done']);
    const running = (await openSandbox(kind)).run(job);
    const say = await started;
    say("one\n");
    await until("you said one\n");
    say("two\n");
    await until("you said two\n");
    let isOver = false;
    running.then(
      () => {
        isOver = true;
      },
      () => {},
    );
    await new Promise((done) => setTimeout(done, 50));
    expect(isOver).toBe(false);
  });

  it("ends by itself, and tells its output as any job does; what is said to it then is lost", async () => {
    const { job, started } = conversation(["sh", "-c", "read line; echo $line; exit 3"]);
    const running = (await openSandbox(kind)).run(job);
    const say = await started;
    say("enough\n");
    expect(await running).toMatchObject({ code: 3, output: "enough\n" });
    expect(() => say("hello?\n")).not.toThrow();
  });

  it("dies when it is aborted", async () => {
    const abort = new AbortController();
    const { job, until } = conversation(["sh", "-c", "echo here; cat"], abort.signal);
    const running = (await openSandbox(kind)).run(job);
    await until("here");
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });
});
