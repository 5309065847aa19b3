// A result brought into the user's files, further: edits at the last moment, two at once, a full disk, folders that cannot be
// written.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Checkout } from "../../packages/workspace/src/checkout/checkout.ts";
import { fill, temporaryFolder } from "../fixtures/workspaces/workspace.ts";

/** A user's folder with a checkout of it. */
async function open(files: Record<string, string>) {
  const base = temporaryFolder();
  const [user, state] = [join(base, "user"), join(base, "state")];
  mkdirSync(state);
  fill(user, files);
  const place = { user, state, ignore: [] };
  const checkout = new Checkout(place);
  await checkout.takeIn();
  const apply = async (over: string[] = []) => checkout.apply(await checkout.snapshots.take(null), { over });
  return { base, user, state, run: checkout.folder, checkout, apply, again: () => new Checkout(place) };
}

const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");
const listing = (folder: string) =>
  execFileSync("sh", ["-c", "find . -printf '%p %y %m %l\\n' | sort; find . -type f -exec sha1sum {} + | sort"], {
    cwd: folder,
    encoding: "utf8",
  });

/** Does something to the user's files as soon as the memory says that they are about to be written. */
async function atTheLastMoment<T>(state: string, act: () => void, work: () => Promise<T>): Promise<T> {
  const file = join(state, "checkout.json");
  const before = readFileSync(file, "utf8");
  let isDone = false;
  const look = () => {
    if (isDone || readFileSync(file, "utf8") === before) return;
    isDone = true;
    act();
  };
  const timer = setInterval(look, 0);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    expect(isDone, "nothing was done between looking and writing").toBe(true);
  }
}

describe("what the user does while a result is applied", () => {
  it("to a file between the looking and the writing stays, and is told as a conflict", async () => {
    const { user, state, run, apply } = await open({ "a.py": "1", "b.py": "1" });
    fill(run, { "a.py": "2", "b.py": "2" });
    const applied = await atTheLastMoment(state, () => fill(user, { "b.py": "mine" }), apply);
    expect(read(user, "b.py")).toBe("mine");
    expect(applied).toEqual({ written: ["a.py"], conflicts: ["b.py"] });
  });

  it("as a new file, a removed one or a link there stays too", async () => {
    const { base, user, state, run, apply } = await open({ "a.py": "1", "b.py": "1", "gone.py": "1" });
    fill(run, { "a.py": "2", "b.py": "2", "new.py": "2" });
    rmSync(join(run, "gone.py"));
    writeFileSync(join(base, "outside"), "precious");
    const act = () => {
      fill(user, { "new.py": "mine", "gone.py": "mine" });
      rmSync(join(user, "b.py"));
      symlinkSync(join(base, "outside"), join(user, "b.py"));
    };
    const applied = await atTheLastMoment(state, act, apply);
    expect([read(user, "new.py"), read(user, "gone.py"), read(base, "outside")]).toEqual(["mine", "mine", "precious"]);
    expect(lstatSync(join(user, "b.py")).isSymbolicLink()).toBe(true);
    expect(applied.conflicts).toEqual(expect.arrayContaining(["b.py", "new.py"]));
    expect(applied.written).toContain("a.py");
  });
});

describe("a result that cannot be written whole", () => {
  it("into a folder that may not be written leaves no file of ours, and can be taken back", async () => {
    if (process.getuid?.() === 0) return;
    const { user, run, apply, checkout } = await open({ "a.py": "1", "locked/b.py": "1" });
    const before = listing(user);
    fill(run, { "a.py": "2", "locked/b.py": "2" });
    chmodSync(join(user, "locked"), 0o555);
    await expect(apply()).rejects.toThrow();
    chmodSync(join(user, "locked"), 0o755);
    await checkout.undo();
    expect(listing(user)).toBe(before);
  });

  it("beyond what the disk holds leaves every file old or new, and none of ours; undo brings all back", async () => {
    const { base, state } = await open({ "a.py": "1" });
    const user = join(base, "small");
    mkdirSync(user);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", user], { stdio: "ignore" });
    } catch {
      return; // Only root may make a small disk.
    }
    try {
      fill(user, { "a.py": "1", "z.py": "1" });
      rmSync(state, { recursive: true });
      mkdirSync(state);
      const checkout = new Checkout({ user, state, ignore: [] });
      await checkout.takeIn();
      const before = listing(user);
      fill(checkout.folder, { "a.py": "2", "large.bin": "x".repeat(2 ** 20), "z.py": "2" });
      await expect(checkout.apply(await checkout.snapshots.take(null))).rejects.toThrow();
      expect(readdirSync(user).sort()).toEqual(["a.py", "z.py"]);
      await new Checkout({ user, state, ignore: [] }).undo();
      expect(listing(user)).toBe(before);
    } finally {
      execFileSync("umount", [user]);
    }
  });

  it("by two processes at once is the one or the other's, whole, and both are told", async () => {
    const base = temporaryFolder();
    fill(join(base, "user"), Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.py`, "1"])));
    const runs = ["s1", "s2"].map((name) => {
      mkdirSync(join(base, name));
      return new Checkout({ user: join(base, "user"), state: join(base, name), ignore: [] });
    });
    for (const [index, each] of runs.entries()) {
      await each.takeIn();
      for (let i = 0; i < 40; i++) fill(each.folder, { [`f${i}.py`]: `of ${index}` });
    }
    const ends = await Promise.all(runs.map(async (each) => each.apply(await each.snapshots.take(null))));
    for (let i = 0; i < 40; i++) {
      const name = `f${i}.py`;
      const now = read(join(base, "user"), name);
      expect(ends[Number(now.slice(3))]!.written, `${name} is ${now}`).toContain(name);
    }
  });
});

describe("files of the user's that are more than their bytes", () => {
  it("with a second name keep what stands under the other name", async () => {
    const { base, user, run, apply } = await open({ "a.py": "1" });
    linkSync(join(user, "a.py"), join(base, "other"));
    fill(run, { "a.py": "2" });
    await apply();
    expect([read(user, "a.py"), read(base, "other")]).toEqual(["2", "1"]);
  });

  it.each([0o600, 0o640, 0o700, 0o750, 0o444])("of the mode %i are not opened to others", async (mode) => {
    const { user, run, apply, checkout } = await open({ "a.py": "1" });
    chmodSync(join(user, "a.py"), mode);
    fill(run, { "a.py": "2" });
    const { written } = await apply();
    expect(lstatSync(join(user, "a.py")).mode & 0o077 & ~mode).toBe(0);
    if (written.length > 0) await checkout.undo();
    expect(lstatSync(join(user, "a.py")).mode & 0o077 & ~mode).toBe(0);
  });
});
