import { describe, expect, it } from "vitest";
import { applyEdits, lossOf } from "./edits.ts";

const file = `import os

class Box:
    def width(self):
        return self.right - self.left

    def height(self):
        return self.bottom - self.top

    def area(self):
        return self.width() * self.height()
`;

function one(search: string, replace: string, text = file) {
  return applyEdits(text, [{ search, replace }]);
}

describe("an edit", () => {
  it("takes the place of the lines that it quotes", () => {
    expect(one("        return self.right - self.left\n", "        return abs(self.right - self.left)\n").text).toBe(
      file.replace("return self.right - self.left", "return abs(self.right - self.left)"),
    );
  });

  it("may quote a part of one line, take lines away, and add some", () => {
    expect(one("self.bottom", "self.low").text).toBe(file.replace("self.bottom", "self.low"));
    expect(one("import os\n", "").text).toBe(file.replace("import os\n", ""));
    expect(one("import os", "import os\nimport re").text).toBe(file.replace("import os", "import os\nimport re"));
  });

  it("is found where only the spaces at the lines' ends differ, and is put at the depth of what stands there", () => {
    const edited = one("def width(self):\n    return self.right - self.left  ", "def width(self):\n    return 1");
    expect(edited.text).toContain("    def width(self):\n        return 1\n\n    def height");
    const tabs = file.replaceAll("    ", "\t");
    const inTabs = one("        return self.bottom - self.top", "        return 2", tabs);
    expect(inTabs.text).toContain("\tdef height(self):\n\t\treturn 2\n");
  });

  it("keeps a file's line ends", () => {
    const windows = file.replaceAll("\n", "\r\n");
    expect(one("import os\n", "import re\n", windows).text).toBe(windows.replace("import os", "import re"));
  });

  it("takes what it is given to the letter", () => {
    expect(one("import os", "$& $1 $$").text).toBe(`$& $1 $$${file.slice("import os".length)}`);
    expect(one("self.bottom", "$&").text).toBe(file.replace("self.bottom", () => "$&"));
  });

  it("is refused where it quotes nothing, and all that came with it too", () => {
    expect(one("  \n", "x").problem).toMatch(/empty/);
    const edits = [
      { search: "import os", replace: "import re" },
      { search: "no such line at all", replace: "x" },
    ];
    expect(applyEdits(file, edits).text).toBeUndefined();
  });

  it("is refused with the places where it is found twice", () => {
    const { problem } = one("x = 1", "x = 2", "x = 1\ny = 2\nx = 1\n");
    expect(problem).toContain("more than once (at lines 1, 3)");
    expect(one("self", "this").problem).toContain("more than once");
  });

  it("is refused with the nearest text where it is found nowhere", () => {
    const { problem } = one("    def height(self):\n        return self.bottom + self.top", "x");
    expect(problem).toContain("7:     def height(self):\n8:         return self.bottom - self.top");
  });

  it("is made in order, each on what the one before has left", () => {
    const edits = [
      { search: "import os", replace: "import re" },
      { search: "import re", replace: "import sys" },
    ];
    expect(applyEdits(file, edits).text).toBe(file.replace("import os", "import sys"));
  });

  it("is refused in bounded time on a large file", () => {
    const large = Array.from({ length: 40_000 }, (_, n) => `line ${n} of many`).join("\n");
    const started = performance.now();
    expect(one(Array.from({ length: 300 }, () => "line of none").join("\n"), "x", large).problem).toBeDefined();
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

const before = `${Array.from({ length: 60 }, (_, n) => `def f${n}(x):\n    return x + ${n}\n`).join("\n")}\n`;
const head = before.split("\n").slice(0, 6).join("\n");

describe("a whole file", () => {
  it.each([
    "# rest unchanged",
    "# ... rest of the file unchanged ...",
    "# (rest of file stays the same)",
    "# ...",
    "// ... existing code ...",
    "// … existing code …",
    "/* remaining methods unchanged */",
    "# [the remaining functions are the same as before]",
    "# Rest of the code remains as is",
    "    # ... (other methods unchanged)",
    "# existing functions here ...",
    "# unchanged",
    "# --- snip ---",
    "# omitted for brevity",
    "# same as before",
    "<!-- rest of the page stays -->",
    "# keep the existing code below",
    "# All other functions remain unchanged",
    "# everything else as before",
    "... rest of file ...",
    "# previous implementation continues here",
    "# The original code continues below, unchanged",
  ])("that says %j for lines that stand there is refused", (line) => {
    expect(lossOf(before, `${head}\n${line}\n`)).toContain("would be gone");
    expect(lossOf(before, `${line}\n${before.split("\n").slice(20).join("\n")}`)).toContain("would be gone");
  });

  it("that has less than half of the lines is refused", () => {
    expect(lossOf(before, head)).toMatch(/has 4 lines where 120 stand/);
  });

  it("that was rewritten is not, nor one that grew, nor a short one that became shorter", () => {
    const rewritten = before.replaceAll("return x +", "return x -");
    expect(lossOf(before, rewritten)).toBeUndefined();
    expect(lossOf(before, `${before}\n# the rest of the arguments is unchanged\nx = 1\n`)).toBeUndefined();
    expect(lossOf("a = 1\nb = 2\nc = 3\nd = 4\n", "a = 1\n")).toBeUndefined();
    expect(lossOf("", "# rest unchanged\n")).toBeUndefined();
  });

  it("may say what it said before", () => {
    const said = `# the rest of the file is unchanged since 1999\n${before}`;
    expect(lossOf(said, said.replaceAll("return x", "return y"))).toBeUndefined();
  });

  it.each([
    "# the rest is handled by the caller's own loop",
    "# remaining width",
    "# skip the other one",
    "# existing users",
  ])("with the comment %j is not refused for it", (line) => {
    expect(lossOf(before, `${line}\n${before.split("\n").slice(12).join("\n")}`)).toBeUndefined();
  });
});
