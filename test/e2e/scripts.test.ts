// The checks themselves: each rule is broken once, in a small tree where nothing else is wrong.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-scripts-"));
});

afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function script(name: string, env: NodeJS.ProcessEnv = process.env) {
  const file = join(import.meta.dirname, "../../scripts", name);
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: dir, encoding: "utf8", env });
  return { status, stdout, stderr };
}

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const lines = (count: number) => "// one line\n".repeat(count);
const many = (count: number, path: (at: number) => string, text = lines(1)) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [path(at), text]));
const ours = (...names: string[]) => Object.fromEntries(names.map((name) => [`@loopwright/${name}`, "0.2.0"]));

/** A package.json with everything in it, and then what a test says of it. */
function manifest(folder: string, said: Record<string, unknown> = {}): string {
  return json({
    name: folder === "loopwright" ? folder : `@loopwright/${folder}`,
    version: "0.2.0",
    description: "What it is.",
    keywords: ["yaml"],
    license: "MIT",
    type: "module",
    engines: { node: ">=24" },
    files: ["dist"],
    exports: { ".": "./src/index.ts" },
    ...said,
  });
}

function references(...folders: string[]): string {
  return json({ references: folders.map((path) => ({ path })) });
}

const git = {
  files: ["dist", "vendor"],
  exports: { ".": "./src/index.ts", "./log": "./src/log.ts", "./parts/*": "./src/parts/*.ts" },
  devDependencies: { docx: "9.0.0" },
};
const code = {
  dependencies: { ...ours("core", "git"), diff: "9.0.0" },
  peerDependencies: { grammar: "1.0.0" },
  peerDependenciesMeta: { grammar: { optional: true } },
};

const folders = ["core", "git", "code", "novel", "loopwright"].map((name) => `packages/${name}`);

/** The table of what each package may have. */
const budgets = [...folders.map((path) => `| ${basename(path)} | 2,000 | |\n`), "| all | 4,000 | |\n"].join("");

/** A tree in which every rule holds, and everything that may be done is done once. */
const sound: Record<string, string> = {
  "package.json": json({ name: "repository", version: "0.2.0", devDependencies: { vitest: "5.1.0" } }),
  "tsconfig.json": json({ include: ["packages/*/src", "test", "examples", "scripts", "bench/*.ts"] }),
  "tsconfig.build.json": references(
    ...["core", "git", "code", "novel", "loopwright"].map((name) => `packages/${name}`),
  ),

  "packages/core/package.json": manifest("core", { dependencies: { zod: "4.6.7" } }),
  "packages/core/tsconfig.json": references(),
  "packages/core/src/index.ts":
    'import { join } from "node:path";\nimport type { z } from "zod";\nimport "./clock.ts";\n',
  "packages/core/src/clock.ts": 'import type { Core } from "./index.ts";\n',
  "packages/core/src/index.test.ts":
    'import { it } from "vitest";\nimport "@loopwright/core";\nimport "../../../test/fakes/clock.ts";\n',
  "packages/core/src/contract/suite.ts": 'import { it } from "vitest";\n',

  "packages/git/package.json": manifest("git", { ...git, dependencies: ours("core") }),
  "packages/git/tsconfig.json": references("../core"),
  "packages/git/src/index.ts": 'export * from "@loopwright/core";\nimport type { Document } from "docx";\n',
  "packages/git/programs/worker.mjs": 'import "whatever-the-user-has";\nimport "./other.mjs";\n',

  "packages/code/package.json": manifest("code", code),
  "packages/code/tsconfig.json": references("../core", "../git"),
  "packages/code/src/index.ts": [
    'import type { Core } from "@loopwright/core";',
    'import "@loopwright/git/parts/one";',
    'const log = await import("@loopwright/git/log");',
    "const load = createRequire(import.meta.url);",
    'const path = load.resolve(grammars["python"]);',
    'const grammars = { python: "grammar/python.wasm" };',
    'let diff: typeof import("diff");',
    'import type { Grammar } from "grammar";',
    "",
  ].join("\n"),
  "packages/code/src/talk.test.ts": [
    '// import "comment"; and an apostrophe\'s trouble',
    '/* import "block"; */',
    `const program = \`\nimport "template";\n\${[\`import "nested";\`]}\nimport "after";\n\`;`,
    "const line = 'import \"quoted\";';",
    'const pattern = /["\'`/]/; const half = 4 / 2; // "`',
    'const object = { import: "property", from: "property" };',
    'object.require("method");',
    "",
  ].join("\n"),

  "packages/novel/package.json": manifest("novel"),
  "packages/novel/tsconfig.json": references(),
  "packages/novel/src/index.ts": "export {};\n",

  "packages/loopwright/package.json": manifest("loopwright", {
    dependencies: ours("code", "novel"),
    loopwright: { loops: { code: "@loopwright/code", novel: "@loopwright/novel" } },
  }),
  "packages/loopwright/tsconfig.json": references("../code", "../novel"),
  "packages/loopwright/src/index.ts": 'const isCode = (error) => "code" in error && error.code === 1;\n',
  "packages/loopwright/bin/loopwright.js": 'await import("../dist/main.js");\n',
  "packages/loopwright/templates/loop.ts": 'import { defineLoop } from "loopwright";\n',

  "test/fakes/clock.ts": 'import "../../packages/core/src/clock.ts";\n',
  "test/e2e/all.test.ts": 'import { it } from "vitest";\nimport "loopwright";\nimport "@loopwright/git/log";\n',
  "bench/run.ts": 'import "loopwright";\nimport "../packages/git/src/index.ts";\n',
  "docs/decisions/README.md": budgets,
  "scripts/docs.ts": 'import "@loopwright/core";\nimport "../packages/core/src/clock.ts";\n',
  "examples/01-minimal.ts": 'import { defineLoop } from "loopwright";\n',
  "examples/runs/one/left.ts": 'import "behind";\n',
};

