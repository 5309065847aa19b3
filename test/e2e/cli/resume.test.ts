// Going on with a run: from its last checkpoint, with higher ceilings, after kill -9, from a live holder.

import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, Folder, fixtureProject, lastLine, runIn } from "../../fakes/cli.ts";

const slow = { way: "slow", rounds: 2, seconds: 20 };

describe.concurrent("resume", () => {
  it("--continue takes the newest run, and leaves child runs to their parents", async () => {
    using at = fixtureProject();
    const first = runIn(await at.steer({ way: "endless" }, "--slug one --max-iterations 1"));
    const second = runIn(await at.steer({ way: "endless" }, "--slug two --max-iterations 2"));
    const ended = await at.cli("resume --continue --json --max-iterations 3");
    expect(lastLine(ended)).toMatchObject({ run: second, iterations: 3 });
    const family = runIn(await at.cli("run family"));
    const waiting = await at.cli("resume --continue --json");
    expect(lastLine(waiting).run).toContain(family);
    expect(await at.document(`show ${first}`)).toMatchObject({ ceilings: { iterations: 1 } });
  });

  it.each([
    ["done", 0],
    ["declined", 8],
  ])("of a run that is %s does nothing, says so, and exits with its code", async (way, code) => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way }));
    const before = at.listing("runs");
    const again = await at.cli(`resume ${run} --max-iterations 50`);
    expect(again).toMatchObject({ code, stderr: "" });
    expect(again.stdout).toContain("Nothing to do: this run has ended.");
    expect(again.stdout).toMatch(new RegExp(`^${way}  as it was told`, "m"));
    const json = await at.cli(`resume ${run} --json`);
    expect(json.lines).toHaveLength(1);
    expect(lastLine(json)).toMatchObject({ type: "run-ended", outcome: way });
    expect(at.listing("runs")).toEqual(before);
  });

  it("--with a file is refused by a loop that takes none, and by a run that is not in Blender", async () => {
    using at = fixtureProject();
    const refused = [
      [runIn(await at.steer({ way: "endless" })), "the loop 'steer' goes on without files; leave --with out"],
      [
        runIn(await at.cli("demo hull --max-iterations 1")),
        "the run is not in Blender: start one with --workcell blender",
      ],
    ] as const;
    for (const [run, words] of refused) {
      const ended = await at.cli(`resume ${run} --with loopwright.yaml --max-iterations 50`);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(`loopwright.yaml is not taken in: `);
      expect(ended.stderr).toContain(words);
    }
  });

  it("at a ceiling that was not raised says so, with 3, and tells how to raise it", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }));
    const again = await at.cli(`resume ${run}`);
    expect(again.code).toBe(3);
    expect(again.stdout).toContain("Nothing to do: what stopped this run has not changed.");
    expect(again.stdout).toContain(`loopwright resume ${run} --max-iterations 9`);
  });

  it.each(["--max-iterations 8", "-c ceilings.iterations=8"])("goes on when %s raises the ceiling", async (flags) => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }));
    const ended = await at.cli(`resume ${run} ${flags}`);
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain("ceilings changed: 8 iterations");
    expect(ended.stdout).toContain("iteration 7");
    expect(ended.stdout).not.toContain("iteration 6 ");
    expect(ended.stdout).not.toContain("Nothing to do");
    expect((await at.document(`show ${run}`)).scores).toHaveLength(8);
    expect(at.runs()).toEqual([run]);
  });

  it("goes on where a run stagnated or failed, and stops again where nothing has changed", async () => {
    using at = fixtureProject();
    const stagnant = runIn(await at.steer({ way: "stagnant" }, "--slug stagnant"));
    expect((await at.cli(`resume ${stagnant}`)).code).toBe(4);
    const failed = runIn(await at.steer({ way: "failed" }, "--slug failed"));
    const again = await at.cli(`resume ${failed}`);
    expect(again.code).toBe(7);
    expect(again.stdout).toContain("the effect 'work' failed: GONE, the endpoint is gone");
  });

  it("goes on after a bug was fixed in the loop's file", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "bug" }));
    expect((await at.cli(`resume ${run}`)).code).toBe(1);
    await at.write("loops/steer.ts", at.read("loops/steer.ts").replace(/if \(input\.way === "bug"\).*\n/, ""));
    const ended = await at.cli(`resume ${run} --json`);
    expect(ended.code).toBe(5);
    expect((await at.document(`verify ${run}`)).ok).toBe(true);
  });

  it("refuses a child run, and names its parent", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run family"));
    const { runs } = (await at.document("runs --all")) as unknown as { runs: { run: string; parent?: string }[] };
    const child = runs.find(({ parent }) => parent === run)!;
    const ended = await at.cli(`resume ${child.run}`);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(`run ${child.run} belongs to ${run}; resume that one`);
  });

  it("refuses a run that a live process holds, and names the process", async () => {
    using at = fixtureProject();
    const program = at.startSteer(slow, "--json");
    await program.line('"effect-started"');
    const [run] = at.runs();
    const ended = await at.cli(`resume ${run}`);
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toContain(String(program.pid));
    expect(await at.document("runs")).toMatchObject({ runs: [{ run, status: "running", running: true }] });
    expect((await at.cli(`explain ${run}`)).stdout).toContain(`It is running now, in process ${program.pid}`);
    program.send("SIGINT");
    expect((await program.ended).code).toBe(130);
  });

  it("--take takes it over: the former holder stops with 1 and writes no more", async () => {
    using at = fixtureProject();
    const program = at.startSteer({ ...slow, seconds: 3 }, "--json");
    await program.line('"effect-started"');
    const [run] = at.runs();
    const taken = await at.cli(`resume ${run} --take --json`);
    expect(lastLine(taken)).toMatchObject({ outcome: "done", iterations: 2 });
    const former = await program.ended;
    expect(former.code).toBe(1);
    expect(former.stderr).toMatch(
      /^loopwright: .*taken over by another process.*\nNothing is lost: it goes on there\./,
    );
    expect(former.stderr).not.toContain("Fix the cause");
    expect((await at.document(`verify ${run}`)).ok).toBe(true);
  });

  it("after kill -9 comes to the same result, in the same folder", async () => {
    using at = fixtureProject();
    const input = { way: "slow", rounds: 4, seconds: 0.3 };
    using undisturbed = fixtureProject();
    const whole = await undisturbed.steer(input, "--json --seed 3");
    const program = at.startSteer(input, "--json --seed 3");
    await program.line(/"verdict-recorded".*"iteration":2/);
    program.send("SIGKILL");
    expect((await program.ended).signal).toBe("SIGKILL");
    const [run] = at.runs();
    expect((await at.document("runs")).runs).toMatchObject([{ status: "cut-off", running: false }]);
    const resumed = await at.cli(`resume ${run} --json`);
    const facts = ({ outcome, reason, iterations, score }: Record<string, unknown>) => ({
      outcome,
      reason,
      iterations,
      score,
    });
    expect(facts(lastLine(resumed))).toEqual(facts(lastLine(whole)));
    expect(at.runs()).toEqual([run]);
    const files = (names: object) => Object.keys(names);
    const other = undisturbed.runs()[0]!;
    expect(files(at.listing(`runs/${run}`))).toEqual(files(undisturbed.listing(`runs/${other}`)));
    expect((await at.document(`verify ${run}`)).ok).toBe(true);
  });

  it("goes on with a demo that was killed as the README kills one", async () => {
    using at = new Folder();
    const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
    const [, line] = /^(loopwright demo .*kill -9 .*)$/m.exec(readme)!;
    // A busy machine may take longer than the README's pause: the run is killed once there is one.
    const begun = "until test -e runs/*/attempt-000/iterations/iter-001; do sleep 0.02; done";
    const typed = line!.replace(/sleep \d+/, begun);
    expect(typed).toContain(begun);
    await at.write("bin/loopwright", `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`);
    chmodSync(join(at.dir, "bin/loopwright"), 0o755);
    const env = { ...process.env, PATH: `${join(at.dir, "bin")}:${process.env.PATH}` };
    execFileSync("bash", ["-c", `${typed}; wait`], { cwd: at.dir, env, stdio: "ignore", timeout: 60_000 });
    expect((await at.document("runs")).runs).toMatchObject([{ status: "cut-off", running: false }]);
    expect(lastLine(await at.cli("resume --continue --json"))).toMatchObject({ outcome: "done" });
  });
});
