// Token counts decide what of a prompt is cut, so a prompt would change with them. The figures were recorded with
// gpt-tokenizer 4.0.0 as it is installed: another tokenizer, or another way to ship this one, must give the very same.

import { randomStream, sha256 } from "@loopwright/core";
import { expect, it } from "vitest";
import { countTokens } from "./fit.ts";

const python = `
def nearest(words: list[str], typed: str, *, most: int = 3) -> str | None:
    """The word that is fewest edits away, where that is not more than \`most\`."""
    ranked = sorted((distance(word, typed), word) for word in words if abs(len(word) - len(typed)) <= most)
    return next((word for edits, word in ranked if edits <= most), None)  # 0x1F, 1_000.5e-3
`;
const typescript = `
/** Reads rows until \`limit\`; \\n ends one. */
export async function* rows<T extends object>(source: AsyncIterable<string>, limit = 10_000): AsyncGenerator<T> {
\tlet rest = "";
\tfor await (const piece of source) {
\t\tconst lines = (rest + piece).split(/\\r?\\n/);
\t\trest = lines.pop() ?? "";
\t\tfor (const line of lines) if (limit-- > 0) yield JSON.parse(line) as T;
\t}
}
`;
const prose = `
# Chapter 12 — “Salt & Smoke”

The harbor lay still at 04:30, and nobody—not even Captain O'Neill’s old dog—had seen the *Margarethe* slip out. Später, als der
Nebel über die Donaudampfschifffahrtsgesellschaft zog, fragte niemand mehr. Où était-elle allée ? ¿Quién lo sabe? Кто знает…

| day | tide (m) | note |
| --- | -------: | ---- |
| 1   |     3.25 | ebb  |
`;

/** Characters that tokenizers split differently: ranges of code points. */
const ranges: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0x61, 0x7a],
  [0x00, 0x1f],
  [0x30, 0x39],
  [0xa0, 0x24f],
  [0x300, 0x36f],
  [0x400, 0x4ff],
  [0x590, 0x6ff],
  [0x900, 0x97f],
  [0x2000, 0x206f],
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xd800, 0xdfff],
  [0x1d400, 0x1d7ff],
  [0x1f300, 0x1faff],
];

/** Texts of runs from the ranges, the same for the same seed. */
function randomTexts(count: number): string[] {
  const random = randomStream("token counts", 1);
  const below = (n: number) => Math.floor(random() * n);
  return Array.from({ length: count }, () => {
    let text = "";
    for (let run = below(30); run >= 0; run--) {
      const [from, to] = ranges[below(ranges.length)]!;
      for (let left = below(12); left >= 0; left--) text += String.fromCodePoint(from + below(to - from + 1));
      if (random() < 0.5) text += " ";
    }
    return text;
  });
}

it.each<[string, string, number]>([
  ["a special token", "<|endoftext|>", 7],
  ["special tokens in a text", "<|im_start|>system\n<|im_sep|>be kind<|im_end|><|fim_prefix|>", 27],
  ["emoji in a run", "😀".repeat(1_000), 1_000],
  ["emoji of several parts", "👨‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪", 25],
  ["control characters", "\u0000\u0001\u001b[31m\u007f\u0085", 9],
  ["a long word", "a".repeat(5_000), 625],
  ["many spaces", " ".repeat(5_000), 40],
  ["line ends of every kind", "\n\t\r\n\r \u2028".repeat(300), 1_204],
  ["Japanese", "漢字かな交じり文。".repeat(300), 2_401],
  ["Korean", "한국어 텍스트입니다", 6],
  ["half a surrogate pair", "half \ud83d and \udc00 another", 5],
  ["letters whose case is odd", "İıſKΣς ǅ ß", 11],
  ["marks on a letter", "e\u0301\u0327".repeat(200), 600],
  ["right to left", "\u202e שלום مرحبا", 4],
  ["digits of several scripts", "١٢٣٤٥ 1234567890 ".repeat(50), 550],
  ["contractions in both cases", "don't I'LL we'Ve it’s", 8],
  ["a byte-order mark", "\ufeffbom\u200dzero", 5],
  ["mathematical letters", "𝒳𝓎 ".repeat(99), 693],
  ["Python", python, 111],
  ["TypeScript", typescript, 106],
  ["prose in Markdown", prose, 115],
  [
    "one line of code many times",
    'export const f = async <T>(x: T[]): Promise<T> => x.at(-1)!; // "ok" \\n\n'.repeat(20),
    580,
  ],
  ["base64", Buffer.from(sha256("x").repeat(20)).toString("base64"), 1_170],
])("counts %s as recorded", (_, text, tokens) => {
  expect(countTokens(text)).toBe(tokens);
});

it("counts two thousand random texts as recorded", () => {
  const counts = randomTexts(2_000).map(countTokens);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(307_605);
  expect(sha256(counts.join())).toBe("1bec168bef196fed0b76fe6ddb8481a33828373dcaa67b755fa694b6d68a4eec");
});
