// Planner and implementer that look before they answer, with the real binary, a real sandbox and a real server: by tools where the
// endpoint has them, by text where it refuses them, and killed while they look. The model is a script that goes by what it was shown.

import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { type FaultServer, type Reply, startFaultServer } from "../fakes/fault-server.ts";

const MINUTE = 60_000;
const shop: Readonly<Record<string, string>> = {
  "task.md": "# Task\n\nAmounts are rounded to the nearest, not down.\n",
  "shop/src/shop/__init__.py": "",
  "shop/src/shop/price.py": "def rounded(value):\n    return int(value)\n",
  "shop/tests/test_price.py": "from shop.price import rounded\n\ndef test_down():\n    assert rounded(3.2) == 3\n",
  "shop/pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
};
const plan = {
  target_tests: [],
  tests: {
    filename: "tests/test_round.py",
    content: "from shop.price import rounded\n\ndef test_up():\n    assert rounded(2.6) == 3\n",
  },
  plan: [{ file: "src/shop/price.py", action: "round to the nearest", functions: [] }],
};
const edit =
  "APPROACH: round\n===EDIT: src/shop/price.py===\n<<<<<<< SEARCH\n    return int(value)\n=======\n    return round(value)\n>>>>>>> REPLACE\n===END EDIT===\n";

/** What is looked at, in order; each is asked for until it was shown. */
const planner = [
  { name: "grep", input: { pattern: "def rounded" }, line: "GREP def rounded" },
  { name: "run", input: { test: "tests/test_price.py" }, line: "RUN tests/test_price.py" },
];
const implementer = [{ name: "read", input: { path: "tests/test_price.py" }, line: "READ tests/test_price.py" }];

async function serve(): Promise<FaultServer> {
  const server = await startFaultServer();
  server.otherwise = ({ prompt, body }) => {
    const isPlan = prompt.includes("tests, before any change");
    if (!isPlan && !prompt.includes("===EDIT:"))
      return { text: JSON.stringify({ diagnosis: "all of it is there", complete: true, plan: [] }) };
    const next = (isPlan ? planner : implementer).find(({ line }) => !prompt.includes(`instructions: ${line}.`));
    if (next) return looking(next, body.tools !== undefined, isPlan);
    return { text: isPlan ? JSON.stringify(plan) : edit };
  };
  return server;
}

function looking(
  { name, input, line }: (typeof planner)[number] | (typeof implementer)[number],
  byTools: boolean,
  isPlan: boolean,
): Reply {
  if (byTools) return { toolCalls: [{ name, input: JSON.stringify(input) }] };
  return { text: isPlan ? JSON.stringify({ look: [line], plan: [] }) : `===LOOK===\n${line}\n===END LOOK===\n` };
}

async function project({ url }: FaultServer): Promise<Folder> {
  const folder = new Folder();
  const yaml = `endpoints:\n  desk: { url: "${url}", tools: true }\nmodels:\n  default: { endpoint: desk, model: m }\ncode: { workspace: shop, looks: 3 }\n`;
  for (const [path, text] of Object.entries({ ...shop, "loopwright.yaml": yaml })) await folder.write(path, text);
  return folder;
}

const run = "code --seed 1 --json";
const noted = (lines: readonly string[], name: string) =>
  lines.map((line) => JSON.parse(line)).filter((event) => event.type === "loop-noted" && event.name === name);

describe("a run that looks before it writes", { timeout: 5 * MINUTE }, () => {
  it.each([
    ["tools", []],
    ["text, where tools are refused", ["tools"]],
  ])("by %s is shown what it asked for, and says so", async (_, refused) => {
    await using server = await serve();
    server.refused = refused;
    using at = await project(server);
    const ended = await at.cli(run);
    expect(lastLine(ended), ended.stderr).toMatchObject({ type: "run-ended", outcome: "done", iterations: 1 });
    expect(noted(ended.lines, "looked").map(({ data }) => data.at)).toEqual([
      ["grep 'def rounded' (1 place)"],
      ["run tests/test_price.py (1 passed, 0 failed)"],
      ["tests/test_price.py"],
    ]);
    expect(noted(ended.lines, "warning").filter(({ data }) => data.code === "TOOLS_REFUSED")).toHaveLength(
      refused.length,
    );
    const sentTools = server.requests.filter(({ body }) => body.tools).length;
    expect(sentTools).toBe(refused.length > 0 ? 1 : 5);
    const [id] = at.runs();
    expect((await at.cli(`show ${id}`)).stdout).toContain(
      "round 1 of 3: the planner looked at grep 'def rounded' (1 place)",
    );
    if (refused.length === 0)
      expect((await at.cli(`show ${id} --call 1`)).stdout).toContain('→ grep {"pattern":"def rounded"}');
  });

  it.each([
    ["tests are run for it", /"type":"effect-started".*look-2-1/],
    ["the next question is asked", /"type":"effect-started".*ask-2/],
  ])("ends the same where it is killed with SIGKILL while %s", async (_, line) => {
    await using server = await serve();
    using at = await project(server);
    const running = at.start(run);
    await running.line(line);
    running.send("SIGKILL");
    expect((await running.ended).signal).toBe("SIGKILL");
    const resumed = await at.cli("resume --continue --json");
    expect(lastLine(resumed), resumed.stderr).toMatchObject({ type: "run-ended", outcome: "done", iterations: 1 });
    expect(at.read("shop/src/shop/price.py")).toContain("round(value)");
    // One may have been under way at the kill.
    expect(server.requests.length).toBeGreaterThanOrEqual(6);
    expect(server.requests.length).toBeLessThanOrEqual(7);
  });
});
