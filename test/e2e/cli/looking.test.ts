// Looking at runs, and what is done to them afterwards: runs, show, explain, fork, verify, prune, graph.

import { randomBytes } from "node:crypto";
import { chmodSync, globSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { BIN, Folder, fixtureProject, lastLine, runIn } from "../../fakes/cli.ts";
import { startFaultServer } from "../../fakes/fault-server.ts";
import { hasTmux, Pane } from "../../fakes/tmux.ts";

describe.concurrent("runs", () => {
  it("lists every run, newest first, with how it stands", async () => {
    using at = fixtureProject();
    const done = runIn(await at.steer({ way: "done" }, "--slug first"));
    const waiting = runIn(await at.cli("run family --slug second"));
    const { stdout } = await at.cli("runs");
    const [head, ...rows] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^run +loop +status +iteration +score +cost +age$/);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(new RegExp(`^${waiting} +family +waiting +1 of 6 +– +\\$0\\.00 +\\d+ s$`));
    expect(rows[1]).toMatch(new RegExp(`^${done} +steer +done +2 of 6 +0\\.200 +\\$0\\.02 +\\d+ s$`));
    expect((await at.cli("runs --quiet")).lines).toEqual([waiting, done]);
    expect((await at.cli("runs --quiet --limit 1")).lines).toEqual([waiting]);
    expect((await at.cli("runs --quiet --all")).lines).toHaveLength(3);
  });

  it("cuts no id, however long, and nothing at all in a pipe", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }, `--slug ${"long-".repeat(8)}`));
    const fork = (await at.cli(`fork ${run} --at 1 --quiet`)).lines[0]!;
    const second = (await at.cli(`fork ${fork} --at 1 --quiet`)).lines[0]!;
    expect((await at.cli("runs")).lines[1]).toMatch(new RegExp(`^${second}  steer  forked .* s$`));
    expect((await at.cli(`show ${second}`)).lines[0]).toMatch(new RegExp(` ${second}$`));
    if (!hasTmux) return;
    const command = `'${process.execPath}' '${BIN}' runs; '${process.execPath}' '${BIN}' show ${second}`;
    for (const columns of [90, 50]) {
      using pane = new Pane({ columns, rows: 40, cwd: at.dir, command });
      await pane.untilEnded();
      const [, row] = pane.raw().split(/\r?\n/);
      expect(row).toContain(second);
      expect(row).not.toContain(`${second}  steer  forked     0 of 6`);
      expect(pane.raw()).toMatch(new RegExp(`run +(?:\\x1b\\[\\d+m)?${second}\r?\n`));
    }
  });

  it("says where there is none how to begin, and makes nothing", async () => {
    using at = new Folder();
    expect((await at.cli("runs")).stdout).toContain("Begin with: loopwright demo");
    expect(await at.document("runs")).toMatchObject({ runs: [] });
    expect((await at.cli("prune")).code).toBe(0);
    expect(at.listing()).toEqual({});
  });
});

