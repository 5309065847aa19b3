// No page of this repository leads nowhere.

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, it } from "vitest";
import { anchorsOf, linksOf, pages, readPage, root } from "./markdown.ts";

it("finds a file and a heading behind every link", () => {
  expect(pages().flatMap((page) => linksOf(page).flatMap((link) => findingsOf(page, link)))).toEqual([]);
});

it("has every page of docs/ in its table of contents", () => {
  const listed = linksOf("docs/README.md").map((link) => normalize(join("docs", link)));
  const own = pages().filter((page) => /^docs\/[^/]+\.md$/.test(page) && page !== "docs/README.md");
  expect(own.filter((page) => !listed.includes(page))).toEqual([]);
});

it.each(["docs/promises.md", "docs/security.md"])("%s names tests that are there", (page) => {
  const named = readPage(page).match(/(?<=[` ])(?:test|packages)\/[\w./-]+/g) ?? [];
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it("says of every key of the configuration what it means", () => {
  const rows = readFileSync(join(root, "docs/configuration.md"), "utf8").match(/^\| `.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.filter((row) => /\| *\|$/.test(row))).toEqual([]);
});

function findingsOf(page: string, link: string): string[] {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? page : normalize(join(dirname(page), decodeURIComponent(path)));
  if (!existsSync(join(root, file))) return [`${page}: ${link}: there is no ${file}`];
  if (anchor === undefined || anchor === "") return [];
  if (statSync(join(root, file)).isDirectory() || !file.endsWith(".md"))
    return [`${page}: ${link}: no page has headings there`];
  return anchorsOf(file).has(anchor) ? [] : [`${page}: ${link}: ${file} has no such heading`];
}
