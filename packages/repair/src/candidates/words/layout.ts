// Statements as lines: inserting, removing and moving them so that the text looks as if a person had written it.

import type { Change } from "../edits/proposal.ts";
import { isStatement } from "../syntax/roles.ts";
import type { Syntax } from "../syntax/tree.ts";
import { indentOf, type Style } from "./style.ts";

/** The lines that a statement has to itself, with the line end; undefined where it shares a line. */
export function linesOf(statement: Syntax): { start: number; end: number } | undefined {
  const { source } = statement;
  const start = source.lastIndexOf("\n", statement.start - 1) + 1;
  if (/\S/.test(source.slice(start, statement.start))) return undefined;
  const newline = source.indexOf("\n", statement.end);
  const end = newline < 0 ? source.length : newline + 1;
  const rest = source.slice(statement.end, end).trim();
  if (rest !== "" && !/^(?:#|\/\/|;$)/.test(rest)) return undefined;
  return { start, end };
}

/** The statements that stand directly in a block, a module or a case. */
export function statementsIn(block: Syntax): Syntax[] {
  return block.parts.filter((part) => isStatement(part.role));
}

/** The statement that a node belongs to, directly under a block. */
export function statementAround(node: Syntax): Syntax | undefined {
  let statement: Syntax | undefined = node;
  while (statement && !isStatement(statement.role)) statement = statement.parent;
  return statement;
}

/** New lines before a statement. Lines are relative to the statement's indentation; deeper ones begin with tabs. */
export function insertBefore(statement: Syntax, lines: readonly string[], style: Style): Change | undefined {
  if (!linesOf(statement)) return undefined;
  const indent = indentOf(statement);
  const text = layLines(lines, indent, style).slice(indent.length) + indent;
  return { start: statement.start, end: statement.start, text };
}

/** New lines after a statement, at its indentation. */
export function insertAfter(statement: Syntax, lines: readonly string[], style: Style): Change | undefined {
  const span = linesOf(statement);
  if (!span) return undefined;
  // A comment that ends the statement's line stays with it.
  if (/\S/.test(statement.source.slice(statement.end, span.end))) return lineAfter(statement, lines, style);
  const text = layLines(lines, indentOf(statement), style);
  return { start: statement.end, end: statement.end, text: style.eol + text.slice(0, -style.eol.length) };
}

/** The same as inserting before, between the lines: it can go with the removal of whole lines. */
export function lineBefore(statement: Syntax, lines: readonly string[], style: Style): Change | undefined {
  const span = linesOf(statement);
  return span && { start: span.start, end: span.start, text: layLines(lines, indentOf(statement), style) };
}

/** The same as inserting after, between the lines: it can go with the removal of whole lines. */
export function lineAfter(statement: Syntax, lines: readonly string[], style: Style): Change | undefined {
  const span = linesOf(statement);
  if (!span) return undefined;
  const text = layLines(lines, indentOf(statement), style);
  if (statement.source[span.end - 1] === "\n") return { start: span.end, end: span.end, text };
  return { start: span.end, end: span.end, text: style.eol + text.slice(0, -style.eol.length) };
}

/** The statement's text, or another for it, as lines relative to its own indentation, deeper ones with tabs. */
export function relativeLines(statement: Syntax, style: Style, text = statement.text): string[] {
  const indent = indentOf(statement);
  return text.split(/\r?\n/).map((line, index) => {
    if (index === 0) return line;
    const own = line.startsWith(indent) ? line.slice(indent.length) : line.trimStart();
    let depth = 0;
    let rest = own;
    while (rest.startsWith(style.unit)) {
      depth++;
      rest = rest.slice(style.unit.length);
    }
    return "\t".repeat(depth) + rest;
  });
}

/** Lines with a given indentation, each with its line end. */
export function layLines(lines: readonly string[], indent: string, style: Style): string {
  return lines
    .map((line) => {
      const depth = /^\t*/.exec(line)![0].length;
      const text = line.slice(depth);
      return (text === "" ? "" : indent + style.unit.repeat(depth) + text) + style.eol;
    })
    .join("");
}

/** A condition with statements under it, as lines. */
export function ifLines(condition: string, body: readonly string[], style: Style, isPython: boolean): string[] {
  if (isPython) return [`if ${condition}:`, ...body.map((line) => `\t${line}`)];
  if (style.isTerse && body.length === 1) return [`if (${condition}) ${body[0]}`];
  return [`if (${condition}) {`, ...body.map((line) => `\t${line}`), "}"];
}
