import { test } from "node:test";
import assert from "node:assert/strict";
import { parseCsv, toRecords } from "./csv.ts";

test("plain rows", () => {
  assert.deepEqual(parseCsv("a,b\n1,2\n"), [["a", "b"], ["1", "2"]]);
});

test("quoted separator and newline", () => {
  assert.deepEqual(parseCsv('"x,y","p\nq"'), [["x,y", "p\nq"]]);
});

test("doubled quotes", () => {
  assert.deepEqual(parseCsv('"say ""hi""",2'), [['say "hi"', "2"]]);
});

test("empty fields", () => {
  assert.deepEqual(parseCsv("a,,c\n,\n"), [["a", "", "c"], ["", ""]]);
});

test("empty quoted field", () => {
  assert.deepEqual(parseCsv('"",x'), [["", "x"]]);
});

test("windows line ends", () => {
  assert.deepEqual(parseCsv("a;b\r\nc;d\r\n", ";"), [["a", "b"], ["c", "d"]]);
});

test("unclosed quote", () => {
  assert.throws(() => parseCsv('"abc'), SyntaxError);
});

test("records", () => {
  assert.deepEqual(toRecords("name,age\nIda,7\nBo"), [{ name: "Ida", age: "7" }, { name: "Bo", age: "" }]);
});
