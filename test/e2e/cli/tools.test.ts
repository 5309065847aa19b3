// What stands around the runs: init, doctor, completion, help and the version.

import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { flagsOf } from "../../../packages/loopwright/src/arguments/read-arguments.ts";
import { allCommands } from "../../../packages/loopwright/src/loops/find-command.ts";
import { BIN, Folder, fixtureProject, lastLine } from "../../fakes/cli.ts";

const commands = await allCommands();

const bash = (script: string, cwd: string) =>
  promisify(execFile)("bash", ["-c", script], { cwd, env: { PATH: process.env.PATH, HOME: cwd } });

describe.concurrent("init", () => {
  it("--loop novel without a git identity leaves nothing behind, and says what to type", async () => {
    using at = new Folder();
    const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", EMAIL: "" };
    for (const folder of ["new/book", "."]) {
      await at.write(".gitignore", "drafts\n");
      const before = at.listing();
      const ended = await at.cli(`init ${folder} --loop novel`, { env });
      expect(ended).toMatchObject({ code: 2, stdout: "" });
      expect(ended.stderr).toContain('git config --global user.name "Your Name"');
      expect(at.listing()).toEqual(before);
    }
  });

  it("writes a project that runs as it stands", async () => {
    using at = new Folder();
    const written = await at.cli("init mine");
    expect(written).toMatchObject({ code: 0, stderr: "" });
    expect(written.stdout).toContain("cd mine\n  loopwright run tidy");
    const ended = await at.cli("run tidy --json", { cwd: join(at.dir, "mine") });
    expect(ended.stderr).toBe("");
    expect(lastLine(ended)).toMatchObject({ outcome: "done" });
    expect((await at.cli("graph tidy", { cwd: join(at.dir, "mine") })).code).toBe(0);
    expect(JSON.parse(at.read("mine/package.json"))).toMatchObject({ type: "module" });
  });

  it("gives the loop the name that is asked for, everywhere", async () => {
    using at = new Folder();
    expect((await at.cli("init . --loop haiku")).code).toBe(0);
    expect(at.read("loopwright.yaml")).toContain("haiku: loops/haiku.ts");
    for (const file of ["README.md", "loopwright.yaml", "loops/haiku.ts"]) expect(at.read(file)).not.toContain("tidy:");
    expect((await at.cli("run haiku -q")).code).toBe(0);
  });

  it("overwrites nothing: where one file is there, none is written", async () => {
    using at = new Folder();
    await at.write("README.md", "mine");
    const before = at.listing();
    const ended = await at.cli("init .");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(
      "already has README.md; nothing was written. Name another folder, such as: loopwright init tidy\n",
    );
    expect(at.listing()).toEqual(before);
    const other = await at.cli(["init", ".", "--loop", "haiku"]);
    expect(other.stderr).toContain("such as: loopwright init haiku --loop haiku\n");
    expect((await at.cli("init haiku --loop haiku")).code).toBe(0);
  });

  it("names a folder so that it can be typed", async () => {
    using at = new Folder();
    const { stdout } = await at.cli(["init", "sp ace/ünï"]);
    const cd = /^ {2}(cd .*)$/m.exec(stdout)![1]!;
    expect((await bash(`${cd} && ls loopwright.yaml`, at.dir)).stdout).toBe("loopwright.yaml\n");
  });

  it("--dry-run writes nothing and names every file", async () => {
    using at = new Folder();
    const { stdout, code } = await at.cli("init new --dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain("It would write into");
    expect(stdout).toContain("loops/tidy.ts");
    expect(at.listing()).toEqual({});
  });
});

describe.concurrent("doctor", () => {
  it("says that there is no such folder", async () => {
    using at = new Folder();
    const { code, stdout } = await at.cli(["doctor", "--dir", `${at.dir}/none`]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^fault +folder +there is no folder \S+\/none\n +make it, or choose another/m);
    expect(stdout).not.toContain("ENOENT");
  });

  it("says that all is well, and changes nothing", async () => {
    using at = fixtureProject();
    const before = at.listing();
    const ended = await at.cli("doctor");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout).toMatch(/^ok +node +\d+\.\d+\.\d+/m);
    expect(ended.stdout).toMatch(/^ok +folder +/m);
    expect(ended.stdout).toMatch(/^ok +config +.*loopwright\.yaml$/m);
    expect(at.listing()).toEqual(before);
  });

  it("names what is missing and what it would enable, which is no fault", async () => {
    using at = fixtureProject();
    mkdirSync(join(at.dir, "bin"));
    const ended = await at.cli("doctor", { env: { PATH: join(at.dir, "bin") } });
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^missing +git +not installed\n.*would enable: workspaces and history/m);
    expect(ended.stdout).toMatch(/^missing +bwrap/m);
  });

  it("names a program that does not start, the STOP file and a wrong configuration, and exits with 1", async () => {
    using at = fixtureProject();
    await at.write(".loopwright/STOP", "");
    await at.write("loopwright.yaml", "lopps: {}\n");
    await at.write("bin/git", "#!/bin/sh\nexit 3\n");
    chmodSync(join(at.dir, "bin/git"), 0o755);
    const ended = await at.cli("doctor --json", { env: { PATH: `${join(at.dir, "bin")}:/usr/bin:/bin` } });
    expect(ended.code).toBe(1);
    const { findings } = JSON.parse(ended.stdout);
    const faults = findings.filter(({ state }: { state: string }) => state === "fault");
    expect(faults).toMatchObject([
      { name: "git", found: expect.stringContaining("it does not start") },
      { name: "config", found: expect.stringContaining("did you mean 'loops'?") },
      { name: "stop", found: expect.stringContaining("STOP keeps every run from going on") },
    ]);
  });

  it("loads the loops that are named, and says what their models lack before anything is sent", async () => {
    using at = fixtureProject();
    await at.write("loops/broken.ts", 'import "nowhere-at-all";\nexport default {};\n');
    const models =
      "models:\n  writer: { model: 'anthropic:claude-haiku-4-5' }\n  judge: { endpoint: agent, model: x }\n";
    const own =
      "loops:\n  steer: loops/steer.ts\n  talk: loops/talk.ts\n  broken: loops/broken.ts\n  gone: loops/gone.ts\n";
    await at.write("loopwright.yaml", `${own}endpoints:\n  agent: { command: no-such-agent --print }\n${models}`);
    const { stdout, code } = await at.cli("doctor");
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok +loop +steer: loops\/steer\.ts$/m);
    expect(stdout).toMatch(/^fault +loop +broken: .*broken\.ts cannot be loaded: .*nowhere-at-all/m);
    expect(stdout).toMatch(/^fault +loop +gone: there is no \S+loops\/gone\.ts$/m);
    expect(stdout).toMatch(
      /^fault +model +writer: anthropic:claude-haiku-4-5: the environment has no ANTHROPIC_API_KEY$/m,
    );
    expect(stdout).toMatch(/^fault +model +judge: agent:x: there is no program 'no-such-agent'$/m);
    const run = await at.cli("run talk");
    expect(run.code).toBe(7);
    expect(run.stdout).toContain(
      "anthropic:claude-haiku-4-5, the model of the role 'writer', needs a key, and the environment has no ANTHROPIC_API_KEY; nothing was sent.",
    );
    const unread = await at.cli("doctor", { isTrusted: false, env: { XDG_STATE_HOME: at.dir } });
    expect(unread.stdout).toMatch(
      /^missing +loop +broken: loops\/broken\.ts was not loaded, for this folder is not trusted$/m,
    );
  });

  it("names a folder that is none", async () => {
    using at = fixtureProject();
    writeFileSync(join(at.dir, "file"), "");
    const ended = await at.cli("doctor --dir file/inside");
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^fault +folder +there is no folder .*file\/inside/m);
  });
});

