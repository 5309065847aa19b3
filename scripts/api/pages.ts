// docs/api: a page for each package with all that it exports, from the compiler's declarations and the comments of the sources. The
// packages must be built (`npm run docs` and `npm run check` do that first).

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { type Package, readPackages } from "../packages.ts";
import { type Declaration, exportsOf, openingOf, sourceOfConstant } from "./declarations.ts";

interface Entry {
  /** What is imported: @loopwright/core/testing. */
  specifier: string;
  declarations: Declaration[];
  passedOn: { name: string; from: string }[];
}

const SEPARATOR = "// ---- next";

/** Every page of docs/api by its path, and the exports that no comment says anything about. */
export function apiPages(mark: string): { pages: Record<string, string>; bare: string[] } {
  const packages = readPackages().map((each) => ({
    ...each,
    page: `${basename(each.folder)}.md`,
    entries: entriesOf(each),
  }));
  const code = formatted(packages.flatMap(({ entries }) => entries.flatMap(({ declarations }) => declarations)));
  const all = packages.flatMap(({ entries }) => entries.flatMap(({ declarations }) => declarations));
  const bare = new Set(all.filter(({ comment }) => comment === "").map(({ file, name }) => `${file}: ${name}`));
  const pages = packages.map((each) => [`docs/api/${each.page}`, packagePage(each, each.entries, code, mark)]);
  const rows = packages.map(({ manifest, page }) => `| [${manifest.name}](${page}) | ${manifest.description} |`);
  const index = [
    "# API",
    mark,
    "What each package exports, from its types and the comments above them. [Writing a loop](../loops.md), [testing one](../testing.md) and\n[the programmatic API](../programmatic.md) show how it is used.",
    `| package | what it is |\n| --- | --- |\n${rows.join("\n")}`,
    "",
  ].join("\n\n");
  return { pages: { "docs/api/README.md": index, ...Object.fromEntries(pages) }, bare: [...bare] };
}

function entriesOf({ folder, manifest }: Package): Entry[] {
  return Object.entries(manifest.exports ?? {}).flatMap(([path, target]) => {
    const types = (target as { types?: string }).types;
    if (types === undefined) return [];
    const built = `${folder}/${types.replace("./", "")}`;
    if (!existsSync(built)) throw new Error(`${built} is missing: run \`npm run build\``);
    return [{ specifier: `${manifest.name}${path.slice(1)}`, ...exportsOf(built) }];
  });
}

function packagePage(
  { manifest }: Package,
  entries: readonly Entry[],
  code: Map<string, string>,
  mark: string,
): string {
  const shown = new Map<string, string>();
  const slugs = new Map<string, number>();
  const anchor = (heading: string) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-");
    const times = slugs.get(slug) ?? 0;
    slugs.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  };
  anchor(manifest.name);
  const sections = entries.map((entry) => entrySection(entry, code, shown, anchor));
  return [`# ${manifest.name}`, mark, `${manifest.description}`, ...sections, ""].join("\n\n");
}

/** An entry point: its names with links, then its files, each with what it exports; what stands on the page already is only linked. */
function entrySection(
  entry: Entry,
  code: Map<string, string>,
  shown: Map<string, string>,
  anchor: (heading: string) => string,
): string {
  anchor(entry.specifier);
  const groups = Map.groupBy(
    entry.declarations.filter((each) => !shown.has(idOf(each))),
    ({ file }) => file,
  );
  const parts = [...groups].map(([file, declarations]) => {
    const title = file.replace(/^packages\/\w+\/src\//, "");
    anchor(title);
    for (const each of declarations) shown.set(idOf(each), anchor(each.name));
    const exports = declarations.map((each) => [`#### ${each.name}`, each.comment, fence(code.get(idOf(each))!)]);
    return [`### [${title}](../../${file})`, openingOf(file), ...exports.flat()]
      .filter((text) => text !== "")
      .join("\n\n");
  });
  const links = entry.declarations.map((each) => `[${each.name}](#${shown.get(idOf(each))})`);
  const names =
    links.length > 0 ? links.join(" · ") : "Its default export is the loop package that a configuration names.";
  return [`## ${entry.specifier}`, names, ...passedOnText(entry), ...parts].join("\n\n");
}

function passedOnText({ passedOn }: Entry): string[] {
  if (passedOn.length === 0) return [];
  const said = passedOn.map(({ name, from }) => {
    const page = /^@loopwright\/(\w+)/.exec(from)?.[1];
    const where = page ? `[${from}](${page}.md)` : `\`${from}\``;
    return name === "*" ? `everything of ${where}` : `\`${name}\` of ${where}`;
  });
  return [`It passes on ${said.join(", ")}.`];
}

/** The code of each declaration as the formatter of this repository prints it. */
function formatted(declarations: readonly Declaration[]): Map<string, string> {
  const input = declarations
    .map((each) => each.texts.map((text) => plainText(each, text)).join("\n"))
    .join(`\n${SEPARATOR}\n`);
  const args = ["node_modules/@biomejs/biome/bin/biome", "format", "--stdin-file-path=api.ts"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0) throw new Error(`the declarations could not be formatted: ${stderr}`);
  const texts = stdout.split(SEPARATOR).map((text) => text.trim().replace(/^export (declare )?/gm, ""));
  return new Map(declarations.map((each, at) => [idOf(each), texts[at]!]));
}

/** Without what is private; a schema or a loop as its source has it, for its type is its source in more words. */
function plainText({ file, name }: Declaration, text: string): string {
  const isConstant = text.startsWith("export declare const");
  const isTold = !/z\.Zod|\.Loop<\{/.test(text) && text.split("\n").length <= 12;
  const source = isConstant && !isTold ? sourceOfConstant(file, name) : undefined;
  if (source !== undefined) return source;
  return text.replaceAll(/^\s+(#private|private (readonly )?\w+);\n/gm, "").replaceAll(/import\("[^"]+"\)\./g, "");
}

function idOf({ file, name }: Declaration): string {
  return `${file} ${name}`;
}

function fence(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}
