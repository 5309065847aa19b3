import { execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { Snapshots } from "./snapshots.ts";

function open(files: Record<string, string> = {}) {
  const base = temporaryFolder();
  const folder = join(base, "workspace");
  mkdirSync(folder);
  fill(folder, files);
  const place = { folder, gitDir: join(base, "own.git") };
  return { folder, place, snapshots: new Snapshots(place), again: () => new Snapshots(place) };
}

/** Everything below a folder, by path: contents, bits, links. */
function picture(folder: string, path = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(folder, path)).sort()) {
    const inner = path === "" ? name : `${path}/${name}`;
    const full = join(folder, inner);
    const state = lstatSync(full);
    if (state.isSymbolicLink()) found[inner] = `link to ${readlinkSync(full)}`;
    else if (state.isDirectory()) Object.assign(found, { [inner]: "folder" }, picture(folder, inner));
    else found[inner] = `${state.mode & 0o100 ? "program" : "file"} ${readFileSync(full, "base64")}`;
  }
  return found;
}

describe("snapshots of a workspace", () => {
  it("give the same id for the same files, and another one for others (S1)", async () => {
    const [one, other] = [open({ "a.py": "1", "b/c.py": "2" }), open({ "b/c.py": "2", "a.py": "1" })];
    const id = await one.snapshots.take("note");
    expect(id).toMatch(/^[0-9a-f]{40}$/);
    expect(await other.snapshots.take("note")).toBe(id);
    expect(await one.snapshots.take("another note")).not.toBe(id);
    fill(one.folder, { "a.py": "3" });
    expect(await one.snapshots.take("note")).not.toBe(id);
  });

  it("bring back contents, executable bits, links and empty folders, and remove what came since (S2)", async () => {
    const { folder, snapshots } = open({ "a.py": "one\r\n", "deep/er/b.sh": "#!/bin/sh\n", "gone.txt": "x" });
    chmodSync(join(folder, "deep/er/b.sh"), 0o755);
    symlinkSync("../a.py", join(folder, "deep/link"));
    symlinkSync("/nowhere/at/all", join(folder, "dangling"));
    mkdirSync(join(folder, "empty/inner"), { recursive: true });
    writeFileSync(join(folder, "bytes.bin"), Buffer.from([0, 255, 10, 13, 0]));
    const before = picture(folder);
    const id = await snapshots.take({ why: "start" });

    fill(folder, { "a.py": "two", "new/file.py": "x", "deep/other.py": "y" });
    chmodSync(join(folder, "deep/er/b.sh"), 0o644);
    rmSync(join(folder, "gone.txt"));
    rmSync(join(folder, "dangling"));
    rmSync(join(folder, "empty"), { recursive: true });
    rmSync(join(folder, "deep/link"));
    writeFileSync(join(folder, "deep/link"), "now a file");
    mkdirSync(join(folder, "new/empty"));
    expect(await snapshots.restore(id)).toEqual({ why: "start" });
    expect(picture(folder)).toEqual(before);
  });

  it("are restored by another process that knows only the id", async () => {
    const { folder, snapshots, again } = open({ "a.py": "1" });
    const [before, id] = [picture(folder), await snapshots.take("n")];
    fill(folder, { "a.py": "2", "b.py": "3" });
    expect(await again().restore(id)).toBe("n");
    expect(picture(folder)).toEqual(before);
  });

  it("turn files into folders, folders into files, and links into either", async () => {
    const { folder, snapshots } = open({ file: "1", "folder/inner.py": "2", "other/x.py": "3" });
    symlinkSync("folder", join(folder, "link"));
    const [before, id] = [picture(folder), await snapshots.take(null)];
    for (const name of ["file", "folder", "link", "other"]) rmSync(join(folder, name), { recursive: true });
    fill(folder, { "file/now/a/folder.py": "x", folder: "now a file", "link/inner.py": "x" });
    symlinkSync("/etc", join(folder, "other"));
    await snapshots.restore(id);
    expect(picture(folder)).toEqual(before);
    expect(existsSync("/etc/x.py")).toBe(false);
  });

  it("never write or delete through a link that leads out of the workspace", async () => {
    const { folder, place, snapshots } = open({ "src/a.py": "1", "src/b.py": "2" });
    const outside = join(place.gitDir, "../outside");
    fill(outside, { "a.py": "theirs", "keep.txt": "theirs" });
    const id = await snapshots.take(null);
    rmSync(join(folder, "src"), { recursive: true });
    symlinkSync(outside, join(folder, "src"));
    await snapshots.restore(id);
    expect(picture(outside)).toEqual({
      "a.py": `file ${Buffer.from("theirs").toString("base64")}`,
      "keep.txt": `file ${Buffer.from("theirs").toString("base64")}`,
    });
    expect(readFileSync(join(folder, "src/a.py"), "utf8")).toBe("1");
  });

  it("leave git directories, caches and installed packages alone", async () => {
    const ignored = {
      ".git/config": "user's",
      "sub/.git": "gitdir: elsewhere",
      "node_modules/x/index.js": "1",
      ".venv/bin/python": "2",
      "pkg/__pycache__/a.pyc": "3",
      ".pytest_cache/x": "4",
    };
    const { folder, snapshots, place } = open({ ...ignored, "a.py": "1", "sub/b.py": "2" });
    const id = await snapshots.take(null);
    const listed = execFileSync("git", ["--git-dir", place.gitDir, "ls-tree", "-r", "--name-only", id], {
      encoding: "utf8",
    });
    expect(listed.trim().split("\n")).toEqual(["a.py", "sub/b.py"]);
    fill(folder, { ".git/config": "changed", "node_modules/y.js": "new", "a.py": "2" });
    await snapshots.restore(id);
    expect(readFileSync(join(folder, ".git/config"), "utf8")).toBe("changed");
    expect(existsSync(join(folder, "node_modules/y.js"))).toBe(true);
    expect(readFileSync(join(folder, "a.py"), "utf8")).toBe("1");
  });

  it("do not read the workspace's ignore rules, attributes or line-ending settings (S4)", async () => {
    const { folder, snapshots } = open({
      ".gitignore": "*\n",
      ".gitattributes": "* text eol=crlf filter=evil\n",
      "a.txt": "one\ntwo\r\n",
    });
    const [before, id] = [picture(folder), await snapshots.take(null)];
    rmSync(join(folder, "a.txt"));
    await snapshots.restore(id);
    expect(picture(folder)).toEqual(before);
  });

  it("keep names with spaces, quotes, line breaks and other scripts", async () => {
    const names = [
      'sp ace "q".py',
      "new\nline.txt",
      "ünï/日本.py",
      "-rf",
      "back\\slash",
      "tab\there",
      ":(glob)*",
      "a'b",
    ];
    const { folder, snapshots } = open(Object.fromEntries(names.map((name) => [name, name])));
    const [before, id] = [picture(folder), await snapshots.take(null)];
    for (const name of names) rmSync(join(folder, name), { force: true });
    await snapshots.restore(id);
    expect(picture(folder)).toEqual(before);
  });

  it("remove pipes", async () => {
    const { folder, snapshots } = open({ "a.py": "1" });
    const [before, id] = [picture(folder), await snapshots.take(null)];
    execFileSync("mkfifo", [join(folder, "pipe")]);
    const withThem = await snapshots.take(null);
    await snapshots.restore(id);
    expect(picture(folder)).toEqual(before);
    expect(withThem).toBe(id);
  });

  it("are restored over folders and files that a program has locked", async () => {
    const { folder, snapshots } = open({ "locked/a.py": "1", "b.py": "2" });
    const [before, id] = [picture(folder), await snapshots.take(null)];
    fill(folder, { "locked/a.py": "changed", "locked/new.py": "x" });
    chmodSync(join(folder, "b.py"), 0o000);
    chmodSync(join(folder, "locked"), 0o000);
    await snapshots.restore(id);
    expect(picture(folder)).toEqual(before);
  });

  it("see a change of the same length at the same time stamp", async () => {
    const { folder, snapshots } = open({ "a.py": "one" });
    const then = new Date(1_700_000_000_000);
    utimesSync(join(folder, "a.py"), then, then);
    const ids = new Set<string>();
    for (const text of ["one", "two", "six", "ten"]) {
      writeFileSync(join(folder, "a.py"), text);
      utimesSync(join(folder, "a.py"), then, then);
      ids.add(await snapshots.take(null));
    }
    expect(ids.size).toBe(4);
  });

  it("cost next to nothing when nothing has changed", async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`d${at % 9}/f${at}.py`, `x = ${at}\n`]));
    const { folder, snapshots } = open(files);
    const id = await snapshots.take(null);
    await new Promise((resolve) => setTimeout(resolve, 150));
    await snapshots.take(null);
    const started = performance.now();
    expect(await snapshots.take(null)).toBe(id);
    expect(performance.now() - started).toBeLessThan(500);
    expect(readdirSync(folder)).toHaveLength(9);
  });

  it("are made whole by the next restore when one is killed half-way, whatever it left (S3)", async () => {
    const files = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`d${at % 20}/f${at}.py`, `x = ${at}\n`]));
    const { folder, place, snapshots } = open(files);
    const [before, id] = [picture(folder), await snapshots.take("n")];
    const program = `import { Snapshots } from ${JSON.stringify(new URL("./snapshots.ts", import.meta.url).href)};
      console.log("begins");
      await new Snapshots(${JSON.stringify(place)}).restore("${id}");`;
    for (const delay of [0, 5, 15, 30, 60]) {
      for (const name of Object.keys(files)) if (name.endsWith("7.py")) rmSync(join(folder, name), { force: true });
      fill(
        folder,
        Object.fromEntries(Object.keys(files).map((name, at) => [at % 2 ? name : `${name}.new`, "changed"])),
      );
      const child = spawn(process.execPath, ["--conditions=loopwright-source", "--input-type=module", "-e", program]);
      await new Promise((resolve) => child.stdout.once("data", resolve));
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("close", resolve));
      fill(folder, { "d1/.loopwright-0123456789ab.tmp": "truncated" });
      await new Snapshots(place).restore(id);
      expect(picture(folder)).toEqual(before);
    }
  });

  it("are not stopped by a stale lock", async () => {
    const { folder, place, snapshots } = open({ "a.py": "1" });
    const id = await snapshots.take(null);
    for (const lock of ["index.lock", "HEAD.lock", "config.lock"]) writeFileSync(join(place.gitDir, lock), "");
    fill(folder, { "a.py": "2" });
    const second = await snapshots.take(null);
    await snapshots.restore(id);
    expect(readFileSync(join(folder, "a.py"), "utf8")).toBe("1");
    await snapshots.restore(second);
    expect(readFileSync(join(folder, "a.py"), "utf8")).toBe("2");
  });

  it("are not stopped by the lock of a snapshot that was killed", async () => {
    const { folder, place, snapshots } = open({ "a.py": "1" });
    const id = await snapshots.take(null);
    for (const ref of readdirSync(join(place.gitDir, "refs/loopwright"))) {
      writeFileSync(join(place.gitDir, "refs/loopwright", `${ref}.lock`), "");
    }
    fill(folder, { "a.py": "2" });
    const second = await new Snapshots(place).take(null);
    await snapshots.restore(id);
    expect(await new Snapshots(place).take(null)).toBe(id);
    await snapshots.restore(second);
    expect(readFileSync(join(folder, "a.py"), "utf8")).toBe("2");
  });

  it("say which snapshot is not there, and never take an option for one", async () => {
    const { snapshots } = open({ "a.py": "1" });
    await snapshots.take(null);
    for (const id of ["0".repeat(40), "main", "--output=/tmp/x", ""]) {
      await expect(snapshots.restore(id)).rejects.toMatchObject({ code: "SNAPSHOT_MISSING" });
    }
  });

  it("say that one is damaged, and do not restore half of it in silence", async () => {
    const { folder, place, snapshots } = open({ "a.py": "some text that is a blob of its own" });
    const id = await snapshots.take(null);
    const blob = execFileSync("git", ["--git-dir", place.gitDir, "rev-parse", `${id}:a.py`], {
      encoding: "utf8",
    }).trim();
    const loose = join(place.gitDir, "objects", blob.slice(0, 2), blob.slice(2));
    renameSync(loose, `${loose}.away`);
    rmSync(join(folder, "a.py"));
    await expect(new Snapshots(place).restore(id)).rejects.toMatchObject({ code: "SNAPSHOT_DAMAGED" });
  });
});