describe.concurrent("help", () => {
  it.each(commands.map(({ name }) => name))("of %s names its words and flags, and exits with 0", async (name) => {
    using at = new Folder();
    const command = commands.find((known) => known.name === name)!;
    const help = await at.cli(`${name} --help`);
    expect(help).toMatchObject({ code: 0, stderr: "" });
    for (const flag of flagsOf(command)) expect(help.stdout).toContain(`--${flag.name}`);
    for (const word of command.arguments ?? []) expect(help.stdout).toContain(`<${word.name}>`);
    expect(at.listing()).toEqual({});
  });

  it("of a command is also what `help <command>` shows", async () => {
    using at = new Folder();
    expect((await at.cli("help resume")).stdout).toBe((await at.cli("resume --help")).stdout);
  });

  it("without a command lists them all, with the exit codes", async () => {
    using at = new Folder();
    const [bare, long, short, word] = await Promise.all(["", "--help", "-h", "help"].map((args) => at.cli(args)));
    for (const other of [long, short, word]) expect(other!.stdout).toBe(bare!.stdout);
    expect(bare!.code).toBe(0);
    for (const { name, summary } of commands) {
      expect(bare!.stdout).toContain(name);
      expect(bare!.stdout.replaceAll(/\s+/g, " ")).toContain(summary);
    }
    expect(bare!.stdout).toMatch(/^ {2}130 +\S/m);
    for (const line of bare!.lines) expect(line.length).toBeLessThanOrEqual(100);
  });

  it("is asked for even where other words are wrong", async () => {
    using at = new Folder();
    expect((await at.cli("show one two three --help")).code).toBe(0);
  });
});

describe.concurrent("--version", () => {
  const version = JSON.parse(
    readFileSync(join(import.meta.dirname, "../../../packages/loopwright/package.json"), "utf8"),
  ).version;

  it.each(["--version", "-v", "--version --quiet"])("%s is the package's", async (args) => {
    using at = new Folder();
    expect(await at.cli(args)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("is found through a link to the program, as npm makes one", async () => {
    using at = new Folder();
    symlinkSync(BIN, join(at.dir, "loopwright"));
    expect(await at.cli("--version", { bin: join(at.dir, "loopwright") })).toMatchObject({ stdout: `${version}\n` });
    expect((await at.cli("runs", { bin: join(at.dir, "loopwright") })).code).toBe(0);
  });
});
