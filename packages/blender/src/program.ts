// The Blender of this machine, and what one is started with: folders and files of the user's, limits.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type MachineFinding, UsageError } from "@loopwright/core";
import { findProgram, openSandbox, type Sandbox } from "@loopwright/sandbox";
import { type BlenderLimits, type BlenderPlace, DEFAULT_LIMITS } from "./worker/job.ts";

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

/** How a Blender is started: sandbox, program, folders, baseline, limits. */
export interface BlenderOptions {
  /** Bubblewrap where it is left out; none only where the user says so. */
  sandbox?: Sandbox;
  program?: BlenderProgram;
  /** Where processes have their folders; a temporary one where it is left out. It is removed at the end. */
  folder?: string;
  /** A .blend that the scene begins with; empty where it is left out. */
  baseline?: string;
  /** A folder that code may read, at /files. */
  files?: string;
  limits?: Partial<BlenderLimits>;
  /** Whether a second Blender waits for the first to fail; it takes some 200 MB. */
  hasSpare?: boolean;
}

/** What all of its processes share. */
export async function placeOf(options: BlenderOptions): Promise<BlenderPlace> {
  const [sandbox, program] = await Promise.all([
    options.sandbox ?? openSandbox("bwrap"),
    options.program ?? findBlender(),
  ]);
  const files = options.files === undefined ? {} : { files: folderOf(options.files) };
  const folder = makeFolder(options.folder);
  return {
    sandbox,
    program,
    folder,
    snapshots: join(folder, "snapshots"),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    ...files,
  };
}

/** Throws where a file or folder that is named is not there. */
export function requireInputs({ baseline, files }: Pick<BlenderOptions, "baseline" | "files">): void {
  if (baseline !== undefined) readBaseline(baseline);
  if (files !== undefined) folderOf(files);
}

function makeFolder(given: string | undefined): string {
  if (given === undefined) return realpathSync(mkdtempSync(join(tmpdir(), "loopwright-blender-")));
  mkdirSync(given, { recursive: true, mode: 0o700 });
  return realpathSync(given);
}

function folderOf(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError("BLENDER_FILES", `there is no folder ${path} to read files from`);
  return realpathSync(path);
}

const BLEND = ["BLENDER", "\x28\xb5\x2f\xfd", "\x1f\x8b"];

/** Whether a file begins as a .blend does, packed or not. */
export function isBlend(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 8)).toString("latin1");
  return BLEND.some((mark) => head.startsWith(mark));
}

/** The bytes of a .blend. */
export function readBaseline(path: string): Buffer {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UsageError("BLENDER_BASELINE", `there is no file ${path} to begin with: name a .blend`);
  const bytes = readFileSync(path);
  if (!isBlend(bytes)) throw new UsageError("BLENDER_BASELINE", `${path} is no .blend: save the scene from Blender`);
  return bytes;
}
