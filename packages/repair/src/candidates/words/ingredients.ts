// What the program and its tests are made of: constants, expressions, conditions and statements that an edit may use again.

import type { Syntax } from "../syntax/tree.ts";
import { isTarget, isValue, ungroup } from "../syntax/value.ts";

/** The ingredients of one file. */
export class Ingredients {
  /** Numbers that only the tests hold, the most frequent first. */
  readonly testNumbers: number[];
  readonly testStrings: string[];
  /** The errors that tests expect. */
  readonly testErrors: string[];
  readonly #root: Syntax;
  readonly #numbers: Syntax[] = [];
  readonly #strings: Syntax[] = [];
  readonly #values: Syntax[] = [];

  constructor(root: Syntax, tests: readonly Syntax[]) {
    this.#root = root;
    for (const node of root.walk()) {
      if (node.role === "number") this.#numbers.push(node);
      if (node.role === "string" && isValue(node) && node.parent?.role !== "documentation") this.#strings.push(node);
      if (isValue(node) && node.role !== "group") this.#values.push(node);
      // What is written to can be read.
      if ((node.role === "index" || node.role === "member") && isTarget(node)) this.#values.push(node);
    }
    const inTests = tests.flatMap((test) => [...test.walk()]);
    this.testNumbers = frequent(inTests.filter(({ role }) => role === "number").map(numberOf)).filter(Number.isFinite);
    this.testErrors = frequent(inTests.filter(isExpectedError).map(({ text }) => text));
    this.testStrings = frequent(inTests.filter(({ role }) => role === "string").map(contentOf)).filter(isShort);
  }

  /** The file's numbers, those nearest to a place first. */
  numbersIn(place: Syntax): number[] {
    return [...new Set(nearest(this.#numbers, place).map(numberOf))].filter(Number.isFinite);
  }

  /** The file's strings, those nearest to a place first. */
  stringsIn(place: Syntax): string[] {
    return [...new Set(nearest(this.#strings, place).map(contentOf))].filter(isShort);
  }

  /** The values of the file that a test accepts, one for each text, those of the place's own function first. */
  valuesNear(place: Syntax, accepts: (node: Syntax) => boolean): Syntax[] {
    const own = place.above("function", "module") ?? this.#root;
    const kin = place.above("class");
    const byText = new Map<string, { node: Syntax; far: number }>();
    for (const node of this.#values) {
      if (node.contains(place) || !accepts(node)) continue;
      const outside = own.contains(node) ? 0 : kin?.contains(node) ? 1000 : 2000;
      const far = outside + Math.abs(node.line - place.line);
      const before = byText.get(node.text);
      if (!before || before.far > far) byText.set(node.text, { node, far });
    }
    return [...byText.values()].sort((a, b) => a.far - b.far).map(({ node }) => node);
  }

  /** The conditions of the file, and the parts that `and` and `or` join in them. */
  conditionsNear(place: Syntax): Syntax[] {
    return this.valuesNear(place, (node) => {
      if (node.role === "compare" || node.role === "not") return true;
      if (node.role !== "call" && node.role !== "name" && node.role !== "member") return false;
      const above = node.parent;
      return node.field === "condition" || above?.role === "not" || above?.role === "logic" || isGrouped(node);
    });
  }
}

/** The name in `pytest.raises(Name)`, `assert.throws(() => ..., Name)` and their like. */
function isExpectedError(node: Syntax): boolean {
  if (node.role !== "name" || node.parent?.role !== "arguments") return false;
  return (
    /(?:raises|throws|rejects|toThrow|assertRaises)$/.test(node.parent.parent?.child("function")?.text ?? "") &&
    /^[A-Z]/.test(node.text)
  );
}

function isGrouped(node: Syntax): boolean {
  return node.parent?.role === "group" && node.parent.field === "condition" && ungroup(node.parent) === node;
}

function numberOf(node: Syntax): number {
  const value = Number(node.text.replaceAll("_", ""));
  return node.parent?.role === "unary" && node.parent.text.startsWith("-") ? -value : value;
}

function contentOf(node: Syntax): string {
  return /^[a-zA-Z]*(["'])([^\n]*)\1$/.exec(node.text)?.[2] ?? "\n";
}

function isShort(content: string): boolean {
  return content.length <= 40 && !content.includes("\n");
}

function nearest(nodes: readonly Syntax[], place: Syntax): Syntax[] {
  return nodes.toSorted((a, b) => Math.abs(a.line - place.line) - Math.abs(b.line - place.line));
}

function frequent<T>(values: readonly T[]): T[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}
