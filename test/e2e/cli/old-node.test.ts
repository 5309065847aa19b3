// On a Node that is too old the program starts again on the one that it brought along, and ends as that one ends.

import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { BIN, fixtureProject, lastLine, runIn } from "../../fakes/cli.ts";

const pretend = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.0" } });';
/** Node with a version that looks old; what it starts has its own. */
const old = { node: ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`] };
const hasBrought = existsSync(join(BIN, "../../../../node_modules/node/bin/node"));

describe.skipIf(!hasBrought)("an old Node (skipped where no newer one was brought along)", { concurrent: true }, () => {
  it.each([
    ["done", 0],
    ["stagnant", 4],
    ["bug", 1],
  ])("forwards the exit code of a run that is told to be %s", async (way, code) => {
    using at = fixtureProject();
    const ended = await at.steer({ way }, "--json", old);
    expect(ended.code).toBe(code);
    expect(ended.lines[0]).toContain('"run-started"');
  });

  it("forwards wrong words and the version", async () => {
    using at = fixtureProject();
    const wrong = await at.cli("rum", old);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain("did you mean 'run'?");
    expect((await at.cli("--version", old)).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("forwards stdin", async () => {
    using at = fixtureProject();
    const ended = await at.cli("run ask --input {}", { ...old, input: "yes\n" });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("kept: Heron");
  });

  it("forwards SIGTERM, so that the run stops cleanly", async () => {
    using at = fixtureProject();
    const program = at.startSteer({ way: "slow", seconds: 20 }, "--json", old);
    await program.line('"effect-started"');
    program.send("SIGTERM");
    const ended = await program.ended;
    expect(ended.code).toBe(143);
    expect(lastLine(ended)).toMatchObject({ outcome: "interrupted" });
  });

  it("takes the program with it when it is killed, and the run can go on", async () => {
    using at = fixtureProject();
    const program = at.startSteer({ way: "slow", rounds: 1, seconds: 3 }, "--json", old);
    const run = runIn({ stdout: await program.line('"effect-started"'), stderr: "" });
    const children = childrenOf(program.pid);
    expect(children).toHaveLength(1);
    program.send("SIGKILL");
    await program.ended;
    for (let waited = 0; existsSync(`/proc/${children[0]}`) && waited < 5_000; waited += 50) await sleep(50);
    expect(existsSync(`/proc/${children[0]}`)).toBe(false);
    expect(await at.document(`runs`)).toMatchObject({ runs: [{ run, status: "cut-off", running: false }] });
    expect((await at.cli(`resume ${run} -q`)).code).toBe(0);
  });
});

describe.concurrent("an old Node with no other", () => {
  const sentence = /^loopwright: it needs Node \d+ or newer and this is 20\.11\.0; [^\n]+\n$/;

  it("says so in one sentence, with 1", async () => {
    using at = fixtureProject();
    mkdirSync(join(at.dir, "package/bin"), { recursive: true });
    copyFileSync(BIN, join(at.dir, "package/bin/loopwright.mjs"));
    const ended = await at.cli("runs", { ...old, bin: join(at.dir, "package/bin/loopwright.mjs") });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(sentence);
  });

  it("does not start itself again and again", async () => {
    using at = fixtureProject();
    const ended = await at.cli("runs", { ...old, env: { LOOPWRIGHT_STARTED: "1" } });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(sentence);
  });

  it("is told apart from a program that is not built yet", async () => {
    using at = fixtureProject();
    mkdirSync(join(at.dir, "package/bin"), { recursive: true });
    copyFileSync(BIN, join(at.dir, "package/bin/loopwright.mjs"));
    const ended = await at.cli("runs", { bin: join(at.dir, "package/bin/loopwright.mjs") });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(/^loopwright: it is not built yet; run `npm run build` in its folder first\.\n$/);
  });
});

/** The processes that a process has started, as Linux tells them. */
function childrenOf(pid: number): number[] {
  const lists = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8"),
  );
  return lists.join(" ").split(" ").filter(Boolean).map(Number);
}
