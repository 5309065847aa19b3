// Stopping a run: Ctrl-C, pause, STOP, cancel. What was recorded stays, and what is not final can go on.

import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Folder, fixtureProject, lastLine, runIn, type Started } from "../../fakes/cli.ts";

const slow = { way: "slow", rounds: 2, seconds: 20 };
/** Every phase is quick, and there are many of them. */
const brisk = { way: "slow", rounds: 1000, seconds: 0.05 };
const many = "--json --max-iterations 1000";

describe.concurrent("Ctrl-C", () => {
  it("once stops cleanly with 130, says so, and the run can go on", async () => {
    using at = fixtureProject();
    const program = at.startSteer({ ...slow, seconds: 8, rounds: 1 });
    await underWay(at);
    program.send("SIGINT");
    const ended = await program.ended;
    expect(ended).toMatchObject({ code: 130, signal: null });
    expect(ended.stdout).toContain("Ctrl-C again stops at once");
    expect(ended.stdout).toMatch(/^interrupted {2}/m);
    const run = runIn(ended);
    expect(ended.stdout).toContain(`loopwright resume ${run}`);
    expect(await at.document(`explain ${run}`)).toMatchObject({ outcome: "interrupted" });
    expect((await at.cli(`resume ${run} --json`)).code).toBe(0);
    expect(at.runs()).toEqual([run]);
  });

  it("once says run-ended as the last line of --json", async () => {
    using at = fixtureProject();
    const program = at.startSteer(slow, "--json");
    await program.line('"effect-started"');
    program.send("SIGINT");
    const ended = await program.ended;
    expect(ended.code).toBe(130);
    expect(lastLine(ended)).toMatchObject({ type: "run-ended", outcome: "interrupted", iterations: 1, score: null });
  });

  it("once is enough where an effect does not listen: the program does not wait for it", async () => {
    using at = fixtureProject();
    await at.write("loops/ask.ts", deafLoop('await ctx.effect("deaf", { run: () => longWait });'));
    const program = at.start("run ask --json");
    await program.line('"effect-started"');
    const begun = performance.now();
    program.send("SIGINT");
    expect(await program.ended).toMatchObject({ code: 130, signal: null });
    expect(performance.now() - begun).toBeLessThan(4_000);
  });

  it("twice stops at once, where a phase does not listen", async () => {
    using at = fixtureProject();
    await at.write("loops/ask.ts", deafLoop('ctx.effect("hear", { run: () => 1 }); await longWait;'));
    const program = at.start("run ask --json");
    await program.line('"effect-started"');
    const begun = performance.now();
    program.send("SIGINT");
    await sleep(300);
    program.send("SIGINT");
    const { code, signal } = await program.ended;
    expect({ code, signal }).toEqual({ code: 130, signal: null });
    expect(performance.now() - begun).toBeLessThan(4_000);
    const { runs } = await at.document("runs");
    expect(runs).toMatchObject([{ status: "cut-off", running: false }]);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGHUP", 130],
  ] as const)("is what %s counts as, with %i, and the run is given back", async (signal, code) => {
    using at = fixtureProject();
    const program = at.startSteer(slow, "--json");
    await program.line('"effect-started"');
    program.send(signal);
    const ended = await program.ended;
    expect(ended).toMatchObject({ code, signal: null });
    expect(lastLine(ended)).toMatchObject({ outcome: "interrupted" });
    expect((await at.document("runs")).runs).toMatchObject([{ status: "interrupted", running: false }]);
  });

  it("by SIGTERM at a question ends with 143 too, and the run waits", async () => {
    using at = fixtureProject();
    const program = at.start("run ask --input {}");
    await program.line("Is it a good name");
    program.send("SIGTERM");
    expect((await program.ended).code).toBe(143);
    expect((await at.document("runs")).runs).toMatchObject([{ status: "waiting", running: false }]);
  });

  it("at a question leaves the run waiting, and it can still be answered", async () => {
    using at = fixtureProject();
    const program = at.start("run ask --input {}");
    await program.line("Is it a good name");
    program.send("SIGINT");
    const ended = await program.ended;
    expect(ended.code).toBe(6);
    expect((await at.cli(`answer ${runIn(ended)} yes`)).code).toBe(0);
    expect((await at.cli("resume --continue")).code).toBe(0);
  });
});

describe.concurrent("pause", () => {
  it("from another process stops a run at its next phase boundary, and a resume goes on", async () => {
    using at = fixtureProject();
    const program = at.startSteer(brisk, many);
    await program.line('"verdict-recorded"');
    const [run] = at.runs();
    expect(await at.document(`pause ${run}`)).toMatchObject({ type: "pause", run });
    const ended = await program.ended;
    expect(ended.code).toBe(130);
    expect(lastLine(ended)).toMatchObject({ outcome: "interrupted", reason: "a person paused it" });
    const { iterations } = lastLine(ended) as { iterations: number };
    const resumed = await at.cli(`resume ${run} --json --max-iterations ${iterations + 2}`);
    expect(lastLine(resumed)).toMatchObject({ outcome: "ceiling", iterations: iterations + 2 });
  });

  it("of a run that no process drives is wrong words, and leaves no request behind", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }));
    for (const command of [`pause ${run}`, `pause ${run} --dry-run`]) {
      const ended = await at.cli(command);
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toContain("is not running, so there is nothing to pause");
    }
    expect(lastLine(await at.cli(`resume ${run} --json --max-iterations 8`))).toMatchObject({ outcome: "ceiling" });
  });
});

