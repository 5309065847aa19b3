import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fakeTerminal } from "../../../../../test/fakes/novel-terminal.ts";
import { PipeInput } from "./input.ts";

describe("Lines on a pipe", () => {
  it("are given one by one, and printed behind what was asked", async () => {
    const { terminal, stdin, printed } = fakeTerminal();
    const input = new PipeInput(terminal);
    stdin.end("/open x\r\n\u001B[31myes\u001B[39m\nlast");
    expect(await input.read({ prompt: "> " })).toBe("/open x");
    await turn();
    expect(await input.read({ prompt: "Sure? " })).toBe("\u001B[31myes\u001B[39m");
    expect(await input.read({ prompt: "> " })).toBe("last");
    expect(input.isOver).toBe(true);
    expect(await input.read({ prompt: "> " })).toBeUndefined();
    expect(printed()).toBe("> /open x\nSure? yes\n> last\n> \n");
  });

  it("are waited for", async () => {
    const { terminal, stdin } = fakeTerminal();
    const input = new PipeInput(terminal);
    const line = input.read({ prompt: "> " });
    stdin.write("late\n");
    expect(await line).toBe("late");
    const none = input.read({ prompt: "> " });
    input.close();
    expect(await none).toBeUndefined();
  });

  it("are not printed with --json", async () => {
    const { terminal, stdin, printed } = fakeTerminal({ isJson: true });
    const input = new PipeInput(terminal);
    stdin.end("a\n");
    expect(await input.read({ prompt: "> " })).toBe("a");
    expect(printed()).toBe("");
  });
});