describe("the import check", () => {
  it("passes a tree in which every rule holds", () => {
    write(sound);
    expect(script("check-imports.ts")).toMatchObject({ status: 0, stderr: "" });
  });

  it("sees an import however it is written", () => {
    const target = "../../../git/src/index.ts";
    const ways: Record<string, string> = {
      "at-once": `const git = createRequire(import.meta.url)("${target}");`,
      "by-another-name": `const load = createRequire(import.meta.url), git = load("${target}");`,
      "by-template": `const git = await import(\`${target}\`);`,
      "data-file": `import data from "${target}" with { type: "json" };`,
      "effect-only": `import "${target}";`,
      "inside-template": `const text = \`one \${await import("${target}")} two\`;`,
      "meta-resolve": `const url = import.meta.resolve("${target}");`,
      "re-export": `export { git } from "${target}";`,
      "re-export-all": `export * as git from "${target}";`,
      "re-export-type": `export type * from "${target}";`,
      require: `const git = require("${target}");`,
      "require-resolve": `const path = require.resolve("${target}");`,
      "resolve-at-once": `const path = createRequire(import.meta.url).resolve("${target}");`,
      statement: `import git, { one, type Two } from "${target}";`,
      "statement-type": `import type { Git } from "${target}";`,
      "type-import": `let git: import("${target}").Git;`,
      "when-needed": `const git = /[/"]/.test(text) && (await import("${target}"));`,
    };
    const paths = Object.keys(ways).map((name) => `packages/novel/src/ways/${name}.ts`);
    write({ ...sound, ...Object.fromEntries(paths.map((path, at) => [path, Object.values(ways)[at]!])) });
    const { status, stderr } = script("check-imports.ts");
    const advice = `'${target}' reaches into packages/git; import the package by its name`;
    expect(stderr.trimEnd().split("\n").sort()).toEqual(paths.map((path) => `${path}:1: ${advice}`).sort());
    expect(status).toBe(1);
  });

  const novel = "packages/novel/src/book.ts";
  const novelTest = "packages/novel/src/book.test.ts";
  const mesh = {
    "packages/mesh/package.json": manifest("mesh"),
    "packages/mesh/tsconfig.json": references(),
    "tsconfig.build.json": references(...folders, "packages/mesh"),
  };
  const builtAdvice = "is built, and may be old; import the package by its name, or its source";
  const gitExports = "is not in the exports of packages/git/package.json; import what is, or add it";

  it.each<[string, Record<string, string>, string]>([
    [
      "A test that reaches into another package",
      { [novelTest]: 'import "../../git/src/log.ts";' },
      `${novelTest}:1: '../../git/src/log.ts' reaches into packages/git; import the package by its name`,
    ],
    [
      "A source that leaves its package for test/",
      { [novel]: 'import "../../../test/fakes/clock.ts";' },
      `${novel}:1: '../../../test/fakes/clock.ts' leaves packages/novel; only a test may, and only to test/`,
    ],
    [
      "A test that leaves its package for another folder than test/",
      { [novelTest]: 'import "../../../bench/run.ts";' },
      `${novelTest}:1: '../../../bench/run.ts' leaves packages/novel; only a test may, and only to test/`,
    ],
    [
      "A program that leaves its package",
      { "packages/novel/programs/a.mjs": 'import "../../../scripts/docs.ts";' },
      "packages/novel/programs/a.mjs:1: '../../../scripts/docs.ts' leaves packages/novel; only a test may, and only to test/",
    ],
    [
      "A source that imports by a path of one machine",
      { [novel]: 'import "/home/me/git.ts";' },
      `${novel}:1: '/home/me/git.ts' is a place on one machine; import it by name`,
    ],
    [
      "A source that imports what its own package was built to",
      { [novel]: 'import "../dist/index.js";' },
      `${novel}:1: '../dist/index.js' ${builtAdvice}`,
    ],
    [
      "A test outside the packages that imports what was built",
      { "test/a.test.ts": 'import "../packages/git/dist/index.js";' },
      `test/a.test.ts:1: '../packages/git/dist/index.js' ${builtAdvice}`,
    ],
    [
      "An example that reaches into a package",
      { "examples/02.ts": 'import "../packages/git/src/index.ts";' },
      "examples/02.ts:1: '../packages/git/src/index.ts' reaches into packages/git; import the package by its name",
    ],
    [
      "A source that imports what another package does not export",
      { "packages/code/src/a.ts": 'import "@loopwright/git/src/log.ts";' },
      `packages/code/src/a.ts:1: '@loopwright/git/src/log.ts' ${gitExports}`,
    ],
    [
      "A test that imports what another package does not export",
      { "packages/code/src/a.test.ts": 'import "@loopwright/git/hidden";' },
      `packages/code/src/a.test.ts:1: '@loopwright/git/hidden' ${gitExports}`,
    ],
    [
      "A test outside the packages that imports what one does not export",
      { "test/a.test.ts": 'import "@loopwright/git/hidden";' },
      `test/a.test.ts:1: '@loopwright/git/hidden' ${gitExports}`,
    ],
    [
      "A source that imports what its package.json does not name",
      { [novel]: 'import type {\n  Yaml,\n} from "yaml/types";' },
      `${novel}:3: 'yaml' is not named in packages/novel/package.json; add it to its dependencies`,
    ],
    [
      "A source that loads a library of which its package ships a copy",
      { "packages/git/src/word.ts": 'import "docx";' },
      "packages/git/src/word.ts:1: 'docx' is not named in packages/git/package.json; add it to its dependencies",
    ],
    [
      "A program's first file that imports what its package.json does not name",
      { "packages/loopwright/bin/loopwright.js": 'import "yaml";' },
      "packages/loopwright/bin/loopwright.js:1: 'yaml' is not named in packages/loopwright/package.json; add it to its dependencies",
    ],
    [
      "A source that imports what the root has for tests",
      { [novel]: 'import { it } from "vitest";' },
      `${novel}:1: 'vitest' is not named in packages/novel/package.json; add it to its dependencies`,
    ],
    [
      "A test that imports what neither its package nor the root names",
      { [novelTest]: 'import "@loopwright/core";' },
      `${novelTest}:1: '@loopwright/core' is not named in packages/novel/package.json; add it to its dependencies`,
    ],
    [
      "A source that imports its own package by name",
      { [novel]: 'import "@loopwright/novel";' },
      `${novel}:1: '@loopwright/novel' is this package itself; import the file`,
    ],
    [
      "A benchmark that imports what the root does not name",
      { "bench/a.ts": 'import "yaml";' },
      "bench/a.ts:1: 'yaml' is not named in package.json; add it to its devDependencies",
    ],
    [
      "A dependency that a test alone uses",
      {
        "packages/novel/package.json": manifest("novel", { dependencies: { yaml: "2.9.1" } }),
        [novelTest]: 'import "yaml";',
      },
      "packages/novel/package.json:20: 'yaml' is named and no source imports it; take it out",
    ],
    [
      "A peer dependency that is only a word in some text",
      {
        "packages/novel/package.json": manifest("novel", { peerDependencies: { yaml: "2.9.1" } }),
        [novel]: 'const format = "yaml";',
      },
      "packages/novel/package.json:20: 'yaml' is named and no source imports it; take it out",
    ],
    [
      "A package that builds without what it depends on",
      { "packages/git/tsconfig.json": references() },
      "packages/git/tsconfig.json:2: package.json depends on packages/core; add it to references",
    ],
    [
      "A package that builds with what it does not depend on",
      { "packages/novel/tsconfig.json": references("../git") },
      "packages/novel/tsconfig.json:4: package.json does not depend on '../git'; take it out of references",
    ],
    [
      "A package that the whole build leaves out",
      { ...mesh, "tsconfig.build.json": sound["tsconfig.build.json"]! },
      "tsconfig.build.json:2: add packages/mesh to references",
    ],
    [
      "A core that imports another library than zod",
      {
        "packages/core/package.json": manifest("core", { dependencies: { zod: "4.6.7", yaml: "2.9.1" } }),
        "packages/core/src/yaml.ts": 'import "yaml";',
      },
      "packages/core/src/yaml.ts:1: the core imports nothing but node: and zod, not 'yaml'; make it a port",
    ],
    [
      "A loop that imports another loop",
      {
        "packages/novel/package.json": manifest("novel", { dependencies: ours("code") }),
        "packages/novel/tsconfig.json": references("../code"),
        [novel]: 'import "@loopwright/code";',
      },
      `${novel}:1: the loop @loopwright/novel may not import the loop @loopwright/code; move what both need into a package below them`,
    ],
    ...[
      'const loop = find("code");',
      "// `loopwright code` starts one",
      "// where the code loop is stuck",
      'const command = "loopwright init . --loop code";',
    ].map((line): [string, Record<string, string>, string] => [
      `A command line that names a loop whose name is a common word: ${line}`,
      { "packages/loopwright/src/a.ts": `\n${line}` },
      "packages/loopwright/src/a.ts:2: the loop 'code' is named here; its own package must bring this along",
    ]),
    [
      "A command line that names a loop, in whatever words",
      { "packages/loopwright/src/a.ts": "// What a Novel wants.\n" },
      "packages/loopwright/src/a.ts:1: the loop 'novel' is named here; its own package must bring this along",
    ],
    [
      "A command line with a folder for a loop",
      { "packages/loopwright/src/novel/a.ts": "export {};\n" },
      "packages/loopwright/src/novel/a.ts:1: the loop 'novel' is named here; its own package must bring this along",
    ],
    [
      "A test in a package that imports the program",
      { "packages/mesh/src/a.test.ts": 'import "loopwright";', ...mesh },
      `packages/mesh/src/a.test.ts:1: only test/, bench/ and examples/ may import loopwright; take what is needed as an argument`,
    ],
    [
      "A script that imports the program",
      { "scripts/a.ts": 'import "loopwright";' },
      "scripts/a.ts:1: only test/, bench/ and examples/ may import loopwright; take what is needed as an argument",
    ],
    [
      "A package with a version of its own",
      { "packages/novel/package.json": manifest("novel", { version: "0.3.0" }) },
      "packages/novel/package.json:3: the version is 0.3.0; all are 0.2.0 as in package.json",
    ],
    [
      "A package that wants a range of another",
      { "packages/git/package.json": manifest("git", { ...git, dependencies: { "@loopwright/core": "^0.2.0" } }) },
      "packages/git/package.json:26: '@loopwright/core' is named as ^0.2.0; write 0.2.0",
    ],
    [
      "A package that wants a range of another for its tests",
      { "packages/novel/package.json": manifest("novel", { devDependencies: { "@loopwright/core": "*" } }) },
      "packages/novel/package.json:20: '@loopwright/core' is named as *; write 0.2.0",
    ],
    [
      "A file that loads one that loads it",
      { [novel]: 'import "./index.ts";', "packages/novel/src/index.ts": 'export * from "./book.ts";' },
      `packages/novel/src/index.ts:1: files in a circle: ${novel} → packages/novel/src/index.ts → ${novel}; move what they share into a file of its own`,
    ],
  ])("%s is found, and nothing else", (_fault, files, line) => {
    write({ ...sound, ...files });
    const { status, stderr } = script("check-imports.ts");
    expect(stderr).toBe(`${line}\n`);
    expect(status).toBe(1);
  });

  it("finds packages that name each other in a circle, though nothing is imported", () => {
    write({
      ...sound,
      "packages/novel/package.json": manifest("novel", { dependencies: ours("mesh") }),
      "packages/mesh/package.json": manifest("mesh", { dependencies: ours("novel") }),
      "packages/mesh/tsconfig.json": references("../novel"),
    });
    const circle = "@loopwright/novel → @loopwright/mesh → @loopwright/novel";
    expect(script("check-imports.ts").stderr).toContain(
      `packages/mesh/package.json:20: packages in a circle: ${circle}; take one of these dependencies out\n`,
    );
  });

  it("finds packages that import each other in a circle, though one does not name the other", () => {
    write({ ...sound, "packages/git/src/up.test.ts": 'import "@loopwright/code";' });
    const circle = "@loopwright/code → @loopwright/git → @loopwright/code";
    expect(script("check-imports.ts").stderr).toContain(
      `packages/git/src/up.test.ts:1: packages in a circle: ${circle}; take one of these dependencies out\n`,
    );
  });
});

