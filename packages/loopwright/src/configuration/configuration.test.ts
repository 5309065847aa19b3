// The configuration of a folder: files, then -c, then flags.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadConfiguration } from "./configuration.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-configuration-"));
  vi.stubEnv("XDG_CONFIG_HOME", join(dir, "no-home"));
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

const load = (given: string[] = [], limits = {}) => loadConfiguration({ dir, given, limits, model: [] });

describe("the configuration", () => {
  it("is empty where there is no file", async () => {
    expect(await load()).toMatchObject({ ceilings: {}, loops: {}, files: [] });
  });

  it("merges mappings key by key, and names the files that it read", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "ceilings: { iterations: 3, usd: 1 }\nloops: { a: a.ts }\n");
    const { ceilings, loops, files } = await load(["ceilings.usd=2", "loops.b=/b.ts"], { iterations: 9 });
    expect(ceilings).toEqual({ iterations: 9, usd: 2 });
    expect(loops).toEqual({ a: join(dir, "a.ts"), b: "/b.ts" });
    expect(files).toEqual([join(dir, "loopwright.yaml")]);
  });

  it("takes a loop's path relative to the file that names it, or from the root", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "loops: { a: ../a.ts, b: /somewhere/b.ts }\n");
    expect((await load()).loops).toEqual({ a: join(dir, "../a.ts"), b: "/somewhere/b.ts" });
  });

  it("is no configuration where a file is wrong, whatever else was given", async () => {
    writeFileSync(join(dir, "loopwright.yaml"), "ceilings: none\n");
    await expect(load(["ceilings.usd=2"])).rejects.toThrow(
      `${join(dir, "loopwright.yaml")}:1:11: 'ceilings' is "none"`,
    );
  });
});
