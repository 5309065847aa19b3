// What is loaded for what is typed: help and version come without any loop, and looking runs no code of the project's.

import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, type Words } from "../../fakes/cli.ts";

const hook = join(import.meta.dirname, "../programs/list-loads.mjs");

async function loadedBy(args: string, at: Folder): Promise<string[]> {
  const { code, stderr } = await at.cli(args, { node: ["--import", hook] });
  expect(code, stderr).toBe(0);
  return JSON.parse(/^loaded (.*)$/m.exec(stderr)![1]!);
}

/** The files of ours that a command and every process and thread of it have loaded. */
async function allLoadedBy(words: Words, at: Folder, input = ""): Promise<string[]> {
  const file = join(at.dir, `loads-${readdirSync(at.dir).length}`);
  const env = { NODE_OPTIONS: `--import=${hook}`, LOADS_FILE: file };
  const { code, stdout, stderr } = await at.cli(words, { env, input, isTrusted: false });
  expect(code, stdout + stderr).toBe(0);
  return [...new Set(readFileSync(file, "utf8").trimEnd().split("\n"))];
}

/** The files that say what a loop brings along, and no more. */
const descriptions =
  /\/(loop-package|folders|gates|roles|(count|note|result)-words|rank\/note|words|steps|result|template|(kept-)?settings|(commands|runners)\/table)\.js$|^novel\/dist\/(types|said|notes|level\/names|manuscript\/files\/layout)\.js$/;
const loops = /^(hull|code|novel|fab|workspace|tracker)\//;

describe("loading", () => {
  it("--version loads no package of a loop at all", async () => {
    using at = new Folder();
    expect((await loadedBy("--version", at)).filter((path) => !path.startsWith("loopwright/"))).not.toContainEqual(
      expect.stringMatching(loops),
    );
  });

  it.each(["--help", "code --help", "demo --help"])("%s loads no loop, only what it brings along", async (args) => {
    using at = new Folder();
    const loaded = (await loadedBy(args, at)).filter((path) => loops.test(path));
    expect(loaded.length).toBeGreaterThan(3);
    expect(loaded.filter((path) => !descriptions.test(path))).toEqual([]);
  });

  it("--help and runs load nothing that the project names", async () => {
    using at = new Folder();
    writeFileSync(join(at.dir, "loopwright.yaml"), "loops: { mine: mine.ts }\n");
    writeFileSync(join(at.dir, "mine.ts"), 'console.log("it ran"); process.exit(9);\n');
    const help = await at.cli("--help");
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect(help.stdout).toMatch(/Loops of this project:\n +mine +loopwright run mine/);
    expect(help.stdout).not.toContain("it ran");
    expect((await at.cli("runs")).stdout).not.toContain("it ran");
  });
});

describe("a whole command", { timeout: 180_000 }, () => {
  it("of the demo of hull loads nothing of another loop, and show of its run little at all", async () => {
    using at = new Folder();
    const demo = await allLoadedBy("demo hull --quiet", at);
    expect(demo.filter((path) => /^(code|novel|fab|tracker|workspace)\//.test(path))).toEqual([]);
    const shown = await allLoadedBy("show", at);
    expect(shown.length, shown.join("\n")).toBeLessThanOrEqual(60);
  });

  it("of a recorded run of code loads what that needs", async () => {
    using at = new Folder();
    cpSync(join(import.meta.dirname, "../../fixtures/code/python"), at.dir, { recursive: true });
    const recorded = "--model lmstudio:desk --cassette cassette.json --cassette-mode replay";
    const loaded = await allLoadedBy(`code ${recorded} --quiet`, at);
    expect(loaded.filter((path) => /^(novel|fab|hull|tracker|blender)\//.test(path))).toEqual([]);
    expect(loaded.length, loaded.join("\n")).toBeLessThanOrEqual(200);
  });

  it("of a recorded session of novel loads what that needs", async () => {
    using at = new Folder();
    cpSync(join(import.meta.dirname, "../../fixtures/novel/recorded"), join(at.dir, "novel"), { recursive: true });
    const novel = join(at.dir, "novel");
    const git = (...args: string[]) => execFileSync("git", ["-C", novel, ...args]);
    git("init", "-q", "-b", "main");
    git("config", "user.name", "A Writer");
    git("config", "user.email", "writer@example.com");
    const recorded = "--model lmstudio:desk --cassette novel/cassette.json --cassette-mode replay";
    const input = readFileSync(join(novel, "session.txt"), "utf8");
    const loaded = await allLoadedBy(`novel novel ${recorded}`, at, input);
    expect(loaded.filter((path) => /^(code|fab|hull|tracker|blender)\//.test(path))).toEqual([]);
    expect(loaded.length, loaded.join("\n")).toBeLessThanOrEqual(200);
  });
});
