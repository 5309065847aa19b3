import { test } from "node:test";
import assert from "node:assert/strict";
import { parseCsv, toRecords } from "./csv.ts";

test("a field that is one quote", () => {
  assert.deepEqual(parseCsv('"""",b'), [['"', "b"]]);
});

test("doubled quote next to a separator", () => {
  assert.deepEqual(parseCsv('"a"",""b",c'), [['a","b', "c"]]);
});

test("doubled quote before a newline inside the field", () => {
  assert.deepEqual(parseCsv('"6""\n7""",x'), [['6"\n7"', "x"]]);
});

test("two doubled quotes in a row", () => {
  assert.deepEqual(parseCsv('"a""""b"'), [['a""b']]);
});

test("an odd quote leaves the field open", () => {
  assert.throws(() => parseCsv('"a""'), SyntaxError);
  assert.throws(() => parseCsv('"""'), SyntaxError);
});

test("records with inches", () => {
  assert.deepEqual(toRecords('item,size\nscreen,"27"""'), [{ item: "screen", size: '27"' }]);
});

test("empty quoted fields stay empty", () => {
  assert.deepEqual(parseCsv('"","",""\n"a",""'), [["", "", ""], ["a", ""]]);
});
