import { randomStream } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { CUT_TOKENS, countTokens, cutText } from "./fit.ts";

const NOTE = /\n?\[… about ([\d,]+) tokens left out …\]\n?/;

/** What a cut text has of the text itself, and what it says of the rest. */
function read(cut: string): { head: string; tail: string; missing: number } {
  const [note, missing] = NOTE.exec(cut)!;
  const at = cut.indexOf(note);
  return { head: cut.slice(0, at), tail: cut.slice(at + note.length), missing: Number(missing!.replaceAll(",", "")) };
}

const log = Array.from({ length: 100 }, (_, index) => `frame ${index} is ${index * 3} mm off`).join("\n");

describe("a text that is cut", () => {
  it("keeps whole lines of its beginning and its end, about as much of each", () => {
    const { head, tail } = read(cutText(log, 300, 0, countTokens));
    expect(log.startsWith(`${head}\n`)).toBe(true);
    expect(log.endsWith(`\n${tail}`)).toBe(true);
    expect(Math.abs(countTokens(head) - countTokens(tail))).toBeLessThan(25);
  });

  it("says how much is missing", () => {
    const cut = cutText(log, 300, 0, countTokens);
    const { head, tail, missing } = read(cut);
    const left = log.slice(head.length, log.length - tail.length);
    expect(Math.abs(missing - countTokens(left))).toBeLessThan(5);
  });

  it("is nothing where there is room for no more than the note", () => {
    expect(cutText(log, 14, 0, countTokens)).toBe("");
    expect(cutText(log, 0, 0, countTokens)).toBe("");
  });

  it("gives up whole lines where they would leave less than must be left", () => {
    const long = [0, 1, 2].map((line) => Array.from({ length: 90 }, (_, word) => `w${line}x${word}`).join(" "));
    const cut = cutText(long.join("\n"), 180 + CUT_TOKENS, 178, countTokens);
    const { head, tail } = read(cut);
    expect(countTokens(head) + countTokens(tail)).toBeGreaterThanOrEqual(178);
    expect(countTokens(cut)).toBeLessThanOrEqual(180 + CUT_TOKENS);
  });

  it("never ends in half a sign", () => {
    const ships = "🚢".repeat(400);
    for (let most = 40; most < 60; most++) {
      const cut = cutText(ships, most, 0, countTokens);
      expect(cut.isWellFormed()).toBe(true);
    }
  });

  it("is within its room and of the text, whatever the text", () => {
    const alphabets = ["ab cd\n", "{}();=> \n", "船の形。\n", "🚢⛵ x\n", "zzz"];
    for (let index = 0; index < 200; index++) {
      const random = randomStream("cut", index);
      const pick = (below: number) => Math.floor(random() * below);
      const signs = [...alphabets[pick(alphabets.length)]!];
      const text = Array.from({ length: 400 + pick(3_000) }, () => signs[pick(signs.length)]).join("");
      const floor = pick(60);
      const most = Math.min(countTokens(text) - 1, floor + CUT_TOKENS + pick(60));
      if (most < floor + CUT_TOKENS) continue;
      const cut = cutText(text, most, floor, countTokens);
      expect(countTokens(cut), `case ${index}`).toBeLessThanOrEqual(most);
      if (cut === "") continue;
      const { head, tail } = read(cut);
      expect(text.startsWith(head), `case ${index}`).toBe(true);
      expect(text.endsWith(tail), `case ${index}`).toBe(true);
      expect(countTokens(head) + countTokens(tail), `case ${index}`).toBeGreaterThanOrEqual(floor);
    }
  });
});
