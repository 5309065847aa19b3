import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileStore, RunFolders } from "./run-folder.ts";

let root: string;
let folders: RunFolders;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopwright-folders-"));
  folders = new RunFolders(join(root, "runs"), new FileStore(join(root, "files")), join(root, "drafts"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("a run's folder", () => {
  it("holds whole files only: a draft is put in place when it is whole", async () => {
    await folders.write("run", "deep/note.txt", "words");
    expect(readFileSync(join(root, "runs/run/deep/note.txt"), "utf8")).toBe("words");
    expect(readdirSync(join(root, "drafts"))).toEqual([]);
  });

  it("loses nothing when the whole of it is deleted while the run goes on", async () => {
    await folders.write("run", "one.txt", "1");
    rmSync(join(root, "runs"), { recursive: true });
    await folders.write("run", "two.txt", "2");
    expect(existsSync(join(root, "runs/run/two.txt"))).toBe(true);
  });
});
