import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { examine } from "../program.ts";

const ALONE = join(import.meta.dirname, "../../bin/loopwright-blender.js");
const { PATH, LOOPWRIGHT_BLENDER } = process.env;
afterEach(() => {
  process.env.PATH = PATH;
  if (LOOPWRIGHT_BLENDER === undefined) delete process.env.LOOPWRIGHT_BLENDER;
});

/** The server's own program, with words that end it at once. */
const run = (...words: string[]) =>
  spawnSync(process.execPath, [ALONE, ...words], { encoding: "utf8", timeout: 60_000 });

describe("What doctor says of Blender", () => {
  it.skipIf(!hasBlender)("is its version, where it is, and what was tested", async () => {
    expect(await examine()).toMatchObject([
      { name: "blender", state: "ok", found: expect.stringMatching(/^3\.4\.1 \(\/.*blender; tested: 3\.4\.x\)$/) },
    ]);
  });

  it("is what to install where there is none", async () => {
    process.env.PATH = "/nowhere";
    expect(await examine()).toMatchObject([
      { state: "missing", found: "not installed", enables: expect.stringContaining("apt-get install") },
    ]);
  });

  it("is what is wrong with one that was named and does not start", async () => {
    process.env.LOOPWRIGHT_BLENDER = "/bin/false";
    expect(await examine()).toMatchObject([
      { state: "missing", found: expect.stringContaining("/bin/false is no Blender") },
    ]);
  });
});

describe("The server alone", () => {
  it("says its flags", () => {
    const { status, stdout } = run("--help");
    expect(status).toBe(0);
    expect(stdout).toMatch(/npx @loopwright\/blender.*--http PORT.*--sandbox KIND.*LOOPWRIGHT_MCP_TOKEN/s);
  });

  it.each([
    [["--htpp", "1"], /--htpp.*did you mean --http\?/i],
    [["--http", "many"], /--http wants a whole number, not 'many'/],
    [["--sandbox", "docker"], /--sandbox is one of bwrap, none, not 'docker'/],
    [["blender"], /blender/],
  ])("refuses wrong words, and says which are right: %s", (words, message) => {
    const { status, stderr } = run(...words);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.skipIf(!hasBlender)("says which file or folder is missing before it serves anything", () => {
    const missing = run("--baseline", "/nowhere.blend");
    expect(missing).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("there is no file /nowhere.blend to begin with"),
    });
    expect(run("--baseline", ALONE).stderr).toContain("is no .blend: save the scene from Blender");
    expect(run("--files", "/nowhere").stderr).toContain("there is no folder /nowhere to read files from");
  });
});
