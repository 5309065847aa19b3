// What reaches the terminal: only what was asked for, no colors where none are wanted, and nothing that a run can
// use to write over the screen.

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { BIN, type Folder, fixtureProject, runIn } from "../../fakes/cli.ts";

const ESCAPE = "\u001B";

describe.concurrent("--quiet", () => {
  it("prints nothing of a run but its exit code", async () => {
    using at = fixtureProject();
    const ended = await at.steer({ way: "stagnant" }, "--quiet");
    expect(ended).toMatchObject({ code: 4, stdout: "", stderr: "" });
    const [run] = at.runs();
    for (const words of [`resume ${run} -q`, `cancel ${run} -q`, `verify ${run} -q`])
      expect(await at.cli(words)).toMatchObject({ stdout: "", stderr: "" });
    const waiting = await at.cli("run ask --input {} --quiet --yes");
    expect(waiting).toMatchObject({ code: 8, stdout: "", stderr: "" });
  });

  it("still prints what was asked for, and errors", async () => {
    using at = fixtureProject();
    await at.steer({ way: "done" }, "-q");
    const [run] = at.runs();
    expect((await at.cli("runs -q")).lines).toEqual([run]);
    expect((await at.cli("prune --older-than 0h -q")).lines).toEqual([run]);
    expect((await at.cli("graph steer -q")).stdout).toContain("flowchart");
    expect((await at.cli("show nothing -q")).stderr).toContain("there is no run 'nothing'");
  });
});

describe.concurrent("a reader that goes away", () => {
  it.each([
    ['run steer --trust --input \'{"way":"endless"}\''],
    ['run steer --trust --input \'{"way":"endless"}\' --json'],
    ["runs --json"],
    ["--help"],
  ])("is no crash: %s | head -1", async (words) => {
    using at = fixtureProject();
    // A run that is under way goes on, and ends with its own code: here, that of its ceiling.
    const { stdout, stderr } = await shell(at, `{ ${node} ${words} || [ $? = 3 ]; } | head -1`);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toBe("");
  });

  it("does not stop the run", async () => {
    using at = fixtureProject();
    await shell(at, `${node} run steer --trust --input '{"way":"slow","rounds":3,"seconds":0.2}' | head -1`);
    const { runs } = await at.document("runs");
    expect(runs).toMatchObject([{ status: "done" }]);
  });
});

describe.concurrent("a stdout that cannot be written", () => {
  it("is said, and is a fault", async () => {
    using at = fixtureProject();
    const { stdout, stderr } = await shell(at, `${node} runs > /dev/full; echo $?`);
    expect(stderr).toBe("loopwright: stdout cannot be written (ENOSPC)\n");
    expect(stdout).toBe("1\n");
  });
});

describe.concurrent("colors", () => {
  it.each([
    ["on a pipe", {}, "", false],
    ["with FORCE_COLOR", { FORCE_COLOR: "1" }, "", true],
    ["with FORCE_COLOR=0", { FORCE_COLOR: "0" }, "", false],
    ["with NO_COLOR, which wins", { FORCE_COLOR: "1", NO_COLOR: "1" }, "", false],
    ["with --no-color, which wins", { FORCE_COLOR: "1" }, "--no-color", false],
    ["with --json", { FORCE_COLOR: "1" }, "--json", false],
  ])("%s", async (_what, env, flag, hasColor) => {
    using at = fixtureProject();
    const ended = await at.steer({ way: "done" }, flag, { env });
    expect(ended.stdout.includes(ESCAPE)).toBe(hasColor);
    expect(ended.stderr).toBe("");
    expect((await at.cli(`runs ${flag}`, { env })).stdout.includes(ESCAPE)).toBe(hasColor);
  });
});

describe.concurrent("hostile text", () => {
  const words = [
    `red ${ESCAPE}[31malert${ESCAPE}[0m`,
    `title ${ESCAPE}]0;owned\u0007`,
    "over\rwritten",
    "two\nlines",
    "bell\u0007 back\u0008space \u009B31m",
    "bidi \u202Egnp.exe\u202C \u2066isolate\u2069",
    "x".repeat(5_000),
  ].join(" ");

  it("of reasons, findings, questions and errors does not reach the terminal raw", async () => {
    using at = fixtureProject();
    const outputs: string[] = [];
    for (const way of ["done", "escalated", "failed", "retry", "stagnant"]) {
      const ended = await at.steer({ way, words }, `--slug ${way}`, { input: `${ESCAPE}[2Jwhat\n` });
      const run = runIn(ended);
      outputs.push(ended.stdout, ended.stderr);
      for (const command of ["show", "explain", "resume"]) outputs.push((await at.cli(`${command} ${run}`)).stdout);
    }
    const asked = await at.cli(["run", "ask", "--input", JSON.stringify({ question: words })]);
    outputs.push(asked.stdout, (await at.cli(`answer ${runIn(asked)} no`)).stdout, (await at.cli("runs")).stdout);
    for (const output of outputs) expectPlain(output);
  });

  it("in a name that was typed does not come back raw in the message", async () => {
    using at = fixtureProject();
    const { stderr, code } = await at.cli(["show", `${ESCAPE}[31m`]);
    expect(code).toBe(2);
    expect(stderr).not.toContain(ESCAPE);
  });

  it("keeps its lines short in what a run prints as it goes", async () => {
    using at = fixtureProject();
    const { lines } = await at.steer({ way: "endless", words });
    const verdicts = lines.filter((line) => /^ {2}iteration/.test(line));
    expect(verdicts).toHaveLength(6);
    for (const line of verdicts) expect(line.length).toBeLessThanOrEqual(100);
  });

  it("stays as it is in --json, where it is escaped", async () => {
    using at = fixtureProject();
    const { lines } = await at.steer({ way: "done", words }, "--json");
    expect(JSON.parse(lines.at(-1)!).reason).toContain(`${ESCAPE}[31malert`);
    expect(lines.join("\n")).not.toContain(ESCAPE);
  });
});

/** No control characters, no bidi controls, and no carriage returns but for the line breaks of our own. */
function expectPlain(output: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(output.match(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u200E\u200F]/g)).toBeNull();
}

const node = `'${process.execPath}' '${BIN}'`;

function shell(at: Folder, command: string): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: join(at.dir, "no-home") };
  return promisify(execFile)("bash", ["-o", "pipefail", "-c", command], { cwd: at.dir, env });
}
