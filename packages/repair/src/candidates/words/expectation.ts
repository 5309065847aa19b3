// What kind of value a place wants, told by what stands around it.

import type { Syntax } from "../syntax/tree.ts";
import { receiverKind } from "./kind-tables.ts";
import type { Kind, Kinds } from "./kinds.ts";

const takers: Record<string, Kind> = {
  len: "list",
  range: "number",
  abs: "number",
  round: "number",
  sum: "list",
  sorted: "list",
  reversed: "list",
  enumerate: "list",
  zip: "list",
  any: "list",
  all: "list",
  join: "list",
  ord: "string",
  chr: "number",
  floor: "number",
  ceil: "number",
  trunc: "number",
  sqrt: "number",
  repeat: "number",
  slice: "number",
  substring: "number",
  padStart: "number",
  startsWith: "string",
  endsWith: "string",
  startswith: "string",
  endswith: "string",
};

/** The kind that a place wants; unknown where anything may stand there. */
export function expectedKind(node: Syntax, kinds: Kinds, functions: ReadonlyMap<string, Syntax>): Kind {
  const above = node.parent;
  switch (above?.role) {
    case "binary":
      return ofOperand(node, above, kinds);
    case "compare": {
      if (/\bin$/.test(above.child("operator")?.text ?? "")) return "unknown";
      const other = node.field === "left" ? above.child("right") : above.child("left");
      return other ? kinds.of(other) : "unknown";
    }
    case "index":
      if (node.field !== "index") return "unknown";
      return kinds.of(above.child("object")!) === "list" ? "number" : "unknown";
    case "slice":
    case "unary":
      return "number";
    case "for":
    case "for-clause":
      return node.field === "right" ? "list" : "unknown";
    case "member":
      return receiverKind(above.child("property")?.text ?? "");
    case "assign":
    case "declarator": {
      const target = above.child("left") ?? above.child("name");
      return target && target.role !== "pattern" ? kinds.ofText(target.text) : "unknown";
    }
    case "augment":
      return above.child("operator")?.text === "+=" ? kinds.of(above.child("left")!) : "number";
    case "return": {
      const name = above.above("function")?.child("name")?.text;
      return name ? kinds.ofText(`${name}()`) : "unknown";
    }
    case "arguments":
      return ofArgument(node, above, kinds, functions);
    default:
      return "unknown";
  }
}

function ofOperand(node: Syntax, above: Syntax, kinds: Kinds): Kind {
  const operator = above.child("operator")?.text ?? "";
  if (operator !== "+" && operator !== "*" && operator !== "%" && operator !== "|" && operator !== "&") return "number";
  const other = node.field === "left" ? above.child("right") : above.child("left");
  const kind = other ? kinds.of(other) : "unknown";
  return operator === "+" || kind === "number" ? kind : "unknown";
}

function ofArgument(node: Syntax, list: Syntax, kinds: Kinds, functions: ReadonlyMap<string, Syntax>): Kind {
  const called = list.parent?.child("function") ?? list.parent?.child("constructor");
  const name = (called?.child("property") ?? called)?.text ?? "";
  if (Object.hasOwn(takers, name) && called?.role === "name") return takers[name]!;
  if (Object.hasOwn(takers, name) && /^(?:slice|substring|repeat|padStart|[se].*)$/.test(name)) return takers[name]!;
  const declared = functions.get(name)?.child("parameters")?.parts ?? [];
  const own = declared.filter(({ text }) => !/^(?:self|cls|this)\b/.test(text));
  const parameter = own[list.parts.indexOf(node)];
  return parameter
    ? kinds.ofText((parameter.child("name") ?? parameter.child("pattern") ?? parameter).text)
    : "unknown";
}
