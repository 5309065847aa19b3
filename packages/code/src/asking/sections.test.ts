import { expect, it } from "vitest";
import { parseSections } from "./sections.ts";

const nothing = { task: "", scope: "", knowledge: "", constraints: "" };

it("a task file has the sections Task, Scope, Domain Knowledge and Constraints, in any order", () => {
  const text = "## Constraints\nc\n\n## Scope\ns\n## Task\nt\n### Part\nu\n## Domain Knowledge\nk\n";
  expect(parseSections(text)).toEqual({ task: "t\n### Part\nu", scope: "s", knowledge: "k", constraints: "c" });
});

it("a text without any heading is the task", () => {
  expect(parseSections("Add two numbers.\nQuickly.")).toEqual({ ...nothing, task: "Add two numbers.\nQuickly." });
});

it("nothing that a person wrote is lost: a title, words before it and other sections belong to the task", () => {
  const { task, scope } = parseSections("Words.\n\n# Title\n\n## Task\nt\n\n## Notes\nn\n\n## Scope\ns\n");
  expect(task).toBe("Words.\n\n# Title\n\nt\n\n## Notes\nn");
  expect(scope).toBe("s");
});

it("a heading inside a fenced block is text, also when the fence is longer or of tildes", () => {
  const text = "## Task\n````md\n## Scope\n```\n## Scope\n````\n~~~\n## Scope\n~~~\n";
  expect(parseSections(text)).toEqual({ ...nothing, task: text.slice(8).trim() });
});

it("a section that comes twice is read twice", () => {
  expect(parseSections("## Task\na\n## Scope\ns\n## Task\nb\n").task).toBe("a\n\nb");
});

it.each(["## TASK ##\nx", "##   task:\nx", "# Task\nx", "## Task\r\nx\r\n"])("%j is a heading of the task", (text) => {
  expect(parseSections(text)).toEqual({ ...nothing, task: "x" });
});

it.each(["##Task\nx", "    ## Scope\nx", "### Scope\nx"])("%j is no heading of a section", (text) => {
  expect(parseSections(text)).toEqual({ ...nothing, task: text.trim() });
});
