// The configuration of a folder: files, then -c, then flags.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { fileOf } from "../loops/sources.ts";
import { trustNow } from "../trust/remember.ts";
import { look } from "./configuration.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-configuration-"));
  vi.stubEnv("XDG_CONFIG_HOME", join(dir, "no-home"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

/** The configuration of a folder that is trusted. */
async function load(given: string[] = [], limits = {}) {
  const looked = await look({ dir, given, limits, model: [] });
  trustNow(looked.dangers);
  return looked.configuration();
}

describe("the configuration", () => {
  it("is empty where there is no file", async () => {
    expect(await load()).toMatchObject({ ceilings: {}, loops: {}, files: [] });
  });

  it("merges mappings key by key, and names the files that it read", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "ceilings: { iterations: 3, usd: 1 }\nloops: { a: a.ts }\n");
    const { ceilings, loops, files } = await load(["ceilings.usd=2", "loops.b=/b.ts"], { iterations: 9 });
    expect(ceilings).toEqual({ iterations: 9, usd: 2 });
    expect(loops).toMatchObject({ a: { module: "a.ts", folder: dir }, b: { module: "/b.ts" } });
    expect(files).toEqual([join(dir, "loopwright.yaml")]);
  });

  it("takes a loop's path relative to the file that names it, or from the root", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "loops: { a: ../a.ts, b: /somewhere/b.ts }\n");
    const { loops } = await load();
    expect([loops.a, loops.b].map((source) => fileOf(source!))).toEqual([join(dir, "../a.ts"), "/somewhere/b.ts"]);
  });

  it("takes a loop's name that is no path as a package's, unless such a file is there", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "loops: { a: a-loop, b: '@me/loops/b', c: here }\n");
    writeFileSync(join(dir, "here"), "");
    const { loops } = await load();
    const files = [loops.a, loops.b, loops.c].map((source) => fileOf(source!));
    expect(files).toEqual([undefined, undefined, join(dir, "here")]);
  });

  it("knows the loops that come with Loopwright; a project's own of the same name wins", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "loops: { hull: mine.ts }\n");
    const { loops } = await load();
    expect(Object.keys(loops)).toEqual(["hull", "code", "repair", "novel", "fab", "workspace", "blender", "tracker"]);
    expect(loops.hull).toMatchObject({ module: "mine.ts", folder: dir });
  });

  it("is no configuration where a file is wrong, whatever else was given", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "ceilings: none\n");
    await expect(load(["ceilings.usd=2"])).rejects.toThrow(
      `${join(dir, "loopwright.yaml")}:1:11: 'ceilings' is "none"`,
    );
  });

  describe("of a loop's own", () => {
    const schema = z.strictObject({
      colors: z.int().max(9).default(5),
      names: z.record(z.string(), z.string()).optional(),
    });
    const block = async (text: string, given: string[] = []) => {
      writeFileSync(join(dir, "loopwright.yaml"), `loops: { mine: mine.ts }\n${text}`);
      return (await load(given)).block("mine", schema);
    };

    it("stands under its name, and is merged and held to its schema", async () => {
      expect(await block("")).toEqual({ colors: 5 });
      expect(await block("mine: { colors: 3, names: { a: x } }", ["mine.names.b=y"])).toEqual({
        colors: 3,
        names: { a: "x", b: "y" },
      });
    });

    it.each([
      ["mine:\n  colors: 12", ":3:11: 'mine.colors' is 12, expected Too big: expected number to be <=9"],
      ["mine:\n  colours: 3", ":3:3: 'mine.colours' is no key of the configuration; did you mean 'colors'?"],
      ["mine: 3", ":2:7: 'mine' is 3, expected a mapping"],
    ])("%j is refused with its place", async (text, message) => {
      await expect(block(text)).rejects.toThrow(`${join(dir, "loopwright.yaml")}${message}`);
    });

    it("is refused where no loop has that name, or the loop takes none", async () => {
      await expect(block("mien: {}")).rejects.toThrow("'mien' is no key of the configuration; did you mean 'mine'?");
      writeFileSync(join(dir, "loopwright.yaml"), "hull: { size: 3 }\n");
      const configuration = await load();
      expect(() => configuration.block("hull", undefined)).toThrow("the loop 'hull' has no configuration");
    });
  });
});
