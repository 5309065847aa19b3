import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { BREAK, PasteFilter, withBreaks, withoutBreaks } from "./paste.ts";

const BEGIN = "\u001B[200~";
const END = "\u001B[201~";

function filter() {
  const modes: boolean[] = [];
  const made = new PasteFilter({
    setRawMode(mode: boolean) {
      modes.push(mode);
      return this as never;
    },
  });
  const passed: string[] = [];
  made.on("data", (chunk: Buffer) => passed.push(chunk.toString()));
  const send = (text: string | Buffer) => new Promise<void>((resolve) => made.write(text, () => resolve()));
  return { made, modes, send, passed: () => passed.join("") };
}

describe("A paste", () => {
  it("keeps its line breaks as signs, whatever they are written with", async () => {
    const { send, passed } = filter();
    await send(`a${BEGIN}one\r\ntwo\rthree\nfour${END}b\r`);
    expect(passed()).toBe(`aone${BREAK}two${BREAK}three${BREAK}fourb\r`);
    expect(withBreaks(`one${BREAK}two`)).toBe("one\ntwo");
    expect(withoutBreaks("one\r\ntwo\n\nthree")).toBe(`one${BREAK}two${BREAK}${BREAK}three`);
  });

  it("is the same wherever its bytes are cut", async () => {
    const bytes = Buffer.from(`x${BEGIN}über\r\nmorgen 🌙\r${END}y\r`);
    for (let at = 1; at < bytes.length; at++) {
      const { send, passed } = filter();
      await send(bytes.subarray(0, at));
      await send(bytes.subarray(at));
      expect(passed(), `cut at ${at}`).toBe(`xüber${BREAK}morgen 🌙${BREAK}y\r`);
    }
  });

  it("presses no keys: control characters in it are dropped, tabs become spaces", async () => {
    const { send, passed } = filter();
    await send(`${BEGIN}a\u0003b\u0004c\td\u001B[Ae${END}`);
    expect(passed()).toBe("abc  d[Ae");
  });

  it("may be empty, and may follow another", async () => {
    const { send, passed } = filter();
    await send(`${BEGIN}${END}${BEGIN}a\n${END}\r`);
    expect(passed()).toBe(`a${BREAK}\r`);
  });
});

describe("Keys", () => {
  it("pass as they are, Enter too", async () => {
    const { send, passed } = filter();
    await send("hello\r\u001B[A\u0003");
    expect(passed()).toBe("hello\r\u001B[A\u0003");
  });

  it("pass after a moment where they might have begun a paste", async () => {
    const { send, passed } = filter();
    await send("\u001B");
    expect(passed()).toBe("");
    await wait(120);
    expect(passed()).toBe("\u001B");
  });

  it("reach the terminal's own mode through the filter", () => {
    const { made, modes } = filter();
    made.setRawMode(true);
    made.setRawMode(false);
    expect(modes).toEqual([true, false]);
  });

  it("are passed on at the end of input", async () => {
    const { made, send, passed } = filter();
    await send("a\u001B[2");
    made.end();
    await new Promise((resolve) => made.on("end", resolve));
    expect(passed()).toBe("a\u001B[2");
  });
});
