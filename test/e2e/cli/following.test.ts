// `show --follow`: a run is told as it goes, in whatever process, and is none the wiser.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { events, jsonOutput } from "../../../scripts/docs/json-schema.ts";
import { fixtureProject, runIn, type Started } from "../../fakes/cli.ts";

const JsonOutput = await jsonOutput();

/** A run that is under way for as long as any test looks at it. */
const slow = { way: "slow", rounds: 900, seconds: 0.05 };
const roomy = "--json --max-iterations 1000";

const typesOf = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { type: string }).type);

/** Waits for the first verdict of a run that was started, and gives its id. */
async function underWay(program: Started): Promise<string> {
  return (JSON.parse(await program.line('"verdict-recorded"')) as { run: string }).run;
}

describe.concurrent("show --follow", () => {
  it("tells a run that is over whole, in words, and ends with 0 however the run ended", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "retry", words: "planks" }));
    const followed = await at.cli(`show ${run} --follow`);
    expect(followed).toMatchObject({ code: 0, stderr: "" });
    expect(followed.lines[0]).toMatch(new RegExp(`^steer  ${run}  seed \\d+$`));
    expect(followed.lines.slice(1).map((line) => line.trim().replace(/ +/g, " "))).toEqual([
      expect.stringMatching(/^ceilings: /),
      expect.stringMatching(/^the effect '.*execute' failed: \w+, the plank broke: planks$/),
      expect.stringMatching(/^fast retry, 1 re-try .*the plank broke: planks/),
      "iteration 1 0.100 fail iteration 1: planks",
      expect.stringMatching(/^the effect '.*execute' failed: \w+, the plank broke: planks$/),
      expect.stringMatching(/^fast retry, 1 re-try .*the plank broke: planks/),
      "iteration 2 0.200 +0.100 pass iteration 2: planks",
      "done planks",
    ]);
    const stopped = runIn(await at.steer({ way: "endless" }, "--slug stopped"));
    const ceiling = await at.cli(`show ${stopped} --follow`);
    expect(ceiling.code).toBe(0);
    expect(ceiling.lines.at(-1)).toMatch(/^ceiling {2}\S/);
  });

  it("--json prints every event of the record as a line that fits the schema, the end last", async () => {
    using at = fixtureProject();
    const driven = await at.steer({ way: "done" }, "--json");
    const { lines, code, stderr } = await at.cli("show --follow --json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const line of lines) {
      const value = JSON.parse(line) as { type: keyof typeof events };
      for (const shape of [events[value.type], JsonOutput]) expect(shape.safeParse(value).error, line).toBeUndefined();
    }
    const transient = new Set(["phase-started", "progress"]);
    expect(typesOf(lines)).toEqual(typesOf(driven.lines).filter((type) => !transient.has(type)));
    const without = (line: string) => ({ ...JSON.parse(line), folder: undefined, at: undefined });
    expect(without(lines.at(-1)!)).toEqual(without(driven.lines.at(-1)!));
  });

  it("goes on as another process drives the run, through its kill and the resume of a third, until it ends", async () => {
    using at = fixtureProject();
    const first = at.startSteer(slow, roomy);
    const run = await underWay(first);
    const follower = at.start(`show ${run.slice(0, -1)} --follow --json`);
    await follower.line('"iteration":2');
    first.send("SIGKILL");
    await first.ended;
    const killed = await at.cli(`explain ${run}`);
    expect(killed.stdout).toMatch(/its process was killed in the phase '(work|judge)'/);
    const { scores } = (await at.document(`show ${run}`)) as unknown as { scores: unknown[] };
    const limit = scores.length + 5;
    expect((await at.cli(`resume ${run} --json --max-iterations ${limit}`)).code).toBe(3);
    const { code, lines, stderr } = await follower.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines).toEqual((await at.cli(`show ${run} --follow --json`)).lines);
    expect(typesOf(lines).filter((type) => type === "verdict-recorded")).toHaveLength(limit);
    expect(typesOf(lines)).toContain("run-resumed");
    expect(typesOf(lines).at(-1)).toBe("run-ended");
    expect(await at.document(`verify ${run}`)).toMatchObject({ ok: true });
  });

  it("says that nobody is at a run that waits, what is asked, and goes on when that is answered", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run ask --input {}"));
    const follower = at.start("show --follow");
    await follower.line(`the newest run: ${run}`);
    await follower.line("no process is at this run now");
    expect(await follower.line("asked:")).toMatch(/^ {2}asked: Is it a good name: Heron\? \(yes, no/);
    await at.cli(`answer ${run} yes`);
    expect((await at.cli(`resume ${run}`)).code).toBe(0);
    const { code, lines } = await follower.ended;
    expect(code).toBe(0);
    expect(lines.slice(-4).join("\n")).toMatch(/ {2}answered 'yes'\n[\s\S]*\ndone {2}/);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("is ended by %s with %i, and leaves the run alone", async (signal, code) => {
    using at = fixtureProject();
    const driver = at.startSteer(slow, roomy);
    const run = await underWay(driver);
    const follower = at.start(`show ${run} --follow`);
    await follower.line("iteration 1");
    follower.send(signal);
    expect(await follower.ended).toMatchObject({ code, signal: null, stderr: "" });
    const { scores } = (await at.document(`show ${run}`)) as unknown as { scores: unknown[] };
    await driver.line(new RegExp(`"verdict-recorded".*"iteration":${scores.length + 2},`));
    await at.cli(`pause ${run}`);
    expect(JSON.parse((await driver.ended).lines.at(-1)!)).toMatchObject({ type: "run-ended", outcome: "interrupted" });
  });

  it("ends when whoever read it has gone away", async () => {
    using at = fixtureProject();
    const driver = at.startSteer(slow, roomy);
    const run = await underWay(driver);
    const follower = at.start(`show ${run} --follow --json`);
    await follower.line('"run-started"');
    follower.child.stdout.destroy();
    expect(await follower.ended).toMatchObject({ code: 0, stderr: "" });
    driver.send("SIGINT");
    expect((await driver.ended).code).toBe(130);
  });

  it("refuses another view beside it, and writes nothing at all", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const before = at.listing("runs");
    const both = await at.cli(`show ${run} --follow --calls`);
    expect(both).toMatchObject({ code: 2, stdout: "" });
    expect(both.stderr).toContain("give --follow or --calls, not both");
    await at.cli(`show ${run} --follow`);
    expect(at.listing("runs")).toEqual(before);
    expect(JSON.parse(readFileSync(join(at.dir, "runs", run, "summary.json"), "utf8"))).toMatchObject({
      outcome: "done",
    });
  });
});

describe.concurrent("without a run", () => {
  it.each(["show", "explain", "resume"])("%s takes the newest that is no child, and says which", async (command) => {
    using at = fixtureProject();
    await at.steer({ way: "done" }, "--slug first");
    const family = runIn(await at.cli("run family --slug second"));
    const ended = await at.cli(command);
    expect(ended.lines[0]).toBe(`the newest run: ${family}`);
    expect(ended.code).toBe(command === "resume" ? 6 : 0);
    if (command !== "resume") expect(await at.document(command)).toMatchObject({ run: family });
  });

  it.each(["show", "explain", "resume", "show --follow"])(
    "%s says where there is none how to begin",
    async (command) => {
      using at = fixtureProject();
      const none = await at.cli(command);
      expect(none).toMatchObject({ code: 2, stdout: "" });
      expect(none.stderr).toMatch(/^loopwright: there is no run yet, and no project in .*loopwright demo makes one/);
    },
  );

  it("resume refuses a run beside --continue", async () => {
    using at = fixtureProject();
    const ended = await at.cli("resume 2026 --continue");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("not both");
  });
});
