import { expect, it } from "vitest";
import { filesNamed, isCalled } from "./names.ts";

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

it("A chapter is found by the number in its title where no file has that number", () => {
  const files = [28, 29].map((number, at) => ({
    path: `chapters/chapter-0${at + 1}.md`,
    content: `# CHAPTER ${number}. A\n`,
  }));
  const paths = (name: string) => filesNamed(files, name).map(({ path }) => path);
  expect(paths("chapter-2")).toEqual(["chapters/chapter-02.md"]);
  expect(paths("chapter-28")).toEqual(["chapters/chapter-01.md"]);
  expect(paths("29")).toEqual(["chapters/chapter-02.md"]);
  expect(paths("chapter-30")).toEqual([]);
});
