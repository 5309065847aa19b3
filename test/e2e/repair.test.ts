import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";

const MINUTE = 60_000;

const leap = `def is_leap(year):
    if year % 400 == 0:
        return True
    if year % 100 == 0:
        return False
    return year % 4 != 0
`;
const leapTests = `import pytest
from leap import is_leap

@pytest.mark.parametrize("year", [2004, 2008, 2012, 2016, 1996])
def test_every_fourth(year):
    assert is_leap(year)

@pytest.mark.parametrize("year", [1900, 2100, 2200])
def test_no_century(year):
    assert not is_leap(year)

def test_the_fourth_century():
    assert is_leap(2000)

@pytest.mark.parametrize("year", [2001, 2002, 2003])
def test_no_other(year):
    assert not is_leap(year)
`;
/** A test that no small edit of the program can pass. */
const unreachable = `from leap import is_leap

def test_a():
    assert is_leap(2004) == "a leap year: 2004, the fourth of its kind"

def test_b():
    assert is_leap(2008) == "a leap year: 2008, the fifth of its kind"

def test_c():
    assert is_leap(2001) == "no leap year: 2001"
`;

async function leapYears(tests = leapTests): Promise<Folder> {
  const folder = new Folder();
  await folder.write("leap.py", leap);
  await folder.write("test_leap.py", tests);
  return folder;
}

const search = "repair --workspace . --tests test_leap.py";