describe.concurrent("show", () => {
  it("tells a run iteration by iteration, with its verdicts, findings and files", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "retry", words: "planks" }));
    const { stdout, code } = await at.cli(`show ${run}`);
    expect(code).toBe(0);
    for (const words of [run, "iteration 1", "iteration 2", "pass 0.200", "soft WORDS: planks", "It is done: planks."])
      expect(stdout).toContain(words);
    expect(await at.document(`show ${run}`)).toMatchObject({
      type: "run",
      loop: "steer",
      ended: { outcome: "done", reason: "planks" },
      iterations: [{ iteration: 1 }, { iteration: 2, verdicts: [{ verdict: "pass" }] }],
    });
  });

  it("--calls lists what models were asked, and --call shows one whole", async () => {
    using at = fixtureProject();
    const run = runIn(await at.cli("run talk --model command:cat"));
    expect((await at.cli(`show ${run} --calls`)).lines).toEqual([expect.stringMatching(/^1 +writer +cat .*a bird/)]);
    const one = await at.cli(`show ${run} --call 1`);
    expect(one.stdout).toMatch(/── prompt\nName a bird of the sea\.\n\n── answer \(stop\)\nName a bird/);
    const none = await at.cli(`show ${run} --call 2`);
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain("so there is no call 2");
  });

  it("--rebuild makes the run's folder again, file by file the same", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const before = at.listing(`runs/${run}`);
    expect(Object.keys(before)).toContain("attempt-000/iterations/iter-002/text.txt");
    rmSync(join(at.dir, "runs", run), { recursive: true });
    const ended = await at.cli(`show ${run} --rebuild`);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("The run's folder was made again from the journal.");
    expect(at.listing(`runs/${run}`)).toEqual(before);
  });

  it("--rebuild names the files whose content is gone, makes the rest again, and exits with 1", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const before = at.listing(`runs/${run}`);
    const files = Object.keys(before).filter((name) => name.endsWith("/text.txt"));
    const text = at.read(`runs/${run}/${files[0]}`);
    const stored = globSync(".loopwright/files/*/*", { cwd: at.dir }).filter((file) => at.read(file) === text);
    for (const file of stored) rmSync(join(at.dir, file));
    rmSync(join(at.dir, "runs", run), { recursive: true });
    const ended = await at.cli(`show ${run} --rebuild`);
    expect(ended.stderr).toBe(
      `loopwright: 1 file cannot be made again, for what was stored in .loopwright/files is gone or was changed:\n  ${files[0]}\n`,
    );
    expect(ended).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("The rest of the run's folder was made again from the journal."),
    });
    expect(ended.stdout).toContain("It is done");
    const { [files[0]!]: _gone, "report.html": _report, ...rest } = before;
    expect(at.listing(`runs/${run}`)).toMatchObject(rest);
    expect(at.has(`runs/${run}/${files[0]}`)).toBe(false);
    expect((await at.cli(`show ${run} --rebuild --json`)).code).toBe(1);
  });
});

describe.concurrent("explain", () => {
  it.each([
    ["done", null, "It is done", "show"],
    ["endless", "ceiling", "A ceiling ended it", "--max-iterations 9"],
    ["stagnant", null, "It stopped improving", "resume"],
    ["escalated", null, "It stopped so that a person can look", "answer"],
    ["failed", null, "It failed: the endpoint is gone", "resume"],
    ["declined", null, "A person said no to the result", "fork"],
  ])("says of a run that is told to be %s why it stopped, and what to type next", async (way, outcome, why, next) => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way }));
    const { stdout, code } = await at.cli(`explain ${run}`);
    expect(code).toBe(0);
    expect(stdout).toContain(why);
    expect(stdout).toMatch(new RegExp(`^  loopwright .*${next}`, "m"));
    const document = await at.document(`explain ${run}`);
    expect(document).toMatchObject({ run, outcome: outcome ?? way });
  });

  it("gives commands that can be typed as they stand", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }));
    const { next } = (await at.document(`explain ${run}`)) as unknown as { next: { command: string }[] };
    expect(next.length).toBeGreaterThan(1);
    for (const { command } of next) {
      const ended = await at.cli(command.replace(/^loopwright /, ""));
      expect([0, 3], command).toContain(ended.code);
    }
  });

  it("says of a run that waits what is asked, and of one that was killed where it was", async () => {
    using at = fixtureProject();
    const waiting = runIn(await at.cli("run ask --input {}"));
    const asked = (await at.cli(`explain ${waiting}`)).stdout;
    expect(asked).toContain("It waits for a person: Is it a good name: Heron?");
    expect(asked).toContain(`loopwright answer ${waiting} yes`);
    const program = at.startSteer({ way: "slow", seconds: 20 }, "--json");
    await program.line('"effect-started"');
    program.send("SIGKILL");
    await program.ended;
    const killed = at.runs().find((run) => run !== waiting)!;
    expect((await at.cli(`explain ${killed}`)).stdout).toContain("its process was killed in the phase 'work'");
  });
});

