import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { chooseRunner, isFor } from "./choose.ts";
import type { RunnerChoice } from "./types.ts";

const calls = 'describe("x", () => {});\n';

/** The runner's name for test files, by path and source, in a folder with these others. */
async function choose(
  tests: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
  choice?: RunnerChoice,
) {
  const folder = temporaryFolder();
  fill(folder, others);
  const files = Object.entries(tests).map(([path, source]) => ({ path, source }));
  return (await chooseRunner(choice, { folder, files, setting: "code.test" })).name;
}

const manifest = (more: object) => ({ "package.json": JSON.stringify(more) });
const installed = (name: string, folder = "") => ({ [`${folder}node_modules/${name}/package.json`]: "{}" });

describe("choosing a runner", () => {
  it("goes by the language, then by what is installed", async () => {
    expect(await choose({ "test_a.py": "", "t/b_test.py": "" })).toBe("pytest");
    expect(await choose({ "a.test.ts": "" })).toBe("node --test");
    expect(await choose({ "a.test.ts": "" }, installed("vitest"))).toBe("vitest");
    expect(await choose({ "a.test.ts": calls }, installed("jest"))).toBe("jest");
    expect(await choose({ "packages/a/x.test.ts": "" }, installed("vitest", "packages/a/"))).toBe("vitest");
  });

  it("goes by the script that runs the tests before what they import, and by that before what is installed", async () => {
    const both = { ...installed("jest"), ...installed("vitest") };
    expect(await choose({ "a.test.js": calls }, { ...both, ...manifest({ scripts: { test: "jest --ci" } }) })).toBe(
      "jest",
    );
    const own = manifest({ scripts: { test: "node --enable-source-maps --test" } });
    expect(await choose({ "a.test.js": calls }, { ...both, ...own })).toBe("node --test");
    expect(await choose({ "a.test.js": 'import test from "node:test"' }, both)).toBe("node --test");
    expect(await choose({ "a.test.js": 'import { test } from "@jest/globals"' }, both)).toBe("jest");
  });

  it("is the user's where they name one", async () => {
    expect(await choose({ "a.test.ts": "" }, installed("vitest"), "node")).toBe("node --test");
    expect(await choose({ "test_a.py": "" }, {}, "unittest")).toBe("unittest");
    expect(await choose({}, {}, { command: "make test", report: "r.xml" })).toBe("make test");
  });

  it("says what to type where a runner is missing, unclear or unknown", async () => {
    await expect(choose({ "a.test.ts": "" }, {}, "vitest")).rejects.toThrow(
      /vitest is not installed .* `npm install` in \//,
    );
    const named = manifest({ devDependencies: { jest: "^30" } });
    await expect(choose({ "a.test.js": calls }, named)).rejects.toThrow(
      /jest is not installed .* -c code\.test='npm test'/,
    );
    await expect(choose({ "a.test.ts": "", "test_a.py": "", "test_b.py": "" })).rejects.toThrow(
      "2 test files are in Python and 1 in JavaScript: choose with -c code.test=pytest or -c code.test=node, or name a command that runs both, -c code.test='make check'",
    );
    await expect(choose({ "a.test.js": calls }, manifest({ devDependencies: { karma: "^6" } }))).rejects.toThrow(
      "the tests are karma's, which is not known here: say what runs them, -c code.test='npm test'",
    );
  });

  it("leaves files of another language to others", () => {
    expect(isFor("pytest", "test_a.py")).toBe(true);
    expect(isFor("unittest", "a.test.ts")).toBe(false);
    expect(isFor("jest", "test_a.py")).toBe(false);
    expect(isFor({ command: "make" }, "test_a.py")).toBe(true);
    expect(isFor(undefined, "a.test.ts")).toBe(true);
  });
});
