import { describe, expect, it } from "vitest";
import { Output } from "./job.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function collect(limit: number, ...chunks: (string | Uint8Array)[]): string {
  const output = new Output(limit);
  for (const chunk of chunks) output.write(typeof chunk === "string" ? bytes(chunk) : chunk);
  return output.end();
}

describe("A program's output", () => {
  it("is kept whole up to the limit", () => {
    expect(collect(10, "01234", "56789")).toBe("0123456789");
    expect(collect(10)).toBe("");
  });

  it("keeps its beginning and its end past the limit, and says how much is missing", () => {
    expect(collect(10, "0123456789", "abcdefghij")).toBe("01234\n… 10 characters left out …\nfghij");
    expect(collect(10, "01234567890")).toBe("01234\n… 1 characters left out …\n67890");
  });

  it("comes to the same however it is cut into pieces", () => {
    const text = Array.from({ length: 500 }, (_, i) => `line ${i} é\n`).join("");
    const whole = collect(99, text);
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const all = bytes(text);
      const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, i) =>
        all.slice(i * size, (i + 1) * size),
      );
      expect(collect(99, ...pieces)).toBe(whole);
    }
  });

  it("puts characters together that arrive in parts, and replaces what is no text", () => {
    expect(collect(10, bytes("é").slice(0, 1), bytes("é").slice(1))).toBe("é");
    expect(collect(10, new Uint8Array([0xff, 0x41]))).toBe("\ufffdA");
  });

  it("is well formed where the cut goes through a character", () => {
    expect(collect(3, "🚤🚤🚤🚤").isWellFormed()).toBe(true);
  });

  it("holds little of a flood", () => {
    const output = new Output(1_000);
    const chunk = bytes("x".repeat(100_000));
    for (let i = 0; i < 2_000; i++) output.write(chunk);
    const text = output.end();
    expect(text.length).toBeLessThan(1_100);
    expect(text).toContain(`… ${200_000_000 - 1_000} characters left out …`);
  });

  it("may be kept not at all", () => {
    expect(collect(0, "abc")).toBe("\n… 3 characters left out …\n");
  });
});
