import type { LoopEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { isSame, otherModels } from "./other-model.ts";

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
