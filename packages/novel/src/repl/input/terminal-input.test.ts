import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { fakeTerminal } from "../../../../../test/fakes/novel-terminal.ts";
import { historyFile, PASTE_OFF, PASTE_ON, TerminalInput } from "./terminal-input.ts";

const made: TerminalInput[] = [];
afterEach(() => {
  for (const input of made.splice(0)) input.close();
});

function open() {
  const { terminal, stdin, printed } = fakeTerminal({ isTTY: true });
  const input = new TerminalInput(terminal, (line) => [["/generate "], line]);
  made.push(input);
  const type = async (keys: string) => {
    stdin.write(keys);
    await wait(20);
  };
  return { input, stdin, printed, type };
}

/** A promise's value, or that there is none yet. */
const soFar = (promise: Promise<unknown>) => Promise.race([promise, wait(30).then(() => "nothing yet")]);

describe("A line at a terminal", () => {
  it("is edited, and submitted by Enter", async () => {
    const { input, type } = open();
    const line = input.read({ prompt: "> " });
    await type("darkr");
    await type("\u001B[D");
    await type("e");
    expect(await soFar(line)).toBe("nothing yet");
    await type("\r");
    expect(await line).toBe("darker");
  });

  it("is read in raw mode with pastes marked, and the terminal is as it was in between", async () => {
    const { input, stdin, printed, type } = open();
    expect(stdin.isRaw).toBe(false);
    const line = input.read({ prompt: "> " });
    expect(stdin.isRaw).toBe(true);
    expect(printed()).toContain(PASTE_ON);
    await type("\u001B[200~one\ntwo\u001B[201~");
    expect(await soFar(line)).toBe("nothing yet");
    await type("\r");
    expect(await line).toBe("one\ntwo");
    expect(stdin.isRaw).toBe(false);
    expect(printed().lastIndexOf(PASTE_OFF)).toBeGreaterThan(printed().lastIndexOf(PASTE_ON));
  });

  it("that is pasted has the same line breaks wherever its bytes are cut, and presses no keys", async () => {
    const bytes = Buffer.from("x\u001B[200~über\r\nmor\tgen\u0003 🌙\r\u001B[201~y\r");
    for (let at = 1; at < bytes.length; at += 3) {
      const { input, stdin } = open();
      const line = input.read({ prompt: "> " });
      stdin.write(bytes.subarray(0, at));
      await wait(1);
      stdin.write(bytes.subarray(at));
      expect(await line, `cut at ${at}`).toBe("xüber\nmor  gen 🌙\ny");
      input.close();
    }
  });

  it("that came too early is not lost", async () => {
    const { input, type } = open();
    const line = input.read({ prompt: "> " });
    await type("one\rtwo\r");
    expect([await line, await input.read({ prompt: "> " })]).toEqual(["one", "two"]);
  });

  it("that came before a question is no answer to it", async () => {
    const { input, printed, type } = open();
    const line = input.read({ prompt: "> " });
    await type("feedback\ryes\r");
    await line;
    await type("yes\r");
    const answer = input.read({ prompt: "Accept? ", isAnswer: true });
    await wait(80);
    expect(await soFar(answer)).toBe("nothing yet");
    expect(printed()).toContain("(what was typed before this question is not taken as its answer)\n");
    await type("no\r");
    expect(await answer).toBe("no");
  });

  it("is called back, an answer is not, and the next session knows it too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lw-input-"));
    try {
      const { input, type } = open();
      await input.remember(folder);
      for (const [text, isAnswer] of [
        ["feedback", false],
        ["yes", true],
      ] as const) {
        const line = input.read({ prompt: "> ", isAnswer });
        await wait(80);
        await type(`${text}\r`);
        await line;
      }
      expect(readFileSync(historyFile(folder), "utf8")).toBe("feedback\n");
      const again = open();
      await again.input.remember(folder);
      const line = again.input.read({ prompt: "> " });
      await again.type("\u001B[A\r");
      expect(await line).toBe("feedback");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("is completed: a command, or one of the words that answer a question", async () => {
    const { input, type } = open();
    const command = input.read({ prompt: "> " });
    await type("/gen\t");
    await type("x\r");
    expect(await command).toBe("/generate x");
    const answer = input.read({ prompt: "? ", isAnswer: true, words: ["yes", "view-partial"] });
    await wait(80);
    await type("vi\t");
    await type("\r");
    expect(await answer).toBe("view-partial");
  });

  it("is cleared by Ctrl-C; an empty one asks first, and the second time leaves", async () => {
    const { input, stdin, printed, type } = open();
    const line = input.read({ prompt: "> ", leaving: "(once more)" });
    await type("text\u0003");
    expect(printed()).not.toContain("(once more)");
    await type("\u0003");
    expect(printed()).toContain("(once more)");
    expect(await soFar(line)).toBe("nothing yet");
    await type("\u0003");
    expect(await line).toBeUndefined();
    expect(input.isOver).toBe(true);
    expect(stdin.isRaw).toBe(false);
    expect(await input.read({ prompt: "> " })).toBeUndefined();
  });

  it("forgets the first Ctrl-C when something is typed after it", async () => {
    const { input, type } = open();
    const line = input.read({ prompt: "> " });
    await type("\u0003");
    await type("a\u0003");
    await type("\u0003");
    expect(await soFar(line)).toBe("nothing yet");
    await type("b\r");
    expect(await line).toBe("b");
    const first = input.read({ prompt: "> " });
    await type("\u0003");
    await type("c\r");
    await first;
    const next = input.read({ prompt: "> " });
    await type("\u0003");
    expect(await soFar(next)).toBe("nothing yet");
  });

  it("ends with the input", async () => {
    const { input, type } = open();
    const line = input.read({ prompt: "> " });
    await type("\u0004");
    expect(await line).toBeUndefined();
    const { input: other, stdin } = open();
    const none = other.read({ prompt: "> " });
    stdin.end();
    expect(await none).toBeUndefined();
  });
});
