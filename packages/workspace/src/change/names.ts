// What names of a source stand for: which module an identifier was imported from, and what an expression is rooted in. Pure.

import type { Node } from "../tests/grammar.ts";

/** Identifiers by the module that they were imported from. */
export type Imports = ReadonlyMap<string, string>;

/** What Python's imports bind: `import a.b as c` binds c to a.b, `from a import b` binds b to a. */
export function pythonImports(root: Node): Imports {
  const found = new Map<string, string>();
  for (const node of root.descendantsOfType("import_statement"))
    for (const each of node?.childrenForFieldName("name") ?? []) {
      const module = (each?.childForFieldName("name") ?? each)?.text ?? "";
      const alias = each?.childForFieldName("alias")?.text;
      found.set(alias ?? module.split(".", 1)[0]!, alias === undefined ? module.split(".", 1)[0]! : module);
    }
  for (const node of root.descendantsOfType("import_from_statement")) {
    const module = node?.childForFieldName("module_name")?.text ?? "";
    for (const each of node?.childrenForFieldName("name") ?? []) {
      const name = each?.childForFieldName("alias")?.text ?? each?.text ?? "";
      found.set(name, module);
    }
  }
  return found;
}

/** What a script's imports and plain requires bind. */
export function scriptImports(root: Node): Imports {
  const found = new Map<string, string>();
  for (const node of root.descendantsOfType("import_statement")) {
    const module = unquoted(node?.childForFieldName("source")?.text ?? "");
    const clause = node?.namedChildren.find((each) => each?.type === "import_clause");
    for (const each of clause?.descendantsOfType("identifier") ?? []) if (each) found.set(each.text, module);
  }
  for (const node of root.descendantsOfType("variable_declarator")) {
    const value = node?.childForFieldName("value");
    const module = value ? requiredModule(value) : undefined;
    const name = node?.childForFieldName("name");
    const bound = name?.type === "identifier" ? [name] : name?.descendantsOfType(BOUND);
    if (module !== undefined) for (const each of bound ?? []) if (each) found.set(each.text, module);
  }
  return found;
}

const BOUND = ["identifier", "shorthand_property_identifier_pattern"];

/** The module of `require("x")`, `await import("x")`, and of what is taken of them. */
function requiredModule(node: Node): string | undefined {
  const call = [node, ...node.descendantsOfType("call_expression")].find(
    (each) =>
      each?.type === "call_expression" && /^(?:require|import)$/.test(each.childForFieldName("function")?.text ?? ""),
  );
  const first = call?.childForFieldName("arguments")?.namedChildren[0];
  return first?.type === "string" ? unquoted(first.text) : undefined;
}

/** The innermost object of `a.b[c].d`, without the brackets and casts around it. */
export function rootOf(node: Node): Node {
  const inner = bare(node);
  const object = inner.childForFieldName("object") ?? inner.childForFieldName("value");
  return object && MEMBERS.includes(inner.type) ? rootOf(object) : inner;
}

const MEMBERS = ["attribute", "subscript", "member_expression", "subscript_expression"];
const WRAPPERS = [
  "parenthesized_expression",
  "as_expression",
  "satisfies_expression",
  "non_null_expression",
  "type_assertion",
];

/** An expression without brackets, casts and assertions of its type. */
export function bare(node: Node): Node {
  const inner = WRAPPERS.includes(node.type)
    ? node.namedChildren.find((each) => each?.type !== "type_arguments")
    : undefined;
  return inner ? bare(inner) : node;
}

/** A member expression without casts in it: `(Array.prototype as any).at` is Array.prototype.at. */
export function plainText(node: Node): string {
  const inner = bare(node);
  const object = inner.childForFieldName("object") ?? inner.childForFieldName("value");
  if (!object || !MEMBERS.includes(inner.type)) return inner.text;
  const member = inner.childForFieldName("property") ?? inner.childForFieldName("attribute");
  return member ? `${plainText(object)}.${member.text}` : `${plainText(object)}[]`;
}

/** A string's text without its quotes. */
export function unquoted(text: string): string {
  return text.replace(/^[rbuf]*(?:"""|'''|["'`])|(?:"""|'''|["'`])$/gi, "");
}
