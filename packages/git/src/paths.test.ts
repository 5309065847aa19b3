import { describe, expect, it } from "vitest";
import { foldPath, plainPath, shownPath } from "./run-git.ts";

describe("a path of a file block", () => {
  it.each([
    ["a.py", "a.py"],
    ["./src/a.py", "src/a.py"],
    ["src//deep/./a.py", "src/deep/a.py"],
    [".config/x.json", ".config/x.json"],
    ["sp ace/na me.txt", "sp ace/na me.txt"],
    ["u\u0308.py", "ü.py"],
    ["...py", "...py"],
    ["-rf", "-rf"],
    ["auxiliary/console.py", "auxiliary/console.py"],
  ])("%s is plain", (given, path) => {
    expect(plainPath(given)).toEqual({ path });
  });

  it.each([
    "",
    "   ",
    ".",
    "./",
    "..",
    "../a.py",
    "src/../../a.py",
    "src/../a.py",
    "/etc/passwd",
    "//server/share",
    "~/.ssh/id",
    "~root/x",
    "C:/x",
    "c:x",
    "a\\b.py",
    "..\\a.py",
    "a\0.py",
    "a\n.py",
    "a\u202e.py",
    "a\u200b.py",
    "a\ufeff.py",
    "src/",
    "nul",
    "src/CON.txt",
    "COM1",
    "a./b",
    "a ",
    " a",
    "a/ b",
    "a.py.",
    "a:stream",
    "a|b",
    "a*",
    "x".repeat(500),
    `${"ü".repeat(150)}.py`,
  ])("%j is refused with a reason", (given) => {
    const { path, refused } = plainPath(given);
    expect(path).toBeUndefined();
    expect(refused).toMatch(/^\w.{5,}/);
  });

  it("is compared as a careless file system would", () => {
    expect(foldPath("Tests/Test_A.PY")).toBe("tests/test_a.py");
    expect(foldPath("ｃonftest.py")).toBe("conftest.py");
    expect(foldPath("ﬁle.py")).toBe("file.py");
  });

  it("is shown on one line", () => {
    expect(shownPath("a\nb\u2028c\u0007")).toBe("a?b?c?");
    expect(shownPath("x".repeat(500))).toHaveLength(121);
  });
});
