// Wrong words on the command line and wrong files: one clear message, the right exit code, and nothing left behind.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, type CliOptions, type Folder, fixtureProject, runIn, type Words } from "../../fakes/cli.ts";
import { hasTmux, Pane } from "../../fakes/tmux.ts";

/** The command fails with one message on stderr, an empty stdout, and the folder as it was. */
async function expectRefused(
  at: Folder,
  args: Words,
  { code = 2, says, ...options }: Partial<CliOptions> & { code?: number; says: string | RegExp },
): Promise<void> {
  const before = at.listing();
  const ended = await at.cli(args, options);
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr).toMatch(/^loopwright: [^\n]+\n$/);
  expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code, stdout: "" });
  expect(at.listing()).toEqual(before);
}

describe.concurrent("a limit that cannot be read never means 'no limit'", () => {
  it.each([
    ["--max-iterations=three", "--max-iterations must be a whole number of 1 or more, not 'three'"],
    ["--max-iterations=-1", "must be a whole number of 1 or more, not '-1'"],
    ["--max-iterations -1", "must be a whole number of 1 or more, not '-1'"],
    ["--max-iterations=0", "must be a whole number of 1 or more, not '0'"],
    ["--max-iterations=", "--max-iterations needs a value: N"],
    ["--max-iterations", "--max-iterations needs a value: N"],
    ["--max-iterations=1.5", "not '1.5'"],
    ["--max-iterations=99999999999999999999", "--max-iterations is too large: 999999999999999 at most"],
    ["--max-usd=NaN", "--max-usd must be a number of 0 or more, not 'NaN'"],
    ["--max-usd=$5", "not '$5'"],
    ["--max-minutes=1e400", "not '1e400'"],
    ["--max-minutes=Infinity", "not 'Infinity'"],
    ["--max-tokens=0x10", "not '0x10'"],
    ["--seed=-4", "--seed must be a whole number of 0 or more"],
    ["-c ceilings.iterations=many", `'ceilings.iterations' is "many": expected number`],
    ["-c ceilings.iterations=-3", "'ceilings.iterations' is -3: expected number to be >0"],
    ["-c ceilings.iterations=2.5", "is 2.5: expected int"],
    ["-c ceilings.iterations=", "is null: expected number"],
    ["-c ceilings.usd=.inf", "is Infinity: expected number"],
  ])("run steer %s", async (flags, says) => {
    using at = fixtureProject();
    await expectRefused(at, [...steer, ...flags.split(" ")], { says });
  });
});

const steer = ["run", "steer", "--input", '{"way":"done"}'];

describe.concurrent("a wrong word is answered with the nearest right one", () => {
  it.each([
    ["rum", "there is no command 'rum'; did you mean 'run'?"],
    ["--nonsense", "there is no flag --nonsense (loopwright --help lists them)"],
    ["--verison", "there is no flag --verison; did you mean --version?"],
    ["--quite runs", "there is no flag --quite; did you mean --quiet?"],
    [
      "--max-iterations 3",
      "--max-iterations belongs to a command, and none is named: loopwright <command> --max-iterations N (",
    ],
    [
      "-c",
      "-c belongs to a command, and none is named: loopwright <command> -c KEY=VALUE (loopwright --help lists them)",
    ],
    ["--json", "none is named: loopwright <command> --json (loopwright"],
    ["--seed=3", "none is named: loopwright <command> --seed N (loopwright"],
    ["--json --quite runs", "there is no flag --quite; did you mean --quiet?"],
    ["help nope", "there is no command 'nope'"],
    ["run", "'loopwright run' needs <loop>"],
    ["run steer extra", "does not know what 'extra' is"],
    ["run stear", "there is no loop 'stear'; did you mean 'steer'?"],
    [
      "run constructor",
      "there is no loop 'constructor'; known are steer, ask, family, talk, relay, hull, code, novel, fab (",
    ],
    ["run tracker", "'tracker' is no loop: @loopwright/tracker/loop-package only adds loopwright issue"],
    ["run steer --max-iteration 3", "'loopwright run' has no flag --max-iteration; did you mean --max-iterations?"],
    ["run steer -z", "has no flag -z"],
    ["run steer --json=yes", "--json takes no value, and was given 'yes'"],
    ["run steer --input {", "--input is not JSON"],
    ["run steer --input @nope.json", "--input: there is no file nope.json"],
    ["run steer --input @loops", "--input: loops is a folder"],
    ["run steer --input @loops/steer.ts", "--input: loops/steer.ts is not JSON: "],
    ["run steer --input @-", "--input: standard input is empty"],
    ['run steer --input {"way":"sideways"}', "input.way does not fit its schema"],
    ["run steer", "input does not fit its schema"],
    ['run steer --input {"way":"done"} --answer accept', "--answer wants GATE=CHOICE"],
    ['run steer --input {"way":"done"} --answer =yes', "--answer wants GATE=CHOICE"],
    ["run steer -c nope=1", "'nope' is no key of the configuration; known are "],
    [
      "run steer -c ceilings.iteration=1",
      "'ceilings.iteration' is no key of the configuration; did you mean 'iterations'?",
    ],
    ["run steer -c ceilings.iterations", "-c wants KEY=VALUE"],
    ["run steer -c ceilings.iterations=[1", "its value is not YAML"],
    ["run steer -c ceilings=5", "'ceilings' is 5: expected object"],
    ["run steer -c a.b.c=5", "'a' is no key of the configuration"],
    ["run steer -c __proto__.x=5", "'__proto__' is no key of the configuration"],
    ["run steer -c loops.Bad=x", "'Bad' is no right key under 'loops': a name of a-z, 0-9 and -"],
    ["run zed -c loops.zed=nope.ts", "nope.ts, and there is no such file"],
    ["run ask -c loops.ask=loops/steer.ts", "exports the loop 'steer', and the configuration calls it 'ask'"],
    ["show nope", "there is no run 'nope', and no project in"],
    ["resume nope", "there is no run 'nope', and no project in"],
    ["resume --continue", "there is no run yet, and no project in"],
    ["resume", "there is no run yet, and no project in"],
    ["resume nope --continue", "name a run, or give --continue for the newest one"],
    ["resume --with nope.blend", "nope.blend (--with names what you have made)"],
    ["answer nope", "'loopwright answer' needs <choice>"],
    ["fork nope", "'loopwright fork' needs --at ITERATION"],
    ["fork nope --at 0", "--at must be a whole number of 1 or more"],
    ["prune --older-than soon", "--older-than must be a time such as 12h, 30d or 8w, not 'soon'"],
    ["prune --older-than -5d", "--older-than must be a time"],
    ["runs --limit 0", "--limit must be a whole number of 1 or more"],
    ["runs -- --json", "does not know what '--json' is"],
    ["graph hul", "there is no loop 'hul'; did you mean 'hull'?"],
    ["init new --loop Big!", "'Big!' is no name for a loop"],
    ["init new --loop tracker", "the loop 'tracker' comes along with Loopwright and needs no project"],
  ])("loopwright %s", async (args, says) => {
    using at = fixtureProject();
    await expectRefused(at, args, { says });
  });
});

