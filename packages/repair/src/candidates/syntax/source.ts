// A file of the program as the search sees it: its tree, its normal form, and whether a change of it is a new program.

import { type Grammar, grammarOf, type Parser, parserOf } from "@loopwright/workspace/grammar";
import { editText } from "../apply.ts";
import type { Edit } from "../candidate.ts";
import { type FormChange, flatten, tighten } from "./form.ts";
import { isStatement } from "./roles.ts";
import { pythonReading } from "./roles-python.ts";
import { scriptReading } from "./roles-script.ts";
import { parseSyntax, type Reading, type Syntax } from "./tree.ts";

/** A parsed file. */
export class Source {
  readonly path: string;
  readonly text: string;
  readonly isPython: boolean;
  readonly root: Syntax;
  readonly form: readonly string[];
  readonly #parser: Parser;
  readonly #reading: Reading;

  private constructor(file: { path: string; text: string; grammar: Grammar }, parser: Parser, root: Syntax) {
    this.path = file.path;
    this.text = file.text;
    this.isPython = file.grammar === "python";
    this.root = root;
    this.form = flatten(root);
    this.#parser = parser;
    this.#reading = readingOf(file.grammar);
  }

  /** Parses a file; undefined for a language that is not read, and for a text with faults. */
  static async open(path: string, text: string): Promise<Source | undefined> {
    const grammar = grammarOf(path);
    if (!grammar) return undefined;
    const parser = await parserOf(grammar);
    const root = parseSyntax(parser, readingOf(grammar), text);
    return root && new Source({ path, text, grammar }, parser, root);
  }

  /** How edits of this file change its form; undefined where they change nothing or leave a text that does not parse. */
  change(edits: readonly Edit[]): FormChange | undefined {
    const start = Math.min(...edits.map((edit) => edit.start));
    const end = Math.max(...edits.map((edit) => edit.end));
    const unit = this.#unitAround(start, end);
    const own = unit && this.#formOfUnit(unit, edits);
    if (own === "elsewhere") return undefined;
    if (own) return tighten(this.form, { from: unit.formStart, to: unit.formEnd, tokens: own });
    // What is no statement on its own, such as an `elif`, may be a part of the one before it.
    const tokens = this.#formOfAll(edits);
    return tokens && tighten(this.form, { from: 0, to: this.form.length, tokens });
  }

  /** The smallest statement that holds a stretch of text and can be parsed without what is around it. */
  #unitAround(start: number, end: number): Syntax | undefined {
    let node = this.root;
    let unit: Syntax | undefined;
    for (;;) {
      const next = node.children.find((child) => child.start <= start && child.end >= end && child.isNamed);
      if (!next) return unit;
      node = next;
      if (isStatement(node.role) && this.#standsAlone(node)) unit = node;
    }
  }

  #standsAlone(node: Syntax): boolean {
    const above = node.parent;
    if (this.isPython) return (above?.role === "block" || above?.role === "module") && this.#opensLine(node);
    return above?.type === "program" || above?.type === "statement_block";
  }

  #opensLine(node: Syntax): boolean {
    const line = this.text.slice(this.text.lastIndexOf("\n", node.start - 1) + 1, node.start);
    return /^[ \t]*$/.test(line);
  }

  #formOfUnit(unit: Syntax, edits: readonly Edit[]): string[] | "elsewhere" | undefined {
    const inside = edits.map(({ start, end, text }) => ({ start: start - unit.start, end: end - unit.start, text }));
    const text = editText(unit.text, inside);
    if (!this.isPython) return this.#statementsOf(text);
    const indent = this.text.slice(this.text.lastIndexOf("\n", unit.start - 1) + 1, unit.start);
    return indent === "" ? this.#statementsOf(text) : this.#statementsOf(`if 1:\n${indent}${text}\n`, true);
  }

  #statementsOf(text: string, isWrapped = false): string[] | "elsewhere" | undefined {
    const root = parseSyntax(this.#parser, this.#reading, text);
    if (!root) return undefined;
    const block = isWrapped ? root.parts[0]?.child("consequence") : root;
    // What left the wrapping's block stands outside of the unit's: such a change is not this unit's own.
    if (!block || (isWrapped && root.parts.length > 1)) return "elsewhere";
    const tokens: string[] = [];
    for (const child of block.children) flatten(child, tokens);
    return tokens;
  }

  #formOfAll(edits: readonly Edit[]): string[] | undefined {
    const root = parseSyntax(this.#parser, this.#reading, editText(this.text, edits));
    return root && flatten(root);
  }
}

function readingOf(grammar: Grammar): Reading {
  return grammar === "python" ? pythonReading : scriptReading;
}
