import { describe, expect, it } from "vitest";
import { type Block, plainText, type Span, tidySpans } from "../blocks.ts";
import { readMarkdown } from "./reader.ts";
import { escapeMarkdown, writeMarkdown } from "./writer.ts";

function paragraph(...spans: Span[]): Block {
  return { kind: "paragraph", spans };
}

describe("blocks written as Markdown", () => {
  it("escape what would mean something, and nothing else", () => {
    expect(writeMarkdown([paragraph({ text: "2 * 3, snake_case, [sic], I <3 you & me, C# -> x" })])).toBe(
      "2 \\* 3, snake_case, [sic], I <3 you & me, C# -> x",
    );
    expect(writeMarkdown([paragraph({ text: "_a_ `b` ~c~ \\ <b> &amp; [x](y) [^1]" })])).toBe(
      "\\_a\\_ \\`b\\` \\~c\\~ \\\\ \\<b> \\&amp; [x\\](y) \\[^1]",
    );
  });

  it.each([
    ["# a", "\\# a"],
    ["- a", "\\- a"],
    ["--- a", "\\--- a"],
    ["+ a", "\\+ a"],
    ["> a", "\\> a"],
    ["1986. It was", "1986\\. It was"],
    ["2) a", "2\\) a"],
    ["===", "\\==="],
    ["—a", "—a"],
    ["-a", "-a"],
    ["1986 was", "1986 was"],
  ])("escape %j at the start of a line as %j", (text, markdown) => {
    expect(writeMarkdown([paragraph({ text: `x\n${text}` })])).toBe(`x\\\n${markdown}`);
    expect(escapeMarkdown(text)).toBe(markdown);
  });

  it("put marks round words, not round the space beside them", () => {
    const spans = [
      { text: "He " },
      { text: "never ", em: true },
      { text: "said" },
      { text: " “no.”", strong: true },
      { text: "Then" },
    ];
    expect(writeMarkdown([paragraph(...spans)])).toBe("He *never* said **“no**.”Then");
  });

  it("nest marks that overlap", () => {
    const spans = [
      { text: "a ", em: true },
      { text: "b", em: true, strong: true },
      { text: " c", em: true },
    ];
    expect(writeMarkdown([paragraph(...spans)])).toBe("*a **b** c*");
  });

  it("drop marks that Markdown cannot say rather than show stray stars", () => {
    const spans = [{ text: "a", em: true }, { text: "b", strong: true }, { text: "c" }];
    const [read] = readMarkdown(writeMarkdown([paragraph(...spans)]));
    expect(plainText((read as { spans: Span[] }).spans)).toBe("abc");
    const endless = Array.from({ length: 10_000 }, (_, index) => ({ text: "word ", em: index % 2 === 0 }));
    expect(writeMarkdown([paragraph(...endless)])).not.toContain("*");
  });

  it("write links so that any address survives", () => {
    for (const href of ["https://x.y/a_(b)", "https://x.y/?a=1&amp;b=2", "mailto:a@b.c"]) {
      const blocks = [paragraph({ text: "see " }, { text: "this", href })];
      expect(readMarkdown(writeMarkdown(blocks)), href).toEqual(blocks);
    }
    expect(writeMarkdown([paragraph({ text: "https://x.y/", href: "https://x.y/" })])).toBe("<https://x.y/>");
  });

  it("read again as the same blocks, kind by kind", () => {
    const text = (words: string) => paragraph({ text: words });
    const blocks: Block[] = [
      { kind: "heading", depth: 2, spans: [{ text: "Sharp " }, { text: "C", em: true }, { text: " #" }] },
      text("One."),
      { kind: "scene-break" },
      { kind: "quote", blocks: [text("a"), text("b"), { kind: "quote", blocks: [text("c")] }] },
      {
        kind: "list",
        isOrdered: true,
        start: 9,
        items: [
          [text("a")],
          [text("b"), { kind: "list", isOrdered: false, start: 1, items: [[text("c")], [text("d")]] }],
        ],
      },
      text("Between."),
      {
        kind: "list",
        isOrdered: false,
        start: 1,
        items: [
          [text("a"), text("b")],
          [text("c"), { kind: "code", text: "x\n\ny" }],
        ],
      },
      { kind: "code", text: "```\n# not a heading\n```" },
      paragraph({ text: "note" }, { text: "1", note: true }, { text: " and " }, { text: "a `tick`", code: true }),
      { kind: "note", label: "1", spans: [{ text: "Words." }] },
      paragraph({ text: "1", note: true }, { text: ": not a definition" }),
    ];
    expect(readMarkdown(writeMarkdown(blocks))).toEqual(blocks);
  });

  it("read again as the same text, whatever signs and marks people heap up", () => {
    const random = randomFrom(7);
    for (let round = 0; round < 8_000; round++) {
      const spans = tidySpans(Array.from({ length: 1 + Math.floor(random() * 4) }, () => randomSpan(random)));
      if (plainText(spans).trim() === "") continue;
      const block: Block = random() < 0.2 ? { kind: "quote", blocks: [paragraph(...spans)] } : paragraph(...spans);
      const markdown = writeMarkdown([block]);
      expect(textOf(readMarkdown(markdown)), JSON.stringify(markdown)).toEqual(textOf([block]));
    }
  });
});

function textOf(blocks: readonly Block[]): unknown[] {
  return blocks.map((block) => {
    if ("spans" in block) return [block.kind, plainText(block.spans)];
    return block.kind === "quote" ? [block.kind, textOf(block.blocks)] : [block.kind];
  });
}

const bits =
  "a|word|Über| |  |\n|*|**|_|__|`|``|~|~~|[|]|(|)|[^1]|[^1]:|[x]:|](|<|<b>|<!--|-->|&|&amp;|&#65;|#|# |-|- |---|+ |1. |1)|2024.|>|> |=|===|:-|\\|\\*|!|\"|“|’|.|,|…|—|😀|שלום|\u00a0|https://x.y|a@b.c|www.x.y|'"
    .split("|")
    .concat("|", "|-|");

function randomSpan(random: () => number): Span {
  if (random() < 0.08) return { text: "7", note: true };
  const text = Array.from(
    { length: 1 + Math.floor(random() * 5) },
    () => bits[Math.floor(random() * bits.length)]!,
  ).join("");
  return {
    text,
    ...(random() < 0.3 && { em: true }),
    ...(random() < 0.25 && { strong: true }),
    ...(random() < 0.1 && { strike: true }),
    ...(random() < 0.1 && { href: "https://x.y/a_(b)" }),
  };
}

/** Numbers that look random and are the same every time (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
