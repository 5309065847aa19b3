import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { Checkout } from "./checkout.ts";

async function open(files: Record<string, string>, ignore: string[] = []) {
  const base = temporaryFolder();
  const [user, state] = [join(base, "user"), join(base, "state")];
  mkdirSync(user);
  mkdirSync(state);
  fill(user, files);
  const place = { user, state, ignore };
  const checkout = new Checkout(place);
  await checkout.takeIn();
  return { base, user, checkout, again: () => new Checkout(place) };
}

const read = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

describe("a checkout", () => {
  it("has the user's files, links, bits and uncommitted work, without what is left out", async () => {
    const base = temporaryFolder();
    const [user, state] = [join(base, "user"), join(base, "state")];
    mkdirSync(state);
    fill(user, {
      "a.py": "a",
      "src/b.sh": "#!/bin/sh\n",
      "node_modules/x.js": "x",
      "mine/log": "m",
      ".git/HEAD": "ref",
    });
    chmodSync(join(user, "src/b.sh"), 0o755);
    symlinkSync("../a.py", join(user, "src/link"));
    const checkout = new Checkout({ user, state, ignore: ["mine", "node_modules"] });
    await checkout.takeIn();
    expect(readdirSync(checkout.folder, { recursive: true }).sort()).toEqual(["a.py", "src", "src/b.sh", "src/link"]);
    expect(lstatSync(join(checkout.folder, "src/b.sh")).mode & 0o111).not.toBe(0);
    expect(readlinkSync(join(checkout.folder, "src/link"))).toBe("../a.py");
  });

  it("brings a change into the user's files, and takes it out again, byte for byte", async () => {
    const { user, checkout } = await open({ "a.py": "one\r\n", "b.py": "b", "gone/c.py": "c" });
    const listing = () =>
      execFileSync("find", [".", "-printf", "%p %y %m %l\n"], { cwd: user, encoding: "utf8" }).split("\n").sort();
    const before = listing();
    fill(checkout.folder, { "a.py": "two", "new/d.py": "d" });
    rmSync(join(checkout.folder, "gone"), { recursive: true });
    const applied = await checkout.apply(await checkout.snapshots.take(null));
    const written = ["a.py", "gone/c.py", "new/d.py"];
    expect(applied).toEqual({ written, deleted: ["gone/c.py"], conflicts: [] });
    expect([read(user, "a.py"), read(user, "new/d.py"), existsSync(join(user, "gone"))]).toEqual(["two", "d", false]);
    expect(await checkout.undo()).toEqual({ written, deleted: ["new/d.py"], conflicts: [] });
    expect(listing()).toEqual(before);
    expect(read(user, "a.py")).toBe("one\r\n");
    await expect(checkout.undo()).rejects.toMatchObject({ code: "NOTHING_APPLIED" });
  });

  it("leaves alone what the user has changed since, unless they say so, and names it", async () => {
    const { user, checkout } = await open({ "a.py": "one", "b.py": "b", "c.py": "c" });
    fill(checkout.folder, { "a.py": "the run's", "b.py": "the run's" });
    rmSync(join(checkout.folder, "c.py"));
    fill(user, { "a.py": "the user's", "c.py": "kept", "extra.py": "x" });
    const snapshot = await checkout.snapshots.take(null);
    const looked = await checkout.apply(snapshot, { isDry: true });
    expect(looked).toEqual({ written: ["b.py"], conflicts: ["a.py", "c.py"] });
    expect(read(user, "b.py")).toBe("b");
    expect(await checkout.apply(snapshot)).toEqual(looked);
    expect([read(user, "a.py"), read(user, "c.py"), read(user, "extra.py")]).toEqual(["the user's", "kept", "x"]);
    expect(await checkout.apply(snapshot, { over: ["a.py"] })).toEqual({ written: ["a.py"], conflicts: ["c.py"] });
    expect(read(user, "a.py")).toBe("the run's");
    expect(await checkout.undo()).toEqual({ written: ["a.py", "b.py"], conflicts: [] });
    expect([read(user, "a.py"), read(user, "b.py")]).toEqual(["the user's", "b"]);
  });

  it("does nothing twice: a change that stands already is written no more", async () => {
    const { checkout, again } = await open({ "a.py": "one" });
    fill(checkout.folder, { "a.py": "two" });
    const snapshot = await checkout.snapshots.take(null);
    await checkout.apply(snapshot);
    expect(await again().apply(snapshot)).toEqual({ written: [], conflicts: [] });
    expect(await again().undo()).toEqual({ written: ["a.py"], conflicts: [] });
  });

  it("does not take back what was changed since it was applied", async () => {
    const { user, checkout } = await open({ "a.py": "one", "b.py": "one" });
    fill(checkout.folder, { "a.py": "two", "b.py": "two" });
    await checkout.apply(await checkout.snapshots.take(null));
    fill(user, { "a.py": "three" });
    expect(await checkout.undo()).toEqual({ written: ["b.py"], conflicts: ["a.py"] });
    expect([read(user, "a.py"), read(user, "b.py")]).toEqual(["three", "one"]);
  });

  it("takes in what the user has changed, and keeps what the run has made beside it", async () => {
    const { user, checkout, again } = await open({ "a.py": "one", "b.py": "one", "c.py": "one" });
    fill(checkout.folder, { "a.py": "the run's", "b.py": "the run's" });
    fill(user, { "b.py": "the user's", "d.py": "new" });
    rmSync(join(user, "c.py"));
    const later = again();
    await later.takeIn();
    expect(readdirSync(later.folder).sort()).toEqual(["a.py", "b.py", "d.py"]);
    expect([read(later.folder, "a.py"), read(later.folder, "b.py")]).toEqual(["the run's", "the user's"]);
    expect(await later.apply(await later.snapshots.take(null))).toEqual({ written: ["a.py"], conflicts: [] });
  });

  it("writes through no link that stands in the user's folder", async () => {
    const { base, user, checkout } = await open({ "src/a.py": "one" });
    fill(base, { "outside/a.py": "precious" });
    fill(checkout.folder, { "src/a.py": "two", "src/b.py": "two" });
    rmSync(join(user, "src"), { recursive: true });
    symlinkSync(join(base, "outside"), join(user, "src"));
    const snapshot = await checkout.snapshots.take(null);
    const conflicts = ["src/a.py", "src/b.py"];
    expect(await checkout.apply(snapshot, { over: conflicts })).toEqual({ written: [], conflicts });
    expect(readdirSync(join(base, "outside"))).toEqual(["a.py"]);
    expect(read(base, "outside/a.py")).toBe("precious");
  });

  it("changes no bit of a folder or file of the user's that it cannot read", async () => {
    const base = temporaryFolder();
    const [user, state] = [join(base, "user"), join(base, "state")];
    mkdirSync(state);
    fill(user, { "closed/a.py": "a", "dark.py": "d", "b.py": "b" });
    chmodSync(join(user, "dark.py"), 0o200);
    chmodSync(join(user, "closed"), 0o300);
    await new Checkout({ user, state, ignore: [] }).takeIn();
    expect(lstatSync(join(user, "closed")).mode & 0o777).toBe(0o300);
    expect(lstatSync(join(user, "dark.py")).mode & 0o777).toBe(0o200);
  });
});
