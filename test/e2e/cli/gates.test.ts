// Gates from the command line: asked on a pipe, answered by flags, answered later by another command.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { fixtureProject, lastLine, runIn } from "../../fakes/cli.ts";

const three = ["run", "ask", "--input", '{"names":["Heron","Gull","Tern"]}'];

describe.concurrent("a gate on a pipe", () => {
  it("is asked in words, and its answer is read as a line", async () => {
    using at = fixtureProject();
    const ended = await at.cli("run ask --input {}", { input: "yes\n" });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("Is it a good name: Heron?\n  yes / no (default) / not sure: yes\n");
    expect(ended.stdout).toContain("kept: Heron");
  });

  it("is followed by the next one: several answers may stand in the pipe", async () => {
    using at = fixtureProject();
    const ended = await at.cli(three, { input: "yes\nno\nyes\n" });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("kept: Heron, Tern");
    expect(at.runs()).toHaveLength(1);
  });

  it("is asked again after a wrong word, takes an unambiguous beginning, and the default for an empty line", async () => {
    using at = fixtureProject();
    const ended = await at.cli(three, { input: "maybe\nn\nYE\n\nnot\n" });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("'maybe' is none of: yes, no, not sure");
    expect(ended.stdout).toContain("'n' fits no and not sure: type more of it");
    expect(ended.stdout).toContain("kept: Heron");
    expect(ended.stdout.match(/yes \/ no \(default\) \/ not sure: /g)).toHaveLength(5);
  });

  it("still waits at the end of the input, and can be answered later", async () => {
    using at = fixtureProject();
    const ended = await at.cli(three, { input: "yes\n" });
    expect(ended.code).toBe(6);
    const run = runIn(ended);
    expect((await at.cli("runs")).stdout).toMatch(new RegExp(`${run} .*waiting`));
    expect((await at.cli(`answer ${run} no`)).code).toBe(0);
    const resumed = await at.cli(`resume ${run}`, { input: "yes" });
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("kept: Heron, Tern");
    expect(at.runs()).toEqual([run]);
  });

  it("of a child run is asked like its own", async () => {
    using at = fixtureProject();
    const ended = await at.cli("run family", { input: "yes\n" });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("The child asks: Saltwind?");
  });

  it("that an ending opened is asked too, and its answer leads on", async () => {
    using at = fixtureProject();
    const input = { way: "escalated", words: "What now?" };
    const again = await at.steer(input, "", { input: "again\nagain\n" });
    expect(again.code).toBe(5);
    expect(again.stdout.match(/^What now\?$/gm)).toHaveLength(3);
    expect(again.stdout).toContain("iteration 4");
    const left = await at.steer(input, "", { input: "leave\n" });
    expect(left.code).toBe(5);
    expect(left.stdout.match(/^What now\?$/gm)).toHaveLength(1);
  });
});

describe.concurrent("flags that answer", () => {
  it("--yes takes each gate's default and asks nothing", async () => {
    using at = fixtureProject();
    const ended = await at.cli([...three, "--yes"], { input: "yes\nyes\nyes\n" });
    expect(ended.code).toBe(8);
    expect(ended.stdout).toContain("answered 'no' (by default)");
    expect(ended.stdout).not.toContain("not sure:");
  });

  it("--answer answers a gate by its name, and --yes the others", async () => {
    using at = fixtureProject();
    const ended = await at.cli([...three, "--answer", "accept-2=y", "--yes"]);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("answered 'yes' (by flag)");
    expect(ended.stdout).toContain("kept: Gull");
  });

  it("--answer for some gates leaves the others to be asked", async () => {
    using at = fixtureProject();
    const ended = await at.cli([...three, "--answer", "accept-1=yes", "--answer", "accept-3=no"], { input: "yes\n" });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("kept: Heron, Gull");
  });

  it("--answer with a choice that the gate does not offer is wrong words, and the run can go on", async () => {
    using at = fixtureProject();
    const ended = await at.cli("run ask --input {} --answer accept=maybe");
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("--answer accept=maybe: the gate offers yes, no, not sure");
    expect((await at.cli("resume --continue --answer accept=yes")).code).toBe(0);
  });

  it("--answer given to resume answers the gate that the run waits at, its child's too", async () => {
    using at = fixtureProject();
    expect((await at.cli("run family")).code).toBe(6);
    expect((await at.cli("resume --continue --answer accept=yes")).code).toBe(0);
    expect(at.runs()).toHaveLength(1);
  });

  it("--json never asks: the last line is the gate, with the question, the choices and the default", async () => {
    using at = fixtureProject();
    const ended = await at.cli("run ask --input {} --json", { input: "yes\n" });
    expect(ended).toMatchObject({ code: 6, stderr: "" });
    const choices = ["yes", "no", "not sure"];
    const question = "Is it a good name: Heron?";
    expect(lastLine(ended)).toMatchObject({ type: "gate-opened", name: "accept", question, choices, default: "no" });
    const answered = await at.cli("resume --continue --answer accept=yes --json");
    expect(lastLine(answered)).toMatchObject({ type: "run-ended", outcome: "done" });
  });
});

