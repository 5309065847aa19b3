// What is loaded for what is typed: help and version come without any loop, and looking runs no code of the project's.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder } from "../../fakes/cli.ts";

const hook = join(import.meta.dirname, "../programs/list-loads.mjs");

async function loadedBy(args: string, at: Folder): Promise<string[]> {
  const { code, stderr } = await at.cli(args, { node: ["--import", hook] });
  expect(code, stderr).toBe(0);
  return JSON.parse(/^loaded (.*)$/m.exec(stderr)![1]!);
}

/** The files that say what a loop brings along, and no more. */
const descriptions =
  /\/(loop-package|folders|gates|roles|(count|note|result)-words|rank\/note|words|steps|template|(kept-)?settings|commands\/table)\.js$|^novel\/dist\/(types|manuscript\/(numbers|files\/layout|language\/part-names))\.js$/;
const loops = /^(hull|code|repair|novel|fab|workspace|tracker)\//;

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
