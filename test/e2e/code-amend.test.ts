// The ladder's last steps with the real program: stuck, the task is amended, killed in the middle of that, and an amendment
// taken back. The server stands for a model that cannot know a convention until the task says it.

import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";

const MINUTE = 60_000;
const task = `# Task

Write code.py with a function port() that gives the letter for port side.

## Domain Knowledge

- Letters are capitals.
`;
const tests = "from code_letters import port\n\ndef test_port():\n    assert port() == 'L'\n";
const plan = [
  {
    file: "code_letters.py",
    action: "create",
    functions: [{ name: "port", signature: "port()", pseudocode: "give it" }],
  },
];

/** What the model answers, by the role that is asked. */
function answerTo(system: string, prompt: string): string {
  if (system.includes("You plan"))
    return JSON.stringify({ tests: { filename: "test_letters.py", content: tests }, plan });
  if (system.includes("You audit")) return JSON.stringify({ tests_correct: true, issues: [] });
  if (system.includes("You review")) return JSON.stringify({ diagnosis: "the letter is wrong", plan });
  if (system.includes("piece of knowledge"))
    return JSON.stringify({
      diagnosis: "a convention",
      dk_addition: "Port is written L, for larboard.",
      confidence: "high",
    });
  const letter = prompt.includes("for larboard") ? "L" : "P";
  return `APPROACH: give the letter\n===FILE: code_letters.py===\ndef port():\n    return '${letter}'\n===END FILE===\n`;
}

async function serve(): Promise<FaultServer> {
  const server = await startFaultServer();
  server.otherwise = ({ body, prompt }) => {
    const system = body.messages.find(({ role }) => role === "system")?.content ?? "";
    return { text: answerTo(String(system), prompt) };
  };
  return server;
}

async function project(): Promise<Folder> {
  const folder = new Folder();
  await folder.write("task.md", task);
  return folder;
}

describe("a run that is stuck until its task is amended", () => {
  it("ends the same when it is killed with SIGKILL while it amends, and the amendment can be taken back", {
    timeout: 4 * MINUTE,
  }, async () => {
    await using server = await serve();
    const flags = ["--url", server.url, "--model", "desk", "--seed", "1", "--json"];
    using whole = await project();
    const unbroken = await whole.cli(["code", ...flags]);
    expect(unbroken.code, unbroken.stderr).toBe(0);
    expect(lastLine(unbroken)).toMatchObject({ outcome: "done", iterations: 6 });
    expect(whole.read("task.md")).toContain("[Auto-DK iteration 5] Port is written L, for larboard.");
    const asked = server.requests.length;
    server.requests.length = 0;

    using at = await project();
    const running = at.start(["code", ...flags]);
    await running.line(/"type":"phase-started".*"phase":"amend"/);
    running.send("SIGKILL");
    expect((await running.ended).signal).toBe("SIGKILL");
    const resumed = await at.cli("resume --continue --json");
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(at.listing("workspace")).toEqual(whole.listing("workspace"));
    expect(at.read("task.md")).toBe(whole.read("task.md"));
    expect(server.requests.length - asked).toBeLessThanOrEqual(1);

    const [run] = at.runs();
    expect((await at.cli(`amendments ${run}`)).stdout).toContain("Port is written L, for larboard.");
    expect(await at.cli(`amendments ${run} --revert 1`)).toMatchObject({ code: 0 });
    expect(at.read("task.md")).toBe(task);
  });
});
