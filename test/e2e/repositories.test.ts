// `loopwright code` where there is a program already, with the real binary: what it once said `done` to wrongly, what it destroyed,
// what it could not do, a model that is of little use, and a kill at every stage. The model is a script behind a real server.

import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";

const MINUTE = 60_000;
const PART = "what this part of the price list adds to a value";
const FILLER = Array.from(
  { length: 480 },
  (_, n) => `def part_${n}(value):\n    return value + ${n}  # ${PART}\n\n`,
).join("\n");
const LONG = `${FILLER}\ndef rounded(value):\n    return int(value)\n\n\ndef label(value):\n    return f"{rounded(value)} EUR"\n`;

const shop: Readonly<Record<string, string>> = {
  "task.md": "# Task\n\nAmounts are rounded to the nearest, not down: rounded(2.6) is 3.\n",
  "shop/src/shop/__init__.py": "",
  "shop/src/shop/price.py": LONG,
  "shop/tests/test_price.py":
    "from shop.price import label, part_3\n\ndef test_label():\n    assert label(3.2) == '3 EUR'\n\ndef test_part():\n    assert part_3(1) == 4\n",
  "shop/pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
};
const newTest = "from shop.price import rounded\n\ndef test_up():\n    assert rounded(2.6) == 3\n";
const entry = { file: "src/shop/price.py", action: "round to the nearest", functions: [] };
const plan = { target_tests: [], tests: { filename: "tests/test_round.py", content: newTest }, plan: [entry] };

function edit(search: string, replace: string, path = "src/shop/price.py"): string {
  return `APPROACH: edit\n===EDIT: ${path}===\n<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n===END EDIT===\n`;
}
const right = edit("    return int(value)", "    return round(value)");

/** A server that plans as told, answers an implementer with these texts in turn, the last for ever, and finds nothing in a review. */
async function serve(implementer: readonly string[], planned: unknown = plan): Promise<FaultServer> {
  const server = await startFaultServer();
  let turn = 0;
  server.otherwise = ({ prompt }) => {
    if (/tests, before any change|plan a change of a program/.test(prompt)) return { text: JSON.stringify(planned) };
    if (prompt.includes("===EDIT:")) return { text: implementer[Math.min(turn++, implementer.length - 1)]! };
    if (prompt.includes("`tests_correct`")) return { text: JSON.stringify({ tests_correct: true, issues: [] }) };
    return {
      text: JSON.stringify({
        diagnosis: "look again",
        complete: !/what the failing tests say/.test(prompt),
        plan: [entry],
      }),
    };
  };
  return server;
}

async function project(files: Readonly<Record<string, string>> = {}): Promise<Folder> {
  const folder = new Folder();
  for (const [path, text] of Object.entries({ ...shop, ...files })) await folder.write(path, text);
  return folder;
}

const flags = ({ url }: FaultServer) => ["--workspace", "shop", "--url", url, "--model", "m", "--seed", "1", "--json"];
const program = "shop/src/shop/price.py";

