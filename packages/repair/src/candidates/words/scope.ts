// Which names an expression may use: what is declared, where it can be seen, and from where on it has a value.

import type { Role } from "../syntax/roles.ts";
import type { Syntax } from "../syntax/tree.ts";

/** A name that is declared somewhere. */
export interface Declaration {
  text: string;
  /** Where the name can be seen. */
  within: Syntax;
  /** The function (or the module) that it belongs to. */
  owner: Syntax;
  /** From this offset on it has a value, seen from its own function. */
  from: number;
  what: "parameter" | "variable" | "constant" | "function" | "class" | "import";
  /** The name where it is declared. */
  node: Syntax;
}

const functions: Role[] = ["function", "function-expression", "module"];

/** All declarations of a file, in the order of the text. */
export function findDeclarations(root: Syntax, isPython: boolean): Declaration[] {
  const found: Declaration[] = [];
  for (const node of root.walk()) {
    for (const { name, from, what, within } of declaredBy(node, isPython)) {
      const owner = functions.includes(within.role) ? within : (within.above(...functions) ?? root);
      found.push({ text: name.text, within, owner, from, what, node: name });
    }
  }
  return found;
}

interface Declared {
  name: Syntax;
  from: number;
  what: Declaration["what"];
  within: Syntax;
}

function* declaredBy(node: Syntax, isPython: boolean): Generator<Declared> {
  const owner = (): Syntax => node.above(...functions, ...(isPython ? (["class"] as const) : [])) ?? node;
  switch (node.role) {
    case "parameters":
      for (const part of node.parts) {
        const target =
          part.role === "parameter" ? (part.child("name") ?? part.child("pattern") ?? part.parts[0]) : part;
        if (target) yield* namesIn(target, { from: node.end, what: "parameter", within: node.parent! });
      }
      return;
    case "function-expression": {
      // A script's arrow function with one bare parameter.
      const lone = node.child("parameter");
      if (lone) yield* namesIn(lone, { from: lone.end, what: "parameter", within: node });
      return;
    }
    case "assign":
      if (isPython) yield* namesIn(node.child("left"), { from: node.end, what: "variable", within: owner() });
      return;
    case "declarator": {
      const isVar = node.parent?.type === "variable_declaration";
      const what = node.parent?.child("kind")?.text === "const" ? "constant" : "variable";
      const within = isVar ? owner() : blockAround(node);
      yield* namesIn(node.child("name"), { from: node.end, what, within });
      return;
    }
    case "for":
    case "for-clause": {
      const within = node.role === "for-clause" ? node.parent! : isPython ? owner() : node;
      const from = node.role === "for-clause" ? node.parent!.start : (node.child("right")?.end ?? node.start);
      yield* namesIn(node.child("left"), { from, what: isPython ? "variable" : "constant", within });
      return;
    }
    case "catch": {
      const parameter = node.child("parameter");
      if (parameter) yield* namesIn(parameter, { from: parameter.end, what: "variable", within: node });
      return;
    }
    case "function":
    case "class": {
      const name = node.child("name");
      const isMethod = node.parent?.type === "class_body" || node.above("class")?.child("body") === node.parent;
      if (name && !isMethod) yield { name, from: 0, what: node.role, within: isPython ? owner() : blockAround(node) };
      return;
    }
    case "import":
      for (const part of node.walk()) {
        const isName = part.role === "name" && (!isPython || part.field === "alias" || isLastName(part));
        if (isName) yield { name: part, from: 0, what: "import", within: owner() };
      }
      return;
    case "other":
      if (node.type === "as_pattern_target")
        yield* namesIn(node, { from: node.end, what: "variable", within: owner() });
      if (node.type === "named_expression")
        yield* namesIn(node.child("name"), { from: node.end, what: "variable", within: owner() });
  }
}

function* namesIn(target: Syntax | undefined, rest: Omit<Declared, "name">): Generator<Declared> {
  if (!target || target.role === "member" || target.role === "index" || target.role === "type") return;
  if (target.role === "name" || target.type === "shorthand_property_identifier_pattern") {
    yield { name: target, ...rest };
    return;
  }
  for (const part of target.parts) if (part.field !== "right" && part.field !== "key") yield* namesIn(part, rest);
}

function blockAround(node: Syntax): Syntax {
  return node.above("block", "module", "for", "count", "function-expression", "case") ?? node;
}

/** In `from a import b` the b, in `import a` the a. */
function isLastName(name: Syntax): boolean {
  const above = name.parent;
  return above?.type === "dotted_name" && above.field === "name" && above.parent?.type !== "aliased_import";
}
