import { describe, expect, it } from "vitest";
import { lossOf } from "./losses.ts";

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
