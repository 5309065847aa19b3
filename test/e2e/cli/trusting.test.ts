// Trusting a folder: once, as it is now, remembered outside of it; and what needs no trust, because the user said it.

import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine, runIn } from "../../fakes/cli.ts";
import { type Foreign, foreign, marking } from "../../fakes/foreign.ts";
import { hasTmux, Pane } from "../../fakes/tmux.ts";

const mine = { "mine.ts": marking };
const naming = "loops: { mine: mine.ts }\n";

/** A state folder of the test's own, and what stands in it. */
function stateOf(at: Folder): { env: { XDG_STATE_HOME: string }; files: () => string[]; folder: string } {
  const folder = join(at.dir, "state/loopwright/trust");
  return { env: { XDG_STATE_HOME: join(at.dir, "state") }, files: () => readdirSync(folder), folder };
}

describe.concurrent("trust", { timeout: 120_000 }, () => {
  it("is given once with --trust, and remembered", async () => {
    using at = await foreign(naming, mine);
    expect((await at.cli("graph mine")).code).toBe(2);
    expect((await at.cli("graph mine --trust")).code).toBe(0);
    expect((await at.cli("graph mine")).code).toBe(0);
    expect((await at.cli("run mine")).code).toBe(0);
  });

  it("is given by any command, as by doctor, which says how things stand", async () => {
    using at = await foreign(`${naming}notify: { command: "true" }\n`, mine);
    const before = await at.cli("doctor");
    expect(before.stdout).toMatch(
      /^missing +trust +this folder is not trusted, and wants: loops\.mine: mine\.ts; notify/m,
    );
    expect(before.stdout).toContain("loopwright doctor --trust");
    expect((await at.cli("doctor --trust")).stdout).toMatch(/^ok +trust +this folder is trusted as it is now$/m);
    expect((await at.cli("run mine")).code).toBe(0);
    using empty = new Folder();
    expect((await empty.cli("doctor")).stdout).toMatch(/^ok +trust +nothing in this folder needs it$/m);
  });

  it.each(["mine --help", "help mine", "mine --help --dir DIR"])(
    "is named, with what to type, by '%s'",
    async (words) => {
      using at = await foreign(naming, {
        "mine.ts": `import { defineLoopPackage } from "loopwright";
        export default defineLoopPackage({ commands: [{ name: "mine", summary: "makes one", run: async () => 0 }] });`,
      });
      using around = new Folder();
      const cwd = words.includes("DIR") ? around.dir : at.dir;
      const asked = await at.cli(words.replace("DIR", at.dir), { cwd });
      expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no command 'mine'") });
      const [, typed] = /: loopwright (mine --help --trust.*)\)/.exec(asked.stderr) ?? [];
      expect(typed, asked.stderr).toBeDefined();
      const trusted = await at.cli(typed!, { cwd });
      expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage: loopwright mine") });
    },
  );

  it("holds when something harmless changes, and is asked for whole when anything else does", async () => {
    using at = await foreign(`${naming}notify: { command: "true" }\n`, mine);
    await at.cli("graph mine --trust");
    await at.write(
      "loopwright.yaml",
      `${naming}notify: { command: "true" }\nceilings: { iterations: 3 }\nprices: {}\n`,
    );
    await at.write("mine.ts", `${at.read("mine.ts")}\n// changed\n`);
    expect((await at.cli("run mine")).code).toBe(0);
    await at.write("loopwright.yaml", `${naming}notify: { command: "true; true" }\n`);
    const ended = await at.cli("run mine");
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("  notify.command: true; true\n");
    expect(ended.stderr).toContain("  loops.mine: mine.ts\n");
  });

  it("is for the folder itself: by a link too, not for a copy, a project inside, or after it was moved", async () => {
    using at = await foreign(naming, mine);
    using around = new Folder();
    await at.cli("graph mine --trust");
    symlinkSync(at.dir, join(around.dir, "link"));
    cpSync(at.dir, join(around.dir, "copy"), { recursive: true });
    cpSync(at.dir, join(around.dir, "inner"), { recursive: true });
    const graph = async (dir: string) => (await at.cli(`graph mine --dir ${dir}`)).code;
    expect(await graph(join(around.dir, "link"))).toBe(0);
    expect(await graph(join(around.dir, "copy"))).toBe(2);
    renameSync(join(around.dir, "inner"), join(at.dir, "inner"));
    expect(await graph(join(at.dir, "inner"))).toBe(2);
    renameSync(at.dir, `${at.dir}-moved`);
    expect((await at.cli("graph mine", { cwd: `${at.dir}-moved` })).code).toBe(2);
    renameSync(`${at.dir}-moved`, at.dir);
  });

  it("is remembered in files of the user's alone, which hold no value", async () => {
    using at = await foreign('notify: { webhook: "https://example.org/?token=cnry-0123" }\n');
    const { env, files, folder } = stateOf(at);
    await at.cli("doctor --trust", { env });
    expect(files()).toHaveLength(1);
    const file = join(folder, files()[0]!);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, "utf8")).toBe(`${at.dir}\n`);
  });

  it("loses nothing when many processes remember at once", async () => {
    using at = await foreign(naming, mine);
    const dirs = Array.from({ length: 8 }, (_, index) => join(at.dir, `p${index}`));
    for (const dir of dirs) {
      mkdirSync(dir);
      cpSync(join(at.dir, "loopwright.yaml"), join(dir, "loopwright.yaml"));
      cpSync(join(at.dir, "mine.ts"), join(dir, "mine.ts"));
    }
    const { env } = stateOf(at);
    await Promise.all(dirs.map((dir) => at.cli(`doctor --trust --dir ${dir}`, { env })));
    for (const dir of dirs) expect((await at.cli(`graph mine --dir ${dir}`, { env })).code).toBe(0);
  });

  it("holds for the command where it cannot be remembered, and that is said", async () => {
    using at = await foreign(naming, { ...mine, state: "a file" });
    const env = { XDG_STATE_HOME: join(at.dir, "state") };
    const ended = await at.cli("graph mine --trust", { env });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/^loopwright: that this project is trusted could not be remembered \(ENOTDIR\)$/m);
    expect((await at.cli("graph mine", { env })).code).toBe(2);
  });

  it("holds for a dry run, which remembers nothing", async () => {
    using at = await foreign(naming, mine);
    const { env } = stateOf(at);
    expect((await at.cli("run mine --trust --dry-run", { env })).code).toBe(0);
    expect(at.has("state")).toBe(false);
  });

  it("is not what a folder brings along: no state folder of its own, no variable in its .env", async () => {
    using at = await foreign(naming, mine);
    await at.cli("doctor --trust", { env: { XDG_STATE_HOME: join(at.dir, "state") } });
    expect(at.hasRun).toBe(true);
    at.forget();
    await at.write(
      ".env",
      `XDG_STATE_HOME=${join(at.dir, "state")}\nNODE_OPTIONS=--import=${join(at.dir, "mine.ts")}\n`,
    );
    for (const XDG_STATE_HOME of ["state", "./state", undefined])
      expect((await at.cli("graph mine", { env: { XDG_STATE_HOME } })).code).toBe(2);
    expect(at.hasRun).toBe(false);
  });

  it("is asked for on stderr with --json, and stdout stays empty", async () => {
    using at = await foreign(naming, mine);
    const ended = await at.cli("run mine --json");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toBe(
      `loopwright: ${at.dir} is not trusted, and wants what only a trusted project gets:\n  loops.mine: mine.ts\n` +
        `Look at it first; then trust it as it is now: --trust (loopwright doctor --trust --dir ${at.dir})\n`,
    );
  });

  it("shows a long or crafty value whole, in one line, without control characters", async () => {
    const long = "x".repeat(3000);
    using at = await foreign(`notify: { command: "true # ${long}\\n\\e[2K\\e[1A; curl evil" }\n`);
    const ended = await at.cli("code fix");
    expect(ended.stderr).toContain(`  notify.command: true # ${long} ; curl evil\n`);
  });
});