describe.concurrent("what to type next", () => {
  it("carries the --dir that was given", async () => {
    using at = fixtureProject();
    using elsewhere = new Folder();
    const here = ["--dir", at.dir];
    const run = runIn(await at.steer({ way: "endless" }));
    const cli = (...words: string[]) => elsewhere.cli([...words, ...here]);
    const next = `loopwright resume ${run} --max-iterations 9 --dir ${at.dir}`;
    expect((await cli("explain")).stdout).toContain(`the newest run: ${run}`);
    expect((await cli("explain", run)).stdout).toContain(next);
    expect((await at.document(`explain ${run} --dir ${at.dir}`)).next).toContainEqual({
      command: next,
      does: "goes on with up to 9 iterations in all",
    });
    expect((await cli("resume", run)).stdout).toContain(next);
    expect((await cli("fork", run, "--at", "2")).stdout).toContain(`loopwright resume ${run}-fork --dir ${at.dir}`);
    const bug = await cli("run", "steer", "--input", '{"way":"bug"}');
    expect(bug.stderr).toMatch(new RegExp(`go on with: loopwright resume \\S+ --dir ${at.dir}\\n`));
    expect((await elsewhere.cli(["show", "--dir", elsewhere.dir])).stderr).toContain(
      `(loopwright demo --dir ${elsewhere.dir} makes one)`,
    );
    const none = await cli("issue", "show", "lw-none");
    expect(none.stderr).toContain(`(\`loopwright issue list --all --dir ${at.dir}\` shows them)`);
    const look = `\`loopwright doctor --models --model 'command:exit 3' --dir ${at.dir}\``;
    const unanswered = await cli("run", "talk", "--model", "command:exit 3");
    expect(unanswered.stdout + unanswered.stderr).toContain(look);
    expect((await cli("explain")).stdout).toContain(look);
  });
});

describe.concurrent("a server that answers with another model", () => {
  it("is told of at once, while the run goes on, with the command that looks", async () => {
    await using server = await startFaultServer();
    server.otherwise = { text: "a gull", model: "tiny" };
    using at = fixtureProject();
    const asked = ["--url", server.url, "--model", "large", "--dir", at.dir];
    const { code, stdout } = await at.cli(["run", "talk", ...asked]);
    expect(code).toBe(0);
    const look = `\`loopwright doctor --models --url ${server.url} --model large --dir ${at.dir}\``;
    const told = `was asked for large, and tiny has answered; ${look} shows what it serves`;
    expect(stdout).toContain(told);
    expect(stdout.indexOf(told)).toBeLessThan(stdout.indexOf("pass"));
  });
});

describe.concurrent("an error inside an effect", () => {
  it("has its stack in the terminal, in show, in --json and in the journal", async () => {
    using at = fixtureProject();
    const bug = await at.steer({ way: "bug" });
    expect(bug.stderr).toMatch(/^loopwright: TypeError: undefined is not a boat\n +at .*loops\/steer\.ts:\d+/);
    const run = at.runs()[0]!;
    const { stdout } = await at.cli(`show ${run}`);
    expect(stdout).toContain("the effect 'work' failed: THROWN, TypeError: undefined is not a boat");
    expect(stdout.match(/at .*loops\/steer\.ts:\d+:\d+/g)).toHaveLength(1);
    const { failures } = await at.document(`show ${run}`);
    const stack = expect.stringMatching(/^ +at .*loops\/steer\.ts:\d+/);
    expect(failures).toMatchObject([
      { effect: "work", error: { name: "TypeError", code: "THROWN", message: "undefined is not a boat", stack } },
      { phase: "work", error: { stack } },
    ]);
    const again = await at.cli(`resume ${run} --json`);
    expect(again.lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ type: "effect-failed", error: expect.objectContaining({ stack }) }),
    );
  });
});

