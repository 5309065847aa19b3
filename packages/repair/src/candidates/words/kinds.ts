// What kind of value a name or an expression holds, guessed from how the file uses it. A guess orders candidates; it never
// rules on what is right.

import type { Syntax } from "../syntax/tree.ts";
import { kindFromAnnotation, kindOfCall, kindOfElements, kindOfMember, receiverKind } from "./kind-tables.ts";

export type Kind = "number" | "string" | "boolean" | "list" | "dict" | "set" | "function" | "object" | "unknown";

/** The kinds of a file's names. */
export class Kinds {
  readonly #votes = new Map<string, Map<Kind, number>>();

  constructor(root: Syntax) {
    // Twice: what the first round learns of names, the second passes on to what is made of them.
    for (let round = 0; round < 2; round++) for (const node of root.walk()) this.#learn(node);
  }

  /** The kind of an expression. */
  of(node: Syntax): Kind {
    switch (node.role) {
      case "number":
        return "number";
      case "string":
      case "template":
        return "string";
      case "boolean":
      case "compare":
      case "not":
        return "boolean";
      case "list":
      case "tuple":
        return "list";
      case "dict":
        return "dict";
      case "set":
        return "set";
      case "function-expression":
        return "function";
      case "unary":
        return node.child("operator")?.text === "typeof" ? "string" : "number";
      case "update":
        return "number";
      case "comprehension":
        return node.type.startsWith("dict") ? "dict" : node.type.startsWith("set") ? "set" : "list";
      case "binary":
        return this.#ofBinary(node);
      case "logic":
        return this.#either(node.child("left"), node.child("right"));
      case "ternary":
        return this.#either(node.child("consequence"), node.child("alternative"));
      case "group":
      case "cast":
      case "await":
        return this.#ofPart(node.child("inner") ?? node.child("argument"));
      case "call":
      case "new":
        return this.#ofCall(node);
      case "index":
        return node.child("index")?.role === "slice"
          ? this.#ofPart(node.child("object"))
          : this.ofText(elementKey(node));
      case "member":
        return kindOfMember(node.child("property")?.text ?? "") ?? this.ofText(node.text);
      default:
        return this.ofText(node.text);
    }
  }

  /** The kind of a name, or of a field as it is written. */
  ofText(text: string): Kind {
    let best: Kind = "unknown";
    let most = 0;
    for (const [kind, count] of this.#votes.get(text) ?? []) {
      if (count > most) [best, most] = [kind, count];
    }
    return best;
  }