describe.concurrent("without any question", { timeout: 120_000 }, () => {
  const harmless = `endpoints: { local: { preset: lmstudio }, near: { url: "http://127.0.0.1:9/v1", concurrency: 2 } }
models: { default: { endpoint: local, model: m }, writer: { endpoint: openai, model: gpt-5, fallback: [local:m] } }
retry: { waits: [] }
prices: { m: { input: 0, output: 0 } }
ceilings: { iterations: 1, usd: 4 }
code: { minIterations: 1, workspace: ws, tests: [tests], sandbox: bwrap }
`;

  it("a folder gets what is harmless", async () => {
    using at = await foreign(harmless, { "task.md": "Do it.\n", "tests/a.test.ts": "" });
    const ended = await at.cli("code --dry-run");
    expect(ended.code, ended.stderr).toBe(0);
  });

  it("the user gets what is typed with -c", async () => {
    using at = await foreign("", { ...mine, "task.md": "Do it.\n" });
    expect((await at.cli("graph mine -c loops.mine=mine.ts")).code).toBe(0);
    expect((await at.cli("code --dry-run -c code.sandbox=none -c notify.command=echo")).code).toBe(0);
    const typed = [
      "doctor",
      "--models",
      "-c",
      `endpoints.x.command=${at.mark}`,
      "-c",
      "models.default={endpoint: x, model: m}",
    ];
    at.forget();
    await at.cli(typed);
    expect(at.hasRun).toBe(true);
  });

  it("the user gets what stands in the user's own file, and a project may not take away what it protects", async () => {
    const own = 'notify: { command: "true" }\nsandbox: { readOnly: [/opt] }\ncode: { sandbox: none }\n';
    using at = await foreign("ceilings: { iterations: 3 }\n", {
      "home/loopwright/config.yaml": `${own}loops: { mine: ../../mine.ts }\n`,
      ...mine,
    });
    await at.write("task.md", "Do it.\n");
    const env = { XDG_CONFIG_HOME: join(at.dir, "home") };
    expect((await at.cli("graph mine", { env })).code).toBe(0);
    expect((await at.cli("code --dry-run", { env })).code).toBe(0);
    await at.write("loopwright.yaml", "sandbox: { readOnly: [] }\n");
    const ended = await at.cli("code --dry-run", { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining("  sandbox.readOnly: none\n") });
  });

  it("init makes a project that runs, and does not vouch for what was there", async () => {
    using at = await foreign("");
    const { env } = stateOf(at);
    expect((await at.cli("init new", { env })).code).toBe(0);
    expect(at.read("new/README.md")).toContain("needs Node 24 or newer: `npm install node@26`");
    expect((await at.cli("run tidy", { cwd: join(at.dir, "new"), env })).code).toBe(0);
    await at.write("other/.env", "OPENAI_BASE_URL=https://example.org/v1\n");
    await at.write("other/prompts/code/plan.md", "x");
    await at.cli("init other", { env });
    const ended = await at.cli("run tidy", { cwd: join(at.dir, "other"), env });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain(".env OPENAI_BASE_URL: https://example.org/v1 gets the key in $OPENAI_API_KEY");
    expect(ended.stderr).toContain("prompts/code/plan.md");
  });

  it("init says where that could not be remembered, and what to type then", async () => {
    using at = new Folder();
    await at.write("state", "a file");
    const env = { XDG_STATE_HOME: join(at.dir, "state") };
    const ended = await at.cli("init made", { env, isTrusted: false });
    expect(ended.stderr).toContain(
      "that this project is trusted could not be remembered (ENOTDIR): it needs --trust\n",
    );
    expect(ended.stdout).toMatch(/^Next:\n {2}cd made\n {2}loopwright run --trust tidy$/m);
    const cwd = join(at.dir, "made");
    expect((await at.cli("run tidy", { env, cwd, isTrusted: false })).code).toBe(2);
    expect((await at.cli("run --trust tidy", { env, cwd, isTrusted: false })).code).toBe(0);
  });

  it("the demo of a loop that comes along runs, and uses nothing of the folder", async () => {
    using at = await foreign(
      'loops: { hull: mine.ts }\nnotify: { command: "MARK" }\nendpoints: { x: { command: "MARK" } }\nmodels: { default: { endpoint: x, model: m } }\nceilings: { iterations: 1 }\n',
      { "mine.ts": marking, ".env": "OPENAI_BASE_URL=https://example.org/v1\n" },
    );
    expect(await at.cli("demo --max-iterations 2")).toMatchObject({
      code: 3,
      stderr: "",
      stdout: expect.stringContaining("hull-demo"),
    });
    const own = await at.cli("demo hull");
    expect(own).toMatchObject({ code: 2, stderr: expect.stringContaining("  loops.hull: mine.ts\n") });
    expect(at.hasRun).toBe(false);
  });

  it("a run goes on with the command that the user started it with", async () => {
    using at = await foreign("", {
      "mine.ts": marking
        .replace('execSync("MARK");', "")
        .replace(
          "async (_state, ctx) => {",
          'async (_state, ctx) => { await ctx.model("m").call("a", { prompt: "p" });',
        ),
    });
    const loop = ["-c", "loops.mine=mine.ts", "-c", "retry.waits=[]"];
    const outside = ["--input", JSON.stringify({ file: "/etc/hostname" })];
    const stopped = await at.cli(["run", "mine", ...outside, "--model", `command:${at.mark}; exit 1`, ...loop]);
    expect(stopped.code, stopped.stderr).toBe(7);
    at.forget();
    const resumed = await at.cli(["resume", runIn(stopped), ...loop, "--json"]);
    expect(lastLine(resumed)).toMatchObject({ outcome: "failed" });
    expect(at.hasRun).toBe(true);
  });
});

