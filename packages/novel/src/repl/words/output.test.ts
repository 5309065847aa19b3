import { widthOf } from "@loopwright/terminal";
import { describe, expect, it } from "vitest";
import { fakeTerminal } from "../../../../../test/fakes/novel-terminal.ts";
import { Output, safeText } from "./output.ts";

it("A rule is no longer than the terminal is wide, and no word is broken", () => {
  const { terminal, printed } = fakeTerminal({ isTTY: true });
  new Output(Object.assign(terminal, { columns: 40 })).say(`${"━".repeat(47)}\n${"harbor ".repeat(12).trim()}`);
  expect(printed().split("\n")[0]).toBe("━".repeat(40));
  expect(new Set(printed().split(/\s+/).slice(1, -1))).toEqual(new Set(["harbor"]));
});

it("Text is 100 columns wide where the terminal has more, and what is laid out already stays as it is", () => {
  const { terminal, printed } = fakeTerminal({ isTTY: true });
  const output = new Output(Object.assign(terminal, { columns: 160 }));
  output.say("harbor ".repeat(40).trim());
  expect(Math.max(...printed().split("\n").map(widthOf))).toBeLessThanOrEqual(100);
  output.show("─".repeat(140));
  expect(printed()).toContain("─".repeat(140));
});

describe("The output", () => {
  it("prints lines, with a style on those that hold something", () => {
    const { terminal, printed } = fakeTerminal({ isColored: true });
    const output = new Output(terminal);
    output.say("one\n\ntwo", "bold");
    output.fail("no target");
    output.note("kept");
    expect(printed()).toBe("<bold>one</>\n\n<bold>two</>\n<red>[Error: no target]</>\n<dim>[kept]</>\n");
  });

  it("lets no text act on the terminal", () => {
    const { terminal, printed } = fakeTerminal();
    new Output(terminal).say("a\u001B[2Jb\u0007c\u202Ed\te\rf");
    expect(printed()).toBe("abcd  ef\n");
    expect(safeText("x\u001B]0;title\u0007y\nz")).toBe("xy\nz");
  });

  it("prints objects with --json, and none for an empty line", () => {
    const { terminal, printed } = fakeTerminal({ isJson: true });
    const output = new Output(terminal);
    output.say();
    output.say("a\u001B[2Jb\nc", "bold");
    output.show("\u001B[31mred\u001B[39m");
    const lines = printed()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { v: 1, type: "novel-said", text: "ab\nc" },
      { v: 1, type: "novel-said", text: "red" },
    ]);
  });

  it("has what is in the way taken away first", () => {
    const { terminal, printed } = fakeTerminal();
    const output = new Output(terminal);
    output.clear = () => terminal.print("(cleared)");
    output.say("line");
    output.show("shown");
    expect(printed()).toBe("(cleared)\nline\n(cleared)\nshown\n");
  });

  it("breaks no word on a terminal, and leaves lines as they are elsewhere", () => {
    const text = `  • ${"lighthouse keeper's ledger ".repeat(6).trim()} 灯台守の帳簿には起こらなかった嵐が記されている。`;
    const onScreen = fakeTerminal({ isTTY: true });
    new Output(onScreen.terminal).say(text);
    const lines = onScreen.printed().trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
    expect(lines.slice(1).every((line) => line.startsWith("    ") && !line.startsWith("     "))).toBe(true);
    for (const word of lines.join(" ").match(/[a-z']+/g) ?? [])
      expect(["lighthouse", "keeper's", "ledger"]).toContain(word);
    const onPipe = fakeTerminal();
    new Output(onPipe.terminal).say(text);
    expect(onPipe.printed()).toBe(`${text}\n`);
  });
});
