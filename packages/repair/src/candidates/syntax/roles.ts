// What a node is, whatever the language calls it.

export type Role =
  // Expressions.
  | "name"
  | "property"
  | "number"
  | "string"
  | "template"
  | "boolean"
  | "nothing"
  | "regex"
  | "call"
  | "new"
  | "member"
  | "index"
  | "slice"
  | "binary"
  | "compare"
  | "logic"
  | "not"
  | "unary"
  | "ternary"
  | "list"
  | "tuple"
  | "dict"
  | "set"
  | "comprehension"
  | "function-expression"
  | "group"
  | "await"
  | "yield"
  | "spread"
  | "cast"
  | "self"
  // Parts of expressions.
  | "arguments"
  | "keyword-argument"
  | "pair"
  | "for-clause"
  | "if-clause"
  | "substitution"
  | "parameters"
  | "parameter"
  | "pattern"
  | "type"
  // Statements; an assignment or an update stands in an `express` statement.
  | "assign"
  | "augment"
  | "update"
  | "express"
  | "declare"
  | "declarator"
  | "return"
  | "raise"
  | "break"
  | "continue"
  | "pass"
  | "delete"
  | "assert"
  | "import"
  | "export"
  | "documentation"
  | "if"
  | "elif"
  | "else"
  | "while"
  | "do"
  | "for"
  | "count"
  | "try"
  | "catch"
  | "finally"
  | "with"
  | "switch"
  | "case"
  | "function"
  | "class"
  | "field-definition"
  | "decorated"
  | "block"
  | "module"
  | "other-statement"
  | "comment"
  | "other";

const expressions = new Set<Role>([
  ...(["name", "number", "string", "template", "boolean", "nothing", "regex", "call", "new", "member"] as const),
  ...(["index", "binary", "compare", "logic", "not", "unary", "ternary", "list", "tuple", "dict", "set"] as const),
  ...(["comprehension", "function-expression", "group", "await", "yield", "cast", "self"] as const),
]);

const statements = new Set<Role>([
  ...(["express", "declare", "return", "raise", "break", "continue", "pass", "delete", "assert", "import"] as const),
  ...(["export", "documentation", "if", "while", "do", "for", "count", "try", "with", "switch"] as const),
  ...(["function", "class", "field-definition", "decorated", "other-statement"] as const),
]);

/** Whether a role is an expression's: it has a value. */
export function isExpression(role: Role): boolean {
  return expressions.has(role);
}

/** Whether a role is that of a whole statement. */
export function isStatement(role: Role): boolean {
  return statements.has(role);
}
