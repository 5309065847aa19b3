import { describe, expect, it } from "vitest";
import { renderLineChange } from "./lines.ts";

const long = (word: string) =>
  `${"It rained on the mill. ".repeat(30)}She met ${word} there. ${"It rained still. ".repeat(30)}`.trim();

describe("renderLineChange", () => {
  it("shows each line that changed as it was and as it is, and where nothing changed nothing", () => {
    expect(renderLineChange("a\n\nb\n\nc\n", "a\n\nB\n\nc\nd\n")).toBe("- b\n+ B\n…\n+ d");
    expect(renderLineChange("a\n", "a\n")).toBe("");
  });

  it("shows of a long paragraph what changed, with what stands around it", () => {
    const text = renderLineChange(`# One\n\n${long("Nash")}\n`, `# One\n\n${long("Tidd")}\n`);
    const [was, is, ...more] = text.split("\n");
    expect(more).toEqual([]);
    expect(was).toMatch(/^- … .*the mill\. She met Nash there\. It rained still\..* …$/);
    expect(is).toBe(was!.replace("- ", "+ ").replace("Nash", "Tidd"));
    expect(text.length).toBeLessThan(900);
  });

  it("shows a short line whole, and both where it grew by what stands in it already", () => {
    expect(renderLineChange("She left.", "She left. She left.")).toBe("- She left.\n+ She left. She left.");
  });

  it("says where it is cut", () => {
    const [old, now] = ["a", "b"].map((word) => Array.from({ length: 200 }, (_, at) => `${word} ${at}`).join("\n"));
    expect(renderLineChange(old!, now!, 100)).toMatch(/\n… \(more changed\)$/);
  });
});
