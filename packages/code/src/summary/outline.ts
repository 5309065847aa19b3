// The outline of a source file: its imports and its signatures, without bodies. A file that does not parse is noted, and
// what can still be read of it is told.

import { type Grammar, grammarOf, type Node, withTree } from "@loopwright/workspace/grammar";
import { Kept } from "../rank/kept.ts";

export interface Outline {
  imports: string[];
  /** One line each; members are indented below their class. */
  signatures: string[];
  /** The line of the first fault, counted from 1. */
  brokenAt?: number;
}

const LONGEST = 160;

const kept = new Kept<Promise<Outline | undefined>>();

/** The outline of a file; undefined for a language that is not read. */
export async function outlineFile(path: string, text: string): Promise<Outline | undefined> {
  const grammar = grammarOf(path);
  if (!grammar) return undefined;
  return kept.of(grammar, text, () => withTree(grammar, text, (root) => outlineTree(root, grammar)));
}

function outlineTree(rootNode: Node, grammar: Grammar): Outline {
  const outline: Outline = { imports: [], signatures: [] };
  const visit = grammar === "python" ? visitPython : visitScript;
  for (const node of rootNode.namedChildren) if (node) visit(node, outline, "");
  if (rootNode.hasError) outline.brokenAt = (firstError(rootNode) ?? rootNode).startPosition.row + 1;
  return outline;
}

function visitPython(node: Node, outline: Outline, indent: string): void {
  switch (node.type) {
    case "import_statement":
    case "import_from_statement":
    case "future_import_statement":
      outline.imports.push(oneLine(node.text));
      return;
    case "decorated_definition": {
      const definition = node.childForFieldName("definition");
      if (definition) visitPython(definition, outline, indent);
      return;
    }
    case "function_definition":
      outline.signatures.push(indent + withoutBody(node));
      return;
    case "class_definition":
      outline.signatures.push(indent + withoutBody(node));
      for (const child of node.childForFieldName("body")?.namedChildren ?? [])
        if (child && isDefinition(child)) visitPython(child, outline, `${indent}  `);
      return;
    default:
      // Definitions under a condition or a try are the module's own too.
      if (/^(?:if|try|with)_statement$|_clause$|^block$/.test(node.type))
        for (const child of node.namedChildren) if (child) visitPython(child, outline, indent);
  }
}

function isDefinition({ type }: Node): boolean {
  return /^(?:function|class|decorated)_definition$/.test(type);
}

function visitScript(node: Node, outline: Outline, indent: string, prefix = ""): void {
  switch (node.type) {
    case "import_statement":
      outline.imports.push(oneLine(node.text));
      return;
    case "export_statement": {
      if (node.childForFieldName("source")) {
        outline.imports.push(oneLine(node.text));
        return;
      }
      const inner = node.childForFieldName("declaration") ?? node.childForFieldName("value");
      const words = node.children.some((child) => child?.type === "default") ? "export default " : "export ";
      if (inner) visitScript(inner, outline, indent, words);
      return;
    }
    case "function_declaration":
    case "generator_function_declaration":
    case "function_expression":
    case "arrow_function":
    case "function_signature":
    case "enum_declaration":
    case "type_alias_declaration":
      outline.signatures.push(indent + prefix + withoutBody(node));
      return;
    case "class_declaration":
    case "abstract_class_declaration":
    case "class":
    case "interface_declaration":
      outline.signatures.push(indent + prefix + withoutBody(node));
      for (const member of node.childForFieldName("body")?.namedChildren ?? [])
        if (member && isMember(member)) outline.signatures.push(`${indent}  ${withoutBody(member)}`);
      return;
    case "lexical_declaration":
    case "variable_declaration":
      for (const child of node.namedChildren) if (child) visitVariable(child, outline, indent, prefix);
      return;
    case "ambient_declaration":
      for (const child of node.namedChildren) if (child) visitScript(child, outline, indent, "declare ");
  }
}

function isMember({ type, text }: Node): boolean {
  if (text.startsWith("#") || /^private\b/.test(text)) return false;
  return /^(?:method_definition|method_signature|abstract_method_signature|property_signature)$/.test(type);
}

/** A variable counts where it holds a function, or where others can import it. */
function visitVariable(node: Node, outline: Outline, indent: string, prefix: string): void {
  const name = node.childForFieldName("name")?.text;
  const value = node.childForFieldName("value");
  if (name === undefined || node.type !== "variable_declarator") return;
  if (value?.type === "call_expression" && /^require\(/.test(value.text)) {
    outline.imports.push(oneLine(`${name} = ${value.text}`));
    return;
  }
  const isFunction = value?.type === "arrow_function" || value?.type === "function_expression";
  if (isFunction) outline.signatures.push(`${indent}${prefix}const ${name} = ${withoutBody(value)}`);
  else if (prefix !== "") outline.signatures.push(`${indent}${prefix}const ${name}${typeOf(node)}`);
}

function typeOf(node: Node): string {
  const type = node.childForFieldName("type");
  return type ? oneLine(type.text) : "";
}

/** A definition up to its body. */
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