describe.concurrent("a journal that was lost", () => {
  it.each(["emptied", "deleted"])("is told where it was %s, and not taken for a new project", async (how) => {
    using at = fixtureProject();
    await at.steer({ way: "done" });
    const journal = join(at.dir, ".loopwright/journal.db");
    for (const file of globSync(`${journal}*`)) rmSync(file);
    if (how === "emptied") writeFileSync(journal, "");
    const says = expect.stringMatching(/runs has 1 run, and the journal, .* knows none of them/);
    for (const command of ["runs", "show", "doctor"]) {
      const { code, stdout, stderr } = await at.cli(command);
      expect({ code, words: stdout + stderr }).toEqual({ code: 1, words: says });
    }
    expect(await at.steer({ way: "done" })).toMatchObject({ code: 0, stderr: says });
    expect((await at.cli("runs")).code).toBe(0);
  });

  it("that is damaged is a fault to doctor too, which then praises no demo", async () => {
    using at = fixtureProject();
    await at.steer({ way: "done" });
    for (const file of globSync(join(at.dir, ".loopwright/journal.db*"))) writeFileSync(file, "no journal at all");
    const { code, stdout } = await at.cli("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/fault +journal .*journal\.db is damaged/);
    expect(stdout).not.toContain("loopwright demo");
  });

  it("whose events were changed is told of by doctor, with the run and what is wrong", async () => {
    using at = fixtureProject();
    const whole = runIn(await at.steer({ way: "done" }));
    const run = runIn(await at.steer({ way: "done" }, "--slug changed"));
    using journal = new DatabaseSync(join(at.dir, ".loopwright/journal.db"));
    const rows = journal.prepare("SELECT id FROM events ORDER BY id DESC LIMIT 5").all() as { id: number }[];
    journal.prepare("UPDATE events SET body = replace(body, '1', '2') WHERE id = ?").run(rows.at(-1)!.id);
    const { code, stdout } = await at.cli("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`fault +journal +${run}: event \\d+ was changed, or does not belong here\n`));
    expect(stdout).toContain(`loopwright verify ${run} says all of it`);
    expect(stdout).not.toContain(whole);
  });

  it("is not looked for in a file", async () => {
    using at = fixtureProject();
    const ended = await at.cli("runs --dir loopwright.yaml");
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("loopwright.yaml is no folder") });
  });
});

describe.concurrent("verify and fork without an id", () => {
  it("take the newest run, and say which", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }));
    for (const command of ["verify", "fork --at 2"]) {
      const { code, stdout } = await at.cli(command);
      expect({ code, command }).toEqual({ code: 0, command });
      expect(stdout).toContain(`the newest run: ${run}\n`);
    }
  });
});

