// Where a setting comes from: the user's file, the project's file, -c, flags; the later wins. A run keeps what it got.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Folder, fixtureProject, lastLine, runIn } from "../../fakes/cli.ts";

/** A project with a limit in each file, and the environment that makes the user's file count. */
async function withFiles(at: Folder, user: string, project: string): Promise<Record<string, string>> {
  await at.write("home/loopwright/config.yaml", `ceilings: ${user}\n`);
  await at.write("loopwright.yaml", `loops: { steer: loops/steer.ts }\nceilings: ${project}\n`);
  return { XDG_CONFIG_HOME: join(at.dir, "home") };
}

describe.concurrent("the configuration as resolved", () => {
  it("takes each limit from the latest place that gives it, as --dry-run shows", async () => {
    using at = fixtureProject();
    const all = "{ iterations: 11, minutes: 12, tokens: 13, usd: 14, phaseMinutes: 15 }";
    const env = await withFiles(at, all, "{ minutes: 22, tokens: 23, usd: 24 }");
    const flags = "-c ceilings.tokens=33 -c ceilings.usd=34 --max-usd 44 --dry-run --json";
    const { stdout, code } = await at.steer({ way: "done" }, flags, { env });
    expect(code).toBe(0);
    const plan = JSON.parse(stdout);
    expect(plan.ceilings).toEqual({ iterations: 11, minutes: 22, tokens: 33, usd: 44, phaseMinutes: 15 });
    expect(plan.files).toEqual([join(at.dir, "home/loopwright/config.yaml"), join(at.dir, "loopwright.yaml")]);
    expect(plan).toMatchObject({ type: "plan", loop: "steer", phases: ["work", "judge"], start: "work", seed: null });
    expect(at.has(".loopwright") || at.has("runs")).toBe(false);
  });

  it("is kept with the run, in its first event and in run.json", async () => {
    using at = fixtureProject();
    const env = await withFiles(at, "{ iterations: 3, tokens: 500 }", "{ iterations: 2 }");
    const ended = await at.steer({ way: "endless" }, "--json --max-tokens 400 --seed 7", { env });
    const started = JSON.parse(ended.lines[0]!);
    const given = { iterations: 2, tokens: 400 };
    expect(started).toMatchObject({ type: "run-started", seed: 7, ceilings: given, config: { ceilings: given } });
    expect(JSON.parse(at.read(`runs/${started.run}/run.json`))).toMatchObject({ seed: 7, ceilings: given });
    expect(lastLine(ended)).toMatchObject({ outcome: "ceiling", iterations: 2 });
  });

  it("of a later -c wins over an earlier one", async () => {
    using at = fixtureProject();
    const { stdout } = await at.steer({ way: "done" }, "-c ceilings.usd=1 -c ceilings.usd=2 --dry-run --json");
    expect(JSON.parse(stdout).ceilings.usd).toBe(2);
  });

  it("finds the project from a folder inside it, and by --dir from anywhere", async () => {
    using at = fixtureProject();
    const inside = join(at.dir, "loops");
    const found = await at.steer({ way: "done" }, "--dry-run --json", { cwd: inside });
    expect(JSON.parse(found.stdout)).toMatchObject({ dir: at.dir, ceilings: { iterations: 6 } });
    const named = await at.steer({ way: "done" }, `--dir ${at.dir} --dry-run --json`, { cwd: "/" });
    expect(JSON.parse(named.stdout)).toMatchObject({ dir: at.dir, ceilings: { iterations: 6 } });
  });

  it("says in words, without --json, what would be done, and does nothing", async () => {
    using at = fixtureProject();
    const before = at.listing();
    const { stdout, code } = await at.steer({ way: "done" }, "--dry-run --seed 5");
    expect(code).toBe(0);
    for (const words of ["steer (version 1)", "work, judge", "6 iterations", "loopwright.yaml", '"way":"done"'])
      expect(stdout).toContain(words);
    expect(stdout).toMatch(/^seed +5$/m);
    expect(stdout).toContain("Nothing was called and nothing was written.");
    expect(at.listing()).toEqual(before);
  });

  it("of a resumed run is its own record, whatever the files say now; only what is given overrides", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }, "--max-iterations 2 --max-usd 3"));
    await at.write("loopwright.yaml", "loops: { steer: loops/steer.ts }\nceilings: { iterations: 50, usd: 50 }\n");
    const kept = await at.document(`resume ${run} --dry-run`);
    expect(kept.ceilings).toMatchObject({ iterations: 2, usd: 3 });
    const given = await at.document(`resume ${run} --dry-run --max-iterations 4 -c ceilings.tokens=9000`);
    expect(given.ceilings).toMatchObject({ iterations: 4, usd: 3, tokens: 9000 });
    expect((await at.cli(`resume ${run}`)).code).toBe(3);
  });

  it("lets a loop's own limit hold where it is lower than a default", async () => {
    using at = fixtureProject();
    const text = at
      .read("loops/steer.ts")
      .replace('start: "work",', 'start: "work",\n  ceilings: { usd: 1, tokens: 9e9 },');
    await at.write("loops/steer.ts", text);
    const { stdout } = await at.steer({ way: "done" }, "--dry-run --json");
    expect(JSON.parse(stdout).ceilings).toMatchObject({ usd: 1, tokens: 2_000_000 });
  });

  it("finds a loop by a path relative to its file, to the folder of -c, or from the root", async () => {
    using at = fixtureProject();
    await at.write("sub/empty", "");
    const cwd = join(at.dir, "sub");
    expect((await at.cli("graph steer", { cwd })).code).toBe(0);
    expect((await at.cli("graph steer -c loops.steer=../loops/steer.ts", { cwd })).code).toBe(0);
    await at.write("loopwright.yaml", `loops: { steer: ${join(at.dir, "loops/steer.ts")} }\n`);
    const ended = await at.cli("graph steer", { cwd });
    expect(ended.stderr).toBe("");
    expect(ended.code).toBe(0);
  });

  it("reads the input from a file, by a path relative to the folder that the command is run in", async () => {
    using at = fixtureProject();
    await at.write("sub/input.json", '{"way":"stagnant"}');
    const ended = await at.cli("run steer --input @input.json --json", { cwd: join(at.dir, "sub") });
    expect(ended.code).toBe(4);
    expect(at.runs()).toHaveLength(1);
  });
});
