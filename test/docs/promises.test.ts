// The figures of docs/promises.md come from what was measured.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillPromises } from "../../scripts/promises/fill.ts";
import { root } from "./markdown.ts";

const files = ["packages/a/src/one.test.ts", "packages/a/src/two.test.ts", "test/e2e/b.test.ts"];
const result = (passed: number, failed = 0) => ({ passed, failed, ms: 1 });
const tests = { [files[0]!]: result(1_200), [files[1]!]: result(34) };
const row = (shown: string, seen: string) => `| It holds | ${shown} | ${seen} |`;
const filled = (line: string, benches = {}) => fillPromises(line, { tests, benches }, files);

describe("a count of tests", () => {
  it("is that of the files that the command names", () => {
    expect(filled(row("`npx vitest run packages/a`", "7 passed, all of them")).text).toBe(
      row("`npx vitest run packages/a`", "1,234 passed, all of them"),
    );
    expect(filled(row("`npx vitest run packages/a/src/two.test.ts`", "7 passed")).text).toContain("34 passed");
  });

  it("stays where a file was not run, where only some tests are meant, and where words come first", () => {
    for (const [shown, seen] of [
      ["`npx vitest run packages/a test/e2e`", "7 passed"],
      ["`npx vitest run packages/a -t one`", "7 passed"],
      ["`npx vitest run packages/a`", "passed: 7 passed as root"],
    ] as const)
      expect(filled(row(shown, seen))).toEqual({ text: row(shown, seen), told: [] });
  });

  it("goes by the row before where that says the same, and tells of a failure", () => {
    const page = `${row("`npx vitest run packages/a`", "7 passed")}\n${row("the same", "7 passed")}`;
    expect(filled(page).text.match(/1,234 passed/g)).toHaveLength(2);
    const failing = { tests: { ...tests, [files[0]!]: result(3, 2) }, benches: {} };
    expect(fillPromises(page, failing, files).told[0]).toMatch(/^2 failed when it was last run: It holds/);
    expect(fillPromises(page, failing, files).text).toBe(page);
  });
});

describe("a figure of a benchmark", () => {
  const bench = (load: number) => ({
    engine: { figures: { ratio: 0.31239, ms: 1234.5, by: { size: 3 } }, aims: { ratio: 0.3 }, load },
  });
  const seen =
    "<!--engine.ratio-->.75<!---->, <!--engine.ms-->900<!----> ms, <!--engine.by.size-->1<!---->, <!--other.x-->5<!---->";

  it("is as precise as the one before it, and past its aim it is told", () => {
    const { text, told } = filled(row("`npm run bench -- engine`", seen), bench(1));
    expect(text).toContain(
      "<!--engine.ratio-->.31<!---->, <!--engine.ms-->1,235<!----> ms, <!--engine.by.size-->3<!---->, <!--other.x-->5<!---->",
    );
    expect(told).toEqual([expect.stringContaining("engine.ratio is 0.31239, past its aim of 0.3")]);
  });

  it("is not taken from a busy machine", () => {
    const { text, told } = filled(row("`npm run bench -- engine`", seen), bench(9));
    expect(text).toContain(seen);
    expect(told[0]).toContain("at a load of 9");
  });
});

it("leaves the page as it is where nothing was measured", () => {
  const page = readFileSync(join(root, "docs/promises.md"), "utf8");
  expect(fillPromises(page, { tests: {}, benches: {} }, files)).toEqual({ text: page, told: [] });
  expect(page.match(/<!--\w+\.\w+-->[\d.,]+<!---->/g)!.length).toBeGreaterThan(20);
});