describe.concurrent("fork", () => {
  it("--at makes a run that stands before an iteration, and leaves the first as it is", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }));
    const before = at.listing(`runs/${run}`);
    expect((await at.cli(`fork ${run} --at 3 --dry-run`)).stdout).toContain("It would make a new run");
    expect((await at.cli("runs --quiet")).lines).toEqual([run]);
    const forked = await at.document(`fork ${run} --at 3 --seed 9`);
    expect(forked).toMatchObject({ type: "fork", from: run, iteration: 3 });
    expect((await at.cli("runs")).lines[1]).toMatch(/-fork +steer +forked +2 of 6/);
    const why = `It was forked from ${run} at iteration 3, and has not gone on yet.`;
    expect((await at.cli(`explain ${forked.run}`)).stdout).toContain(why);
    expect((await at.cli(`show ${forked.run}`)).stdout).toContain(why);
    const ended = await at.cli(`resume ${forked.run} --json`);
    expect(lastLine(ended)).toMatchObject({ outcome: "ceiling", iterations: 6 });
    expect(ended.stdout).not.toContain('"iteration":2');
    expect(await at.document(`show ${forked.run}`)).toMatchObject({ seed: 9 });
    expect(at.listing(`runs/${run}`)).toEqual(before);
    const second = await at.cli(`fork ${run} --at 1 --quiet`);
    expect(second.lines).toEqual([`${run}-fork2`]);
  });

  it("of a pruned run is refused with the reason", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    await at.cli("prune --older-than 0h");
    const ended = await at.cli(`fork ${run} --at 2`);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(`run ${run} was pruned, and what it had made before iteration 2 is gone`);
    expect((await at.cli("runs --quiet")).lines).toEqual([run]);
  });

  it("of a pruned run says so in runs and show, which name no folder that is gone", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const family = runIn(await at.cli("run family --answer accept=yes"));
    await at.cli("prune --older-than 0h");
    const left = runIn(await at.steer({ way: "done" }));
    const { stdout } = await at.cli("runs --all");
    for (const pruned of [run, family]) expect(stdout).toMatch(new RegExp(`${pruned} .* done, folder gone `));
    expect(stdout).toMatch(new RegExp(`${left} .* done {2}`));
    const shown = await at.cli(`show ${run}`);
    expect(shown.stdout).toMatch(/^folder +gone: it was pruned, or deleted by hand \(show --rebuild /m);
    expect(await at.document(`show ${run}`)).toMatchObject({ pruned: true });
    expect((await at.document(`show ${left}`)).pruned).toBeUndefined();
    const { runs } = (await at.document("runs")) as unknown as { runs: { run: string; pruned?: true }[] };
    expect(runs.filter(({ pruned }) => pruned).map((each) => each.run)).toEqual([family, run]);
  });

  it("of a pruned run may still be read: a resume says how it ended, with its code", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    await at.cli("prune --older-than 0h");
    expect(await at.cli(`resume ${run}`)).toMatchObject({ code: 0, stdout: expect.stringContaining("done") });
    const rebuilt = await at.cli(`show ${run} --rebuild`);
    expect(rebuilt).toMatchObject({ code: 1, stderr: expect.stringContaining("the run was pruned to free disk") });
  });

  it("of a pruned run whose values are gone too says how it ended, or that it cannot go on and what to type", async () => {
    using at = fixtureProject();
    const ballast = randomBytes(2_000).toString("base64");
    const run = runIn(await at.steer({ way: "done", ballast }, "--slug ended"));
    const short = runIn(await at.steer({ way: "endless", ballast }, "--slug short --max-iterations 1"));
    await at.cli("prune --older-than 0h --stopped");
    const again = await at.cli(`resume ${run}`);
    expect(again).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringContaining("Nothing to do: this run has ended"),
    });
    expect(again.stdout).toMatch(/^folder +gone: it was pruned, or deleted by hand \(show --rebuild /m);
    expect(again.stdout).not.toContain("report.html");
    const stopped = await at.cli(`resume ${short} --max-iterations 9`);
    expect(stopped).toMatchObject({ code: 2, stdout: "" });
    expect(stopped.stderr).toContain(`run ${short} was pruned, and what it would go on with is gone`);
    expect(stopped.stderr).toContain("start a new one");
  });

  it("--seed has the search of a hull go another way", async () => {
    using at = new Folder();
    const run = runIn(await at.cli("demo --seed 1 --max-iterations 2"));
    const code = async (fork: string) => {
      const { run: made } = await at.document(fork);
      await at.cli(`resume ${made}`);
      return at.read(`runs/${made}/attempt-000/iterations/iter-002/code.json`);
    };
    const first = at.read(`runs/${run}/attempt-000/iterations/iter-002/code.json`);
    expect(await code(`fork ${run} --at 2`)).toBe(first);
    expect(await code(`fork ${run} --at 2 --seed 7`)).not.toBe(first);
  });

  it("refuses an iteration that the run never entered", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const ended = await at.cli(`fork ${run} --at 9`);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("never entered iteration 9; it has had 2");
  });
});

describe.concurrent("verify", () => {
  it("says that a run is whole, and exits with 1 and the file once a stored byte was changed", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const whole = await at.cli(`verify ${run}`);
    expect(whole).toMatchObject({ code: 0, stderr: "" });
    expect(whole.stdout).toMatch(/^whole .*\d+ events, \d+ values, \d+ artifacts$/m);
    const store = join(at.dir, ".loopwright/files");
    const file = (readdirSync(store, { recursive: true }) as string[])
      .map((name) => join(store, name))
      .find((path) => statSync(path).isFile())!;
    writeFileSync(file, "something else");
    const damaged = await at.cli(`verify ${run}`);
    expect(damaged.code).toBe(1);
    expect(damaged.stdout).toMatch(/^damaged /m);
    const document = await at.cli(`verify ${run} --json`);
    expect(document.code).toBe(1);
    expect(JSON.parse(document.stdout)).toMatchObject({ ok: false, problems: [expect.any(String)] });
  });
});

