import { describe, expect, it } from "vitest";
import { factsOf } from "./facts.ts";
import { importGraph } from "./places.ts";

describe("the graph of imports", () => {
  it("finds Python modules from where their path may begin, relative ones, and names that are modules", () => {
    const files = [
      { path: "src/shop/__init__.py", content: "" },
      { path: "src/shop/price.py", content: "from . import tax\nfrom .money.round import up\nimport os\n" },
      { path: "src/shop/tax.py", content: "" },
      { path: "src/shop/money/__init__.py", content: "" },
      { path: "src/shop/money/round.py", content: "from ..tax import (\n    rate,\n    other as o,\n)\n" },
      { path: "tests/test_price.py", content: "import shop.price as p, json\nfrom shop import tax\n" },
    ];
    const { imports, importers } = importGraph(files);
    expect(imports.get("src/shop/price.py")).toEqual([
      "src/shop/__init__.py",
      "src/shop/tax.py",
      "src/shop/money/round.py",
    ]);
    expect(imports.get("src/shop/money/round.py")).toEqual(["src/shop/tax.py"]);
    expect(imports.get("tests/test_price.py")).toEqual(["src/shop/tax.py", "src/shop/price.py"]);
    expect(importers.get("src/shop/tax.py")).toHaveLength(3);
  });

  it("finds scripts by their paths, with and without endings, and folders by their index", () => {
    const files = [
      {
        path: "src/a.ts",
        content: 'import b from "./b.js";\nexport * from "./c";\nconst d = require("../lib");\nimport "lodash";\n',
      },
      { path: "src/b.ts", content: "" },
      { path: "src/c/index.ts", content: 'await import("../a.ts");' },
      { path: "lib/index.js", content: "" },
    ];
    const { imports } = importGraph(files);
    expect(imports.get("src/a.ts")).toEqual(["src/b.ts", "src/c/index.ts", "lib/index.js"]);
    expect(imports.get("src/c/index.ts")).toEqual(["src/a.ts"]);
  });
});

it("the facts of a file have what it defines, with lines", () => {
  const script =
    "export async function f() {}\n\nclass A extends B {\n  static m(a) {\n    if (a) {\n    }\n  }\n}\nexport const g = () => 1;\nA.prototype.h = function () {};\n";
  expect(factsOf({ path: "a.js", content: script }).definitions).toEqual([
    { name: "f", line: 1 },
    { name: "A", line: 3 },
    { name: "m", line: 4 },
    { name: "g", line: 9 },
    { name: "h", line: 10 },
  ]);
  expect(factsOf({ path: "a.txt", content: script }).definitions).toEqual([]);
});
