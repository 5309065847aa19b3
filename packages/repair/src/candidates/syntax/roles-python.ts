// How the Python grammar's nodes are read.

import type { Role } from "./roles.ts";
import type { Reading, Syntax } from "./tree.ts";

const roles: Record<string, Role> = {
  identifier: "name",
  integer: "number",
  float: "number",
  string: "string",
  concatenated_string: "template",
  true: "boolean",
  false: "boolean",
  none: "nothing",
  call: "call",
  attribute: "member",
  subscript: "index",
  slice: "slice",
  binary_operator: "binary",
  comparison_operator: "compare",
  boolean_operator: "logic",
  not_operator: "not",
  unary_operator: "unary",
  conditional_expression: "ternary",
  list: "list",
  tuple: "tuple",
  expression_list: "tuple",
  dictionary: "dict",
  set: "set",
  list_comprehension: "comprehension",
  set_comprehension: "comprehension",
  dictionary_comprehension: "comprehension",
  generator_expression: "comprehension",
  lambda: "function-expression",
  parenthesized_expression: "group",
  await: "await",
  yield: "yield",
  list_splat: "spread",
  dictionary_splat: "spread",
  argument_list: "arguments",
  keyword_argument: "keyword-argument",
  pair: "pair",
  for_in_clause: "for-clause",
  if_clause: "if-clause",
  interpolation: "substitution",
  parameters: "parameters",
  lambda_parameters: "parameters",
  default_parameter: "parameter",
  typed_parameter: "parameter",
  typed_default_parameter: "parameter",
  list_splat_pattern: "parameter",
  dictionary_splat_pattern: "parameter",
  pattern_list: "pattern",
  tuple_pattern: "pattern",
  list_pattern: "pattern",
  type: "type",
  assignment: "assign",
  augmented_assignment: "augment",
  expression_statement: "express",
  return_statement: "return",
  raise_statement: "raise",
  break_statement: "break",
  continue_statement: "continue",
  pass_statement: "pass",
  delete_statement: "delete",
  assert_statement: "assert",
  import_statement: "import",
  import_from_statement: "import",
  future_import_statement: "import",
  if_statement: "if",
  elif_clause: "elif",
  else_clause: "else",
  while_statement: "while",
  for_statement: "for",
  try_statement: "try",
  except_clause: "catch",
  finally_clause: "finally",
  with_statement: "with",
  match_statement: "switch",
  case_clause: "case",
  function_definition: "function",
  class_definition: "class",
  decorated_definition: "decorated",
  block: "block",
  module: "module",
  comment: "comment",
  global_statement: "other-statement",
  nonlocal_statement: "other-statement",
  print_statement: "other-statement",
  exec_statement: "other-statement",
  type_alias_statement: "other-statement",
};

/** Fields that this grammar gives by position only. */
const positions: Record<string, string[]> = {
  conditional_expression: ["consequence", "condition", "alternative"],
  return_statement: ["value"],
  raise_statement: ["value"],
  delete_statement: ["value"],
  assert_statement: ["condition", "message"],
  parenthesized_expression: ["inner"],
  await: ["argument"],
  yield: ["value"],
  comparison_operator: ["left", "right"],
  if_clause: ["condition"],
  list_splat: ["argument"],
  dictionary_splat: ["argument"],
  expression_statement: ["value"],
};

const renamed: Record<string, Record<string, string>> = {
  attribute: { attribute: "property" },
  subscript: { value: "object", subscript: "index" },
  comparison_operator: { operators: "operator" },
  keyword_argument: { name: "key" },
};

export const pythonReading: Reading = {
  roleOf(node: Syntax): Role {
    const role = roles[node.type] ?? "other";
    if (!node.isNamed) return "other";
    if (role === "string" && node.children.some((child) => child.role === "substitution")) return "template";
    if (role === "express" && node.parts[0]?.role === "string") return "documentation";
    return role;
  },
  fieldOf(parentType, field, namedBefore) {
    if (field) return renamed[parentType]?.[field] ?? field;
    return namedBefore < 0 ? undefined : positions[parentType]?.[namedBefore];
  },
};
