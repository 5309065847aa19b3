import { describe, expect, it } from "vitest";
import { coverDescriptors, inheritedDescriptors } from "./host.ts";

describe("Descriptors that were given to this process", () => {
  it("are covered where they lie past the program's own, and nowhere else", () => {
    expect(coverDescriptors(["ignore", "pipe", "pipe", "pipe"], [3, 6], 42)).toEqual([
      "ignore",
      "pipe",
      "pipe",
      "pipe",
      "ignore",
      "ignore",
      42,
    ]);
  });

  it("leave a program's own alone where there are none", () => {
    expect(coverDescriptors(["ignore", "pipe", "pipe"], [], 42)).toEqual(["ignore", "pipe", "pipe"]);
  });

  it("are numbers past the first three", () => {
    expect(inheritedDescriptors().every((descriptor) => Number.isInteger(descriptor) && descriptor > 2)).toBe(true);
  });
});
