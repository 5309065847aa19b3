import { describe, expect, it } from "vitest";
import { thresholdOf, titleOf } from "./task.ts";

const record = { run: "20261118-022515_hull-demo", loop: "hull", config: { hull: { threshold: 0.9 } } };

describe("the title of a page", () => {
  it.each([
    ["Fit a hull", "Fit a hull"],
    [{ task_description: "  Fit a hull\nto silhouettes. Then rest." }, "Fit a hull to silhouettes."],
    [{ task: "# Task\n\nWrite a parser.\n## Scope\nx" }, "Write a parser."],
    [{ task: "# A long heading\ntext" }, "A long heading"],
    [{ task: `Write \`a.py\`, ${"word ".repeat(40)}` }, `Write a.py, ${"word ".repeat(17).trim()}…`],
    [{ title: "", prompt: "a red car" }, "a red car"],
    [{ prompt: "x".repeat(200) }, `${"x".repeat(100)}…`],
    [{ feedback: ["Make her older. And sad.", "shorter"] }, "Make her older."],
    [{ feedback: [] }, "Hull demo"],
    [null, "Hull demo"],
    [{ held_out: false }, "Hull demo"],
  ])("of %j is %s", (input, title) => {
    expect(titleOf(record, input)).toBe(title);
  });

  it("is the loop's name where the run has none of its own", () => {
    expect(titleOf({ run: "r1", loop: "tidy" }, null)).toBe("Tidy");
  });
});

describe("the score that passes", () => {
  it("is the input's, else that of the loop's settings, else none", () => {
    expect(thresholdOf(record, { score_threshold: 0.95 })).toBe(0.95);
    expect(thresholdOf(record, { score_threshold: "high" })).toBe(0.9);
    expect(thresholdOf({ ...record, config: null }, [1])).toBeUndefined();
    expect(thresholdOf({ ...record, config: {} }, { threshold: 40 })).toBeUndefined();
  });

  it("is what the loop's package says first, where it knows the input", () => {
    const passesAt = ({ gate }: { gate: { pass: number } }) => gate.pass;
    expect(thresholdOf(record, { gate: { pass: 0.75 } }, passesAt)).toBe(0.75);
    expect(thresholdOf(record, { gate: { pass: "half" } }, passesAt)).toBe(0.9);
    expect(thresholdOf(record, null, passesAt)).toBe(0.9);
  });
});
