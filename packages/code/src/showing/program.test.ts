import { describe, expect, it } from "vitest";
import type { Report } from "../task.ts";
import { withoutPassing } from "./program.ts";
import { showFailing } from "./sources.ts";

const python = `import pytest
from shop import price


@pytest.fixture
def shop():
    return price


@pytest.mark.slow
def test_adds(shop):
    assert shop.add(1) == 2


class TestMore:
    def test_rounds(self, shop):
        assert shop.round(2.6) == 3

    @pytest.mark.parametrize("n", [1, 2])
    def test_cases(self, n):
        assert n == 1
`;

const report = (states: Readonly<Record<string, "passed" | "failed">>): Report => ({
  ...{ runner: "pytest", failureLines: "" },
  tests: Object.entries(states).map(([name, state]) => ({ name, state })),
});

describe("tests in a prompt", () => {
  it("are whole where they fail and named where they pass, with all that is no test", async () => {
    const told = report({
      "tests/test_price.py::test_adds": "passed",
      "tests/test_price.py::TestMore::test_rounds": "failed",
      "tests/test_price.py::TestMore::test_cases[1]": "passed",
      "tests/test_price.py::TestMore::test_cases[2]": "failed",
    });
    const [{ content } = { content: "" }] = await withoutPassing(
      [{ path: "tests/test_price.py", content: python }],
      told,
    );
    expect(content).toContain("[test_adds passes, and is not shown]");
    expect(content).not.toMatch(/add\(1\)|mark\.slow/);
    expect(content).toContain("def shop():");
    expect(content).toContain("assert shop.round(2.6) == 3");
    expect(content).toContain("def test_cases(self, n):");
  });

  it("of scripts are known by what they are called with", async () => {
    const content =
      'import { test } from "node:test";\n\ntest("adds", () => {\n  one();\n});\n\ntest("rounds", () => {\n  two();\n});\n';
    const told = report({ "a.test.js > adds": "passed", "a.test.js > rounds": "failed" });
    const [shown] = await withoutPassing([{ path: "a.test.js", content }], told);
    expect(shown!.content).toBe(
      'import { test } from "node:test";\n\n[adds passes, and is not shown]\n\ntest("rounds", () => {\n  two();\n});\n',
    );
  });

  it("are all shown where none fails, or no result is known", async () => {
    const files = [{ path: "tests/test_price.py", content: python }];
    expect(await withoutPassing(files, undefined)).toEqual(files);
    expect(await withoutPassing(files, report({ "tests/test_price.py::test_adds": "passed" }))).toEqual(files);
  });

  it("that fail before anything is planned are shown without the rest of their file", async () => {
    const long = `${python}\n${Array.from({ length: 40 }, (_, n) => `def test_other_${n}():\n    assert True\n`).join("\n")}`;
    const files = [{ path: "tests/test_price.py", content: long }];
    const [shown] = await showFailing(["tests/test_price.py::TestMore::test_rounds"], files, 1_000);
    expect(shown!.content).toContain("assert shop.round(2.6) == 3");
    expect(shown!.content).not.toContain("test_other_9");
    expect(shown!.content).toMatch(/\[lines \d+ to \d+ are not shown\]/);
  });
});
