// The live region writes over its own lines and no others, whatever the terminal does meanwhile.

import { Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Screen } from "./terminal.ts";
import { LiveRegion, rewrapsOnResize } from "./terminal.ts";

/** A terminal of a size, with what was written to it since it was last looked at. */
function newScreen(size: [number, number] = [80, 24]): { screen: Screen; written: () => string[]; size: typeof size } {
  let chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk).replaceAll("\u001B[", "⟨"));
      done();
    },
  });
  const written = () => {
    const taken = chunks;
    chunks = [];
    return taken;
  };
  return { screen: Object.assign(stream, { isTTY: true, getWindowSize: () => size }), written, size };
}

const regionOn = (screen: Screen, env: NodeJS.ProcessEnv = {}) => new LiveRegion(screen, env);

describe("The live region", () => {
  it("is drawn in one write, each line ended where the old one may have been longer", () => {
    const { screen, written } = newScreen();
    regionOn(screen).draw(["one", "two"]);
    expect(written()).toEqual(["⟨?7lone⟨K\ntwo⟨K\n⟨?7h"]);
  });

  it("goes up as many rows as it has, and erases nothing before it writes over it", () => {
    const { screen, written } = newScreen();
    const region = regionOn(screen);
    region.draw(["one", "two", "three"]);
    written();
    region.draw(["four", "five"]);
    expect(written()).toEqual(["⟨3A\r⟨?7lfour⟨K\nfive⟨K\n⟨?7h⟨J"]);
    region.draw(["six"]);
    expect(written()).toEqual(["⟨2A\r⟨?7lsix⟨K\n⟨?7h⟨J"]);
  });

  it("is not written again while it is the same", () => {
    const { screen, written } = newScreen();
    const region = regionOn(screen);
    region.draw(["one"]);
    region.draw(["one"]);
    expect(written()).toHaveLength(1);
  });

  it("moves down below what is printed, in the same write", () => {
    const { screen, written } = newScreen();
    const region = regionOn(screen);
    region.draw(["one"]);
    written();
    region.print(["for good", "and this"]);
    expect(written()).toEqual(["⟨1A\r⟨Jfor good\nand this\n⟨?7lone⟨K\n⟨?7h⟨J"]);
    region.clear();
    expect(written()).toEqual(["⟨1A\r⟨J"]);
  });

  it("prints without ado where nothing is drawn, and clears nothing", () => {
    const { screen, written } = newScreen();
    const region = regionOn(screen);
    region.clear();
    region.print(["for good"]);
    expect(written()).toEqual(["for good\n"]);
    region.clear();
    expect(written()).toEqual([]);
  });

  it("is never higher than the terminal leaves room for", () => {
    const { screen, written } = newScreen([80, 3]);
    const region = regionOn(screen);
    region.draw(["one", "two", "three", "four"]);
    expect(written().join("").split("\n")).toHaveLength(3);
    region.clear();
    expect(written().join("")).toContain("⟨2A");
  });

  it("never hides the cursor", () => {
    const { screen, written } = newScreen();
    const region = regionOn(screen);
    region.draw(["one"]);
    region.print(["for good"]);
    region.clear();
    expect(written().join("")).not.toContain("?25");
  });
});

describe("When the terminal is resized, the live region", () => {
  it("rests until that is over, and then prints what had to wait", async () => {
    const { screen, written, size } = newScreen();
    const region = regionOn(screen);
    region.draw(["one"]);
    written();
    size[0] = 40;
    region.print(["for good"]);
    expect(written()).toEqual([]);
    const seen: string[] = [];
    while (seen.length === 0) {
      region.draw(["two"]);
      seen.push(...written());
      await wait(20);
    }
    expect(seen).toEqual(["⟨1A\r⟨Jfor good\n⟨?7ltwo⟨K\n⟨?7h⟨J"]);
  });

  it.each([
    { env: {}, rows: 5, does: "breaks lines anew" },
    { env: { XTERM_VERSION: "XTerm(390)" }, rows: 3, does: "cuts lines off" },
  ])("finds its first row in a terminal that $does", ({ env, rows }) => {
    const { screen, written, size } = newScreen();
    const region = regionOn(screen, env);
    region.draw(["a".repeat(50), "船".repeat(21), "c"]);
    written();
    size[0] = 40;
    region.clear();
    expect(written().join("")).toMatch(new RegExp(`^⟨${rows}A\\r⟨J`));
  });

  it("does not wait with its end", () => {
    const { screen, written, size } = newScreen();
    const region = regionOn(screen);
    region.draw(["one"]);
    size[1] = 10;
    region.print(["for good"]);
    written();
    region.clear();
    expect(written().join("")).toContain("for good\n");
  });
});

describe("Whether a terminal breaks lines anew", () => {
  it("is so but for a few that are known", () => {
    expect(rewrapsOnResize({ TERM: "xterm-256color" })).toBe(true);
    for (const env of [{ XTERM_VERSION: "1" }, { STY: "1.x" }, { TERM: "linux" }, { TERM: "rxvt-unicode" }])
      expect(rewrapsOnResize(env)).toBe(false);
  });

  it("is so in tmux, wherever that was started", () => {
    expect(rewrapsOnResize({ TMUX: "/tmp/s,1,0", XTERM_VERSION: "1" })).toBe(true);
  });
});
