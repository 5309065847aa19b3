import { expect, it } from "vitest";
import { ignoredBy } from "./ignored.ts";

const isOut = await ignoredBy([
  {
    path: ".gitignore",
    content: "# built\n*.pyc\n/dist\nout/\ndocs/**/*.html\nlogs/*\n!logs/keep.py\n\\#odd.py\n[z-a].py\n",
  },
  { path: "lib/.gitignore", content: "gen*.py\n!/gen_kept.py\n" },
  { path: "dist/.gitignore", content: "!kept.py\n" },
]);

it.each([
  ["a.pyc", true],
  ["deep/down/a.pyc", true],
  ["dist/a.py", true],
  ["dist/kept.py", true],
  ["src/dist/a.py", false],
  ["src/out/a.py", true],
  ["out", false],
  ["docs/a/b/c.html", true],
  ["docs/c.html", true],
  ["docs/c.py", false],
  ["logs/a.py", true],
  ["logs/keep.py", false],
  ["#odd.py", true],
  ["lib/gen_a.py", true],
  ["lib/x/gen_a.py", true],
  ["lib/gen_kept.py", false],
  ["gen_a.py", false],
  ["m.py", false],
])("%s is ignored as git would: %s", (path, isIgnored) => {
  expect(isOut(path)).toBe(isIgnored);
});

it("nothing is ignored where no file says so", async () => {
  expect((await ignoredBy([{ path: "a.py", content: "" }]))("dist/a.py")).toBe(false);
});

it.each([
  ["**/gen/*.py", "a/b/gen/c.py", true],
  ["**/gen/*.py", "gen/c.py", true],
  ["a/**/b/**/c.py", "a/b/x/b/y/c.py", true],
  ["a/**/b/**/c.py", "a/x/y/c.py", false],
  ["deep/**", "deep/er/a.py", true],
  ["*a*b*c", "xxaxxbxxbxxc", true],
  ["*a*b*c", "xxaxxcxxb", false],
  ["[!ab]?.py", "c1.py", true],
  ["[!ab]?.py", "a1.py", false],
  ["[[].py", "[.py", true],
  ["end\\ ", "end ", true],
  ["end ", "end", true],
])("a line %s and the file %s: %s", async (line, path, isIgnored) => {
  expect((await ignoredBy([{ path: ".gitignore", content: line }]))(path)).toBe(isIgnored);
});
