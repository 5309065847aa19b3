// The ladder of the code loop as a person sees it: in a real terminal of 80 columns and 24 rows, in `show`, in the report and in the
// run's files. The server stands for a model that cannot know a convention until the task says it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, Folder, STATE_HOME } from "../fakes/cli.ts";
import { type FaultServer, startFaultServer } from "../fakes/fault-server.ts";
import { hasTmux, Pane } from "../fakes/tmux.ts";

const MINUTE = 60_000;
const task = "# Sides\n\n## Task\n\nWrite letters.py: port() and starboard() give the letter of their side.\n";
const head = "from letters import port, starboard\n\ndef test_starboard():\n    assert starboard() == 'S'\n";
const harder = `${head}\ndef test_port():\n    assert port() == 'L'\n`;
const plan = [{ file: "letters.py", action: "create", functions: [] }];

function programOf(port: string): string {
  return `===FILE: letters.py===\ndef port():\n    return '${port}'\n\ndef starboard():\n    return 'S'\n===END FILE===\n`;
}
const TOO_MUCH =
  "===FILE: test_letters.py===\ndef test_it():\n    pass\n===END FILE===\n===CMD===\nsudo rm -rf /\n===END CMD===\n";

/** What the model answers, by what it is asked; the tests are corrected once. */
async function serve(): Promise<FaultServer> {
  const server = await startFaultServer();
  let [audits, implemented] = [0, 0];
  server.otherwise = ({ body, prompt }) => {
    const system = String(body.messages.find(({ role }) => role === "system")?.content ?? "");
    if (system.includes("You plan"))
      return { text: JSON.stringify({ tests: { filename: "test_letters.py", content: head }, plan }) };
    if (system.includes("You audit") && audits++ === 0) {
      const issues = [{ test_name: "test_port", problem: "port() is not tested", fix: "test it" }];
      const tests = { filename: "test_letters.py", content: harder };
      return { text: JSON.stringify({ tests_correct: false, issues, tests }) };
    }
    if (system.includes("You audit")) return { text: JSON.stringify({ tests_correct: true, issues: [] }) };
    if (system.includes("You review")) return { text: JSON.stringify({ diagnosis: "the letter is wrong", plan }) };
    if (system.includes("piece of knowledge")) {
      const dk_addition = "Port is written L, for larboard.";
      return { text: JSON.stringify({ diagnosis: "a convention", dk_addition, confidence: "high" }) };
    }
    const answer = programOf(prompt.includes("for larboard") ? "L" : "P");
    return { text: `APPROACH: give the letters\n${answer}${implemented++ === 1 ? TOO_MUCH : ""}` };
  };
  return server;
}

/** What each step of the ladder is called, in the order in which they come. */
const STEPS = [
  /^task +Write letters\.py/,
  /^workspace +\//,
  /^tests +the workspace's own, and new ones/,
  /^models +default:desk/,
  /^ {2}iteration 1, with plan 1/,
  /^ {2}all tests pass in iteration 1: the reviewer is asked what is missing/,
  /^ {2}tests replaced by the audit: 2 tests now/,
  /^ {2}iteration 2, with plan 1/,
  /^ {2}refused the file test_letters\.py: /,
  /^ {2}refused the command sudo rm -rf \/: /,
  /^ {2}stuck: the same test fails 3 times running \(.*test_port\)/,
  /^ {2}consultant asked to audit the tests/,
  /^ {2}consultant asked to review the program/,
  /^ {2}hint given: the implementer is to take another way/,
  /^ {2}stuck: the same test fails 5 times running/,
  /^ {2}consultant asked what the task lacks/,
  /^ {2}task\.md was amended: \[Auto-DK iteration 6\] Port is written L, for larboard\./,
  /^ {2}iteration 7, with plan 2/,
  /^ {2}applied to your files: /,
  /^ {2}changed 2 files: \+\d+ −0/,
  /^ {2}\+def port\(\):/,
  /^ {2}results: 2 of 2 tests pass/,
  /^done {2}/,
  /^cost {4}\d+ requests, [\d,]+ tokens, /,
  /loopwright undo \S+/,
];

/** The first of some shapes that no line has after the one before it. */
function missingStep(lines: readonly string[], shapes: readonly RegExp[]): string | undefined {
  let at = 0;
  for (const shape of shapes) {
    const found = lines.findIndex((line, index) => index >= at && shape.test(line));
    if (found < 0) return String(shape);
    at = found + 1;
  }
  return undefined;
}

describe.skipIf(!hasTmux)("the ladder", () => {
  it("is told step by step in a terminal, in show, in the report and in the files", {
    timeout: 6 * MINUTE,
  }, async () => {
    await using server = await serve();
    using at = new Folder();
    await at.write("task.md", task);
    const flags = `--url ${server.url} --model desk --seed 1 --trust`;
    using pane = new Pane({
      ...{ columns: 80, rows: 24, cwd: at.dir, patience: 5 * MINUTE },
      command: `'${process.execPath}' '${BIN}' code ${flags}`,
      env: { XDG_STATE_HOME: STATE_HOME, NODE_NO_WARNINGS: "1" },
    });
    expect(await pane.untilEnded(), pane.scrollback().join("\n")).toEqual({ exit: 0, isSound: true });
    const lines = pane.scrollback();
    if (process.env.SHOW_LADDER) console.log(lines.join("\n"));
    expect(missingStep(lines, STEPS), lines.join("\n")).toBeUndefined();
    expect(lines.filter((line) => line.length > 80 && !/^(folder|report|result|workspace|task) /.test(line))).toEqual(
      [],
    );
    // At the refusals, and at the end.
    expect(pane.raw().split("\u0007").length - 1).toBe(2);

    const told = STEPS.slice(4, -5).filter((shape) => !String(shape).includes("def port"));
    const [run = ""] = at.runs();
    const shown = (await at.cli(`show ${run}`)).lines;
    expect(missingStep(shown, told), shown.join("\n")).toBeUndefined();
    const folder = join(at.dir, "runs", run);
    const report = readFileSync(join(folder, "report.html"), "utf8");
    for (const words of [
      "the reviewer is asked what is missing",
      "tests replaced by the audit",
      "refused the command sudo",
      "hint given",
    ])
      expect(report).toContain(words);
    expect(report).toContain("Port is written L, for larboard.");

    const execution = JSON.parse(at.read(`runs/${run}/attempt-000/iterations/iter-002/execution.json`));
    expect(execution).toMatchObject({ retry_count: 0, errors: [], written: 1 });
    expect(execution.refused.map(({ what }: { what: string }) => what)).toEqual(["file", "command"]);
    expect(at.read(`runs/${run}/attempt-000/result.patch`)).toContain("+++ b/letters.py");
  });
});
