import type { LoopEvent } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { Spending } from "./spending.ts";

const input = { role: "writer", request: { id: "novel/revise@1", prompt: "Write." } };
const answer = { text: "Dark.", model: "m", finishReason: "stop", usage: { tokens: 12, usd: 0 } };

function event(type: string, key: string, more: object = {}): LoopEvent {
  return { type, key, visit: 1, run: "r", at: 0, seq: 1, active: 0, ...more } as unknown as LoopEvent;
}

function spentOn(...events: LoopEvent[]): string | undefined {
  const spending = new Spending();
  for (const each of events) spending.take(each);
  return spending.toText();
}

const started = (key: string) => event("effect-started", key, { input, tries: 1, digest: "" });
const finished = (key: string, details: object, usage: object) =>
  event("effect-finished", key, { result: { ...answer, details }, usage });

describe("What the models took", () => {
  it("is counted in requests, tokens each way, and dollars where they are known", () => {
    const details = { endpoint: "desk", inputTokens: 17_000, outputTokens: 1_205 };
    const usage = { tokens: 18_205, usd: 0.03 };
    expect(spentOn(started("a"), finished("a", details, usage))).toBe(
      "1 request, 17,000 tokens sent, 1,205 written, $0.03",
    );
    const two = [started("a"), finished("a", details, usage), started("b"), finished("b", details, usage)];
    expect(spentOn(...two)).toBe("2 requests, 34,000 tokens sent, 2,410 written, $0.06");
  });

  it("is a sum where nobody says which tokens are which", () => {
    expect(spentOn(started("a"), finished("a", {}, { tokens: 12, usd: 0 }))).toBe("1 request, 12 tokens");
  });

  it("has what was charged before an end, and calls that failed", () => {
    const failed = event("effect-failed", "a", { error: {}, usage: { tokens: 5, usd: 0 } });
    const charged = event("effect-charged", "a", { usage: { tokens: 7, usd: 0 } });
    expect(spentOn(started("a"), charged, failed)).toBe("1 request, 12 tokens");
  });

  it("is nothing where no model was asked", () => {
    const other = event("effect-started", "c", { input: { id: "it-1" }, tries: 1, digest: "" });
    expect(spentOn(other, event("effect-finished", "c", { result: null }))).toBeUndefined();
    expect(spentOn(started("a"))).toBeUndefined();
  });
});
