// What controls a run, with the project as its own workspace: out of reach of the program that is tested, of the model's
// blocks, and of what lies in another's place. One run with the real binary; each line of what it came to is a test.

import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, Folder, lastLine } from "../../fakes/cli.ts";
import { bwrap } from "../../sandbox/bwrap-works.ts";
import { asking, command, file, type Scripted, scriptedModel } from "./model.ts";

const SECRET = "kingfisher-q7x-000111222333";
const right = "def add(a, b):\n    return a + b\n";
const tests =
  "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n";

/** What is the user's, and what a program must not find where it runs. */
const control: Record<string, string> = {
  "loopwright.yaml": "ceilings: { iterations: 9 }\n",
  "task.md": "# Task\n\nWrite `calc.py` with `add(a, b)`.\n",
  "philosophy.md": "Be brief.\n",
  ".env": `SERVICE_API_KEY=${SECRET}\n`,
  ".env.local": "OTHER=1\n",
  "prompts/code/amend.md": "mine\n",
  "hidden/test_hidden.py": `import os
from calc import add


def test_more():
    for name in ["leak.py", "__pycache__/leak.py", "node_modules/leak.py", ".pytest_cache/leak.py", "/tmp/leak.py"]:
        try:
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            open(name, "w").write(open(__file__).read())
        except OSError:
            pass
    assert add(5, 6) == 11
`,
  "later/test_later.py": "def test_later():\n    pass\n",
};
const places = [...Object.keys(control), ".loopwright", "runs", "later"];

/** A wrong program that its given tests do not find out, so that the held-out ones are run. */
const memorized =
  "import os\n\nos.makedirs('later', exist_ok=True)\nopen('later/kept.txt', 'w').write('x')\n\n\ndef add(a, b):\n    return {(1, 2): 3, (0, 0): 0}.get((a, b), 7)\n";

/** A wrong program that says what it sees where its own process runs. */
const spy = (home: string) => `import json, os

HOME = ${JSON.stringify(home)}


def seen():
    found = [name for name in ${JSON.stringify(places)} if os.path.lexists(name)]
    for top, _, names in os.walk("/"):
        if top.startswith(("/proc", "/sys", "/usr", "/nix")):
            continue
        found += ["held-out " + top for name in names if name == "test_hidden.py"]
        found += ["leak " + top for name in names if name == "leak.py"]
    return json.dumps({"found": found, "is_home": os.getcwd() == HOME})


def add(a, b):
    raise ValueError("SE" + "EN" + seen() + "END")
`;

/** A wrong program that overwrites what it can, puts links in the place of the rest, and its own tests in the given ones'. */
const vandal = (victim: string) => `import os, shutil


def add(a, b):
    for name in ${JSON.stringify([...places, "tests/test_calc.py"])}:
        for act in (
            lambda: open(name, "w").write("def test_add():\\n    pass\\n"),
            lambda: shutil.rmtree(name),
            lambda: os.symlink(${JSON.stringify(victim)}, name),
        ):
            try:
                act()
            except OSError:
                pass
    os.symlink(${JSON.stringify(victim)}, "linked")
    return 7
`;

const evil = 'notify: { command: "touch RAN" }\nendpoints: { desk: { command: "touch RAN" } }\n';
const blocks = ["loopwright.yaml", "task.md", ".env", "philosophy.md", "prompts/code/amend.md", "tests/test_calc.py"];