describe.concurrent("answer", () => {
  it("is kept until the run goes on; of two the first counts", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run ask --input {}"));
    const first = await at.cli(["answer", run, "y", "--note", "a fine bird"]);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain("Answered 'yes' to: Is it a good name: Heron?");
    expect(await at.document(`answer ${run} no`)).toMatchObject({ choice: "no", counted: false });
    expect((await at.cli(`answer ${run} no --json`)).code).toBe(2);
    expect(await at.cli(`answer ${run} no`)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: `loopwright: it was answered already, with 'yes'; the first answer counts, not 'no' (loopwright resume ${run} goes on with it)\n`,
    });
    const again = await at.cli(`answer ${run} y`);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("the first answer counts") });
    const resumed = await at.cli(`resume ${run}`);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("kept: Heron (a fine bird)");
  });

  it("that is given is shown by every look at the run, and asked for no more", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run family"));
    expect(await at.cli(["answer", run, ""])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("empty <choice>"),
    });
    expect((await at.cli(`answer ${run} yes`)).code).toBe(0);
    expect((await at.cli("runs")).stdout).toMatch(new RegExp(`${run} .*answered`));
    expect(await at.document("runs")).toMatchObject({ runs: [{ run, status: "waiting", answer: "yes" }] });
    const explained = await at.cli(`explain ${run}`);
    expect(explained.stdout).toContain("It was answered 'yes', and goes on with that");
    expect(explained.stdout).not.toContain("loopwright answer");
    expect((await at.cli(`show ${run}`)).stdout).toContain("It was answered 'yes'");
  });

  it("refuses a choice that the gate does not offer, and a run that asks nothing", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run ask --input {}"));
    const wrong = await at.cli(`answer ${run} n`);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("does not offer 'n'; it offers 'yes', 'no', 'not sure'");
    expect((await at.cli(`answer ${run} yes --dry-run`)).stdout).toContain("It would answer 'yes'");
    expect((await at.cli("resume --continue")).code).toBe(6);
    const done = runIn(await at.steer({ way: "done" }));
    const silent = await at.cli(`answer ${done} yes`);
    expect(silent).toMatchObject({ code: 2, stdout: "" });
    expect(silent.stderr).toContain("waits at no gate, so there is nothing to answer");
    expect((await at.cli(`answer ${done} yes --dry-run`)).code).toBe(2);
  });

  it("reaches a child's gate through the parent", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run family"));
    const answered = await at.document(`answer ${run} yes`);
    expect(answered).toMatchObject({ name: "accept", counted: true });
    expect((await at.cli(`resume ${run}`)).code).toBe(0);
  });

  it("comes too late for a gate that has expired; a resume takes the default", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli(["run", "ask", "--input", '{"expiresIn":0.7}']));
    await sleep(800);
    const late = await at.cli(`answer ${run} yes`);
    expect(late).toMatchObject({ code: 2, stdout: "" });
    expect(late.stderr).toContain("has expired; a resume takes its default, 'no'");
    const resumed = await at.cli(`resume ${run}`);
    expect(resumed.code).toBe(8);
    expect(resumed.stdout).toContain("answered 'no' (by expiry)");
  });
});
