// How likely each kind of edit is, beside what its operator thinks of its own: in bits, fitted to bugs that people wrote
// (bench/bugs; `npm run bench -- bugs` fits them again). What is listed most, such as guard clauses, is seldom right.

const bits: Readonly<Record<string, number>> = {
  "guard-clause": 3.2,
  combined: 2.5,
  "condition-part": 2.4,
  expression: 2.4,
  unit: 1.8,
  "condition-added": 2.4,
  operand: 1.6,
  wrap: 1.2,
  complement: 1.4,
  fallback: 1.4,
  statement: 1,
  extreme: 0.9,
  name: 0.9,
  "initial-value": 1,
  exchange: 0.8,
  "statement-copy": 0.5,
  target: 0.7,
  deletion: 0.4,
  "sort-key": -0.4,
  result: -0.4,
  order: -0.5,
  operator: -0.5,
  function: -0.6,
  rounding: -0.8,
  "off-by-one": -0.6,
  ternary: -0.9,
  comparison: -0.9,
  accumulation: -1.1,
  loop: -1.1,
  method: -1,
  bounds: -1.5,
  "statement-order": -1.2,
  branch: -1.3,
  arguments: -1.3,
  regex: -1.5,
  bits: -1.8,
  grouping: -1.8,
  "operand-order": -1.6,
  jump: -1.8,
  await: -2.8,
  idiom: -2.8,
};

/** What to add to the cost of an edit of a kind. */
export function biasOf(kind: string): number {
  return bits[kind.includes("+") ? "combined" : kind] ?? 0;
}
