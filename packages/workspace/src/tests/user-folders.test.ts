// Given tests are the user's: they are read, and what they are to whom stays as it was.

import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fill, openBench, calm as signal, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { readTests } from "./files.ts";

const test = "def test_a():\n    assert True\n";
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it("Reading given tests changes the rights of no folder of theirs", async () => {
  const base = temporaryFolder();
  fill(base, { "tests/test_a.py": test, "tests/sub/test_b.py": test });
  const folders = [join(base, "tests/sub"), join(base, "tests")];
  for (const folder of folders) chmodSync(folder, 0o555);
  const found = await readTests([join(base, "tests")], base);
  expect(found.map(({ path }) => path)).toEqual(["tests/sub/test_b.py", "tests/test_a.py"]);
  expect(folders.map(modeOf)).toEqual(["555", "555"]);
  for (const folder of folders) chmodSync(folder, 0o755);
});

it.each(["tests", "heldOut"])("a run with them as %s neither", async (given) => {
  const bench = await openBench({ "a.py": "", "tests/test_a.py": test, "tests/sub/test_b.py": test }, (base) => {
    for (const path of ["tests/sub", "tests"]) chmodSync(join(base, "workspace", path), 0o555);
    return { [given]: [join(base, "workspace/tests")] };
  });
  const { tests } = await bench.cell.runTests({ signal, heldOut: given === "heldOut" });
  expect(tests.map(({ state }) => state)).toEqual(["passed", "passed"]);
  const folders = [join(bench.user, "tests/sub"), join(bench.user, "tests")];
  expect(folders.map(modeOf)).toEqual(["555", "555"]);
  for (const folder of folders) chmodSync(folder, 0o755);
});