describe.concurrent("the kill switch", () => {
  it("as a file stops a run under way, keeps others from starting, and lets all go on when it is gone", async () => {
    using at = fixtureProject();
    const program = at.startSteer(brisk, many);
    await program.line('"verdict-recorded"');
    await at.write(".loopwright/STOP", "");
    const ended = await program.ended;
    expect(ended.code).toBe(130);
    expect(lastLine(ended).reason).toContain("STOP is there; delete it to go on");
    const run = runIn(ended);
    for (const words of [
      ["run", "ask", "--input", "{}"],
      ["resume", run],
    ]) {
      const refused = await at.cli(words);
      expect(refused).toMatchObject({ code: 1, stdout: "" });
      expect(refused.stderr).toMatch(/^loopwright: no run is started or resumed: .*STOP is there; delete it to go on/);
    }
    expect((await at.cli("doctor")).code).toBe(1);
    expect((await at.cli("runs")).code).toBe(0);
    expect(at.runs()).toEqual([run]);
    rmSync(`${at.dir}/.loopwright/STOP`);
    expect((await at.cli(`resume ${run} --json --max-iterations 3`)).code).toBe(3);
  });

  it("as LOOPWRIGHT_STOP=1 stops only the process that has it", async () => {
    using at = fixtureProject();
    const refused = await at.steer({ way: "done" }, "", { env: { LOOPWRIGHT_STOP: "1" } });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("LOOPWRIGHT_STOP is set");
    expect((await at.steer({ way: "done" })).code).toBe(0);
  });
});

describe.concurrent("cancel", () => {
  it("of a live run ends it for good, with 130 where it runs", async () => {
    using at = fixtureProject();
    const program = at.startSteer(slow, "--json");
    await program.line('"effect-started"');
    const [run] = at.runs();
    expect(await at.document(`cancel ${run}`)).toMatchObject({ run, outcome: "cancelled", underWay: true });
    const ended = await program.ended;
    expect(ended.code).toBe(130);
    expect(lastLine(ended)).toMatchObject({ outcome: "cancelled", reason: "a person cancelled it" });
    await expectFinal(at, run!, 130);
  });

  it("of a run whose process is dead ends it here and now", async () => {
    using at = fixtureProject();
    const program = at.startSteer(slow, "--json");
    await program.line('"effect-started"');
    const [run] = at.runs();
    await kill(program);
    const cancelled = await at.cli(`cancel ${run}`);
    expect(cancelled).toMatchObject({ code: 0, stdout: `Run ${run} is cancelled.\n` });
    await expectFinal(at, run!, 130);
    expect((await at.cli(`cancel ${run}`)).stdout).toContain("has ended already: cancelled");
  });

  it("of a run that waits at a gate ends it, and its question cannot be answered any more", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run ask --input {}"));
    expect((await at.cli(`cancel ${run} --dry-run`)).stdout).toContain("It would end run");
    expect(await at.document(`explain ${run}`)).toMatchObject({ outcome: null });
    expect((await at.cli(`cancel ${run}`)).code).toBe(0);
    await expectFinal(at, run, 130);
    const answered = await at.cli(`answer ${run} yes`);
    expect(answered).toMatchObject({ code: 2, stdout: "" });
  });

  it("of a run that is done changes nothing", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    expect(await at.document(`cancel ${run}`)).toMatchObject({ outcome: "done", underWay: false });
    await expectFinal(at, run, 0);
  });
});

/** A resume does nothing, says so, and exits with the run's own code. */
async function expectFinal(at: Folder, run: string, code: number): Promise<void> {
  const before = at.read(`runs/${run}/run.json`);
  const again = await at.cli(`resume ${run}`);
  expect(again.stdout).toContain("Nothing to do");
  expect(again.code).toBe(code);
  expect(at.read(`runs/${run}/run.json`)).toBe(before);
}

/** Waits until a run of the folder has begun its first effect. */
async function underWay(at: Folder): Promise<void> {
  for (;;) {
    if (at.runs().length > 0 && (await at.cli("runs")).stdout.includes("running")) return sleep(200);
    await sleep(50);
  }
}

async function kill(program: Started): Promise<void> {
  program.send("SIGKILL");
  await program.ended;
}

/** A loop whose one phase waits for something that ends for no signal. */
const deafLoop = (wait: string) => `import { type Context, defineLoop } from "loopwright";
import { z } from "zod";
const longWait = new Promise((resolve) => setTimeout(() => resolve(1), 60_000));
const run = async (state: object, ctx: Context<null, object>) => { ${wait} return ctx.end("declined"); };
export default defineLoop({
  name: "ask", version: 1, input: z.null(), state: z.object({}), initial: () => ({}),
  start: "wait", iteration: "wait", phases: { wait: { to: [], run } },
});
`;
