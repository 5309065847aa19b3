import { expect, it } from "vitest";
import { isCalled } from "./names.ts";

it("A file is meant by its number, its name, its level or its path", () => {
  for (const name of ["3", "03", "chapter-3", "Chapter 3", "chapter-03", "chapter-03.md", "chapters/chapter-03.md"])
    expect(isCalled("chapters/chapter-03.md", name), name).toBe(true);
  for (const name of ["33", "chapter", "foundation", "chapter-30", ""])
    expect(isCalled("chapters/chapter-03.md", name), name).toBe(false);
  expect(isCalled("chapter-beats/foundation.md", "foundation")).toBe(true);
  expect(isCalled("premise/premise_metadata.json", "premise")).toBe(true);
  expect(isCalled("treatment/treatment.md", "treatment")).toBe(true);
  expect(isCalled("treatment/treatment.md", "premise")).toBe(false);
});
