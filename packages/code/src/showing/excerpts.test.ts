import { describe, expect, it } from "vitest";
import { excerptOf } from "./excerpts.ts";

const functions = Array.from({ length: 200 }, (_, n) => `def f${n}(x):\n    y = x + ${n}\n    return y\n`);
const text = `import os\n\n${functions.join("\n")}`;

describe("an excerpt", () => {
  it("is the whole text where that fits", async () => {
    expect(await excerptOf("a.py", text, { names: [], lines: [] }, 100_000)).toEqual({ text, isWhole: true });
  });

  it("has the head, the functions that are named and the lines around places, and says what it has not", async () => {
    const found = await excerptOf("a.py", text, { names: ["f150", "C.f20(x)"], lines: [403] }, 2_500);
    expect(found.isWhole).toBe(false);
    expect(found.text.length).toBeLessThanOrEqual(2_500);
    for (const part of ["import os", "def f150(x):\n    y = x + 150\n    return y", "def f20(x):", "y = x + 100"])
      expect(found.text).toContain(part);
    expect(found.text).not.toContain("def f60(x)");
    expect(found.text).toMatch(/\[lines \d+ to \d+ are not shown\]/);
    expect(found.text).toMatch(new RegExp(`\\[lines \\d+ to ${text.trimEnd().split("\n").length} are not shown\\]$`));
  });

  it("never exceeds its room, and is never an answer's whole file", async () => {
    for (const room of [200, 500, 5_000]) {
      const found = await excerptOf("a.py", text, { names: functions.map((_, n) => `f${n}`), lines: [1, 300] }, room);
      expect(found.text.length).toBeLessThanOrEqual(room);
      expect(found.isWhole).toBe(false);
    }
  });

  it("reads scripts, and takes lines alone of what it cannot read", async () => {
    const script = `import a from "a";\n${functions.map((_, n) => `export const g${n} = (x) => {\n  return x + ${n};\n};\n`).join("\n")}`;
    expect((await excerptOf("a.ts", script, { names: ["g99"], lines: [] }, 800)).text).toContain("return x + 99;");
    expect((await excerptOf("a.txt", text, { names: ["f9"], lines: [200] }, 1_500)).text).toContain("def f49");
  });
});
