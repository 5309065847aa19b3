import { describe, expect, it } from "vitest";
import { titleOf } from "./index.ts";

const record = { run: "20261118-022515_hull-demo", loop: "hull" };

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
