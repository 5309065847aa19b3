// What anyone writes to a terminal is caught whole, and the stream is given back as it was.

import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { catchOutput } from "./display.ts";

function caught(): { screen: Writable; passed: string[]; lines: string[][]; stop: () => void } {
  const passed: string[] = [];
  const screen = new Writable({
    write(chunk, _encoding, done) {
      passed.push(String(chunk));
      done();
    },
  });
  const lines: string[][] = [];
  const catching = catchOutput(screen, (taken) => lines.push(taken));
  return { screen, passed, lines, stop: () => catching[Symbol.dispose]() };
}

describe("Output that is caught", () => {
  it("is handed on in whole lines, however it comes", () => {
    const { screen, passed, lines } = caught();
    screen.write("one\ntwo\nth");
    screen.write(Buffer.from("ree"));
    expect(lines).toEqual([["one", "two"]]);
    screen.write("\n");
    expect(lines).toEqual([["one", "two"], ["three"]]);
    expect(passed).toEqual([]);
  });

  it("keeps a character whole that comes in two parts", () => {
    const { screen, lines } = caught();
    const bytes = Buffer.from("船\n");
    screen.write(bytes.subarray(0, 2));
    screen.write(bytes.subarray(2));
    expect(lines).toEqual([["船"]]);
  });

  it("tells whoever wrote it that it is written", async () => {
    const { screen } = caught();
    await new Promise<void>((resolve) => {
      expect(screen.write("one\n", () => resolve())).toBe(true);
    });
    await new Promise<void>((resolve) => screen.write("two\n", "utf8", () => resolve()));
  });

  it("is handed on to its last letter when it is over, and the stream is as it was", () => {
    const { screen, passed, lines, stop } = caught();
    screen.write("one\ntw");
    stop();
    expect(lines).toEqual([["one"], ["tw"]]);
    screen.write("three");
    expect(passed).toEqual(["three"]);
    expect(Object.hasOwn(screen, "write")).toBe(false);
  });
});