  #ofPart(node: Syntax | undefined): Kind {
    return node ? this.of(node) : "unknown";
  }

  #either(one: Syntax | undefined, other: Syntax | undefined): Kind {
    const kind = this.#ofPart(one);
    return kind === "unknown" ? this.#ofPart(other) : kind;
  }

  #ofBinary(node: Syntax): Kind {
    const operator = node.child("operator")?.text;
    const left = this.#ofPart(node.child("left"));
    const right = this.#ofPart(node.child("right"));
    if (operator === "+" || operator === "*" || operator === "%") {
      for (const kind of ["string", "list"] as const) if (left === kind || right === kind) return kind;
    }
    if (left === "set" || right === "set") return "set";
    if (operator === "+") return left === "unknown" ? right : left;
    return "number";
  }

  #ofCall(node: Syntax): Kind {
    const called = node.child("function") ?? node.child("constructor");
    if (!called) return "unknown";
    const argument = node.child("arguments")?.parts[0];
    const fallback = node.child("arguments")?.parts[1];
    if (fallback && /^(?:get|pop|setdefault)$/.test(called.child("property")?.text ?? "")) return this.of(fallback);
    const known = kindOfCall(called, () => this.#ofPart(argument));
    return known ?? this.ofText(`${called.role === "member" ? called.child("property")?.text : called.text}()`);
  }

  #learn(node: Syntax): void {
    switch (node.role) {
      case "assign":
      case "declarator":
      case "parameter":
      case "field-definition":
        this.#learnAssignment(node);
        return;
      case "augment":
        this.#learnFrom(node.child("left"), this.#ofPart(node.child("right")), 1);
        if (/^(?:[-*/%]|\/\/|\*\*)=$/.test(node.child("operator")?.text ?? ""))
          for (const side of ["left", "right"]) this.#learnFrom(node.child(side), "number", 0.6);
        return;
      case "return": {
        const owner = node.above("function");
        const name = owner?.child("name")?.text;
        if (name) this.#vote(`${name}()`, this.#ofPart(node.child("value")), 1);
        return;
      }
      case "binary":
        this.#learnBinary(node);
        return;
      case "unary":
        if (node.child("operator")?.text === "-") this.#learnFrom(node.child("argument"), "number", 1);
        return;
      case "compare":
        this.#learnPair(node.child("left"), node.child("right"), /\bin$/.test(node.child("operator")?.text ?? ""));
        return;
      case "index":
        this.#learnIndexed(node);
        return;
      case "for":
      case "for-clause":
        this.#learnLoop(node.child("left"), node.child("right"));
        return;
      case "member":
        this.#learnFrom(node.child("object"), receiverKind(node.child("property")?.text ?? ""), 3);
        return;
      case "function":
      case "class":
        if (node.above("class", "function", "module")?.role !== "class")
          this.#vote(node.child("name")?.text ?? "", "function", 3);
        return;
      case "call": {
        const called = node.child("function");
        if (called?.role === "name") this.#vote(called.text, "function", 2);
        if (/^(?:abs|round|Math\.(?:abs|floor|ceil|round|trunc|sqrt))$/.test(called?.text ?? ""))
          this.#learnFrom(node.child("arguments")?.parts[0], "number", 1);
      }
    }
  }

  #learnAssignment(node: Syntax): void {
    const target = node.child("left") ?? node.child("name") ?? node.child("pattern") ?? node.parts[0];
    const type = node.child("type");
    if (type) {
      this.#learnFrom(target, kindFromAnnotation(type.text), 5);
      this.#vote(
        `${target?.role === "property" ? `this.${target.text}` : target?.text}[]`,
        kindOfElements(type.text),
        5,
      );
    }
    const value = node.child("right") ?? node.child("value");
    if (value && target && target.role !== "pattern") {
      this.#learnFrom(target, this.of(value), 2);
      this.#learnFrom(value, this.of(target), 0.5);
    }
  }

  /** What is asked by numbers is a list, what is asked by texts a table; by what is unknown, rather a table. */
  #learnIndexed(node: Syntax): void {
    const index = node.child("index");
    const kind = this.#ofPart(index);
    if (index?.role === "slice" || kind === "number") this.#learnFrom(node.child("object"), "list", 0.8);
    else this.#learnFrom(node.child("object"), "dict", kind === "string" ? 1 : 0.3);
  }

  #learnBinary(node: Syntax): void {
    const operator = node.child("operator")?.text;
    const [left, right] = [node.child("left"), node.child("right")];
    if (operator === "+" || operator === "*" || operator === "%") {
      this.#learnPair(left, right, operator !== "+");
      return;
    }
    for (const side of [left, right]) this.#learnFrom(side, "number", 1);
  }

  /** What stands on both sides of a comparison or a sum is mostly of one kind. */
  #learnPair(left: Syntax | undefined, right: Syntax | undefined, isUneven: boolean): void {
    if (isUneven) return;
    this.#learnFrom(left, this.#ofPart(right), 1);
    this.#learnFrom(right, this.#ofPart(left), 1);
  }

  #learnLoop(left: Syntax | undefined, right: Syntax | undefined): void {
    if (!left || !right) return;
    if (right.role === "call" && /^(?:range|enumerate)$/.test(right.child("function")?.text ?? "")) {
      this.#learnFrom(left.role === "pattern" ? left.parts[0] : left, "number", 3);
    }
    if (left.role !== "pattern") this.#learnFrom(left, this.#ofElements(right), 1);
    this.#learnFrom(right, "list", 0.5);
  }

  /** The kind of what going through a value gives. */
  #ofElements(node: Syntax): Kind {
    const called = node.role === "call" ? node.child("function")?.child("property")?.text : undefined;
    if (called && /^(?:split|splitlines|rsplit|readlines|findall)$/.test(called)) return "string";
    return this.of(node) === "string" ? "string" : this.ofText(`${node.text}[]`);
  }

  #learnFrom(target: Syntax | undefined, kind: Kind, weight: number): void {
    if (!target) return;
    if (target.role === "index") this.#vote(elementKey(target), kind, weight);
    else if (target.role === "name" || target.role === "member" || target.role === "property")
      this.#vote(target.role === "property" ? `this.${target.text}` : target.text, kind, weight);
  }

  #vote(text: string, kind: Kind, weight: number): void {
    if (kind === "unknown" || text === "") return;
    const votes = this.#votes.get(text) ?? new Map<Kind, number>();
    this.#votes.set(text, votes.set(kind, (votes.get(kind) ?? 0) + weight));
  }
}

function elementKey(node: Syntax): string {
  return `${node.child("object")?.text}[]`;
}