describe.skipIf(!hasTmux)("the question in a terminal", () => {
  const ask = (at: Foreign, words: string, before = "", columns = 120) =>
    new Pane({
      columns,
      rows: 30,
      cwd: at.dir,
      command: `${before}${process.execPath} ${join(import.meta.dirname, "../../../packages/loopwright/bin/loopwright.js")} ${words}`,
      env: { HOME: join(at.dir, "no-home"), XDG_STATE_HOME: join(at.dir, "state"), TERM: "xterm-256color" },
    });

  it("names each thing in a line, and yes is remembered", async () => {
    using at = await foreign(`${naming}notify: { command: "true" }\n`, mine);
    {
      using pane = ask(at, "graph mine");
      const screen = await pane.untilSeen("Trust it as it is now");
      expect(screen).toEqual(expect.arrayContaining(["  loops.mine: mine.ts", "  notify.command: true"]));
      expect(at.hasRun).toBe(false);
      pane.press("yes", "Enter");
      expect(await pane.untilEnded()).toEqual({ exit: 0, isSound: true });
      expect(pane.screen().join("\n")).toContain("flowchart TD");
    }
    using pane = ask(at, "run mine");
    expect(await pane.untilEnded()).toEqual({ exit: 0, isSound: true });
    expect(pane.screen().join("\n")).not.toContain("Trust it");
  });

  it("is broken between words, and nothing of it is left out", async () => {
    using at = await foreign(`${naming}notify: { command: "${"tell a word ".repeat(12).trim()}" }\n`, mine);
    using pane = ask(at, "graph mine", "", 61);
    const screen = await pane.untilSeen("Trust it as it is now");
    const asked = screen.slice(
      0,
      screen.findIndex((line) => line.startsWith("Trust it")),
    );
    const said = asked.join(" ").replace(/\s+/g, " ");
    expect(said).toMatch(/is not trusted, and wants what only a trusted project gets: loops\.mine: mine\.ts notify/);
    expect(said).toContain(`notify.command: ${"tell a word ".repeat(12).trim()}`);
    expect(asked.at(-1)).toMatch(/^ {4}\S/);
  });

  it.each([
    ["an empty line", "Enter"],
    ["anything else", "yep", "Enter"],
    ["the end of input", "C-d"],
  ])("is no by %s", async (_name, ...keys) => {
    using at = await foreign(naming, mine);
    using pane = ask(at, "run mine");
    await pane.untilSeen("Trust it");
    pane.press(...keys);
    expect(await pane.untilEnded()).toEqual({ exit: 2, isSound: true });
    expect(pane.screen().join("\n")).toContain("is not trusted, so nothing of it was run");
    expect(at.hasRun || at.has("state")).toBe(false);
  });

  it.each(["run mine", "mine"])("takes no key that was typed before it was shown: %s", async (words) => {
    using at = await foreign(naming, mine);
    using pane = ask(at, words, "until [ -e typed ]; do sleep 0.05; done; ");
    pane.press("y", "Enter", "ye");
    await pane.untilSeen(/^ye$/);
    await at.write("typed", "");
    await pane.untilSeen(/Trust it as it is now.*: *$/);
    expect(pane.scrollback().join("\n")).toContain("(what was typed before this question is not taken");
    pane.press("s", "Enter");
    expect(await pane.untilEnded()).toEqual({ exit: 2, isSound: true });
    expect(at.hasRun || at.has("state")).toBe(false);
  });

  it("is asked by the writing REPL in its own way", async () => {
    using at = await foreign('endpoints: { x: { url: "https://example.org/v1" } }\n');
    const { writeNovel } = await import("../../fakes/novel-texts.ts");
    writeNovel(at.dir, { premise: true });
    using pane = ask(at, "novel");
    await pane.untilSeen("Trust it as it is now");
    pane.press("no", "Enter");
    await pane.untilSeen("is not trusted, so nothing of it was run");
    pane.press("/quit", "Enter");
    expect(await pane.untilEnded()).toEqual({ exit: 0, isSound: true });
  });
});
