// The Blender of this machine: where it is, which version, and what of it a job must see.

import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type MachineFinding, UsageError } from "@loopwright/core";
import { findProgram } from "@loopwright/sandbox";

/** Versions that the whole of this package was run against. */
export const testedVersions = ["3.4"] as const;

/** A Blender that was found on this machine. */
export interface BlenderProgram {
  path: string;
  /** As it says itself: 3.4.1. */
  version: string;
  isTested: boolean;
}

const INSTALL =
  "apt-get install --no-install-recommends blender python3-numpy libegl1 libgl1-mesa-dri (Debian), or unpack one from blender.org";

const START_LIMIT_MS = 30_000;
/** Where the programs lie, as seen from the sources and from what is built of them alike. */
export const programs = join(import.meta.dirname, "../programs");
export const HEADLESS = ["--background", "--factory-startup", "-noaudio", "--disable-autoexec"];
/** Blender takes the first Python on the PATH for its own: it is to be the system's. Nothing is drawn on a screen, nor by a
 * graphics card. */
export const ENVIRONMENT = {
  PATH: "/usr/bin:/bin",
  EGL_PLATFORM: "surfaceless",
  LIBGL_ALWAYS_SOFTWARE: "1",
  MESA_SHADER_CACHE_DISABLE: "true",
};
/** What else it needs, and the package of Debian's that has it: numpy for glTF, the others for pictures. */
const packages: Readonly<Record<string, string>> = {
  numpy: "python3-numpy",
  egl: "libegl1",
  mesa: "libgl1-mesa-dri",
};
/** Folders that every job sees. */
const SEEN = ["/usr/", "/nix/store/", "/gnu/store/"];

/** Finds Blender: where LOOPWRIGHT_BLENDER says, else on the PATH. */
export async function findBlender(): Promise<BlenderProgram> {
  const named = process.env.LOOPWRIGHT_BLENDER;
  const path = named ?? findProgram("blender");
  if (path === undefined)
    throw new UsageError(
      "BLENDER_MISSING",
      `there is no Blender: ${INSTALL}, and set LOOPWRIGHT_BLENDER where it is not on the PATH`,
    );
  return { path: realPath(path), ...(await versionOf(path)) };
}

async function versionOf(path: string): Promise<Omit<BlenderProgram, "path">> {
  try {
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: START_LIMIT_MS, cwd: "/" });
    const version = stdout.match(/^Blender (\d+\.\d+(?:\.\d+)?)/m)?.[1];
    if (version === undefined) throw new Error(`it calls itself '${stdout.split("\n", 1)[0]}'`);
    return { version, isTested: testedVersions.some((tested) => `${version}.`.startsWith(`${tested}.`)) };
  } catch (error) {
    const words = (error as Error).message.split("\n", 1)[0];
    throw new UsageError("BLENDER_MISSING", `${path} is no Blender that starts (${words}): ${INSTALL}`, {
      cause: error,
    });
  }
}

/** What the machine lacks of what it needs; undefined where it does not say, for it does not start. */
async function lacksOf({ path }: BlenderProgram): Promise<string[] | undefined> {
  const options = { timeout: START_LIMIT_MS, cwd: "/", env: { ...ENVIRONMENT, HOME: "/" } };
  const script = [...HEADLESS, "--python", join(programs, "needs.py")];
  const { stdout } = await promisify(execFile)(path, script, options).catch(() => ({ stdout: "" }));
  return stdout
    .match(/^lacks:(.*)$/m)?.[1]
    ?.split(" ")
    .filter(Boolean);
}

function lackToWords({ version }: BlenderProgram, lacks: readonly string[]): string {
  const missing = lacks.map((name) => packages[name]).join(" ");
  return `Blender ${version} lacks ${lacks.join(", ")}: apt-get install ${missing} (Debian)`;
}

/** Throws where Blender, or what a run needs of it, is not there. One that does not start is the run's to tell of. */
export async function requireBlender(): Promise<void> {
  const program = await findBlender();
  const lacks = await lacksOf(program);
  if (lacks?.includes("numpy")) throw new UsageError("BLENDER_LACKS", lackToWords(program, lacks));
}

/** The folders beside the system's that a job must see for it to run. */
export function mountsOf({ path }: BlenderProgram): Record<string, string> {
  const folder = dirname(path);
  return SEEN.some((seen) => path.startsWith(seen)) ? {} : { [folder]: folder };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const enables = `Blender as a workcell and as an MCP server (${INSTALL})`;
const tested = `tested: ${testedVersions.map((version) => `${version}.x`).join(", ")}`;

export async function examine(): Promise<readonly MachineFinding[]> {
  try {
    const program = await findBlender();
    const { version, path, isTested } = program;
    const lacks = await lacksOf(program);
    const fault = lacks === undefined ? `${path} does not start` : lackToWords(program, lacks);
    if (lacks?.length !== 0) return [{ name: "blender", state: "missing", found: fault, enables }];
    const note = isTested ? tested : `not tested with this one; ${tested}`;
    return [{ name: "blender", state: "ok", found: `${version} (${path}; ${note})`, enables }];
  } catch (error) {
    const found = process.env.LOOPWRIGHT_BLENDER === undefined ? "not installed" : (error as Error).message;
    return [{ name: "blender", state: "missing", found, enables: `would enable: ${enables}` }];
  }
}