describe.concurrent("prune", () => {
  it("--dry-run frees nothing, and a young run is left alone", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "done" }));
    const before = at.listing("runs");
    expect(await at.document("prune --older-than 0h --dry-run")).toMatchObject({ runs: [run], freed: 0, dryRun: true });
    expect((await at.cli("prune")).stdout).toContain("No run has ended more than 30d ago");
    expect(at.listing("runs")).toEqual(before);
    expect((await at.document(`verify ${run}`)).released).toBe(0);
  });

  it("frees old runs and shrinks the journal; an open run keeps everything", async () => {
    using at = fixtureProject();
    await at.write("long.json", JSON.stringify({ way: "done", ballast: randomBytes(200_000).toString("base64") }));
    const done = runIn(await at.cli("run steer --input @long.json --slug done"));
    const family = runIn(await at.cli("run family --yes --slug family"));
    const waiting = runIn(await at.cli("run ask --input {} --slug waiting"));
    const open = at.listing(`runs/${waiting}`);
    const journal = join(at.dir, ".loopwright/journal.db");
    const size = statSync(journal).size;
    const pruned = (await at.document("prune --older-than 0h")) as unknown as { runs: string[]; freed: number };
    expect(pruned.runs).toEqual(expect.arrayContaining([done, family]));
    expect(pruned.runs).not.toContain(waiting);
    expect(pruned.freed).toBeGreaterThan(100_000);
    expect(statSync(journal).size).toBeLessThan(size - 100_000);
    expect(at.runs()).toEqual([waiting]);
    expect(at.listing(`runs/${waiting}`)).toEqual(open);
    expect(await at.document(`verify ${done}`)).toMatchObject({ ok: true, released: expect.any(Number) });
    expect((await at.document(`verify ${done}`)).released).toBeGreaterThan(0);
    expect((await at.cli("runs --quiet")).lines).toHaveLength(3);
    expect((await at.document("prune --older-than 0h")).runs).toEqual([]);
    expect((await at.cli(`resume ${waiting} --answer accept=yes`)).code).toBe(0);
  });
});

/** A loop that keeps where its runs work, as the loops on code do. */
const checkedOut = `import { defineLoop, defineLoopPackage, passIf } from "loopwright";
import { z } from "zod";
const loop = defineLoop({
  name: "checked-out", version: 1, input: z.null(), state: z.object({}), initial: () => ({}), start: "work", iteration: "work",
  phases: { work: { to: [], run: (_state, ctx) => { ctx.verdict(passIf(true, 1, "it is")); return ctx.end("done", { reason: "it is" }); } } },
});
export default defineLoopPackage({ loop, configuration: z.strictObject({ state: z.string() }) });
`;

describe.concurrent("prune and the folders that runs have worked in", () => {
  it("takes them away, locked ones too, but for one that a fork goes on in", async () => {
    using at = fixtureProject();
    const place = (name: string) => join(at.dir, ".loopwright/workspaces", name);
    await at.write("loops/checked-out.ts", checkedOut);
    await at.write("loopwright.yaml", "loops: { checked-out: loops/checked-out.ts }\n");
    const start = (name: string) => at.cli(`run checked-out --yes --slug ${name} -c checked-out.state=${place(name)}`);
    const [gone, forked] = [runIn(await start("gone")), runIn(await start("forked"))];
    for (const name of ["gone", "forked", "strange"]) await at.write(`.loopwright/workspaces/${name}/locked/a`, "a");
    chmodSync(place("gone/locked"), 0o000);
    expect((await at.cli(`fork ${forked} --at 1`)).code).toBe(0);
    expect((await at.document("prune --older-than 0h")).runs).toEqual([gone, forked]);
    expect(readdirSync(place(""))).toEqual(["forked", "strange"]);
  });
});

describe.concurrent("graph", () => {
  it("draws every transition, and a dashed arrow for a loop whose runs a phase starts", async () => {
    using at = fixtureProject();
    const { stdout, code } = await at.cli("graph steer");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^flowchart TD\n/);
    const arrows = stdout.match(/^ {2}.*-->.*$/gm)!.map((line) => line.replaceAll(/\["[^"]*"\]|p_|\s+/g, ""));
    expect(arrows).toEqual(["start((start))-->work", "work-->judge", "judge-->work"]);
    expect((await at.cli("graph family")).stdout).toMatch(/delegate.*-\.->.*"ask"/);
    expect((await at.document("graph ask")).mermaid).toContain('p_ask["ask"] --> p_close["close"]');
    expect(at.has(".loopwright")).toBe(false);
  });
});
