import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { removeAll } from "./folder.ts";
import { protectWorkspace, scanWorkspace, sweepWorkspace } from "./protect.ts";

/** Folders in folders, each entered before the next is made. */
const DEEP = `
import os, sys
for index in range(int(sys.argv[1])):
    name = sys.argv[2] if index == 0 else "d" * 200
    os.mkdir(name); os.chdir(name)
`;

const folder = mkdtempSync(join(tmpdir(), "loopwright-scan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function workspaceWith(...paths: string[]): string {
  const root = mkdtempSync(join(folder, "w-"));
  for (const path of paths) add(root, path);
  return root;
}

/** Adds a file, or a folder where the path ends with a slash. */
function add(root: string, path: string): void {
  mkdirSync(join(root, path.endsWith("/") ? path : dirname(path)), { recursive: true });
  if (!path.endsWith("/")) writeFileSync(join(root, path), path);
}

const bare = (path: string) => [`${path}/HEAD`, `${path}/objects/`, `${path}/refs/`];

describe("Looking through a workspace", () => {
  it("finds git directories, .git files and bare repositories wherever they lie", async () => {
    const root = workspaceWith(".git/config", "a/b/.git", "c/.GIT/config", ...bare("d/e"), "f/git/x", "HEAD", "g/HEAD");
    expect((await scanWorkspace(root)).git.toSorted()).toEqual([".git", "a/b/.git", "c/.GIT", "d/e"]);
  });

  it("finds pipes and sockets, and follows no symlink", async () => {
    const root = workspaceWith("a/x");
    const outside = workspaceWith(".git/config");
    symlinkSync(outside, join(root, "out"));
    symlinkSync(root, join(root, "a/round"));
    execFileSync("mkfifo", [join(root, "a/pipe")]);
    expect(await scanWorkspace(root)).toEqual({ git: [], special: ["a/pipe"] });
  });

  it("leaves out what it is told to", async () => {
    const root = workspaceWith("node_modules/x/.git/config", "y/.git/config");
    expect((await scanWorkspace(root, ["node_modules"])).git).toEqual(["y/.git"]);
  });
});

describe("Protecting a workspace", () => {
  it("tells what is there from what is missing, and drops what lies in something protected", async () => {
    const root = workspaceWith("tests/a.py", "tests/b.py", "testsuite", ".git/config");
    const { readOnly, missing } = await protectWorkspace(root, [
      "tests/b.py",
      "tests/",
      "./testsuite",
      "conftest.py",
      "no/such.py",
    ]);
    expect(readOnly).toEqual([".git", "tests", "testsuite"]);
    expect(missing).toEqual(["conftest.py", "no/such.py"]);
  });

  it("takes a path through a file to be missing", async () => {
    expect((await protectWorkspace(workspaceWith("a"), ["a/b"])).missing).toEqual(["a/b"]);
  });

  it("protects a symlink's target in the workspace, and never one outside", async () => {
    const root = workspaceWith("real/x.py");
    symlinkSync("real", join(root, "link"));
    symlinkSync(folder, join(root, "out"));
    symlinkSync("nowhere", join(root, "dangling"));
    const { readOnly, links } = await protectWorkspace(root, ["link/x.py", "out/secret", "dangling"]);
    expect(readOnly).toEqual(["real/x.py"]);
    expect(links.map(({ path }) => path)).toEqual(["link", "out", "dangling"]);
  });

  it.each(["/etc/passwd", "../x", "a/../../x", ".", "..", "a\0b"])(
    "refuses %j, which is no path inside",
    async (path) => {
      await expect(protectWorkspace(workspaceWith(), [path])).rejects.toThrow(/no path inside the workspace/);
    },
  );
});

describe("Sweeping a workspace", () => {
  it("removes what was missing and is there now, and tells of it", async () => {
    const root = workspaceWith("kept.py");
    const before = await protectWorkspace(root, [
      "conftest.py",
      "pkg/conftest.py",
      "package.json",
      "kept.py",
      "absent",
    ]);
    for (const path of ["conftest.py", "pkg/conftest.py", "package.json/x/y", "own.py"]) add(root, path);
    expect(await sweepWorkspace(root, before)).toEqual(["conftest.py", "pkg/conftest.py", "package.json"]);
    expect(readdirSync(root).toSorted()).toEqual(["kept.py", "own.py", "pkg"]);
  });

  it("removes new git directories and pipes, and leaves those that were there", async () => {
    const root = workspaceWith(".git/config", "old/.git/config");
    execFileSync("mkfifo", [join(root, "old-pipe")]);
    const before = await protectWorkspace(root, []);
    for (const path of ["new/.git/config", ...bare("b"), "c/.git"]) add(root, path);
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect((await sweepWorkspace(root, before)).toSorted()).toEqual(["b", "c/.git", "new/.git", "pipe"]);
    expect(existsSync(join(root, "old/.git/config"))).toBe(true);
    expect(existsSync(join(root, "old-pipe"))).toBe(true);
  });

  it("goes through folders that are nested far deeper than a path can be long", async () => {
    const root = workspaceWith("x.py");
    const before = await protectWorkspace(root, ["deep"]);
    execFileSync("python3", ["-c", DEEP, "2500", "deep"], { cwd: root });
    execFileSync("python3", ["-c", DEEP, "2500", "other"], { cwd: root });
    expect(await sweepWorkspace(root, before)).toEqual(["deep"]);
    expect(readdirSync(root).toSorted()).toEqual(["other", "x.py"]);
    await removeAll(root);
    expect(existsSync(root)).toBe(false);
  });

  it("removes nothing through a symlink", async () => {
    const outside = workspaceWith("conftest.py", "deep/conftest.py");
    const root = workspaceWith();
    const before = await protectWorkspace(root, ["pkg/conftest.py", "pkg/deep/conftest.py", "tox.ini"]);
    symlinkSync(outside, join(root, "pkg"));
    symlinkSync(join(outside, "conftest.py"), join(root, "tox.ini"));
    expect(await sweepWorkspace(root, before)).toEqual(["tox.ini"]);
    expect(existsSync(join(outside, "conftest.py")) && existsSync(join(outside, "deep/conftest.py"))).toBe(true);
  });

  it("puts a symlink back that was replaced or removed", async () => {
    const root = workspaceWith("real/x.py");
    for (const name of ["one", "two", "three"]) symlinkSync("real", join(root, name));
    const before = await protectWorkspace(root, ["one/x.py", "two/x.py", "three"]);
    rmSync(join(root, "one"));
    rmSync(join(root, "two"));
    add(root, "two/x.py");
    rmSync(join(root, "three"));
    symlinkSync("/etc", join(root, "three"));
    expect(await sweepWorkspace(root, before)).toEqual(["two", "three"]);
    for (const name of ["one", "two", "three"]) {
      expect(lstatSync(join(root, name)).isSymbolicLink()).toBe(true);
      expect(readlinkSync(join(root, name))).toBe("real");
    }
  });
});