describe.concurrent("an input from elsewhere", () => {
  it("is named where it is empty, and may begin with a byte-order mark", async () => {
    using at = fixtureProject();
    await at.write("empty.json", " \n");
    await expectRefused(at, "run steer --input @empty.json", { says: /--input: empty\.json is empty/ });
    await at.write("marked.json", '\uFEFF{"way":"done"}');
    expect((await at.cli("run steer --input @marked.json")).code).toBe(0);
    expect((await at.cli("run steer --input @-", { input: '{"way":"done"}' })).code).toBe(0);
    await expectRefused(at, "run steer --input @-", { says: /--input: standard input is not JSON/, input: "{" });
  });
});

describe.concurrent("a configuration file that is wrong is named with line and column", () => {
  const nested = (depth: number): string =>
    Array.from(
      { length: depth },
      (_, n) =>
        `x${n}: &x${n} [${Array(9)
          .fill(n === 0 ? "lol" : `*x${n - 1}`)
          .join()}]`,
    ).join("\n");
  it.each([
    [
      "a typo",
      "ceilings:\n  iteratons: 5\n",
      ":2:3: 'ceilings.iteratons' is no key of the configuration; did you mean 'iterations'?",
    ],
    ["a wrong type", "ceilings:\n  iterations: many\n", `:2:15: 'ceilings.iterations' is "many": expected number`],
    ["a limit below 0", "ceilings:\n  usd: -1\n", ":2:8: 'ceilings.usd' is -1: expected number to be >=0"],
    ["a limit without end", "ceilings: { usd: .inf }\n", ":1:18: 'ceilings.usd' is Infinity: expected number"],
    ["broken YAML", "loops: {\n", ":2:1: this is not YAML"],
    ["a tab", "ceilings:\n\titerations: 3\n", ":2:1: this is not YAML: Tabs are not allowed"],
    ["a key given twice", "ceilings:\n  usd: 1\n  usd: 2\n", ":3:3: this is not YAML: Map keys must be unique"],
    ["two documents", "loops: {}\n---\nloops: {}\n", ":2:1: this is not YAML: Source contains multiple documents"],
    ["a list at the top", "- one\n- two\n", ":1:1: the file is no mapping"],
    ["only words", "just words\n", ":1:1: the file is no mapping"],
    ["an alias bomb", `${nested(9)}\n`, ":1:1: this cannot be read: Excessive alias count"],
    ["an alias of nothing", "loops: *nope\n", ":1:1: this cannot be read: Unresolved alias"],
    ["a loop that is no path", "loops:\n  steer: 5\n", ":2:10: 'loops.steer' is 5: expected string"],
    ["a key of another language", "__proto__: 5\n", ":1:1: '__proto__' is no key of the configuration"],
  ])("%s, in the project's file and in the user's", async (_what, text, says) => {
    using at = fixtureProject();
    await at.write("home/loopwright/config.yaml", text);
    const user = { XDG_CONFIG_HOME: join(at.dir, "home") };
    await expectRefused(at, steer, { says: `${at.dir}/home/loopwright/config.yaml${says}`, env: user });
    await at.write("loopwright.yaml", text);
    await expectRefused(at, steer, { says: `${at.dir}/loopwright.yaml${says}` });
  });

  it.each([
    ["empty", ""],
    ["a comment", "# nothing yet\n"],
    ["an empty mapping", "{}\n"],
  ])("and one that is %s says nothing, which is no fault", async (_what, text) => {
    using at = fixtureProject();
    await at.write("home/loopwright/config.yaml", text);
    const ended = await at.cli(steer, { env: { XDG_CONFIG_HOME: join(at.dir, "home") } });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("names every fault of a file at once", async () => {
    using at = fixtureProject();
    await at.write("loopwright.yaml", "ceilings:\n  iteratons: 5\nlopps: {}\n");
    const { code, stderr } = await at.cli("run steer");
    expect(code).toBe(2);
    expect(stderr).toMatch(/2:3: 'ceilings\.iteratons'.*\n.*3:1: 'lopps'.*did you mean 'loops'/);
  });

  it("is refused by every command that reads it, also where it is a folder", async () => {
    using at = fixtureProject();
    mkdirSync(join(at.dir, "home/loopwright/config.yaml"), { recursive: true });
    const env = { XDG_CONFIG_HOME: join(at.dir, "home") };
    await expectRefused(at, steer, { says: /config\.yaml is no plain file but a folder/, env });
    await expectRefused(at, "graph steer", { says: /is no plain file/, env });
  });
});

describe.concurrent("a run that cannot be named", () => {
  it("is refused where the id fits none, or two, and both are shown", async () => {
    using at = fixtureProject();
    const first = runIn(await at.cli([...steer, "--slug", "one"]));
    const second = runIn(await at.cli([...steer, "--slug", "two"]));
    const shared = first.slice(0, 8);
    for (const command of ["show", "explain", "resume", "pause", "cancel", "verify"]) {
      await expectRefused(at, `${command} 1999`, { says: /there is no run '1999'/ });
      await expectRefused(at, `${command} ${shared}`, { says: `'${shared}' fits 2 runs: ${first}, ${second}` });
    }
    const unique = (run: string, other: string) => run.slice(0, [...run].findIndex((c, at) => c !== other[at]) + 1);
    const { run } = await at.document(`show ${unique(second, first)}`);
    expect(run).toBe(second);
  });

  it.skipIf(!hasTmux).each([
    ["its number", (_run: string) => "2", 0],
    ["more of its id", (run: string) => run, 0],
    ["anything else", (_run: string) => "7", 2],
  ])("is asked for in a terminal, and told by %s", async (_name, typed, exit) => {
    using at = fixtureProject();
    const [first, second] = [runIn(await at.steer({ way: "done" })), runIn(await at.steer({ way: "done" }))];
    const command = `'${process.execPath}' '${BIN}' explain ${first.slice(0, 8)}`;
    using pane = new Pane({ columns: 100, rows: 30, cwd: at.dir, command, env: { TERM: "xterm-256color" } });
    const screen = await pane.untilSeen("Which one?");
    expect(screen).toEqual(expect.arrayContaining([`'${first.slice(0, 8)}' fits 2 runs:`, `  2  ${second}`]));
    pane.press(typed(second), "Enter");
    expect((await pane.untilEnded()).exit).toBe(exit);
    expect(pane.screen().join("\n")).toContain(exit === 0 ? `loopwright show ${second}` : `${first}, ${second}`);
  });
});

describe.concurrent("a folder that cannot be written", () => {
  it.each([
    ["the project's folder", "blocked", ["blocked"]],
    ["the journal's folder", ".", [".loopwright"]],
  ])("is named where a file stands in place of %s", async (_what, dir, [file]) => {
    using at = fixtureProject();
    writeFileSync(join(at.dir, file!), "in the way");
    const ended = await at.cli([...steer, "--dir", dir, "-c", "loops.steer=loops/steer.ts"]);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 1, stdout: "" });
    expect(ended.stderr).toBe(
      `loopwright: ${join(at.dir, file!)} is a file, and stands where a folder is needed; move it away, or name another folder\n`,
    );
    expect(at.read(file!)).toBe("in the way");
  });

  it("costs a run only its view where it is runs/: there are warnings, and the run goes on", async () => {
    using at = fixtureProject();
    writeFileSync(join(at.dir, "runs"), "in the way");
    const ended = await at.cli(steer);
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain(`loopwright: warning: ${join(at.dir, "runs")}`);
    expect(ended.stderr).toContain("the run's record is not affected");
    expect(await at.document(`verify ${runIn(ended)}`)).toMatchObject({ ok: true });
  });

  it("is named where init would make a project in a file", async () => {
    using at = fixtureProject();
    writeFileSync(join(at.dir, "blocked"), "in the way");
    for (const folder of ["blocked", "blocked/new"])
      await expectRefused(at, `init ${folder}`, { says: /blocked is a file, so no project can be in it/ });
  });
});
