import { expect, it } from "vitest";
import { z } from "zod";
import { parseJsonFile } from "./files.ts";

it.each<[string, number]>([
  ['{\n"a": 1,\n}', 3],
  ["{\n'a': 1}", 2],
  ['{"x": "x x",\n"a"\n1}', 3],
  ['{"a": 1\n\n"b": 2}', 3],
  ["[\n1,\n\n]", 4],
  ['{"a": 1}\nx', 2],
  ['[\n"a\nb"]', 2],
  ["[\n🕯️]", 2],
  ['{\n"a": [\n', 3],
  ["", 1],
])("what is no JSON is said with the line of its fault: %j", (text, line) => {
  expect(() => parseJsonFile(text, "f.json", z.unknown())).toThrow(`f.json:${line}: this is not JSON: `);
});
