import { describe, expect, it } from "vitest";
import { markChanges } from "./marked.ts";
import { readingPage } from "./page.ts";
import { premiseToMarkdown } from "./premise.ts";

const before = "The lamp was lit. Nobody came.\n\nA horn sounded. It was late.";
const now = "The lamp was out. Nobody came.\n\nA horn sounded.";

describe("markChanges", () => {
  it("marks what is new, and where something is gone", () => {
    const [first, second] = markChanges(before, now);
    expect(first).toEqual([
      { text: "The lamp was ", isNew: false },
      { text: "out", isNew: true },
      { text: ". Nobody came.", isNew: false },
    ]);
    expect(second!.find(({ removed }) => removed !== undefined)?.removed).toContain("It was late");
    expect(
      markChanges(before, now)
        .flatMap((paragraph) => paragraph.map(({ text }) => text))
        .join(""),
    ).toBe(now.replace("\n\n", ""));
  });

  it("marks nothing without an older version, or where nothing changed", () => {
    for (const old of [undefined, now])
      expect(
        markChanges(old, now)
          .flat()
          .some(({ isNew }) => isNew),
      ).toBe(false);
  });
});

describe("readingPage", () => {
  const page = readingPage({
    title: "The <Lamp>",
    since: '"[prose] darker"',
    chapters: [
      { title: "Night 1", text: now, before },
      { title: "Night 2", text: "## Part\n\n***\n\n<script>alert(1)</script> 灯" },
    ],
  });

  it("is one page with every chapter, and what changed marked", () => {
    expect(page).toContain("<h1>The &lt;Lamp&gt;</h1>");
    expect(page).toContain("<p>The lamp was <ins>out</ins>. Nobody came.</p>");
    expect(page).toContain('<a href="#chapter-1">Night 1</a> <span class="badge">changed</span>');
    expect(page).toContain("in 1 of 2 chapters");
    expect(page).toMatch(/<h3>Part<\/h3>\n<hr>/);
  });

  it("shows emphasis as it is read, and leaves signs that are none", () => {
    const text = "She knew _them_ and *him*; a_b_c and 2 * 3 * 4 and _this";
    const emphasis = readingPage({ title: "T", chapters: [{ title: "One", text }] });
    expect(emphasis).toContain("<p>She knew <em>them</em> and <em>him</em>; a_b_c and 2 * 3 * 4 and _this</p>");
  });

  it("fetches and runs nothing, whatever the text is", () => {
    expect(page).toContain("default-src 'none'");
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt; 灯");
    expect(page).not.toMatch(/<script|src=|https?:/);
  });
});

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
