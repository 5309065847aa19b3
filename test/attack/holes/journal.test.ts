// The journal's corners, with the real binary: runs in each other's place, summaries and folders that say something else, and
// holders that cannot be seen or have slept.

import { execFile } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BIN, Folder, fixtureProject, runIn } from "../../fakes/cli.ts";

const execute = promisify(execFile);

function change(at: Folder, sql: string): void {
  using db = new DatabaseSync(join(at.dir, ".loopwright/journal.db"), { timeout: 20_000 });
  db.exec(sql);
}

/** A project with two runs that stopped at a ceiling, made once. */
let made: { at: Folder; one: string; two: string };
beforeAll(async () => {
  const at = fixtureProject();
  const start = async (words: string) => runIn(await at.steer({ way: "endless", words }, "--max-iterations 2"));
  const one = await start("one");
  await pause(1_100);
  made = { at, one, two: await start("two") };
}, 60_000);
afterAll(() => made?.at[Symbol.dispose]());

function twoRuns() {
  const at = new Folder();
  cpSync(made.at.dir, at.dir, { recursive: true });
  return { ...made, at };
}

const swapNames = (one: string, two: string) =>
  `UPDATE runs SET name = 'x' WHERE name = '${one}'; UPDATE runs SET name = '${one}' WHERE name = '${two}';
   UPDATE runs SET name = '${two}' WHERE name = 'x'; DELETE FROM folds`;

const changes: [string, (one: string, two: string) => string, RegExp][] = [
  ["another run's name, with nothing left of its folder", swapNames, /event 1 |events are those of/],
  [
    "a summary that calls it done",
    () => `UPDATE folds SET summary = replace(summary, '"ceiling"', '"done"')`,
    /summary/,
  ],
  ["another run's summary", () => "UPDATE folds SET summary = (SELECT summary FROM folds WHERE run = 2)", /summary/],
];

describe.concurrent("verify tells of a run that has", { timeout: 180_000 }, () => {
  it.each(changes)("%s", async (_, sql, said) => {
    const { at, one, two } = twoRuns();
    using _at = at;
    expect((await at.cli(`verify ${one}`)).code).toBe(0);
    change(at, sql(one, two));
    if (sql === swapNames) rmSync(join(at.dir, "runs"), { recursive: true });
    const { code, stdout, stderr } = await at.cli(`verify ${one}`);
    expect(code, stdout).not.toBe(0);
    expect(stdout + stderr).toMatch(said);
  });

  it("another run's folder", async () => {
    const { at, one, two } = twoRuns();
    using _at = at;
    cpSync(join(at.dir, "runs", two), join(at.dir, "runs", one), { recursive: true });
    const { code, stdout, stderr } = await at.cli(`verify ${one}`);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(`belongs to run ${two}`);
  });
});

describe.concurrent("a holder", { timeout: 120_000 }, () => {
  it.skipIf(process.getuid?.() !== 0)("whose process may not be looked at counts as alive (needs root)", async () => {
    using at = new Folder();
    const started = at.start("demo --seed 1 --json");
    const { run } = JSON.parse(await started.line('"phase-started"')) as { run: string };
    started.send("SIGSTOP");
    at.giveTo({ uid: 65534, gid: 65534 });
    const words = `mount -t proc -o hidepid=2 proc /proc && exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"`;
    const resume = [process.execPath, BIN, "resume", run, "--dir", at.dir];
    const env = { PATH: process.env.PATH, HOME: at.dir, XDG_STATE_HOME: join(at.dir, "state") };
    const { stderr } = await execute("unshare", ["-m", "sh", "-c", words, "sh", ...resume], { env }).catch(
      (error) => error,
    );
    expect(stderr).toContain(`is held by process ${started.pid}`);
    started.send("SIGKILL");
    await started.ended;
  });

  it("elsewhere that slept as long as whoever looks is not taken for silent", async () => {
    using at = fixtureProject();
    const started = at.startSteer({ way: "slow", seconds: 3 }, "--json");
    const { run } = JSON.parse(await started.line('"effect-started"')) as { run: string };
    started.send("SIGKILL");
    await started.ended;
    change(at, `UPDATE leases SET holder = json_set(holder, '$.boot', 'another', '$.host', 'far-away')`);
    const resumed = at.start(`resume ${run}`);
    await pause(3_500);
    resumed.send("SIGSTOP");
    await pause(8_500);
    resumed.send("SIGCONT");
    const beating = setInterval(() => change(at, "UPDATE leases SET beat = beat + 1"), 1_000);
    const { code, stderr } = await resumed.ended;
    clearInterval(beating);
    expect(code, stderr).not.toBe(0);
    expect(stderr).toContain("on far-away");
  });
});
