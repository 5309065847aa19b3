// What `apply` and `undo` say in the end.

import { expect, it } from "vitest";
import { summary } from "./commands.ts";

it.each([
  [{ written: ["a"] }, "1 file written."],
  [{ written: ["a", "b"], deleted: ["b"] }, "1 file written, 1 file deleted."],
  [{ written: ["a", "b"], deleted: ["a", "b"] }, "2 files deleted."],
  [{ written: [] }, "Nothing to do."],
  [{ written: [], conflicts: ["a"] }, "0 files written."],
])("Of %j: %s", (applied, words) => {
  expect(summary("undo", { conflicts: [], ...applied }, false)).toBe(words);
});

it("What would be done is said so", () => {
  const applied = { written: ["a", "b", "c"], deleted: ["b"], conflicts: [] };
  expect(summary("undo", applied, true)).toBe("2 files would be written, 1 file would be deleted.");
});
