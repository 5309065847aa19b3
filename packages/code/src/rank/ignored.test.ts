import { expect, it } from "vitest";
import { ignoredBy } from "./ignored.ts";

const isOut = ignoredBy([
  {
    path: ".gitignore",
    content: "# built\n*.pyc\n/dist\nout/\ndocs/**/*.html\nlogs/*\n!logs/keep.py\n\\#odd.py\n[z-a].py\n",
  },
  { path: "lib/.gitignore", content: "gen*.py\n!/gen_kept.py\n" },
]);

it.each([
  ["a.pyc", true],
  ["deep/down/a.pyc", true],
  ["dist/a.py", true],
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

it("nothing is ignored where no file says so", () => {
  expect(ignoredBy([{ path: "a.py", content: "" }])("dist/a.py")).toBe(false);
});

const ruled = (content: string) => ignoredBy([{ path: ".gitignore", content }]);

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
])("a line %s and the file %s: %s", (line, path, isIgnored) => {
  expect(ruled(line)(path)).toBe(isIgnored);
});

it.each([
  ["stars in a name", `${"*a".repeat(60)}*b`],
  ["folders in a path", `${"**/a/".repeat(60)}b`],
  ["brackets", "[".repeat(4_000)],
  ["spaces", `${" ".repeat(300_000)}x`],
  ["a line of many letters", `${"*a".repeat(150_000)}*b`],
])("a .gitignore that is made to take for ever does not: %s", (_, line) => {
  const isIgnored = ruled(`${line}\n`.repeat(line.length > 10_000 ? 1 : 50));
  for (const path of ["a".repeat(250), `${"a/".repeat(200)}c`]) expect(isIgnored(path)).toBe(false);
});

it("goes on without the rules once they have taken too long", () => {
  const isIgnored = ignoredBy([{ path: ".gitignore", content: "*.pyc\n" }], 20);
  expect(isIgnored("a.pyc")).toBe(true);
  const more = Array.from({ length: 40 }, (_, nth) => isIgnored(`${nth}.pyc`));
  expect(more.at(-1)).toBe(false);
});
