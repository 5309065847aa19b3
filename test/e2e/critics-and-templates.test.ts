// docs/critics-and-templates.md, to the letter: its files are written, and its commands typed, in a project that has Loopwright installed.

import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { glbToModel, meshToGlb } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import { car } from "../fakes/car.ts";
import { Folder, STATE_HOME } from "../fakes/cli.ts";

const root = join(import.meta.dirname, "../..");
const pageOf = (name: string) => readFileSync(join(root, "docs", name), "utf8");
const [critic, template] = pageOf("critics-and-templates.md").split("\n## A template of your own\n") as [
  string,
  string,
];

/** A project with Loopwright, as it is built, among its packages. */
function project(): Folder {
  const at = new Folder();
  writeFileSync(join(at.dir, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(at.dir, "node_modules"));
  return at;
}

/** Writes the files of a part of the page, types its commands, and holds what they print to what the page shows of it. */
async function follow(at: Folder, part: string): Promise<string[]> {
  const blocks = [...part.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)];
  const typed: string[] = [];
  let printed = "";
  for (const [, language, path, text] of blocks) {
    if (path !== undefined) await at.write(path, text!);
    else if (language === "sh") printed = type(at, text!, typed);
    else if (language === "text") expect(printed).toContain(text!.trim());
    else expect.unreachable(`a block of ${language} that no one is told what to do with`);
  }
  return typed;
}

function type(at: Folder, command: string, typed: string[]): string {
  typed.push(command.trim());
  const PATH = [join(at.dir, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, XDG_STATE_HOME: STATE_HOME };
  const { status, stdout, stderr } = spawnSync("sh", ["-ec", command], { cwd: at.dir, env, encoding: "utf8" });
  expect(status, `${command}${stderr}`).toBe(0);
  return stdout;
}

describe("docs/critics-and-templates.md", () => {
  it("has a critic that finds the parts without a name", async () => {
    using at = project();
    const mesh = car();
    const parts = mesh.parts!.map((part, index) => (index < 2 ? { ...part, name: `Cube.00${index}` } : part));
    writeFileSync(join(at.dir, "car.glb"), await meshToGlb({ ...mesh, parts }));
    expect(await follow(at, critic)).toEqual(["node names.ts"]);
  });

  it.skipIf(!hasBlender)("has a template that Blender builds a sound crate of", async () => {
    using at = project();
    const gates = pageOf("judging-assets.md");
    await at.write(/(?<=Write `)[^`]+/.exec(gates)![0], /```yaml\n(.*?)```/s.exec(gates)![1]!);
    const typed = await follow(at, template);
    expect(typed).toHaveLength(2);
    expect(typed[1]).toContain("loopwright fab judge crate.glb");
    const { parts, materials } = await glbToModel(readFileSync(join(at.dir, "crate.glb")));
    expect([parts, materials].map((all) => all.map(({ name }) => name))).toEqual([["crate"], ["oak wood"]]);
  });
});
