import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { BareSandbox, type Sandbox } from "@loopwright/sandbox";
import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { Copies, runOn } from "./copies.ts";

const mounting = { kind: "bwrap", run: () => Promise.reject(new Error("nothing is run here")) } satisfies Sandbox;

async function makeCopies(
  files: Record<string, string>,
  { sandbox = mounting as Sandbox, shared = [] as string[], ignore = [] as string[] } = {},
  prepare = (_folder: string) => {},
) {
  const base = temporaryFolder();
  const [folder, state] = [join(base, "workspace"), join(base, "state")];
  mkdirSync(folder);
  fill(folder, files);
  prepare(folder);
  const places = Object.fromEntries(shared.map((path) => [path, join(folder, path)]));
  const copies = await Copies.make({ sandbox, folder, inside: "/workspace", state, shared: places, ignore });
  return { copies, folder, state };
}

const names = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

describe("Copies of a workspace", () => {
  it("have its files, folders and links, with their times and modes", async () => {
    const time = new Date("2020-01-02T03:04:05Z");
    const { copies } = await makeCopies({ "a.py": "a\n", "deep/er/b.txt": "b\n", "run.sh": "#!\n" }, {}, (folder) => {
      symlinkSync("a.py", join(folder, "link.py"));
      symlinkSync("/etc/passwd", join(folder, "out"));
      mkdirSync(join(folder, "empty"));
      chmodSync(join(folder, "run.sh"), 0o755);
      utimesSync(join(folder, "a.py"), time, time);
    });
    const copy = await copies.take("one");
    expect(names(copy)).toEqual(["a.py", "deep", "deep/er", "deep/er/b.txt", "empty", "link.py", "out", "run.sh"]);
    expect(readFileSync(join(copy, "deep/er/b.txt"), "utf8")).toBe("b\n");
    expect(readlinkSync(join(copy, "link.py"))).toBe("a.py");
    expect(readlinkSync(join(copy, "out"))).toBe("/etc/passwd");
    expect(statSync(join(copy, "run.sh")).mode & 0o777).toBe(0o755);
    expect(statSync(join(copy, "a.py")).mtime).toEqual(time);
  });

  it("are as the workspace was, whatever became of it or of another copy", async () => {
    const { copies, folder } = await makeCopies({ "a.py": "a\n" });
    const one = await copies.take("one");
    writeFileSync(join(one, "a.py"), "changed\n");
    writeFileSync(join(one, "more"), "");
    rmSync(join(folder, "a.py"));
    const again = await copies.take("one");
    expect(names(again)).toEqual(["a.py"]);
    expect(readFileSync(join(again, "a.py"), "utf8")).toBe("a\n");
    expect(readFileSync(join(await copies.take("two"), "a.py"), "utf8")).toBe("a\n");
  });

  it("have nothing of what is ignored", async () => {
    const { copies } = await makeCopies({ "a.py": "", "mine/log": "z", "__pycache__/a.pyc": "" }, { ignore: ["mine"] });
    expect(names(copies.pristine)).toEqual(["a.py"]);
  });

  it("see packages and git directories where they lie, by mounts in a sandbox and by links without one", async () => {
    const files = { "a.js": "", "node_modules/x/index.js": "", "part/node_modules/y/index.js": "", ".git/HEAD": "ref" };
    const shared = ["node_modules", ".git", "part/node_modules"];
    const { copies, folder } = await makeCopies(files, { shared });
    expect(names(copies.pristine)).toEqual([".git", "a.js", "node_modules", "part", "part/node_modules"]);
    expect(copies.mounts).toEqual({
      "/workspace/node_modules": join(folder, "node_modules"),
      "/workspace/.git": join(folder, ".git"),
      "/workspace/part/node_modules": join(folder, "part/node_modules"),
    });
    const bare = await makeCopies(files, { sandbox: new BareSandbox(), shared });
    expect(bare.copies.mounts).toEqual({});
    const copy = await bare.copies.take("one");
    expect(readlinkSync(join(copy, "node_modules"))).toBe(join(bare.folder, "node_modules"));
    expect(existsSync(join(copy, "part/node_modules/y/index.js"))).toBe(true);
  });

  it("are gone when they are disposed of, also folders that a version has closed", async () => {
    const { copies, state } = await makeCopies({ "a.py": "" });
    const copy = await copies.take("one");
    mkdirSync(join(copy, "closed/inner"), { recursive: true });
    writeFileSync(join(copy, "closed/inner/x"), "");
    chmodSync(join(copy, "closed"), 0);
    copies[Symbol.dispose]();
    expect(readdirSync(state)).toEqual([]);
  });

  it("leave those of other living processes alone, and remove those of dead ones", async () => {
    const base = temporaryFolder();
    const [folder, state] = [join(base, "workspace"), join(base, "state")];
    mkdirSync(folder);
    for (const name of [`trials-${process.ppid}-0`, "trials-999999999-3", "tests"])
      mkdirSync(join(state, name), { recursive: true });
    using copies = await Copies.make({
      sandbox: mounting,
      folder,
      inside: "/workspace",
      state,
      shared: {},
      ignore: [],
    });
    expect(readdirSync(state).filter((name) => !copies.pristine.includes(name))).toEqual(
      ["tests", `trials-${process.ppid}-0`].sort(),
    );
  });

  it("take the workspace's place in a test run", async () => {
    const { copies, folder } = await makeCopies(
      { "test_a.py": "", "node_modules/x/index.js": "" },
      { shared: ["node_modules"] },
    );
    const run = {
      folder,
      files: [{ path: "test_a.py", inside: `${folder}/test_a.py`, source: "" }],
      mounts: { "/loopwright/tests": "/elsewhere" },
    };
    const inside = runOn({ ...run, sandbox: mounting } as unknown as Parameters<typeof runOn>[0], copies, "/copy");
    expect(inside).toMatchObject({ folder: "/copy", files: run.files });
    expect(Object.keys(inside.mounts)).toEqual(["/workspace/node_modules", "/loopwright/tests"]);
    const bare = { ...run, sandbox: new BareSandbox() } as unknown as Parameters<typeof runOn>[0];
    expect(runOn(bare, copies, "/copy").files[0]).toMatchObject({ inside: "/copy/test_a.py" });
  });

  it("hold files that a program has and nobody may read as little as a test could", async () => {
    const { copies } = await makeCopies({ "a.py": "a", "closed.txt": "x" }, {}, (folder) =>
      chmodSync(join(folder, "closed.txt"), 0),
    );
    const found = lstatSync(join(copies.pristine, "closed.txt"), { throwIfNoEntry: false });
    // Root reads everything.
    expect(found === undefined || process.getuid?.() === 0).toBe(true);
    expect(readFileSync(join(copies.pristine, "a.py"), "utf8")).toBe("a");
  });
});
