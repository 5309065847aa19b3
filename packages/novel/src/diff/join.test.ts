import { describe, expect, it } from "vitest";
import { joinTexts } from "./lines.ts";

const base = "# One\n\nIt rained.\n\nShe waited.\n\nNobody came.\n";

describe("joinTexts", () => {
  it("has both changes where they touch different paragraphs, in either order", () => {
    const mine = base.replace("rained", "poured").replace("Nobody came.", "Nobody came.\n\nThe lamp went out.");
    const theirs = base.replace("She waited.", "She waited a week.");
    const both = "# One\n\nIt poured.\n\nShe waited a week.\n\nNobody came.\n\nThe lamp went out.\n";
    expect(joinTexts(base, mine, theirs)).toBe(both);
    expect(joinTexts(base, theirs, mine)).toBe(both);
  });

  it("has what only one of them changed, and nothing new where none did", () => {
    expect(joinTexts(base, base, base.replace("rained", "snowed"))).toContain("It snowed.");
    expect(joinTexts(base, base, base)).toBe(base);
  });

  it.each([
    ["change one paragraph", base.replace("rained", "poured"), base.replace("rained", "snowed")],
    ["take away what the other changes", base.replace("She waited.\n\n", ""), base.replace("waited", "slept")],
    ["add in one place", base.replace("She", "A bell rang.\n\nShe"), base.replace("She", "A dog barked.\n\nShe")],
    [
      "change what stands side by side, without a line between",
      base.replace("rained.\n", "poured.\nHard.\n"),
      base.replace("rained.\n", "rained.\nStill.\n"),
    ],
  ])("is undefined where both %s", (_what, mine, theirs) => {
    expect(joinTexts(base, mine, theirs)).toBeUndefined();
  });
});
