import { test } from "node:test";
import assert from "node:assert/strict";
import { calculate } from "./calc.ts";

const cases: [string, number][] = [
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["10 - 4 - 3", 3],
  ["100 / 10 / 5", 2],
  ["2 ^ 3 ^ 2", 512],
  ["-2 ^ 2", -4],
  ["1.5 * 4", 6],
];

for (const [source, expected] of cases) {
  test(source, () => assert.equal(calculate(source), expected));
}

test("broken input", () => {
  assert.throws(() => calculate("1 +"), SyntaxError);
  assert.throws(() => calculate("(1"), SyntaxError);
  assert.throws(() => calculate("1 2"), SyntaxError);
  assert.throws(() => calculate("a"), SyntaxError);
});
