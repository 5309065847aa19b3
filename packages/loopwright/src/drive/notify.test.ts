import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json, LoopEvent, RunResult } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";
import { afterEach, describe, expect, it } from "vitest";
import { notify, ringFor } from "./notify.ts";

const result = {
  run: "a-run",
  folder: "a-run",
  outcome: "done",
  reason: 'it "passed"; $(touch owned)\u001b[31m',
  exitCode: 0,
  iterations: 2,
  score: 1,
  state: {},
  advanced: true,
} as RunResult;

const folder = mkdtempSync(join(tmpdir(), "loopwright-notify-"));
const warnings: string[] = [];
const warn = (line: string) => void warnings.push(line);
afterEach(() => void warnings.splice(0));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

describe("a person elsewhere is told", () => {
  it("by a command that gets the message as one argument, nothing of it read by the shell", async () => {
    const file = join(folder, "message");
    await notify({ command: `printf '%s' > '${file}'` }, result, warn);
    expect(readFileSync(file, "utf8")).toBe('done: it "passed"; $(touch owned) (a-run)');
    expect(warnings).toEqual([]);
  });

  it("by a command that does not get the journal's key", async () => {
    const file = join(folder, "key");
    process.env.LOOPWRIGHT_JOURNAL_KEY = "a key";
    await notify({ command: `printf '%s' "\${LOOPWRIGHT_JOURNAL_KEY-none}" > '${file}' || echo` }, result, warn);
    delete process.env.LOOPWRIGHT_JOURNAL_KEY;
    expect(readFileSync(file, "utf8")).toBe("none");
  });

  it("by a webhook, as JSON", async () => {
    let body = "";
    const server = createServer((request, response) => {
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await notify({ webhook: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }, result, warn);
    server.close();
    expect(JSON.parse(body)).toMatchObject({ run: "a-run", outcome: "done", iterations: 2, score: 1 });
    expect(warnings).toEqual([]);
  });

  it("or a warning says that nobody was, and the run is none the worse", async () => {
    await notify({ command: "exit 3 #", webhook: "http://127.0.0.1:1/" }, result, warn);
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain("exited with 3");
  });
});

describe("the bell", () => {
  const rung = (name: string, data: Json, isTTY = true, isQuiet = false) => {
    const written: string[] = [];
    const stdout = { isTTY, write: (more: string) => void written.push(more) };
    const event: LoopEvent = { type: "loop-noted", name, data, run: "a-run", seq: 1, at: 0, active: 0 };
    ringFor({ stdout, isQuiet, isJson: false } as unknown as Terminal, event);
    return written.join("").length;
  };

  it("rings as often as a loop's note says, and only in a terminal", () => {
    expect(rung("bell", { times: 1 })).toBe(1);
    expect(rung("bell", { times: 3, why: "it halts" })).toBe(3);
    expect(rung("bell", { times: 1e9 })).toBe(3);
    expect(rung("bell", null)).toBe(1);
    expect(rung("something", { times: 3 })).toBe(0);
    expect(rung("bell", { times: 3 }, false)).toBe(0);
    expect(rung("bell", { times: 3 }, true, true)).toBe(0);
  });
});
