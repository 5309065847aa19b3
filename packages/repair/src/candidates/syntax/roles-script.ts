// How the TypeScript and JavaScript grammars' nodes are read.

import type { Role } from "./roles.ts";
import type { Reading, Syntax } from "./tree.ts";

const roles: Record<string, Role> = {
  identifier: "name",
  property_identifier: "property",
  private_property_identifier: "property",
  shorthand_property_identifier: "name",
  shorthand_property_identifier_pattern: "pattern",
  number: "number",
  string: "string",
  template_string: "template",
  true: "boolean",
  false: "boolean",
  null: "nothing",
  undefined: "nothing",
  regex: "regex",
  call_expression: "call",
  new_expression: "new",
  member_expression: "member",
  subscript_expression: "index",
  binary_expression: "binary",
  unary_expression: "unary",
  ternary_expression: "ternary",
  array: "list",
  object: "dict",
  arrow_function: "function-expression",
  function_expression: "function-expression",
  generator_function: "function-expression",
  parenthesized_expression: "group",
  await_expression: "await",
  yield_expression: "yield",
  spread_element: "spread",
  as_expression: "cast",
  satisfies_expression: "cast",
  non_null_expression: "cast",
  this: "self",
  arguments: "arguments",
  pair: "pair",
  template_substitution: "substitution",
  formal_parameters: "parameters",
  required_parameter: "parameter",
  optional_parameter: "parameter",
  rest_pattern: "pattern",
  array_pattern: "pattern",
  object_pattern: "pattern",
  assignment_pattern: "pattern",
  object_assignment_pattern: "pattern",
  type_annotation: "type",
  type_arguments: "type",
  type_parameters: "type",
  type_predicate_annotation: "type",
  asserts_annotation: "type",
  assignment_expression: "assign",
  augmented_assignment_expression: "augment",
  update_expression: "update",
  expression_statement: "express",
  lexical_declaration: "declare",
  variable_declaration: "declare",
  variable_declarator: "declarator",
  return_statement: "return",
  throw_statement: "raise",
  break_statement: "break",
  continue_statement: "continue",
  empty_statement: "pass",
  import_statement: "import",
  export_statement: "export",
  if_statement: "if",
  else_clause: "else",
  while_statement: "while",
  do_statement: "do",
  for_in_statement: "for",
  for_statement: "count",
  try_statement: "try",
  catch_clause: "catch",
  finally_clause: "finally",
  switch_statement: "switch",
  switch_case: "case",
  switch_default: "case",
  function_declaration: "function",
  generator_function_declaration: "function",
  method_definition: "function",
  class_declaration: "class",
  class: "class",
  abstract_class_declaration: "class",
  public_field_definition: "field-definition",
  field_definition: "field-definition",
  statement_block: "block",
  class_body: "block",
  switch_body: "block",
  program: "module",
  comment: "comment",
  labeled_statement: "other-statement",
  interface_declaration: "type",
  type_alias_declaration: "type",
  enum_declaration: "other-statement",
  ambient_declaration: "type",
  predefined_type: "type",
};

const positions: Record<string, string[]> = {
  return_statement: ["value"],
  throw_statement: ["value"],
  parenthesized_expression: ["inner"],
  await_expression: ["argument"],
  yield_expression: ["value"],
  spread_element: ["argument"],
  non_null_expression: ["inner"],
  as_expression: ["inner"],
  satisfies_expression: ["inner"],
  template_substitution: ["expression"],
  expression_statement: ["value"],
};

const comparing = new Set(["<", "<=", ">", ">=", "==", "!=", "===", "!==", "in", "instanceof"]);
const joining = new Set(["&&", "||", "??"]);

export const scriptReading: Reading = {
  roleOf(node: Syntax): Role {
    const role = node.isNamed ? (roles[node.type] ?? "other") : "other";
    if (role === "binary") {
      const operator = node.child("operator")?.type ?? "";
      if (comparing.has(operator)) return "compare";
      return joining.has(operator) ? "logic" : "binary";
    }
    if (role === "unary") {
      const operator = node.child("operator")?.type;
      if (operator === "!") return "not";
      return operator === "delete" ? "other" : "unary";
    }
    if (role === "other" && node.isNamed && /_type$/.test(node.type)) return "type";
    return role;
  },
  fieldOf(parentType, field, namedBefore) {
    // The grammar gives the `;` after a for loop's condition that field too.
    if (field === "condition" && parentType === "for_statement" && namedBefore < 0) return undefined;
    if (field) return field;
    return namedBefore < 0 ? undefined : positions[parentType]?.[namedBefore];
  },
};
