// The user's Python where it lies outside the system's folders, as that of a version manager does, and a virtual environment.

import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { bwrap } from "../../../../test/sandbox/bwrap-works.ts";
import { findProgram } from "../sandbox.ts";
import { BwrapSandbox } from "./bwrap.ts";

const PYTHON = "/usr/bin/python3";
const path = process.env.PATH;
// On the disk: temporary files may lie under /dev, of which a job has its own.
const folder = mkdtempSync("/var/tmp/loopwright-system-");
afterEach(() => {
  process.env.PATH = path;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const limits = {
  wallMs: 10_000,
  cpuMs: 10_000,
  memoryBytes: 2 ** 29,
  processes: 100,
  fileBytes: 2 ** 24,
  outputChars: 5_000,
};

/** What a job's Python says of itself, where the user's lies in a folder that is first on the PATH. */
async function askPython(first: string): Promise<unknown> {
  process.env.PATH = `${first}:${path}`;
  const sandbox = await BwrapSandbox.open(findProgram("bwrap")!, []);
  const script = "import json, sys; print(json.dumps([sys.executable, sys.base_prefix, sys.prefix]))";
  const job = { command: ["python3", "-I", "-c", script], workspace: mkdtempSync(join(folder, "w-")), readOnly: [] };
  const { output } = await sandbox.run({ ...job, limits, signal: AbortSignal.timeout(30_000) });
  return JSON.parse(output);
}

/** A Python of one's own, with the library of the system's. */
function installPython(): string {
  const base = mkdtempSync(join(folder, "python-"));
  const version = basename(realpathSync(PYTHON));
  mkdirSync(join(base, "bin"));
  mkdirSync(join(base, "lib"));
  copyFileSync(PYTHON, join(base, "bin/python3"));
  symlinkSync(`/usr/lib/${version}`, join(base, "lib", version));
  return base;
}

describe.skipIf(!bwrap)("The user's Python (skipped where bwrap does not work)", () => {
  it("is what jobs run, also where it is not the system's, at a place that tells nothing of the user", async () => {
    const base = installPython();
    expect(await askPython(join(base, "bin"))).toEqual([
      "/toolchain/python/bin/python3",
      "/toolchain/python",
      "/toolchain/python",
    ]);
  });

  it("is that of a virtual environment which is active, with the Python that it was made of", async () => {
    const base = installPython();
    const environment = mkdtempSync(join(folder, "venv-"));
    mkdirSync(join(environment, "bin"));
    symlinkSync(join(base, "bin/python3"), join(environment, "bin/python3"));
    writeFileSync(join(environment, "pyvenv.cfg"), `home = ${base}/bin\ninclude-system-site-packages = false\n`);
    expect(await askPython(join(environment, "bin"))).toEqual([join(environment, "bin/python3"), base, environment]);
  });
});
