import { describe, expect, it } from "vitest";
import { sceneOf } from "../../../../test/fixtures/search/candidates.ts";
import { Naturalness } from "./naturalness.ts";

const text = `def pick(items, best, index, cap):
    if left(items[0], items[best]):
        return 1
    if right(items[1], items[index]):
        return 2
    return 0
`;

async function gain(part: string, replacement: string): Promise<number> {
  const start = text.indexOf(part);
  return new Naturalness(await sceneOf("a.py", text)).gain([{ start, end: start + part.length, text: replacement }]);
}

describe("the naturalness of an edit", () => {
  it("is greater for what the program says elsewhere", async () => {
    expect(await gain("index])", "best])")).toBeGreaterThan(await gain("index])", "other])"));
  });

  it("is greater for what uses a name that is never read", async () => {
    expect(await gain("1\n", "cap\n")).toBeGreaterThanOrEqual(1.5);
    expect(await gain("1\n", "index\n")).toBeLessThan(1.5);
  });

  it("is nothing for a deletion, and for what is strange to the program", async () => {
    expect(await gain("return 1", "")).toBe(0);
    expect(await gain("1\n", "strange.thing()\n")).toBe(0);
  });

  it("is less than nothing for what sets a value against itself", async () => {
    const source = "def age(now, then):\n    return now - then\n";
    const naturalness = new Naturalness(await sceneOf("a.py", source));
    const start = source.indexOf("then\n");
    expect(naturalness.gain([{ start, end: start + 4, text: "now" }])).toBeLessThan(0);
    expect(naturalness.gain([{ start, end: start + 4, text: "now.start" }])).toBeGreaterThanOrEqual(0);
  });
});