describe("the tree check", () => {
  it("passes a tree in which every rule holds, and prints its figures in one line", () => {
    write({
      ...sound,
      "packages/git/src/long.ts": lines(500),
      "packages/git/src/longer.test.ts": lines(501),
      "packages/git/src/types.test-d.ts": lines(501),
      "packages/git/src/contract/suite.ts": lines(501),
      ...many(10, (at) => `packages/git/src/${at}.ts`),
      ...many(11, (at) => `packages/git/src/${at}.test.ts`),
      ...many(13, (at) => `packages/git/src/more/${at}.ts`),
      ...many(26, (at) => `packages/git/dist/${at}.js`),
    });
    expect(script("check-tree.ts")).toEqual({
      status: 0,
      stdout: "32 source files, longest 500 (packages/git/src/long.ts), largest folder 25 files (packages/git/src)\n",
      stderr: "",
    });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      "A source that is too long",
      { "packages/git/src/long.ts": lines(501) },
      "packages/git/src/long.ts: 501 lines, more than 500; split it",
    ],
    [
      "A script that is too long",
      { "scripts/rooms/long.ts": lines(501) },
      "scripts/rooms/long.ts: 501 lines, more than 500; split it",
    ],
    [
      "A program in another language that is too long",
      { "packages/git/programs/python/worker.py": lines(501) },
      "packages/git/programs/python/worker.py: 501 lines, more than 500; split it",
    ],
    [
      "A folder that is too full",
      many(26, (at) => `packages/git/prompts/${at}.md`),
      "packages/git/prompts: 26 files, more than 25; make folders in it",
    ],
    [
      "A package past its lines",
      {
        "packages/novel/src/index.ts": lines(100),
        "docs/decisions/README.md": budgets.replace("novel | 2,000", "novel | 99"),
      },
      "novel: 100 lines, more than 99 (docs/decisions/README.md)",
    ],
    [
      "A package without a budget",
      { "docs/decisions/README.md": budgets.replace(/.*novel.*\n/, "") },
      "novel: has no budget; give it a row in docs/decisions/README.md",
    ],
    [
      "A package with an empty list of keywords",
      { "packages/git/package.json": manifest("git", { keywords: [] }) },
      "packages/git/package.json: 'keywords' is missing; say it",
    ],
    [
      "A package with another license",
      { "packages/git/package.json": manifest("git", { license: "ISC" }) },
      "packages/git/package.json: the license is ISC; all are MIT",
    ],
  ])("%s is found, and nothing else", (_fault, files, line) => {
    write({ ...sound, ...files });
    const { status, stderr } = script("check-tree.ts");
    expect(stderr).toBe(`${line}\n`);
    expect(status).toBe(1);
  });

  it("asks every package for each of its fields", () => {
    write({ ...sound, "packages/git/package.json": "{}" });
    const fields = ["name", "version", "description", "keywords", "license", "type", "engines", "files", "exports"];
    const { status, stderr } = script("check-tree.ts");
    expect(stderr.trimEnd().split("\n")).toEqual(
      fields.map((field) => `packages/git/package.json: '${field}' is missing; say it`),
    );
    expect(status).toBe(1);
  });
});

describe("the look for system programs", () => {
  it("names what is missing, installs nothing when told not to, and does not fail", () => {
    mkdirSync(join(dir, "bin"));
    const shell = spawnSync("sh", ["-c", "command -v sh"], { encoding: "utf8" }).stdout.trim();
    spawnSync("ln", ["-s", shell, join(dir, "bin/sh")]);
    const { status, stdout } = script("system-programs.ts", { PATH: join(dir, "bin"), LOOPWRIGHT_NO_INSTALL: "1" });
    expect(status).toBe(0);
    expect(stdout).toContain("missing: git");
    expect(stdout).toContain("missing: bwrap");
    expect(stdout).toContain("Nothing is installed");
  });
});
