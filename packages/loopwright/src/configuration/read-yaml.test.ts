// Configuration written in YAML, with the place of every fault.

import { UsageError, usage } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import * as source from "./read-yaml.ts";

/** What a source says; a block that belongs to no loop is refused, as it is once all loops are known. */
function valuesOf({ values, errors, blocks, unknownBlock }: source.Source) {
  const all = [...errors, ...Object.keys(blocks).map((name) => unknownBlock(name, []))];
  if (all.length > 0) throw usage(all.join("\n"));
  return values;
}

const readYaml = (text: string, file: string) => valuesOf(source.readYaml(text, file));
const readAssignment = (given: string) => valuesOf(source.readAssignment(given));

function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return "no fault";
}

describe("a configuration file", () => {
  it("gives its values, and nothing that it does not name", () => {
    const text = "ceilings: { iterations: 3, usd: 0 }\nloops:\n  tidy: loops/tidy.ts\n";
    expect(readYaml(text, "f.yaml")).toEqual({
      ceilings: { iterations: 3, usd: 0 },
      loops: { tidy: "loops/tidy.ts" },
    });
  });

  it.each(["", "\n\n", "# only a comment\n", "---\n", "null\n", "{}\n"])(
    "that says nothing is no fault: %j",
    (text) => {
      expect(readYaml(text, "f.yaml")).toEqual({});
    },
  );

  it.each([
    ["ceilings:\n  usd: high", `f.yaml:2:8: 'ceilings.usd' is "high": expected number`],
    ["ceilings:\n  usd: [1]", "f.yaml:2:8: 'ceilings.usd' is [1]: expected number"],
    ["ceilings:\n  usd: { a: 1 }", "f.yaml:2:8: 'ceilings.usd' is a mapping: expected number"],
    ["ceilings:\n  usd: .nan", "f.yaml:2:8: 'ceilings.usd' is NaN: expected number"],
    ["ceilings:\n  usd:\n", "'ceilings.usd' is null: expected number"],
    ["ceilings:\n  iterations: 0", "f.yaml:2:15: 'ceilings.iterations' is 0: expected number to be >0"],
    ["ceilings:\n  minutes: -2", "f.yaml:2:12: 'ceilings.minutes' is -2: expected number to be >=0"],
    ["prices:\n  a: { input: 1 }", "f.yaml:2:6: 'prices.a.output' is missing: expected number"],
    ["ceilings: 7", "f.yaml:1:11: 'ceilings' is 7: expected object"],
    ["loops:\n  Big: x.ts", "f.yaml:2:8: 'Big' is no right key under 'loops': a name of a-z, 0-9 and -"],
    ["ceillings: {}", "f.yaml:1:1: 'ceillings' is no key of the configuration; did you mean 'ceilings'?"],
    ["ceilings: { second: 1 }", "'ceilings.second' is no key of the configuration; known are iterations, minutes"],
    ["{ a: 1", "this is not YAML"],
    ["- a\n- b", "f.yaml:1:1: the file is no mapping"],
    ["just words", "f.yaml:1:1: the file is no mapping"],
    ["7", "f.yaml:1:1: the file is no mapping"],
    ["a: 1\na: 2", "f.yaml:2:1: this is not YAML: Map keys must be unique"],
    ["loops: &l { a: *l }", "f.yaml:1:1"],
  ])("is held to its schema: %j", (text, message) => {
    expect(faultOf(() => readYaml(text, "f.yaml"))).toContain(message);
  });

  it("with aliases that multiply without end is refused quickly", () => {
    const rows = Array.from({ length: 30 }, (_, n) => `x${n}: &x${n} [${n === 0 ? "1" : `*x${n - 1}, *x${n - 1}`}]`);
    const begun = performance.now();
    expect(faultOf(() => readYaml(rows.join("\n"), "f.yaml"))).toContain("f.yaml:1:1: this cannot be read");
    expect(performance.now() - begun).toBeLessThan(2_000);
  });

  it("does not reach the prototype of anything", () => {
    expect(faultOf(() => readYaml("__proto__: { polluted: 1 }", "f.yaml"))).toContain("'__proto__' is no key");
    expect(faultOf(() => readYaml("ceilings: { __proto__: 1 }", "f.yaml"))).toContain("is no key");
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("-c KEY=VALUE", () => {
  it.each([
    ["ceilings.iterations=40", { ceilings: { iterations: 40 } }],
    ["ceilings={ usd: 2, tokens: 5 }", { ceilings: { usd: 2, tokens: 5 } }],
    ["loops.tidy=a=b.ts", { loops: { tidy: "a=b.ts" } }],
  ])("%s", (given, values) => {
    expect(readAssignment(given)).toEqual(values);
  });

  it.each([
    ["ceilings.iterations", "-c wants KEY=VALUE"],
    ["=5", "-c wants KEY=VALUE"],
    ["ceilings.iterations=", "-c ceilings.iterations=: 'ceilings.iterations' is null: expected number"],
    ["ceilings.iterations=[", "its value is not YAML"],
    ["ceilings.iteration=5", "'ceilings.iteration' is no key of the configuration; did you mean 'iterations'?"],
    ["ceilings.iterations.deep=5", "'ceilings.iterations' is a mapping: expected number"],
    ["a.b.c=5", "'a' is no key of the configuration"],
    [".=5", "is no key of the configuration"],
    ["__proto__.polluted=5", "'__proto__' is no key of the configuration"],
  ])("%s is refused", (given, message) => {
    expect(faultOf(() => readAssignment(given))).toContain(message);
    expect({}).not.toHaveProperty("polluted");
  });
});