describe("a repository", { timeout: 5 * MINUTE }, () => {
  it("of which an installed copy is tested is never done, changed or not", async () => {
    const files = {
      ".keep": "",
      "shop/code/shop/__init__.py": "",
      "shop/code/shop/price.py": LONG,
      "given/test_up.py": newTest,
    };
    using at = await project(files);
    execFileSync("rm", ["-r", "src", "tests"], { cwd: `${at.dir}/shop` });
    execFileSync("python3", ["-m", "venv", "--without-pip", "--system-site-packages", ".venv"], {
      cwd: `${at.dir}/shop`,
    });
    const site = `${`${at.dir}/shop`}/.venv/lib/${execFileSync("ls", [`${at.dir}/shop/.venv/lib`], { encoding: "utf8" }).trim()}/site-packages/shop`;
    execFileSync("cp", ["-r", `${at.dir}/shop/code/shop`, site]);
    await at.write(`${site.slice(at.dir.length + 1)}/price.py`, LONG.replace("int(value)", "round(value)"));
    const inCode = { file: "code/shop/price.py", action: "round", functions: [] };
    for (const answer of [
      "APPROACH: nothing has to change\n===CMD===\ntrue\n===END CMD===\n",
      edit("    return int(value)", "    return round(value)", "code/shop/price.py"),
    ]) {
      await using server = await serve([answer], { plan: [inCode] });
      const ended = await at.cli(["code", ...flags(server), "--tests", "given", "--max-iterations", "2"]);
      expect(lastLine(ended)).not.toMatchObject({ outcome: "done" });
      expect(ended.stdout).toMatch(
        /the tests load no source of this workspace: what they test is a copy that is installed elsewhere|is not what makes them pass/,
      );
      expect(at.read("shop/code/shop/price.py")).toBe(LONG);
    }
    // Told where its sources are, the tests are of them.
    await at.write(
      "shop/pyproject.toml",
      `${shop["shop/pyproject.toml"]}[tool.setuptools.packages.find]\nwhere = ["code"]\n`,
    );
    await using server = await serve([edit("    return int(value)", "    return round(value)", "code/shop/price.py")], {
      plan: [inCode],
    });
    expect(lastLine(await at.cli(["code", ...flags(server), "--tests", "given"]))).toMatchObject({ outcome: "done" });
    expect(at.read("shop/code/shop/price.py")).toContain("return round(value)");
  });

  it("whose own tests a change breaks is not done, and its file is left alone", async () => {
    await using server = await serve([edit("    return int(value)", "    return round(value) if value == 2.6 else 0")]);
    using at = await project();
    const ended = await at.cli(["code", ...flags(server), "--max-iterations", "2"]);
    expect(lastLine(ended)).toMatchObject({ outcome: "ceiling" });
    expect(server.requests.at(-1)!.prompt).toContain(
      "broke tests that passed before (tests/test_price.py::test_label)",
    );
    expect(at.read(program)).toBe(LONG);
  });

  it("keeps a file of 2,000 lines that an answer would cut down to a few and '# rest unchanged'; an edit of it is made", async () => {
    const cut = `APPROACH: whole\n===FILE: src/shop/price.py===\ndef rounded(value):\n    return round(value)\n\n# rest unchanged\n===END FILE===\n`;
    await using server = await serve([cut, right]);
    using at = await project();
    expect(at.read(program).split("\n").length).toBeGreaterThan(1_900);
    const ended = await at.cli(["code", ...flags(server)]);
    expect(lastLine(ended)).toMatchObject({ outcome: "done" });
    const told = server.requests.map(({ prompt }) => prompt).find((prompt) => prompt.includes("price.py was refused"));
    expect(told).toMatch(/would be gone: give an edit of the lines that change/);
    expect(at.read(program)).toBe(LONG.replace("int(value)", "round(value)"));
    // What is sent of such a file is what the plan and the failures name.
    const asked = server.requests.map(({ prompt }) => prompt).filter((prompt) => prompt.includes("===EDIT:"));
    expect(Math.max(...asked.map(({ length }) => length))).toBeLessThan(LONG.length / 2);
  });

  it("loses nothing to a model of little use, which is told what is wrong, in bounded many requests", async () => {
    const answers = [
      "I would round the value.",
      "===FILE: src/shop/price.py===\ndef rounded(value):\n    return ro",
      `===FILE: tests/test_price.py===\nx = 1\n===END FILE===\n===FILE: pyproject.toml===\nx = 1\n===END FILE===\n`,
      edit("    return value", "    return round(value)"),
      edit("    return int(value)", "    return round(value)", "../../etc/price.py"),
      edit("    return int(value)", "    return round(value)", "lib/shop/price.py"),
      edit("    return floor(value)", "    return round(value)"),
    ];
    await using server = await serve(answers);
    using at = await project();
    const before = at.listing("shop");
    const ended = await at.cli(["code", ...flags(server), "--max-iterations", "6"]);
    expect(lastLine(ended)).toMatchObject({ outcome: expect.stringMatching(/ceiling|escalated/) });
    expect(at.listing("shop")).toEqual(before);
    expect(server.requests.length).toBeLessThan(60);
    const said = server.requests.map(({ prompt }) => prompt).join("\n");
    for (const words of [
      "The answer holds no block: give what changes in a file between ===EDIT: path===",
      "No edit of the file ../../etc/price.py was made",
      "there is no such text file",
      "is a test file",
      "configures the test runner",
    ])
      expect(said).toContain(words);
    expect(said).toContain("this text stands there more than once");
  });

  it("ends the same where it is killed with SIGKILL in its phases, one after another", async () => {
    await using server = await serve([right]);
    using at = await project();
    let words = ["code", ...flags(server)];
    for (const phase of ["summarize", "implement", "test", "finalize"]) {
      const running = at.start(words);
      await running.line(new RegExp(`"type":"phase-started".*"phase":"${phase}"`));
      running.send("SIGKILL");
      expect((await running.ended).signal).toBe("SIGKILL");
      expect([LONG, LONG.replace("int(value)", "round(value)")]).toContain(at.read(program));
      words = ["resume", "--continue", "--json"];
    }
    expect(lastLine(await at.cli(words))).toMatchObject({ outcome: "done" });
    expect(at.read(program)).toBe(LONG.replace("int(value)", "round(value)"));
    expect(at.read("shop/tests/test_round.py")).toBe(newTest);
  });
});
