import { describe, expect, it } from "vitest";
import { programOf, singlesOf, textsOf } from "../../../../test/fixtures/search/candidates.ts";

async function costOf(path: string, before: string, after: string): Promise<number | undefined> {
  const program = programOf(path, before);
  const candidates = await singlesOf(program);
  return candidates[textsOf(program, candidates).indexOf(after)]?.cost;
}

describe("two small edits in one statement", () => {
  const clamp = "def clamp(value, low, high):\n    return min(low, max(value, high))\n";
  const right = "def clamp(value, low, high):\n    return max(low, min(value, high))\n";

  it("are tried as one", async () => {
    expect(await costOf("a.py", clamp, right)).toBeDefined();
  });

  it("cost more than either alone", async () => {
    const one = await costOf("a.py", clamp, clamp.replace("min(low", "max(low"));
    expect((await costOf("a.py", clamp, right))!).toBeGreaterThan(one!);
  });

  it("are one thought where they are the same twice", async () => {
    const before = "def parse(line):\n    key, value = line.split('=')\n    return key, value\n";
    const after = before.replace("return key, value", "return key.strip(), value.strip()");
    expect(await costOf("a.py", before, after)).toBeLessThan(8);
  });

  it("are one thought in two statements that follow each other", async () => {
    const before =
      "export function f(a: string, b: string) {\n  const x = a.split('.');\n  const y = b.split('.');\n  return x < y;\n}\n";
    const after = before.replaceAll("split('.')", "split('.').map(Number)");
    expect(await costOf("a.ts", before, after)).toBeDefined();
  });
});
