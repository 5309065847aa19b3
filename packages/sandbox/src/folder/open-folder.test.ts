import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { lookAt, OpenFolder, reach, removeAll } from "./index.ts";

const base = mkdtempSync(join(tmpdir(), "loopwright-folder-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let [root, outside] = ["", ""];
beforeEach(() => {
  root = mkdtempSync(join(base, "root-"));
  outside = mkdtempSync(join(base, "outside-"));
  writeFileSync(join(outside, "secret"), "theirs");
  writeFileSync(join(root, "file"), "ours");
  mkdirSync(join(root, "folder"));
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(outside, "secret"), join(root, "folder/link"));
});

describe("A folder that is held open", () => {
  it("is stepped through by single names, and no link is a step", () => {
    using top = OpenFolder.open(root);
    expect(top.enter("link")).toBeUndefined();
    expect(top.enter("file")).toBeUndefined();
    expect(top.openFile("link")).toBeUndefined();
    expect(reach(top, "folder/link", (folder, name) => folder.openFile(name))).toBeUndefined();
    expect(lookAt(top, "link/secret")).toBeUndefined();
    for (const name of ["", ".", "..", "folder/link", "/etc"]) expect(() => top.look(name)).toThrow("no single name");
    expect(() => OpenFolder.open(join(root, "link"))).toThrow();
  });

  it("stays that folder when another takes its place", () => {
    using top = OpenFolder.open(root);
    using folder = top.enter("folder")!;
    execFileSync("sh", ["-c", `mv folder aside && ln -s ${outside} folder`], { cwd: root });
    folder.create("new", 0o644)[Symbol.dispose]();
    expect(readdirSync(outside)).toEqual(["secret"]);
    expect(readdirSync(join(root, "aside")).sort()).toEqual(["link", "new"]);
  });

  it("makes nothing where something is, and waits for no pipe", () => {
    using top = OpenFolder.open(root);
    expect(() => top.create("link", 0o644)).toThrow(/EEXIST/);
    expect(() => top.create("file", 0o644)).toThrow(/EEXIST/);
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(top.openFile("pipe")).toBeUndefined();
  });

  it("sets no mode through a link, and removes the link itself", async () => {
    using top = OpenFolder.open(root, { isOurs: true });
    chmodSync(join(outside, "secret"), 0o600);
    expect(() => reach(top, "folder/link", (folder, name) => folder.chmod(name, 0o777))).toThrow();
    chmodSync(join(root, "folder"), 0o000);
    await removeAll(root);
    expect(existsSync(root)).toBe(false);
    expect(readFileSync(join(outside, "secret"), "utf8")).toBe("theirs");
  });

  it("works by its path where there is no /proc, and follows no link that lies there", () => {
    const program = `
      Object.defineProperty(process, "platform", { value: "darwin" });
      const { OpenFolder, lookAt, removeAll } = await import(${JSON.stringify(new URL("index.ts", import.meta.url).href)});
      const top = OpenFolder.open(process.argv[1], { isOurs: true });
      const seen = [top.enter("link"), top.openFile("link"), lookAt(top, "link/secret")];
      top.enter("folder").create("new", 0o644).write(Buffer.from("made"));
      console.log(JSON.stringify([seen.every((each) => each === undefined), lookAt(top, "folder/new").kind]));
      await removeAll(process.argv[1] + "/folder");
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program, root], {
      encoding: "utf8",
    });
    expect(stdout, stderr).toBe('[true,"file"]\n');
    expect(readdirSync(root).sort()).toEqual(["file", "link"]);
    expect(readdirSync(outside)).toEqual(["secret"]);
  });
});
