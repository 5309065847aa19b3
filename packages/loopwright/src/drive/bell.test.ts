import type { Json, LoopEvent } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";
import { describe, expect, it } from "vitest";
import { ringFor } from "./bell.ts";

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
