// The configuration of a folder: files, then -c, then flags.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { fileOf } from "../loops/sources.ts";
import { trustNow } from "../trust/trust.ts";
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
  trustNow(looked.controls);
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
    expect(Object.keys(loops)).toEqual(["hull", "code", "novel", "fab", "workspace", "blender", "tracker"]);
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
      ["mine:\n  colors: 12", ":3:11: 'mine.colors' is 12: expected number to be <=9"],
      ["mine:\n  colours: 3", ":3:3: 'mine.colours' is no key of the configuration; did you mean 'colors'?"],
      ["mine: 3", ":2:7: 'mine' is 3: expected object"],
    ])("%j is refused with its place", async (text, message) => {
      await expect(block(text)).rejects.toThrow(`${join(dir, "loopwright.yaml")}${message}`);
    });

    const kinds = z.strictObject({
      low: z.number().min(2),
      above: z.number().gt(0.5),
      below: z.number().lt(3),
      even: z.int().multipleOf(2),
      flag: z.boolean(),
      list: z
        .array(z.strictObject({ size: z.number() }))
        .min(1)
        .max(2),
      word: z.string().min(1).max(4),
      exact: z.string().length(2),
      kind: z.enum(["round", "square"]),
      only: z.literal("yes"),
      code: z.string().regex(/^[a-z]+$/),
      site: z.url(),
      file: z.string().endsWith(".png"),
      mail: z.email(),
      either: z.union([z.literal("none"), z.number(), z.strictObject({ of: z.number() })]),
      keyed: z.record(z.enum(["left", "right"]), z.number()),
      range: z.array(z.number()).refine(([least = 0, most = 0]) => least <= most, "the least comes first"),
      own: z.number("how many there are"),
    });

    it.each([
      ["low=1", "is 1: expected number to be >=2"],
      ["above=0.5", "is 0.5: expected number to be >0.5"],
      ["below=3", "is 3: expected number to be <3"],
      ["even=1.5", "is 1.5: expected int"],
      ["even=3", "is 3: must be a multiple of 2"],
      ["flag=maybe", 'is "maybe": expected boolean'],
      ["list=7", "is 7: expected array"],
      ["list=[]", "is []: expected array to have >=1 items"],
      ["list=[{size: 1}, {size: 2}, {size: 3}]", ": expected array to have <=2 items"],
      ["list=[{size: big}]", `'mine.list.0.size' is "big": expected number`],
      ["list=[{sise: 1, size: 1}]", "'mine.list.0.sise' is no key of the configuration; did you mean 'size'?"],
      ["list=[{}]", "'mine.list.0.size' is missing: expected number"],
      ["word=''", 'is "": expected string to have >=1 characters'],
      ["word=abcde", 'is "abcde": expected string to have <=4 characters'],
      ["exact=abc", 'is "abc": expected string to have exactly 2 characters'],
      ["kind=oval", 'is "oval": expected one of "round"|"square"'],
      ["only=no", 'is "no": expected "yes"'],
      ["code=A1", 'is "A1": must match pattern /^[a-z]+$/'],
      ["site=here", 'is "here": Invalid URL'],
      ["file=a.gif", 'is "a.gif": must end with ".png"'],
      ["mail=me", 'is "me": Invalid email address'],
      ["either=some", `is "some": expected "none", or expected number, or expected object`],
      ["either={ of: x }", `is a mapping: expected "none", or expected number, or 'of' expected number`],
      ["keyed={ up: 1, left: 1, right: 2 }", "'mine.keyed.up' is no key of the configuration"],
      ["keyed={ left: 1 }", "'mine.keyed.right' is missing: expected number"],
      ["range=[3, 1]", "is [3,1]: the least comes first"],
      ["own=x", 'is "x": how many there are'],
    ])("with %s is told in a sentence: %s", async (given, message) => {
      writeFileSync(join(dir, "loopwright.yaml"), "loops: { mine: mine.ts }\n");
      const configuration = await load([`mine.${given}`]);
      const block = () => configuration.block("mine", kinds.partial());
      expect(block).toThrow(UsageError);
      expect(block).toThrow(message);
      expect(block).not.toThrow(/Too (big|small)|undefined|received/);
    });

    it("that lacks a key is told what is missing", async () => {
      writeFileSync(join(dir, "loopwright.yaml"), "loops: { mine: mine.ts }\n");
      const configuration = await load();
      expect(() => configuration.block("mine", z.object({ size: z.number() }))).toThrow(
        "'mine.size' is missing: expected number",
      );
    });

    it("is refused where no loop has that name, or the loop takes none", async () => {
      await expect(block("mien: {}")).rejects.toThrow("'mien' is no key of the configuration; did you mean 'mine'?");
      writeFileSync(join(dir, "loopwright.yaml"), "hull: { size: 3 }\n");
      const configuration = await load();
      expect(() => configuration.block("hull", undefined)).toThrow("the loop 'hull' has no configuration");
    });
  });
});
