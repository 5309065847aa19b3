import type { Bell, Json, LoopEvent } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";
import { describe, expect, it } from "vitest";
import { isSame, otherModels, ringFor } from "./notices.ts";

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

  it("rings at gates and at the end where the loop's package says so", () => {
    const rings = (type: string, bells?: readonly Bell[]) => {
      const written: string[] = [];
      const stdout = { isTTY: true, write: (more: string) => void written.push(more) };
      const event = { type, run: "a-run" } as unknown as LoopEvent;
      ringFor({ stdout, isQuiet: false, isJson: false } as unknown as Terminal, event, bells);
      return written.join("").length;
    };
    expect(rings("gate-opened", ["gate", "end"])).toBe(1);
    expect(rings("run-ended", ["gate", "end"])).toBe(1);
    expect(rings("run-ended", ["gate"])).toBe(0);
    expect(rings("phase-started", ["gate", "end"])).toBe(0);
    expect(rings("run-ended")).toBe(0);
  });
});

const answered = (asked: string, model: string) =>
  ({
    type: "effect-finished",
    result: { text: "", model, details: { asked, endpoint: "local" } },
  }) as unknown as LoopEvent;

describe("a server that answers with another model", () => {
  it("is said to, once for each pair", () => {
    const say = otherModels("loopwright doctor --models");
    expect(say(answered("devstral", "qwen"))).toMatch(/^local was asked for devstral, and qwen has answered; /);
    expect(say(answered("devstral", "qwen"))).toBeUndefined();
    expect(say(answered("devstral", "llama"))).toMatch("llama has answered");
  });

  it("says nothing of other effects", () => {
    const say = otherModels("loopwright doctor --models");
    for (const result of [null, "text", { model: "a" }, { details: {} }])
      expect(say({ type: "effect-finished", result } as unknown as LoopEvent)).toBeUndefined();
    expect(say({ type: "progress", key: "a", data: null } as unknown as LoopEvent)).toBeUndefined();
  });

  it.each([
    ["gpt-4o", "gpt-4o-2024-08-06", true],
    ["Devstral", "devstral", true],
    ["org/devstral", "devstral", true],
    ["devstral", "qwen2.5", false],
  ])("takes %s and %s for one: %s", (asked, model, same) => {
    expect(isSame(asked, model)).toBe(same);
  });
});
