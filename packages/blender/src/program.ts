// The Blender of this machine: where it is, which version, and what of it a job must see.

import { execFile } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
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

const VERSION_LIMIT_MS = 30_000;
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
    const { stdout } = await promisify(execFile)(path, ["--version"], { timeout: VERSION_LIMIT_MS, cwd: "/" });
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
    const { version, path, isTested } = await findBlender();
    const note = isTested ? tested : `not tested with this one; ${tested}`;
    return [{ name: "blender", state: "ok", found: `${version} (${path}; ${note})`, enables }];
  } catch (error) {
    const found = process.env.LOOPWRIGHT_BLENDER === undefined ? "not installed" : (error as Error).message;
    return [{ name: "blender", state: "missing", found, enables: `would enable: ${enables}` }];
  }
}
