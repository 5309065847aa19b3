// The outline of a source file: its imports and its signatures, without bodies. A file that does not parse is noted, and
// what can still be read of it is told.

import { type Grammar, grammarOf, type Node, withTree } from "@loopwright/workspace/grammar";

export interface Outline {
  imports: string[];
  /** One line each; members are indented below their class. */
  signatures: string[];
  /** The line of the first fault, counted from 1. */
  brokenAt?: number;
}

const LONGEST = 160;

/** The outline of a file; undefined for a language that is not read. */
export async function outlineFile(path: string, text: string): Promise<Outline | undefined> {
  const grammar = grammarOf(path);
  return grammar && withTree(grammar, text, (root) => outlineTree(root, grammar));
}

function outlineTree(rootNode: Node, grammar: Grammar): Outline {
  const outline: Outline = { imports: [], signatures: [] };
  const visit = grammar === "python" ? visitPython : visitScript;
  for (const node of childrenOf(rootNode)) visit(node, outline);
  if (rootNode.hasError) outline.brokenAt = (firstError(rootNode) ?? rootNode).startPosition.row + 1;
  return outline;
}

function childrenOf(node: Node | null): Node[] {
  return (node?.namedChildren ?? []).filter((child) => child !== null);
}

function visitPython(node: Node, outline: Outline, indent = ""): void {
  const { type } = node;
  if (/^(?:future_)?import(?:_from)?_statement$/.test(type)) outline.imports.push(oneLine(node.text));
  else if (type === "decorated_definition") visitPython(node.childForFieldName("definition")!, outline, indent);
  else if (/^(?:function|class)_definition$/.test(type)) {
    outline.signatures.push(indent + withoutBody(node));
    if (type === "function_definition") return;
    for (const child of childrenOf(node.childForFieldName("body")))
      if (/^(?:function|class|decorated)_definition$/.test(child.type)) visitPython(child, outline, `${indent}  `);
    // Definitions under a condition or a try are the module's own too.
  } else if (/^(?:if|try|with)_statement$|_clause$|^block$/.test(type))
    for (const child of childrenOf(node)) visitPython(child, outline, indent);
}

const ONE_LINE =
  /^(?:(?:generator_)?function_declaration|function_expression|arrow_function|function_signature|enum_declaration|type_alias_declaration)$/;
const FUNCTION = /^(?:generator_function|function_expression|arrow_function|class)$/;
const WITH_MEMBERS = /^(?:(?:abstract_)?class_declaration|class|interface_declaration)$/;
const MEMBER = /^(?:method_definition|method_signature|abstract_method_signature|property_signature)$/;

function visitScript(node: Node, outline: Outline, prefix = ""): void {
  const { type } = node;
  if (type === "import_statement") outline.imports.push(oneLine(node.text));
  else if (type === "export_statement") visitExport(node, outline);
  else if (ONE_LINE.test(type)) outline.signatures.push(prefix + withoutBody(node));
  else if (WITH_MEMBERS.test(type)) {
    outline.signatures.push(prefix + withoutBody(node));
    for (const member of childrenOf(node.childForFieldName("body")))
      if (MEMBER.test(member.type) && !/^(?:#|private\b)/.test(member.text))
        outline.signatures.push(`  ${withoutBody(member)}`);
  } else if (type === "expression_statement") visitAssignment(node.namedChildren[0], outline);
  else if (type === "lexical_declaration" || type === "variable_declaration")
    for (const child of childrenOf(node)) visitVariable(child, outline, prefix);
  else if (type === "ambient_declaration")
    for (const child of childrenOf(node)) visitScript(child, outline, "declare ");
}

function visitExport(node: Node, outline: Outline): void {
  if (node.childForFieldName("source")) {
    outline.imports.push(oneLine(node.text));
    return;
  }
  const inner = node.childForFieldName("declaration") ?? node.childForFieldName("value");
  const isDefault = node.children.some((child) => child?.type === "default");
  if (inner) visitScript(inner, outline, isDefault ? "export default " : "export ");
}

/** A variable counts where it holds a function, or where others can import it. */
function visitVariable(node: Node, outline: Outline, prefix: string): void {
  const name = node.childForFieldName("name")?.text;
  const value = node.childForFieldName("value");
  if (name === undefined || node.type !== "variable_declarator") return;
  const type = node.childForFieldName("type")?.text ?? "";
  if (value?.type === "call_expression" && /^require\(/.test(value.text))
    outline.imports.push(oneLine(`${name} = ${value.text}`));
  else if (value && FUNCTION.test(value.type))
    outline.signatures.push(`${prefix}const ${name} = ${withoutBody(value)}`);
  else if (prefix !== "") outline.signatures.push(`${prefix}const ${name}${oneLine(type)}`);
}

/** A function that becomes a property, as in `api.find = function () {}`. */
function visitAssignment(node: Node | null | undefined, outline: Outline): void {
  if (node?.type !== "assignment_expression") return;
  const [left, right] = [node.childForFieldName("left"), node.childForFieldName("right")];
  if (right?.type === "assignment_expression") visitAssignment(right, outline);
  else if (left && right && FUNCTION.test(right.type)) outline.signatures.push(`${left.text} = ${withoutBody(right)}`);
}

function withoutBody(node: Node): string {
  const body = node.childForFieldName("body");
  const text = body ? node.text.slice(0, body.startIndex - node.startIndex) : node.text;
  return oneLine(text).replace(/\s*(?:=>|:|=)$/, "");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

function firstError(node: Node): Node | undefined {
  if (node.isError || node.isMissing) return node;
  if (!node.hasError) return undefined;
  for (const child of node.children) {
    const found = child && firstError(child);
    if (found) return found;
  }
  return undefined;
}