describe("the repair loop", { timeout: 3 * MINUTE }, () => {
  it("repairs a program without any model, and shows the diff", async () => {
    using at = await leapYears();
    const ended = await at.cli(`${search} --json`);
    expect(ended.code, ended.stderr).toBe(0);
    expect(lastLine(ended)).toMatchObject({ type: "run-ended", outcome: "done" });
    expect(at.read("leap.py")).toBe(leap.replace("!= 0", "== 0"));
    expect(at.read("test_leap.py")).toBe(leapTests);
    const [run] = at.runs();
    expect(at.read(`runs/${run}/attempt-000/repair.diff`)).toContain(
      "-    return year % 4 != 0\n+    return year % 4 == 0\n",
    );
    expect(at.read(`runs/${run}/attempt-000/hand-off.md`)).toContain("No model was asked");
    expect((await at.document(`show ${run} --calls`)).calls).toEqual([]);
  });

  it("ends stagnant where no repair can be reached, the workspace as it was", async () => {
    using at = new Folder();
    const greeting = "def greet():\n    pass\n";
    await at.write("greeting.py", greeting);
    await at.write("test_greeting.py", "from greeting import greet\n\ndef test_it():\n    assert len(greet()) == 40\n");
    const ended = await at.cli("repair --workspace . --tests test_greeting.py");
    expect(ended.code, ended.stdout + ended.stderr).toBe(4);
    expect(ended.stdout).toContain("the candidates are exhausted");
    expect(at.read("greeting.py")).toBe(greeting);
    const [run] = at.runs();
    const note = at.read(`runs/${run}/attempt-000/hand-off.md`);
    expect(note).toMatch(/[\d,]+ candidates in \d+ batch/);
    expect(note).toContain("greeting.py:");
    expect((await at.cli(`explain ${run}`)).stdout).not.toContain("loopwright apply");
  });

  it("ends at its ceiling with the workspace as it was, and goes on when it is raised", async () => {
    using at = await leapYears(unreachable);
    const ended = await at.cli(`${search} --max-iterations 1 --json`);
    expect(ended.code, ended.stderr).toBe(3);
    expect(lastLine(ended)).toMatchObject({ type: "run-ended", outcome: "ceiling", iterations: 1 });
    expect(at.read("leap.py")).toBe(leap);
    const [run] = at.runs();
    const note = at.read(`runs/${run}/attempt-000/hand-off.md`);
    expect(note).toMatch(/^# ceiling\n/);
    expect(note).toContain("candidates in 1 batch,");
    const more = await at.cli(`resume ${run} --max-iterations 2 --json`);
    expect(lastLine(more)).toMatchObject({ type: "run-ended", iterations: 2 });
    expect(at.runs()).toEqual([run]);
    expect(await at.cli(`cancel ${run}`)).toMatchObject({ code: 0, stdout: `Run ${run} is cancelled.\n` });
    expect((await at.cli(`explain ${run}`)).stdout).toContain("ended for good by a person");
    expect(at.read("leap.py")).toBe(leap);
  });

  it("looks again when it is resumed after a person has changed what gave it nothing to search", async () => {
    using at = new Folder();
    await at.write("double.py", "def double(x):\n    return x + 1\n");
    await at.write("test_double.py", "from double import double\n\ndef test_one():\n    assert double(1) == 2\n");
    await at.write("test_hidden.py", "from double import double\n\ndef test_five():\n    assert double(5) == 10\n");
    const ended = await at.cli("repair --workspace . --tests test_double.py --held-out test_hidden.py");
    expect(ended.code, ended.stdout + ended.stderr).toBe(4);
    await at.write("double.py", "def double(x):\n    return x + x\n");
    const again = await at.cli("resume --continue");
    expect(again.code, again.stdout + again.stderr).toBe(0);
    expect(again.stdout).toContain("nothing to repair");
  });

  it("says that there is nothing to repair where all tests pass", async () => {
    using at = await leapYears();
    await at.write("leap.py", leap.replace("!= 0", "== 0"));
    const ended = await at.cli(search);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("nothing to repair");
    expect(ended.stdout).not.toContain("loopwright undo");
  });

  it("reports a repair under fewer than three tests as unverified", async () => {
    using at = await leapYears("from leap import is_leap\n\ndef test_it():\n    assert is_leap(2004)\n");
    const ended = await at.cli(search);
    expect(ended.code, ended.stdout).toBe(0);
    expect(ended.stdout).toContain("unverified");
  });

  it("killed with SIGKILL in the middle of a batch, it goes on to the same repair", async () => {
    using at = await leapYears();
    const started = at.start(`${search} --json`);
    await started.line(/"type":"progress"/);
    started.send("SIGKILL");
    await started.ended;
    expect(at.read("leap.py")).toBe(leap);
    const ended = await at.cli("resume --continue --json");
    expect(ended.code, ended.stderr).toBe(0);
    expect(at.read("leap.py")).toBe(leap.replace("!= 0", "== 0"));
  });

  it("repairs a TypeScript program, and held-out tests that are given decide", async () => {
    using at = new Folder();
    await at.write(
      "clamp.ts",
      "export const clamp = (x: number, low: number, high: number) => Math.max(high, Math.max(low, x));\n",
    );
    const head =
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { clamp } from "./clamp.ts";\n';
    await at.write(
      "clamp.test.ts",
      `${head}test("inside", () => assert.equal(clamp(2, 1, 3), 2));\ntest("above", () => assert.equal(clamp(9, 1, 3), 3));\n`,
    );
    await at.write("clamp-held-out.test.ts", `${head}test("below", () => assert.equal(clamp(-4, 1, 3), 1));\n`);
    const ended = await at.cli("repair --workspace . --tests clamp.test.ts --held-out clamp-held-out.test.ts");
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(at.read("clamp.ts")).toContain("Math.min(high, Math.max(low, x))");
  });

  it("goes on searching where held-out tests refuse the first repair, also over a ceiling that is raised", async () => {
    using at = new Folder();
    const program = "def double(x):\n    return x + 1\n";
    await at.write("double.py", program);
    await at.write("test_double.py", "from double import double\n\ndef test_two():\n    assert double(2) == 4\n");
    await at.write("test_hidden.py", "from double import double\n\ndef test_five():\n    assert double(5) == 10\n");
    const flags = "--workspace . --tests test_double.py --held-out test_hidden.py --json";
    const stopped = await at.cli(`repair ${flags} --max-iterations 1`);
    expect(stopped.code, stopped.stdout.slice(-2_000) + stopped.stderr).toBe(3);
    expect(stopped.lines.filter((line) => line.includes('"repair-refused"'))).toHaveLength(1);
    // The refused repair stood in the workspace when the ceiling was reached.
    expect(at.read("double.py")).toBe(program);
    const [run] = at.runs();
    expect(at.read(`runs/${run}/attempt-000/hand-off.md`)).toContain("## Other edits that pass the visible tests");
    const ended = await at.cli(`resume ${run} --max-iterations 40 --json`);
    expect(ended.code, ended.stdout.slice(-2_000) + ended.stderr).toBe(0);
    expect(at.read("double.py")).toMatch(/x \+ x|x \* 2|2 \* x/);
  });

  it("--dry-run says that no model takes part, and does nothing", async () => {
    using at = await leapYears();
    const looked = await at.cli(`${search} --dry-run`);
    expect(looked.code, looked.stderr).toBe(0);
    expect(looked.stdout).toMatch(/first prompt +not shown: no model takes part/);
    expect(at.runs()).toEqual([]);
  });

  it("refuses a workspace that is not there, in one sentence", async () => {
    using at = new Folder();
    const ended = await at.cli("repair --workspace nowhere");
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("the search repairs a program that is there");
  });
});

describe("what repair was called before", () => {
  it.each([
    ["demo code", "loopwright demo repair"],
    ["code --builder search --workspace .", "loopwright repair --workspace . --tests PATH"],
  ])("`%s` answers in one sentence with what to type instead", async (words, now) => {
    using at = new Folder();
    const ended = await at.cli(words);
    expect(ended.code).toBe(2);
    expect(ended.stderr.trim().split("\n")).toHaveLength(1);
    expect(ended.stderr).toContain(now);
    expect(at.runs()).toEqual([]);
  });
});
