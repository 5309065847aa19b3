// The demo: what it would do, and that it runs offline to its end.

import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../../fakes/cli.ts";

describe.concurrent("demo", () => {
  it("--dry-run says what it would do, and writes nothing", async () => {
    using at = new Folder();
    const { stdout, stderr, code } = await at.cli("demo --dry-run");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("hull (version 1)");
    expect(stdout).toContain("Nothing was called and nothing was written.");
    const plan = await at.document("demo --dry-run --seed 4 --max-iterations 3");
    expect(plan).toMatchObject({ type: "plan", loop: "hull", seed: 4, ceilings: { iterations: 3 } });
    expect(at.listing()).toEqual({});
  });

  it("--json ends with run-ended, and a seed gives the same scores again", async () => {
    using at = new Folder();
    using other = new Folder();
    const flags = "demo --json --seed 7 --max-iterations 2";
    const [one, two] = await Promise.all([at.cli(flags), other.cli(flags)]);
    expect(one.stderr).toBe("");
    expect(one.code).toBe(3);
    expect(JSON.parse(one.lines[0]!)).toMatchObject({ type: "run-started", loop: "hull", seed: 7 });
    expect(lastLine(one)).toMatchObject({ type: "run-ended", outcome: "ceiling", iterations: 2 });
    const scores = (lines: string[]) =>
      lines.map((line) => JSON.parse(line).score).filter((score) => score !== undefined);
    expect(scores(one.lines).length).toBeGreaterThan(1);
    expect(scores(two.lines)).toEqual(scores(one.lines));
  }, 120_000);

  it("code: fixes the bug of a small repository, each time in a folder of its own, and undo brings the bug back", async () => {
    using at = new Folder();
    const stays = "demo-code/src/stays.js";
    const ended = await at.cli("demo code");
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
    expect(ended.stdout).toContain("Try next:");
    const fixed = at.read(stays);
    const again = await at.cli("demo code --json");
    expect(lastLine(again)).toMatchObject({ type: "run-ended", outcome: "done" });
    expect(at.read("demo-code-2/src/stays.js")).toBe(fixed);
    expect((await at.cli(["undo", at.runs()[0]!])).code).toBe(0);
    expect(at.read(stays)).not.toBe(fixed);
  }, 120_000);

  it("code: killed half way and resumed, it comes to the same", async () => {
    using at = new Folder();
    const running = at.start("demo code --json");
    await running.line(/"type":"verdict-recorded"/);
    running.send("SIGKILL");
    await running.ended;
    expect(lastLine(await at.cli("resume --continue --json"))).toMatchObject({ type: "run-ended", outcome: "done" });
  }, 120_000);
});