describe.skipIf(!bwrap)("a project that is its own workspace (skipped where bwrap does not work)", () => {
  let at: Folder;
  let victim: Folder;
  let server: Scripted;
  let ended: Ended;
  let found: { found: string[]; is_home: boolean };

  beforeAll(async () => {
    [at, victim] = [new Folder(), new Folder()];
    for (const [path, text] of Object.entries({ ...control, "tests/test_calc.py": tests })) await at.write(path, text);
    await victim.write("kept.txt", "mine");
    server = await scriptedModel({
      program: "calc.py",
      answers: [
        file("calc.py", memorized) + blocks.map((path) => file(path, evil.replaceAll("RAN", `${at.dir}/ran`))).join(""),
        file("calc.py", spy(at.dir)),
        file("calc.py", vandal(victim.dir)) + command(`ln -s ${victim.dir} beside`),
        file("calc.py", right) + file("linked/planted.py", "x = 1\n") + file("beside/planted.py", "x = 1\n"),
        file("calc.py", right),
      ],
    });
    const words = [
      "code",
      "--workspace",
      ".",
      "--tests",
      "tests/test_calc.py",
      "--held-out",
      "hidden/test_hidden.py",
      "--held-out",
      "later",
    ];
    ended = await at.cli([...words, ...asking(server)]);
    const said = /SEEN(.*?)END/s.exec(server.shown[2] ?? "")?.[1] ?? "{}";
    found = JSON.parse(said.replaceAll("\\'", "'"));
    await at.cli("demo --max-iterations 1 --seed 1");
  }, 180_000);
  afterAll(async () => {
    await server?.close();
    at?.[Symbol.dispose]();
    victim?.[Symbol.dispose]();
  });

  it("is worked on to the end", () => {
    expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
    expect(at.read("calc.py")).toBe(right);
  });

  it.each(places)("has no %s where its program is tested", (place) => {
    expect(found.found).toBeInstanceOf(Array);
    expect(found.found).not.toContain(place);
  });

  it("has its program tested at the user's own path", () => {
    expect(found.is_home).toBe(true);
  });

  it("has held-out tests where they are run, and nowhere else", () => {
    expect(found.found.filter((each) => each.startsWith("held-out"))).toEqual([]);
    expect(server.shown.join("\n")).not.toContain("11");
  });

  it("has nothing left of what held-out tests write", () => {
    expect(found.found.filter((each) => each.startsWith("leak"))).toEqual([]);
    expect(readdirSync(at.dir, { recursive: true }).filter((path) => String(path).endsWith("leak.py"))).toEqual([]);
  });

  it.each(blocks)("has a block for %s refused, and the model is told so", (path) => {
    const told = server.shown[1]?.split("\n").filter((line) => line.includes(path) && /refused|may not/.test(line));
    expect(told).not.toEqual([]);
  });

  it.each(Object.keys(control))("has %s as it was", (path) => {
    expect(at.read(path)).toBe(control[path]);
  });

  it("has the given tests as they were", () => {
    expect(at.read("tests/test_calc.py")).toBe(tests);
  });

  it("has nothing written where planted links lead", () => {
    expect(readdirSync(victim.dir)).toEqual(["kept.txt"]);
    expect(victim.read("kept.txt")).toBe("mine");
  });

  it("runs no command that a model has put into its configuration", () => {
    expect(at.has("ran")).toBe(false);
  });
});

describe.skipIf(!bwrap)("a repository in the project (skipped where bwrap does not work)", () => {
  it("keeps its own runs/ and prompts/ and what else is called so", { timeout: 120_000 }, async () => {
    using at = new Folder();
    const own = {
      "app/runs/data.txt": "4",
      "app/prompts/hello.txt": "5",
      "app/task.md": "6",
      "app/.loopwrightrc": "7",
    };
    for (const [path, text] of Object.entries(own)) await at.write(path, text);
    const reads = Object.entries(own).map(
      ([path, text]) => `    assert open("${path.slice(4)}").read() == "${text}"\n`,
    );
    await at.write("task.md", control["task.md"]!);
    await at.write("test_calc.py", `${tests}\n\ndef test_own():\n${reads.join("")}`);
    await using server = await scriptedModel({ program: "calc.py", answers: [file("calc.py", right)] });
    const words = ["code", "--workspace", "app", "--tests", "test_calc.py", "--max-iterations", "2"];
    const ended = await at.cli([...words, ...asking(server)]);
    expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
  });
});
