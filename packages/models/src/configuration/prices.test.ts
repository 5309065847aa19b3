import { describe, expect, it } from "vitest";
import type { Endpoint } from "./configuration.ts";
import { costOf, priceOf } from "./configuration.ts";

const endpoint = (kind: Endpoint["kind"], url: string, isLocal = false): Endpoint => ({
  name: "e",
  kind,
  url,
  concurrency: 1,
  isLocal,
});

const endpoints = {
  openai: endpoint("openai", "https://api.openai.com/v1"),
  compatible: endpoint("openai-compatible", "https://api.openai.com/v1"),
  anthropic: endpoint("anthropic", "https://api.anthropic.com/v1"),
  reseller: endpoint("openai-compatible", "https://models.example.com/v1"),
  local: endpoint("openai-compatible", "http://127.0.0.1:1234/v1", true),
  program: endpoint("command", "my-model --json"),
};

const price = (name: string, model: string, prices = {}) => priceOf({ endpoints, prices }, { endpoint: name, model });

describe("the price of a model", () => {
  it.each([
    ["openai", "gpt-4.1", { input: 2, output: 8 }],
    ["openai", "gpt-4o-mini", { input: 0.15, output: 0.6 }],
    ["compatible", "gpt-5-mini", { input: 0.25, output: 2 }],
    ["anthropic", "claude-sonnet-4-5", { input: 3, output: 15 }],
    ["anthropic", "claude-haiku-4-5", { input: 1, output: 5 }],
  ])("is in the table for %s:%s", (name, model, expected) => {
    expect(price(name, model)).toEqual(expected);
  });

  it("is that of the model where the name has a version's date", () => {
    expect(price("openai", "gpt-4.1-2025-04-14")).toEqual(price("openai", "gpt-4.1"));
    expect(price("anthropic", "claude-sonnet-4-5-20250929")).toEqual({ input: 3, output: 15 });
  });

  it("is a version's own where it has one", () => {
    expect(price("openai", "gpt-4o-2024-05-13")).toEqual({ input: 5, output: 15 });
    expect(price("openai", "gpt-4o-2024-08-06")).toEqual({ input: 2.5, output: 10 });
  });

  it.each([
    ["openai", "gpt-99"],
    ["openai", "gpt-4.1-custom"],
    ["openai", "constructor"],
    ["openai", "claude-sonnet-4-5"],
    ["reseller", "gpt-4.1"],
    ["nowhere", "gpt-4.1"],
  ])("is not known, and not guessed, for %s:%s", (name, model) => {
    expect(price(name, model)).toBeUndefined();
  });

  it("is nothing on the user's own machine and for a command, whatever the model is called", () => {
    expect(price("local", "gpt-4.1", { "gpt-4.1": { input: 9, output: 9 } })).toEqual({ input: 0, output: 0 });
    expect(price("program", "anything")).toEqual({ input: 0, output: 0 });
  });

  it("is the user's own figure where there is one", () => {
    const prices = { "gpt-4.1": { input: 1, output: 2 }, mystery: { input: 3, output: 4 } };
    expect(price("openai", "gpt-4.1", prices)).toEqual({ input: 1, output: 2 });
    expect(price("reseller", "mystery", prices)).toEqual({ input: 3, output: 4 });
  });
});

describe("the cost of a call", () => {
  it("counts what goes in and what comes out", () => {
    expect(costOf({ input: 2, output: 8 }, 500_000, 250_000)).toBe(3);
  });

  it("counts as nothing where the price is not known", () => {
    expect(costOf(undefined, 500_000, 250_000)).toBe(0);
  });
});
