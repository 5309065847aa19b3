import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { isTestFile } from "../tests/names.ts";
import { isRunnerFile, ProtectedFiles } from "./protected.ts";

async function open(files: Record<string, string>, given: string[] = []) {
  const folder = temporaryFolder();
  fill(folder, files);
  const kept = new ProtectedFiles(folder, given);
  await kept.keepPresent();
  return { folder, kept, text: (path: string) => readFileSync(join(folder, path), "utf8") };
}

describe("which files are protected", () => {
  it.each(["test_a.py", "pkg/a_test.py", "a.test.ts", "b.spec.jsx", "c.test.mjs", "TEST_A.PY", "ｔest_a.py"])(
    "%s is a test file",
    (path) => expect(isTestFile(path)).toBe(true),
  );

  it.each(["a.py", "tests/data.json", "testing.py", "latest.ts", "a.test.txt", "contest_a.py"])(
    "%s is no test file",
    (path) => expect(isTestFile(path)).toBe(false),
  );

  it.each([
    "conftest.py",
    "deep/in/conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "sitecustomize.py",
    "usercustomize.py",
    "package.json",
    "tsconfig.json",
    "tsconfig.test.json",
    "vitest.config.ts",
    "vite.config.mjs",
    "ConfTest.PY",
  ])("%s configures a runner", (path) => expect(isRunnerFile(path)).toBe(true));

  it.each(["a.py", "src/package.py", "my-package.json.ts", "readme.md", "config.json", "setup.py"])(
    "%s configures none",
    (path) => expect(isRunnerFile(path)).toBe(false),
  );
});

describe("protected files", () => {
  it("are refused to whoever would write them, in any case of letters", async () => {
    const { kept } = await open({ "tests/data/x.json": "{}", "lib/a.py": "" }, ["tests"]);
    expect(kept.refusal("tests/data/x.json")).toContain("test file");
    expect(kept.refusal("Tests/Data/other.json")).toContain("test file");
    expect(kept.refusal("test_new.py")).toContain("test file");
    expect(kept.refusal("lib/conftest.py")).toContain("configures the test runner");
    expect(kept.refusal("lib/a.py")).toBeUndefined();
  });

  it("are put back when they were changed, removed, or replaced by a link", async () => {
    const { folder, kept, text } = await open({
      "test_a.py": "right",
      "test_b.py": "right",
      "test_c.py": "right",
      "a.py": "1",
    });
    writeFileSync(join(folder, "test_a.py"), "wrong");
    rmSync(join(folder, "test_b.py"));
    rmSync(join(folder, "test_c.py"));
    symlinkSync("a.py", join(folder, "test_c.py"));
    expect((await kept.putBack()).sort()).toEqual(["test_a.py", "test_b.py", "test_c.py"]);
    for (const path of ["test_a.py", "test_b.py", "test_c.py"]) expect(text(path)).toBe("right");
    expect(text("a.py")).toBe("1");
    expect(await kept.putBack()).toEqual([]);
  });

  it("are put back when their folder was replaced by a link to elsewhere, which is left as it is", async () => {
    const { folder, kept, text } = await open({ "tests/test_a.py": "right" });
    const elsewhere = temporaryFolder();
    fill(elsewhere, { "test_a.py": "theirs" });
    rmSync(join(folder, "tests"), { recursive: true });
    symlinkSync(elsewhere, join(folder, "tests"));
    await kept.putBack();
    expect(text("tests/test_a.py")).toBe("right");
    expect(readFileSync(join(elsewhere, "test_a.py"), "utf8")).toBe("theirs");
  });

  it("come back over a folder of the same name, and out of a folder that is now a file", async () => {
    const { folder, kept, text } = await open({ "test_a.py": "right", "t/test_b.py": "right" });
    rmSync(join(folder, "test_a.py"));
    mkdirSync(join(folder, "test_a.py/inner"), { recursive: true });
    rmSync(join(folder, "t"), { recursive: true });
    writeFileSync(join(folder, "t"), "a file");
    await kept.putBack();
    expect([text("test_a.py"), text("t/test_b.py")]).toEqual(["right", "right"]);
  });

  it("that were absent at the start are removed wherever they lie, links and folders too", async () => {
    const { folder, kept } = await open({ "a.py": "1", "conftest.py": "the user's" });
    fill(folder, { "pytest.ini": "x", "deep/conftest.py": "x", "sitecustomize.py": "x", "node_modules/a.js": "x" });
    fill(folder, { "package.json/odd.txt": "x" });
    symlinkSync("/nowhere", join(folder, "tox.ini"));
    const fixed = await kept.putBack();
    expect(fixed.sort()).toEqual([
      "deep/conftest.py",
      "node_modules",
      "package.json",
      "pytest.ini",
      "sitecustomize.py",
      "tox.ini",
    ]);
    for (const path of fixed) expect(existsSync(join(folder, path))).toBe(false);
    expect(existsSync(join(folder, "conftest.py"))).toBe(true);
  });

  it("leave packages that were installed at the start", async () => {
    const { folder } = await open({ "node_modules/a.js": "x", ".venv/pyvenv.cfg": "x" });
    const kept = new ProtectedFiles(folder, [], ["node_modules", ".venv"]);
    expect(await kept.putBack()).toEqual([]);
    expect(existsSync(join(folder, "node_modules/a.js"))).toBe(true);
  });

  it("are known again from a note", async () => {
    const { folder, kept } = await open({ "test_a.py": "right", "package.json": "{}" });
    const other = new ProtectedFiles(folder, []);
    other.keep(kept.note);
    expect(other.note).toEqual({ files: ["package.json", "test_a.py"], packageFolders: [] });
    writeFileSync(join(folder, "package.json"), "changed");
    expect(await other.putBack()).toEqual(["package.json"]);
  });

  it("are named to the sandbox, those that are not there too", async () => {
    const { kept } = await open({ "t/test_a.py": "x" }, []);
    expect(kept.readOnly).toEqual(expect.arrayContaining(["t/test_a.py", "conftest.py", "node_modules", ".venv"]));
  });
});
