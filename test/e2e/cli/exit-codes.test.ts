// Every way that a run can stop has its exit code, and says what to type next.

import { describe, expect, it } from "vitest";
import { fixtureProject, lastLine, runIn } from "../../fakes/cli.ts";

describe.concurrent("the exit code of a run", () => {
  it.each([
    ["done", 0, "done"],
    ["endless", 3, "ceiling"],
    ["stagnant", 4, "stagnant"],
    ["escalated", 5, "escalated"],
    ["failed", 7, "failed"],
    ["declined", 8, "declined"],
  ])("of a run that is told to be %s is %i, and the outcome is said", async (way, code, outcome) => {
    using at = fixtureProject();
    const ended = await at.steer({ way });
    expect(ended).toMatchObject({ code, stderr: "" });
    expect(ended.stdout).toMatch(new RegExp(`^${outcome}  \\S`, "m"));
    expect(ended.stdout).toContain(`loopwright ${outcome === "done" ? "show" : ""}`);
    const run = runIn(ended);
    expect(ended.stdout).toContain(`${at.dir}/runs/${run}`);
    expect(JSON.parse(at.read(`runs/${run}/summary.json`))).toMatchObject({ run, outcome });
  });

  it("is the same with --json, --quiet and neither", async () => {
    using at = fixtureProject();
    const codes = await Promise.all(
      ["--json", "--quiet", ""].map(async (flag) => (await at.steer({ way: "stagnant" }, flag)).code),
    );
    expect(codes).toEqual([4, 4, 4]);
  });

  it("is 6 where it waits at a gate and nobody is there", async () => {
    using at = fixtureProject();
    const ended = await at.cli("run ask --input {}");
    expect(ended).toMatchObject({ code: 6, stderr: "" });
    expect(ended.stdout).toContain("Is it a good name: Heron?");
    expect(ended.stdout).toMatch(/^waiting {2}/m);
    expect(ended.stdout).toContain(`loopwright answer ${runIn(ended)} yes`);
  });

  it("is 1 for a bug in a loop, and the message names the run and how to go on", async () => {
    using at = fixtureProject();
    const ended = await at.steer({ way: "bug" });
    expect(ended.code).toBe(1);
    const run = runIn(ended);
    expect(ended.stderr).toContain("loopwright: TypeError: undefined is not a boat\n");
    expect(ended.stderr).toContain(`go on with: loopwright resume ${run}`);
    expect((await at.document(`explain ${run}`)).why).toContain("undefined is not a boat");
  });

  it("is 1 for a bug in a loop with --json too, where stdout keeps nothing but JSON", async () => {
    using at = fixtureProject();
    const ended = await at.steer({ way: "bug" }, "--json");
    expect(ended.code).toBe(1);
    expect(lastLine(ended)).toMatchObject({ type: "visit-failed", error: { message: "undefined is not a boat" } });
    expect(ended.stderr).toContain("undefined is not a boat");
  });

  it("is 1 for a loop whose file cannot be run, with nothing left behind", async () => {
    using at = fixtureProject();
    await at.write("loops/ask.ts", "export default nonsense;\n");
    const before = at.listing();
    const ended = await at.cli("run ask");
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain("nonsense is not defined");
    expect(at.listing()).toEqual(before);
  });
});
