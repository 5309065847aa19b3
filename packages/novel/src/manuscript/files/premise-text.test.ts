import { describe, expect, it } from "vitest";
import { premiseToMarkdown } from "./schemas.ts";

describe("premiseToMarkdown", () => {
  it("gives the title, and each key as a heading over its text", () => {
    const premise = {
      ...{ title: "The Mill", premise: "He hides her.\n\nThey ask.", themes: ["duty", "pride"] },
      ...{ protagonist: { name: "Marcus", flaw: "pride" }, opening_line: "A knock." },
    };
    expect(premiseToMarkdown(JSON.stringify(premise))).toBe(
      [
        ...["# The Mill", "## Premise", "He hides her.", "They ask.", "## Themes", "- duty\n- pride"],
        ...["## Protagonist", "Name: Marcus\nFlaw: pride", "## Opening line", "A knock."],
      ].join("\n\n"),
    );
  });

  it("leaves what is no premise as it is", () => {
    for (const text of ["{", "[1]", "just a note"]) expect(premiseToMarkdown(text)).toBe(text);
  });
});
