import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { callOf, endpointAt, requestFor, wireErrorOf } from "../../../../test/fakes/wire.ts";
import { sdkWire } from "./sdk-wire.ts";
import type { WireRequest } from "./wire.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "command-test-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function ask(line: string, more: Partial<WireRequest> = {}, timeout = 5_000, call = callOf()) {
  const wire = sdkWire({ local: endpointAt(line, { kind: "command" }) }, { timeout });
  return wire(requestFor("What is wrong?", more), call);
}

/** Whether a process that wrote its id into a file is alive; one that only waits to be reaped is not. */
function isAlive(file: string): boolean {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    process.kill(pid, 0);
    return !existsSync("/proc/self/stat") || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

describe("a command", () => {
  test("reads the system text and then the prompt, and answers by its output", async () => {
    const answer = await ask("cat", { system: "Be brief.", model: "small" });
    expect(answer).toEqual({
      text: "Be brief.\n\nWhat is wrong?\n",
      model: "small",
      finishReason: "stop",
      firstMs: expect.any(Number),
      ms: expect.any(Number),
    });
  });

  test("knows the model by LOOPWRIGHT_MODEL, and a shell reads its line", async () => {
    const answer = await ask(`printf '%s' "$LOOPWRIGHT_MODEL" | tr a-z A-Z`, { model: "small" });
    expect(answer.text).toBe("SMALL");
  });

  test("is never handed the prompt as words of its line", async () => {
    const prompt = `"; touch ${join(folder, "made")}; echo "$(touch ${join(folder, "made")})`;
    const answer = await ask("cat", { prompt, model: "$(touch made)" });
    expect(answer.text).toBe(`${prompt}\n`);
    expect(existsSync(join(folder, "made"))).toBe(false);
  });

  test("is told as it streams, and its first word is timed", async () => {
    const call = callOf();
    const answer = await ask("sleep 0.1; printf one; sleep 0.2; printf ' two'", {}, 5_000, call);
    expect(call.told).toEqual(["one", "one two"]);
    expect(answer.firstMs).toBeGreaterThanOrEqual(90);
    expect(answer.ms - answer.firstMs).toBeGreaterThanOrEqual(150);
  });

  test("keeps letters whole that come in two pieces", async () => {
    const answer = await ask(`printf '\\303'; sleep 0.1; printf '\\244'`);
    expect(answer.text).toBe("ä");
  });

  test("need not read what it is given, however long", async () => {
    expect(await ask("echo done", { prompt: "x".repeat(1_000_000) })).toMatchObject({ text: "done\n" });
  });

  test("takes a long prompt and gives a long answer", async () => {
    const prompt = "0123456789".repeat(100_000);
    expect((await ask("cat", { prompt })).text).toBe(`${prompt}\n`);
  });

  test("is left to the prompt for its format", async () => {
    expect(await ask("echo '{}'", { schema: { type: "object" } })).toMatchObject({ structured: "prompt" });
  });

  test("sees pictures as files that its prompt names, and that are gone afterwards", async () => {
    const images = [1, 2].map((n) => ({ bytes: Uint8Array.of(n, 0, 255, n), mediaType: "image/png", digest: `${n}` }));
    const { text } = await ask(`tee ${folder}/input | tail -n 2 | while read f; do od -An -tu1 "$f"; done`, { images });
    expect(text.match(/\d+/g)).toEqual(["1", "0", "255", "1", "2", "0", "255", "2"]);
    const input = readFileSync(join(folder, "input"), "utf8");
    expect(input).toMatch(/^What is wrong\?\n\nThe pictures are in these files, in order:\n(\/.*[12]\.png\n){2}$/);
    expect(input.match(/\/.*\.png/g)!.map((file) => existsSync(file))).toEqual([false, false]);
  });
});

describe("a command that fails", () => {
  test("is told by its exit code and its complaint", async () => {
    const error = await wireErrorOf(ask("echo half; echo 'no GPU left' >&2; exit 3"));
    expect(error.message).toBe("local (command echo), asked for fake, exited with 3: no GPU left");
    expect(error.isRetryable).toBe(true);
  });

  test.each([
    ["cannot be found", "no-such-program-here", 127],
    ["cannot be run", "/", 126],
  ])("because it %s is not worth another try", async (_, line, code) => {
    const error = await wireErrorOf(ask(line));
    expect(error.message).toContain(`exited with ${code}`);
    expect(error.isRetryable).toBe(false);
  });

  test("by a signal is told by it", async () => {
    expect((await wireErrorOf(ask("kill -KILL $$"))).message).toMatch(
      /was ended by SIGKILL and wrote nothing to stderr$/,
    );
  });

  test("keeps neither its arguments nor the secrets of its line in the message", async () => {
    const error = await wireErrorOf(ask("TOKEN=tok-0123456789 sh -c 'echo bad tok-0123456789 >&2; exit 1'"));
    expect(error.message).not.toContain("tok-0123456789 ");
    expect(error.message).toMatch(/exited with 1: bad \[secret\]$/);
  });

  test("because there is no shell is an error of the wire", async () => {
    const path = process.env.PATH;
    process.env.PATH = folder;
    const error = await wireErrorOf(ask("cat")).finally(() => {
      process.env.PATH = path;
    });
    expect(error.message).toMatch(/no shell could be started for the command: spawn sh ENOENT$/);
  });

  test("by talking without end is stopped", async () => {
    const error = await wireErrorOf(ask("yes"));
    expect(error).toMatchObject({ isRetryable: false });
    expect(error.message).toMatch(/answered with more than 2,000,000 characters, and was stopped$/);
  });
});

describe("nothing is left behind", () => {
  const childLine = () => `sh -c 'echo $$ > ${folder}/child; sleep 60' & echo $$ > ${folder}/parent; echo begun; wait`;

  test("after a stall, of the command and its children", async () => {
    const error = await wireErrorOf(ask(childLine(), {}, 300));
    expect(error.isRetryable).toBe(true);
    expect(error.message).toMatch(/stalled: no sign of life for 0.3 s$/);
    await expect.poll(() => isAlive(join(folder, "parent")) || isAlive(join(folder, "child"))).toBe(false);
  });

  test("after an abort, whose reason is thrown", async () => {
    const controller = new AbortController();
    const reason = new Error("paused");
    const asked = ask(childLine(), {}, 60_000, callOf({ signal: controller.signal }));
    await expect.poll(() => isAlive(join(folder, "parent")) && isAlive(join(folder, "child"))).toBe(true);
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await expect.poll(() => isAlive(join(folder, "parent")) || isAlive(join(folder, "child"))).toBe(false);
  });

  test("after an abort that the command does not heed", async () => {
    const controller = new AbortController();
    const line = `trap '' TERM; echo $$ > ${folder}/parent; while true; do sleep 0.1; done`;
    const asked = ask(line, {}, 60_000, callOf({ signal: controller.signal }));
    await expect.poll(() => isAlive(join(folder, "parent"))).toBe(true);
    controller.abort(new Error("paused"));
    await expect(asked).rejects.toThrow("paused");
    await expect.poll(() => isAlive(join(folder, "parent"))).toBe(false);
  });

  test("by a command that answers while a child of it goes on", async () => {
    const answer = await ask(`sh -c 'echo $$ > ${folder}/child; sleep 60' & sleep 0.3; echo done`);
    expect(answer.text).toBe("done\n");
    expect(answer.ms).toBeLessThan(5_000);
    await expect.poll(() => isAlive(join(folder, "child"))).toBe(false);
  });

  test("when the program itself exits in the middle of a call", async () => {
    const program = join(folder, "program.ts");
    const wire = join(import.meta.dirname, "sdk-wire.ts");
    await writeFile(
      program,
      `import { sdkWire } from ${JSON.stringify(wire)};
       const local = { name: "local", kind: "command", url: ${JSON.stringify(childLine())}, concurrency: 1, isLocal: true };
       const request = { endpoint: "local", model: "m", prompt: "Go.", images: [], maxTokens: 1 };
       const onText = () => setTimeout(() => process.exit(7), 300);
       sdkWire({ local })(request, { signal: new AbortController().signal, onText, idempotencyKey: "k", ordinal: "0" });`,
    );
    await expect(
      promisify(execFile)(process.execPath, ["--conditions=loopwright-source", program]),
    ).rejects.toMatchObject({ code: 7 });
    expect(existsSync(join(folder, "child"))).toBe(true);
    await expect.poll(() => isAlive(join(folder, "parent")) || isAlive(join(folder, "child"))).toBe(false);
  });

  test("when whoever is told of the answer throws", async () => {
    const onText = () => {
      throw new RangeError("a bug");
    };
    await expect(ask(childLine(), {}, 60_000, callOf({ onText }))).rejects.toThrow("a bug");
    await expect.poll(() => isAlive(join(folder, "parent")) || isAlive(join(folder, "child"))).toBe(false);
  });

  test("of a call that was aborted before it began", async () => {
    const call = callOf({ signal: AbortSignal.abort(new Error("too late")) });
    await expect(ask(`touch ${folder}/made`, {}, 5_000, call)).rejects.toThrow("too late");
    expect(existsSync(join(folder, "made"))).toBe(false);
  });
});
