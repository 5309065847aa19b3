import { describe, expect, it } from "vitest";
import { showDiff, showText } from "./diff-view.ts";

const numbered = (count: number, change: (n: number) => string = (n) => `line ${n}`) =>
  `${Array.from({ length: count }, (_, index) => change(index + 1)).join("\n")}\n`;

describe("a whole text", () => {
  it("is shown line by line, escaped", () => {
    expect(showText("a.txt", "<b>\nand\n").text).toBe('<pre tabindex="0">&lt;b&gt;\nand\n</pre>');
  });

  it("is cut where it is long, and says by how much", () => {
    const { text } = showText("a.txt", numbered(1_000));
    expect(text).toContain("line 240\n</pre>");
    expect(text).toContain("760 more lines not shown.");
  });

  it("has its long lines cut", () => {
    expect(showText("a.txt", "x".repeat(5_000)).text).toContain(`${"x".repeat(400)}… (4600 more characters)`);
  });

  it("is set out where it is JSON on one line, and left as it is where it is not", () => {
    expect(showText("a.json", '{"a":[1]}').text).toContain("{\n  &quot;a&quot;: [\n    1\n  ]\n}\n");
    expect(showText("a.json", '{"a":').text).toContain("{&quot;a&quot;:");
    expect(showText("a.json", '{\n "a": 1 }\n').text).toContain("{\n &quot;a&quot;: 1 }\n");
  });
});

describe("a difference", () => {
  it("is nothing where nothing changed", () => {
    expect(showDiff("a.txt", "same\n", "same\n")).toBeUndefined();
    expect(showDiff("a.json", '{"a":1}', '{ "a": 1 }')).toBeUndefined();
  });

  it("shows what went and what came, with a few lines around", () => {
    const after = numbered(100, (n) => (n === 50 ? "line <fifty>" : `line ${n}`));
    const { summary, view } = showDiff("a.txt", numbered(100), after)!;
    expect(summary).toBe("1 line added, 1 removed");
    expect(view.text).toContain(
      "<b>line 47\n</b> line 47\n line 48\n line 49\n<del>-line 50\n</del><ins>+line &lt;fifty&gt;\n</ins>",
    );
    expect(view.text).not.toContain("line 46");
    expect(view.text).not.toContain("line 54");
  });

  it("compares JSON by its parts", () => {
    const { summary, view } = showDiff("a.json", '{"score":0.5,"done":false}', '{"score":0.7,"done":false}')!;
    expect(summary).toBe("1 line added, 1 removed");
    expect(view.text).toContain("<ins>+  &quot;score&quot;: 0.7,\n</ins>");
  });

  it("counts a line that begins with a sign of its own only once", () => {
    expect(showDiff("a.txt", "a\n", "a\n++\n--\n")!.summary).toBe("2 lines added, 0 removed");
    expect(showDiff("a.txt", "@@ x\n", "@@ y\n")!.view.text).toContain("<ins>+@@ y\n</ins>");
  });

  it("is the new text where the two have nothing in common, or all is in another order, and is quick to say so", () => {
    const before = numbered(4_000, (n) => `a${n}`);
    const started = performance.now();
    const others = [numbered(4_000, (n) => `b${n}`), numbered(4_000, (n) => `a${4_001 - n}`)];
    for (const after of others) {
      const { summary, view } = showDiff("a.txt", before, after)!;
      expect(summary).toBe("rewritten");
      expect(view.text).toContain(`${after.split("\n")[239]}\n</pre>`);
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("is cut where it is long", () => {
    const { summary, view } = showDiff(
      "a.txt",
      numbered(200),
      numbered(200, (n) => (n % 2 === 0 ? `line ${n}` : `changed ${n}`)),
    )!;
    expect(summary).toBe("100 lines added, 100 removed");
    expect(view.text).toContain("61 more lines not shown.");
  });
});
