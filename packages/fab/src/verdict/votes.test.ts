import { describe, expect, it } from "vitest";
import type { Vote } from "./gate-verdict.ts";
import { countVotes, toPack } from "./votes.ts";

/** Votes from letters: p, f and u; behind a slash the tiebreaker's. */
function cast(letters: string): Vote[] {
  const words = { p: "pass", f: "fail", u: "unsure" } as const;
  const [pack, last] = letters.split("/");
  const toVotes = (text: string, by: Vote["by"]) =>
    [...text].map((letter) => ({ by, vote: words[letter as "p"], reason: "x" }));
  return [...toVotes(pack!, "critic"), ...toVotes(last ?? "", "tiebreaker")];
}

describe("votes", () => {
  it.each([
    ["ppp", "pass"],
    ["ppf", "pass"],
    ["ppu", "pass"],
    ["fff", "fail"],
    ["ffp", "fail"],
    ["uff", "fail"],
    ["pfu", "undecided"],
    ["puu", "undecided"],
    ["fuu", "undecided"],
    ["uuu", "undecided"],
    ["pfu/p", "pass"],
    ["pfu/f", "fail"],
    ["pfu/u", "undecided"],
    ["uuu/p", "pass"],
    ["ppf/f", "pass"],
  ])("of %s come to %s, in any order", (letters, result) => {
    expect(countVotes(cast(letters))).toBe(result);
    expect(countVotes(cast(letters).toReversed())).toBe(result);
  });

  it.each([
    [["ppp", "ppp"], "pass"],
    [["ppp", "fff"], "fail"],
    [["ppp", "pfu/u"], "undecided"],
    [["fff", "pfu/u"], "fail"],
    [["pfu/u", "fff"], "fail"],
    [[], "undecided"],
  ])("of critics %j come to %s", (each, result) => {
    expect(toPack(Object.fromEntries(each.map((letters, at) => [`critic-${at}`, cast(letters)]))).result).toBe(result);
  });
});
