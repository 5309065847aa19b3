import { describe, expect, it } from "vitest";
import { readTestSource } from "./source.ts";

describe("a Python test file, read without being run", () => {
  it("names the tests that every run must report", async () => {
    const source = `
import pytest
def test_plain(): assert f(1)
async def test_later(): assert f(2)
@pytest.mark.parametrize("x", [1, 2])
def test_cases(x): assert f(x)
@pytest.fixture
def test_data(): return 1
def helper(): pass
class TestGroup:
    def test_inner(self): assert f(3)
    def other(self): pass
class TestMade:
    def __init__(self): pass
    def test_never(self): pass
class Cases(unittest.TestCase):
    def test_unit(self): self.assertEqual(f(1), 2)
if True:
    def test_perhaps(): pass
`;
    const { names, isBroken } = await readTestSource("t/test_a.py", source);
    expect(isBroken).toBe(false);
    expect(names).toEqual([
      "t/test_a.py::test_plain",
      "t/test_a.py::test_later",
      "t/test_a.py::test_cases",
      "t/test_a.py::TestGroup::test_inner",
      "t/test_a.py::Cases::test_unit",
    ]);
  });

  it("counts assertions that say something", async () => {
    const source = `
def test_a():
    assert f(1) == 2
    assert True
    assert 1 == 1, "always"
    assert "x"
    with pytest.raises(ValueError):
        f(2)
    self.assertEqual(f(1), 2)
    self.assertTrue(True)
    mock.assert_called_once_with(x)
`;
    expect((await readTestSource("test_a.py", source)).assertions).toBe(4);
  });

  it("counts skips and expected failures, however they are written", async () => {
    const source = `
pytestmark = pytest.mark.skip
np = pytest.importorskip("numpy")
@pytest.mark.skip
def test_a(): pass
@pytest.mark.skipif(x, reason="y")
def test_b(): pass
@unittest.skip("why")
def test_c(): pass
def test_d():
    pytest.skip("now")
@pytest.mark.xfail(reason="z")
def test_e(): pass
@pytest.mark.xfail
def test_f(): pass
def test_g():
    pytest.xfail("soon")
@unittest.expectedFailure
def test_h(): pass
`;
    expect(await readTestSource("test_a.py", source)).toMatchObject({ skips: 6, xfails: 4 });
  });

  it("says that one is broken, and still tells what it can", async () => {
    const { isBroken, names } = await readTestSource("test_a.py", "def test_a():\n    assert f(1)\n\ndef test_b(:\n");
    expect(isBroken).toBe(true);
    expect(names).toContain("test_a.py::test_a");
  });
});

describe("a TypeScript or JavaScript test file, read without being run", () => {
  it("names tests with plain titles, with the groups around them", async () => {
    const source = `
import test, { describe, it } from "node:test";
test("top", () => { assert.ok(f()); });
describe("group", () => {
  it('in ner', async () => {});
  describe("deep", function () { it("x", () => {}); });
  it(\`made \${up}\`, () => {});
  it.each([1, 2])("case %i", () => {});
});
test("with options", { timeout: 5 }, () => {});
test("holds others", async (t) => { await t.test("child", () => {}); });
test.skip("skipped", () => {});
for (const x of xs) test("in a loop " + x, () => {});
const title = "named"; test(title, () => {});
`;
    for (const path of ["a.test.ts", "a.test.js", "a.test.tsx", "a.test.mjs"]) {
      const { names, isBroken } = await readTestSource(path, source);
      expect(isBroken).toBe(false);
      expect(names.map((name) => name.slice(path.length + 3))).toEqual([
        "top",
        "group > in ner",
        "group > deep > x",
        "with options",
      ]);
    }
  });

  it("counts assertions that say something", async () => {
    const source = `
test("a", (t) => {
  assert.equal(f(1), 2);
  assert.ok(true);
  assert(f(2));
  t.assert.deepEqual(f(3), {});
  expect(f(4)).toBe(5);
  expect(true).toBe(true);
  expect(f(5)).not.toThrow();
  await expect(f(6)).rejects.toThrow();
  expect(1).toBe(f(7));
});`;
    expect((await readTestSource("a.test.ts", source)).assertions).toBe(7);
  });

  it("counts skips and expected failures, however they are written", async () => {
    const source = `
test.skip("a", () => {});
describe.skip("b", () => {});
test("c", { skip: true }, () => {});
test("d", (t) => { t.skip(); });
xit("e", () => {});
test.todo("f");
test("g", { todo: "later" }, () => {});
it.fails("h", () => {});
`;
    expect(await readTestSource("a.test.ts", source)).toMatchObject({ skips: 5, xfails: 3 });
  });

  it("tells nothing of a language that it does not know", async () => {
    expect(await readTestSource("a_test.go", "func TestA() {}")).toEqual({
      names: [],
      texts: {},
      assertions: 0,
      skips: 0,
      xfails: 0,
      isBroken: false,
    });
  });
});
