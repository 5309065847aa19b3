// Which nodes are values (what an expression yields), as opposed to targets, labels and declarations.

import { isExpression } from "./roles.ts";
import type { Syntax } from "./tree.ts";

/** Whether a node stands where any other expression could stand. */
export function isValue(node: Syntax): boolean {
  if (!isExpression(node.role) || !node.isNamed) return false;
  if (node.type === "shorthand_property_identifier") return false;
  const above = node.parent;
  if (!above) return false;
  switch (above.role) {
    case "assign":
    case "augment":
      return node.field === "right";
    case "update":
    case "delete":
    case "parameters":
    case "pattern":
    case "import":
    case "decorated":
    case "type":
      return false;
    case "parameter":
    case "declarator":
    case "field-definition":
      return node.field === "value";
    case "keyword-argument":
      return node.field === "value";
    case "pair":
      return node.field === "value" || (node.role !== "property" && above.type === "pair" && !isScriptKey(node));
    case "for":
    case "for-clause":
      return node.field === "right" || node.field === "body";
    case "function":
    case "class":
      return false;
    case "function-expression":
      return node.field === "body";
    case "member":
      return node.field === "object";
    case "catch":
    case "export":
      return false;
    case "other":
      return above.isNamed && !/^(?:decorator|as_pattern_target|import|named_imports|class_heritage)/.test(above.type);
    case "arguments":
      return above.field !== "superclasses";
    case "tuple":
    case "list":
      return !isTarget(above);
    default:
      return true;
  }
}

/** Whether a node is what an assignment, a loop or a declaration writes to. */
export function isTarget(node: Syntax): boolean {
  const above = node.parent;
  if (!above) return false;
  if (above.role === "assign" || above.role === "augment") return node.field === "left";
  if (above.role === "for" || above.role === "for-clause") return node.field === "left";
  if (above.role === "declarator") return node.field === "name";
  if (above.role === "update" || above.role === "delete") return true;
  return (above.role === "pattern" || above.role === "tuple" || above.role === "list") && isTarget(above);
}

/** An expression without the parentheses around it. */
export function ungroup(node: Syntax): Syntax {
  let inner = node;
  while (inner.role === "group") inner = inner.child("inner") ?? inner.parts[0] ?? inner;
  return inner;
}

/** Whether a node is the condition of an if, a loop, a ternary or a filter. */
export function isCondition(node: Syntax): boolean {
  const above = node.parent;
  if (node.field === "condition") return above?.role !== "assert";
  return above?.role === "group" && above.field === "condition";
}

function isScriptKey(node: Syntax): boolean {
  return node.field === "key" && node.parent?.parent?.type === "object";
}
