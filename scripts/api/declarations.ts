// The declarations that the compiler has written (dist/**/*.d.ts), read statement by statement: it prints each of them from the first
// column, so no parser is needed. TypeScript 7 has no stable one, and an older one would be a second compiler to keep.

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** One exported name, with everything that is declared under it. */
export interface Declaration {
  name: string;
  /** The source file, seen from the root. */
  file: string;
  /** As the compiler prints them: several where a function is overloaded or a schema shares a type's name. */
  texts: string[];
  comment: string;
}

/** What a module exports: its declarations, and names that it passes on from other packages ("*" for all of them). */
export interface Exports {
  declarations: Declaration[];
  passedOn: { name: string; from: string }[];
}

interface Statement {
  text: string;
  comment: string;
}

/** Everything that the module of a declaration file exports, through the files that it exports from. */
export function exportsOf(path: string): Exports {
  const found: Exports = { declarations: [], passedOn: [] };
  const statements = statementsIn(readFileSync(path, "utf8"));
  for (const { text } of statements) takeFrom(text, path, found, statements);
  const own = new Map<string, Declaration>();
  for (const { text, comment } of statements) {
    const name = /^export (?:declare )?(?:abstract )?(?:function|class|const|interface|type|enum) (\w+)/.exec(
      text,
    )?.[1];
    if (name === undefined) continue;
    const known = own.get(name) ?? { name, file: sourceOf(path), texts: [], comment: "" };
    known.texts.push(text);
    known.comment ||= comment;
    own.set(name, known);
  }
  found.declarations.push(...own.values());
  return found;
}

/** The source file of a declaration file. */
function sourceOf(path: string): string {
  return path.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts");
}

/** Adds what an `export … from` statement passes on; an imported name that is exported later comes from its import. */
function takeFrom(text: string, path: string, found: Exports, statements: readonly Statement[]): void {
  const all = /^export (?:type )?\* from "(.+)"/.exec(text);
  if (all) take(all[1]!, undefined, path, found);
  const some = /^export (?:type )?\{([\s\S]*?)\}(?: from "(.+)")?;/.exec(text);
  for (const name of namesIn(some?.[1])) {
    const from = some?.[2] ?? importOf(name, statements);
    if (from !== undefined) take(from, name, path, found);
  }
}

function take(from: string, name: string | undefined, path: string, found: Exports): void {
  if (!from.startsWith(".")) {
    found.passedOn.push({ name: name ?? "*", from });
    return;
  }
  const inner = exportsOf(join(dirname(path), from.replace(/\.ts$/, ".d.ts")));
  found.declarations.push(...inner.declarations.filter((each) => name === undefined || each.name === name));
  found.passedOn.push(...inner.passedOn.filter((each) => name === undefined || each.name === name));
}

function importOf(name: string, statements: readonly Statement[]): string | undefined {
  for (const { text } of statements) {
    const found = /^import (?:type )?\{([\s\S]*?)\} from "(.+)"/.exec(text);
    if (namesIn(found?.[1]).includes(name)) return found?.[2];
  }
  return undefined;
}

function namesIn(list = ""): string[] {
  const names = list.split(",").map((each) => each.trim().replace(/^type /, ""));
  return names.filter((each) => each !== "");
}

/** The statements of a declaration file: each begins in the first column, and so does the comment above it. */
function statementsIn(text: string): Statement[] {
  const statements: Statement[] = [];
  let comment: string[] | undefined;
  let pending = "";
  for (const line of text.split("\n")) {
    if (comment || line.startsWith("/**")) {
      comment = [...(comment ?? []), line];
      if (!line.endsWith("*/")) continue;
      pending = commentText(comment.join("\n"));
      comment = undefined;
    } else if (/^[ })\]]/.test(line) && statements.length > 0) {
      statements.at(-1)!.text += `\n${line}`;
    } else if (line !== "") {
      statements.push({ text: line, comment: pending });
      pending = "";
    }
  }
  return statements;
}

/** A JSDoc comment without its stars. */
function commentText(comment: string): string {
  const lines = comment.replace(/^\/\*\*\s?|\s*\*\/$/g, "").split("\n");
  return lines
    .map((line) => line.replace(/^\s*\*? ?/, ""))
    .join("\n")
    .trim();
}

/** A constant as its source has it, for one whose type says less than its value. */
export function sourceOfConstant(file: string, name: string): string | undefined {
  const lines = readFileSync(file, "utf8").split("\n");
  const start = lines.findIndex(
    (line) => line.startsWith(`export const ${name} `) || line.startsWith(`export const ${name}:`),
  );
  const length = lines.slice(start).findIndex((line) => /^\S.*;$/.test(line));
  return start < 0 || length < 0 ? undefined : lines.slice(start, start + length + 1).join("\n");
}

/** The comment that a source file opens with. */
export function openingOf(file: string): string {
  if (!existsSync(file)) return "";
  const lines = readFileSync(file, "utf8").split("\n");
  const end = lines.findIndex((line) => !line.startsWith("//"));
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ""))
    .join("\n")
    .trim();
}
