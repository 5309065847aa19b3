import { describe, expect, it } from "vitest";
import { fencedBlocks } from "./blocks.ts";

const closed = (language: string, text: string) => ({ language, text, isClosed: true });
const truncated = (language: string, text: string) => ({ language, text, isClosed: false });

describe("fencedBlocks", () => {
  it.each([
    ["none in prose", "no `code` here, not even ``two``", []],
    ["one with its language", "see\n```python\na = 1\n```\nend", [closed("python", "a = 1")]],
    ["one with no language", "```\na\n```", [closed("", "a")]],
    ["one of tildes", "~~~js\na\n~~~", [closed("js", "a")]],
    ["a language in capitals, with more behind it", "```JSON title=x\n{}\n```", [closed("json", "{}")]],
    ["several in order", "```a\n1\n```\n\n```b\n2\n```", [closed("a", "1"), closed("b", "2")]],
    ["an empty one", "```\n```", [closed("", "")]],
    ["one that is never closed", "```py\na\nb", [truncated("py", "a\nb")]],
    ["one that opens on the last line", "x\n```py", [truncated("py", "")]],
    ["one that is closed by a longer fence", "```\na\n`````", [closed("", "a")]],
    ["a longer one that holds a shorter", "````md\n```js\na\n```\n````", [closed("md", "```js\na\n```")]],
    ["tildes inside backticks as text", "```\n~~~\n```", [closed("", "~~~")]],
    ["lines that end as on Windows", "```js\r\na\r\nb\r\n```\r\n", [closed("js", "a\r\nb")]],
    ["one that is indented in a list", "- so:\n  ```py\n  if a:\n    b\n  ```", [closed("py", "if a:\n  b")]],
    ["a blank line inside", "```\na\n\nb\n```", [closed("", "a\n\nb")]],
  ])("finds %s", (_title, text, blocks) => {
    expect(fencedBlocks(text)).toEqual(blocks);
  });

  it("takes a second opening for the end of a first that was never closed, and never for a part of it", () => {
    expect(fencedBlocks("```md\n# a\n```py\nb\n```\nc\n```")).toEqual([
      truncated("md", "# a"),
      closed("py", "b"),
      truncated("", ""),
    ]);
  });

  it("is no fence where backticks follow on the same line, or words stand before it", () => {
    expect(fencedBlocks("```a``` b\nsee ```js\nx")).toEqual([]);
  });
});
