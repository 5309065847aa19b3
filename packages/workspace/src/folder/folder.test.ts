import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { listFiles, readFiles, type WorkspacePlace, writeBlocks } from "./folder.ts";
import { ProtectedFiles } from "./protected.ts";

async function open(files: Record<string, string> = {}, hidden: string[] = []) {
  const base = temporaryFolder();
  const folder = join(base, "workspace");
  mkdirSync(folder);
  fill(folder, files);
  const kept = new ProtectedFiles(folder, hidden);
  await kept.keepPresent();
  const place: WorkspacePlace = { folder, protected: kept, hidden, ignore: ["own-state"] };
  const write = (path: string, content = "new\n") => writeBlocks(place, [{ path, content }])[0]!;
  return { base, folder, place, write };
}

describe("writing blocks into a workspace", () => {
  it("writes files, with the folders they need, and says under which path", async () => {
    const { folder, write } = await open({ "a.py": "old" });
    expect(write("./a.py")).toEqual({ done: { path: "a.py", content: "new\n" } });
    expect(write("deep/er/b.py").done?.path).toBe("deep/er/b.py");
    expect(readFileSync(join(folder, "a.py"), "utf8")).toBe("new\n");
    expect(readFileSync(join(folder, "deep/er/b.py"), "utf8")).toBe("new\n");
    expect(readdirSync(folder).sort()).toEqual(["a.py", "deep"]);
  });

  it("writes the good blocks of an answer whose others are refused", async () => {
    const { folder, place, base } = await open();
    const blocks = ["../out.py", "good.py", "/etc/x", "test_a.py", "also/good.py"].map((path) => ({
      path,
      content: "x\n",
    }));
    const results = writeBlocks(place, blocks);
    expect(results.map(({ refused }) => refused === undefined)).toEqual([false, true, false, false, true]);
    expect(results[0]!.refused).toBe("'../out.py' leaves the workspace with ..");
    expect(readdirSync(folder).sort()).toEqual(["also", "good.py"]);
    expect(readdirSync(base)).toEqual(["workspace"]);
  });

  it("refuses a redaction mark that the file did not hold before", async () => {
    const { folder, write } = await open({ "own.py": 'MARK = "[secret]"\n' });
    const sentence = "'a.py' holds '[secret]', which only stands where a value was taken out of what you were shown";
    expect(write("a.py", 'KEY = "[secret]"\n').refused).toContain(sentence);
    expect(existsSync(join(folder, "a.py"))).toBe(false);
    expect(write("own.py", 'MARK = "[secret]"  # kept\n').done?.path).toBe("own.py");
    expect(write("own.py", 'MARK = "[secret]"\nKEY = "[secret]"\n').refused).toContain("'own.py' holds");
    expect(readFileSync(join(folder, "own.py"), "utf8")).toBe('MARK = "[secret]"  # kept\n');
  });

  it("keeps the executable bit of a file that has it", async () => {
    const { folder, write } = await open({ "run.sh": "old", "a.py": "old" });
    chmodSync(join(folder, "run.sh"), 0o755);
    write("run.sh");
    write("a.py");
    expect(lstatSync(join(folder, "run.sh")).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(folder, "a.py")).mode & 0o777).toBe(0o644);
  });

  it.each([
    ["a folder that is a link out", "link/x.py"],
    ["a folder below such a link", "link/deep/x.py"],
    ["a folder that is a link inside the workspace", "inner/x.py"],
    ["a folder that is a file", "file.py/x.py"],
    ["a link that dangles", "dangling/x.py"],
  ])("does not go through %s", async (_, path) => {
    const { base, folder, write } = await open({ "file.py": "old", "src/a.py": "old" });
    mkdirSync(join(base, "outside/deep"), { recursive: true });
    symlinkSync(join(base, "outside"), join(folder, "link"));
    symlinkSync("src", join(folder, "inner"));
    symlinkSync(join(base, "nothing"), join(folder, "dangling"));
    expect(write(path).refused).toMatch(/would go through '[a-z.]+', which is a link or a file/);
    expect(readdirSync(join(base, "outside"), { recursive: true })).toEqual(["deep"]);
    expect(existsSync(join(base, "nothing"))).toBe(false);
  });

  it("replaces a link by a file, and leaves what it led to", async () => {
    const { base, folder, write } = await open();
    writeFileSync(join(base, "theirs.txt"), "theirs");
    symlinkSync(join(base, "theirs.txt"), join(folder, "a.py"));
    expect(write("a.py").done).toBeDefined();
    expect(lstatSync(join(folder, "a.py")).isFile()).toBe(true);
    expect(readFileSync(join(base, "theirs.txt"), "utf8")).toBe("theirs");
  });

  it("breaks a hard link rather than writing through it", async () => {
    const { base, folder, write } = await open();
    writeFileSync(join(base, "theirs.txt"), "theirs");
    const { linkSync } = await import("node:fs");
    linkSync(join(base, "theirs.txt"), join(folder, "a.py"));
    write("a.py");
    expect(readFileSync(join(base, "theirs.txt"), "utf8")).toBe("theirs");
  });

  it.each([
    ".git/config",
    ".GIT/hooks/pre-commit",
    "sub/.git",
    "node_modules/x/index.js",
    ".venv/lib/x.py",
    "pkg/__pycache__/a.pyc",
    ".loopwright/journal.db",
    "own-state/x",
    "conftest.py",
    "src/ConfTest.py",
    "pytest.ini",
    "package.json",
    "test_b.py",
    "Test_A.py",
    "src/a.test.ts",
    "secret/x.py",
    "SECRET/x.py",
    "src",
  ])("refuses %s with a reason", async (path) => {
    const { folder, write } = await open({ "test_a.py": "right", "src/a.py": "old" }, ["secret"]);
    const before = readdirSync(folder, { recursive: true });
    expect(write(path).refused).toMatch(/^'.+' \w+/);
    expect(readdirSync(folder, { recursive: true })).toEqual(before);
  });

  it("leaves no half-written file when a write fails", async () => {
    const { folder, place } = await open({ "a/b.py": "old" });
    expect(() =>
      writeBlocks(place, [{ path: `${"n".repeat(190)}/${"m".repeat(190)}.py`, content: "x" }]),
    ).not.toThrow();
    expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes(".loopwright-"))).toEqual(
      [],
    );
  });

  it("refuses what is too large", async () => {
    const { write } = await open();
    expect(write("a.py", "x".repeat(400_001)).refused).toContain("longer than 400000");
  });
});

