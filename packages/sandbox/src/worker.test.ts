import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BareSandbox } from "./none.ts";
import { Worker, WorkerDied } from "./worker.ts";

const calm = new AbortController().signal;
const LIMITS = {
  wallMs: 60_000,
  cpuMs: 60_000,
  memoryBytes: 2 ** 29,
  processes: 64,
  fileBytes: 2 ** 20,
  outputChars: 2_000,
};

/** A worker whose program is a few lines of Python that know `say(id, answer)`. */
async function startWorker(lines: string, signal: AbortSignal = calm, longestAnswer?: number): Promise<Worker> {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-worker-")));
  onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
  const program = [
    "import json, os, sys, time",
    'def say(id, answer): os.write(1, ("\\n" + id + " " + json.dumps(answer) + "\\n").encode())',
    "hello = sys.argv[1]",
    lines,
  ].join("\n");
  const job = async (hello: string) => ({
    command: ["python3", "-c", program, hello],
    workspace,
    readOnly: [],
    limits: LIMITS,
  });
  const worker = await Worker.start({
    sandbox: new BareSandbox(),
    job,
    signal,
    ...(longestAnswer ? { longestAnswer } : {}),
  });
  onTestFinished(() => worker.stop());
  return worker;
}

const ECHO = `say(hello, {})
for line in sys.stdin:
    question = json.loads(line)
    say(question["id"], {"heard": question["word"]})`;

describe("A worker", () => {
  it("answers one question after another, in any characters", async () => {
    const worker = await startWorker(ECHO);
    expect(await worker.ask({ word: "one" }, 5_000)).toEqual({ heard: "one" });
    expect(await worker.ask({ word: "zwölf 😀\n" }, 5_000)).toEqual({ heard: "zwölf 😀\n" });
    expect(await worker.ask({ word: "x".repeat(500_000) }, 5_000)).toEqual({ heard: "x".repeat(500_000) });
  });

  it("is heard through whatever a tested program prints, and no answer but its own is taken", async () => {
    const worker = await startWorker(`say(hello, {})
before = hello
for line in sys.stdin:
    id = json.loads(line)["id"]
    say(before, {"forged": True})
    say("0" * 24, {"forged": True})
    os.write(1, b"x" * 3_000_000 + b"\\n{}\\n")
    os.write(1, b"no end of line")
    say(id, {"mine": True})
    before = id`);
    expect(await worker.ask({}, 5_000)).toEqual({ mine: true });
    expect(await worker.ask({}, 5_000)).toEqual({ mine: true });
  });

  it("that ends says so to whoever waits, and to whoever asks later", async () => {
    const worker = await startWorker('say(hello, {})\nsys.stdin.readline()\nprint("out of order")\nsys.exit(1)');
    const died = await worker.ask({}, 5_000).catch((error: unknown) => error);
    expect(died).toBeInstanceOf(WorkerDied);
    expect(died).toMatchObject({ reason: "died", message: expect.stringContaining("out of order") });
    expect(worker.isAlive).toBe(false);
    await expect(worker.ask({}, 5_000)).rejects.toBe(died);
  });

  it("that answers nothing sensible is dead", async () => {
    const worker = await startWorker(
      'say(hello, {})\nid = json.loads(sys.stdin.readline())["id"]\nos.write(1, (id + " {truncated\\n").encode())\ntime.sleep(60)',
    );
    await expect(worker.ask({}, 5_000)).rejects.toMatchObject({ reason: "died" });
    expect(worker.isAlive).toBe(false);
  });

  it("that takes too long is ended, by what it may take in all and by how long it is silent", async () => {
    const silent = await startWorker("say(hello, {})\ntime.sleep(60)");
    await expect(silent.ask({}, 30_000, 200)).rejects.toMatchObject({ reason: "limit" });
    const beating = "say(hello, {})\nwhile True:\n    os.write(1, b'\\n.\\n')\n    time.sleep(0.05)";
    const busy = await startWorker(beating);
    await expect(busy.ask({}, 700, 400)).rejects.toMatchObject({ reason: "limit" });
    expect(busy.isAlive).toBe(false);
  });

  it("that answers without end is ended, and what it prints without end is not heard", async () => {
    const worker = await startWorker(
      `say(hello, {})
id = json.loads(sys.stdin.readline())["id"]
for _ in range(5): os.write(1, b"n" * 500_000)
say(id, {})
id = json.loads(sys.stdin.readline())["id"]
os.write(1, ("\\n" + id + " ").encode())
while True: os.write(1, b"y" * 65_536)`,
      calm,
      1_000_000,
    );
    expect(await worker.ask({}, 20_000)).toEqual({});
    await expect(worker.ask({}, 20_000)).rejects.toMatchObject({ reason: "limit", message: /its answer is longer/ });
  });

  it("that is killed is told by the signal", async () => {
    const worker = await startWorker("say(hello, {})\nsys.stdin.readline()\nos.kill(os.getpid(), 11)");
    await expect(worker.ask({}, 5_000)).rejects.toMatchObject({ reason: "died", message: "it was ended by SIGSEGV" });
  });

  it("that is stopped is gone, with whoever waits told so", async () => {
    const worker = await startWorker(
      "say(hello, os.getpid())\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)",
    );
    const asking = worker.ask({}, 30_000);
    asking.catch(() => {});
    await worker.stop();
    await expect(asking).rejects.toMatchObject({ reason: "stopped" });
  });

  it("that cannot be started is a fault of the machine's, in its own words", async () => {
    await expect(startWorker('sys.exit("no such thing")')).rejects.toMatchObject({
      code: "WORKER_FAILED",
      message: expect.stringContaining("no such thing"),
    });
  });

  it("dies with the signal, which is the reason then", async () => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error("no more")), 300);
    await expect(startWorker("time.sleep(60)", abort.signal)).rejects.toThrow("no more");
  });
});
