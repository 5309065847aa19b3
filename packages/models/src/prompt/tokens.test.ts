import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { countTokens } from "./fit.ts";

/** Milliseconds that a call takes. */
function timed(call: () => unknown): number {
  const start = performance.now();
  call();
  return performance.now() - start;
}

describe("tokens of a text", () => {
  it("are none where there is no text", () => {
    expect(countTokens("")).toBe(0);
  });

  it.each([
    ["hello world", 2],
    ["const answer = 42;\n", 6],
    ["Donaudampfschifffahrt", 8],
    ["船の形", 3],
  ])("are counted in the vocabulary o200k_base: %j", (text, tokens) => {
    expect(countTokens(text)).toBe(tokens);
  });

  it("are counted as text where the text looks like a special token", () => {
    expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
    expect(countTokens("<|im_start|>system")).toBeGreaterThan(2);
  });

  it("are counted where the text is not well formed", () => {
    expect(countTokens("half a pair \ud83d is left")).toBeGreaterThan(4);
  });

  it.each(["a", "=", " ", "\n", "あ"])("are counted in bounded time in a text of 100,000 times %j", (sign) => {
    countTokens("warm");
    let tokens = 0;
    expect(timed(() => (tokens = countTokens(sign.repeat(100_000))))).toBeLessThan(3_000);
    expect(tokens).toBeGreaterThan(500);
    expect(tokens).toBeLessThanOrEqual(100_000);
  });

  it("hardly change because a long run is counted in pieces", () => {
    const words = "one two three four five six seven eight nine ten ".repeat(400);
    const run = "x".repeat(2_000);
    const apart = countTokens(words) * 2 + countTokens(run);
    expect(Math.abs(countTokens(words + run + words) - apart)).toBeLessThan(20);
  });

  it("are estimated, and rather too many than too few, where the text is huge", () => {
    const line = "the keel line runs from stem to stern, const x = [1, 2, 3];\n";
    const text = line.repeat(40_000);
    const tokens = countTokens(line) * 40_000;
    let estimated = 0;
    expect(timed(() => (estimated = countTokens(text)))).toBeLessThan(1_000);
    expect(estimated).toBeGreaterThan(tokens * 0.99);
    expect(estimated).toBeLessThan(tokens * 1.1);
  });

  it("see a dense part of a huge text, wherever it stands", () => {
    const sparse = "plain words that anyone would write down here \n".repeat(30_000);
    const dense = "0x9f,Ω≠{};".repeat(20_000);
    expect(countTokens(sparse + dense)).toBeGreaterThan(countTokens(dense.repeat(7)));
  });

  it("load no vocabulary before a text is counted", () => {
    const program = `
      import { createRequire } from "node:module";
      const { cache } = createRequire(import.meta.url);
      const isLoaded = () => Object.keys(cache).some((file) => file.includes("gpt-tokenizer"));
      const { countTokens } = await import(${JSON.stringify(new URL("./fit.ts", import.meta.url).href)});
      const before = isLoaded();
      countTokens("x");
      console.log(JSON.stringify([before, isLoaded()]));`;
    const { stdout } = spawnSync(
      process.execPath,
      ["--conditions=loopwright-source", "--input-type=module", "-e", program],
      { encoding: "utf8" },
    );
    expect(JSON.parse(stdout)).toEqual([false, true]);
  });
});