describe("looking into a workspace", () => {
  it("lists files by path, without git directories, caches, links and what no model may see", async () => {
    const { folder, place } = await open(
      {
        "b.py": "1",
        "a/x.py": "2",
        ".git/config": "3",
        "node_modules/m.js": "4",
        "secret/t.py": "5",
        ".env.example": "6",
        "own-state/x": "7",
      },
      ["secret"],
    );
    symlinkSync("/etc/passwd", join(folder, "link"));
    expect(await listFiles(place)).toEqual([".env.example", "a/x.py", "b.py"]);
  });

  it("reads small text files only", async () => {
    const { folder, place } = await open({ "a.py": "text ü\n", "large.txt": "x".repeat(200_001), "empty.py": "" });
    writeFileSync(join(folder, "binary.bin"), Buffer.from([1, 0, 2]));
    writeFileSync(join(folder, "latin.txt"), Buffer.from([0xe4, 0xf6]));
    symlinkSync("a.py", join(folder, "link.py"));
    expect(await readFiles(place)).toEqual([
      { path: "a.py", content: "text ü\n" },
      { path: "empty.py", content: "" },
    ]);
  });

  it("reads the named files that are there, and nothing outside or hidden", async () => {
    const { base, place } = await open({ "a.py": "1", "b.py": "2", "secret/t.py": "3" }, ["secret"]);
    writeFileSync(join(base, "out.py"), "theirs");
    const paths = ["b.py", "./a.py", "missing.py", "../out.py", "/etc/hosts", "secret/t.py"];
    expect((await readFiles(place, paths)).map(({ path }) => path)).toEqual(["a.py", "b.py"]);
  });
});
