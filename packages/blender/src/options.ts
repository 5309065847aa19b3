// What a Blender is started with, and the folders and files of the user's that are named in it.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@loopwright/core";
import { openSandbox, type Sandbox } from "@loopwright/sandbox";
import { type BlenderProgram, findBlender } from "./program.ts";
import { type BlenderLimits, type BlenderPlace, DEFAULT_LIMITS } from "./worker/job.ts";

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
