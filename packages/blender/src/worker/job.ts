// What a Blender is started with, and the job that it is: its program, its folder, what it sees beside it, and the limits of a long life.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "@loopwright/core";
import { openSandbox, type Sandbox, type SandboxJob } from "@loopwright/sandbox";
import { type BlenderProgram, ENVIRONMENT, findBlender, HEADLESS, mountsOf, programs } from "../program.ts";

const [INSIDE, PROGRAMS, SNAPSHOTS] = ["/job", "/loopwright/programs", "/loopwright/snapshots"];
/** Where a job sees the files that the user lets it read. */
export const FILES = "/files";
const FOREVER_MS = 7 * 86_400_000;

/** What each Blender of a session is started with. */
export interface BlenderPlace {
  sandbox: Sandbox;
  program: BlenderProgram;
  /** Where each process gets a folder of its own. */
  folder: string;
  /** The scenes that were saved; read-only inside. */
  snapshots: string;
  /** A folder of the user's that code may read. */
  files?: string;
  limits: BlenderLimits;
}

/** What one process of Blender may use. */
export const DEFAULT_LIMITS = {
  memoryBytes: 4 * 2 ** 30,
  /** The largest file, and what the job's folder may hold. */
  diskBytes: 2 ** 30,
  /** Threads are counted: Blender has about twenty. */
  processes: 128,
  /** Milliseconds for any answer but that of code, which has a limit of its own. */
  answerMs: 60_000,
};
export type BlenderLimits = typeof DEFAULT_LIMITS;

/** A job in a folder; its first answer carries `hello`. */
export function blenderJob(place: BlenderPlace, folder: string, hello: string): Omit<SandboxJob, "signal" | "channel"> {
  const { program, snapshots, files } = place;
  const { memoryBytes, diskBytes, processes } = place.limits;
  return {
    command: [
      program.path,
      ...HEADLESS,
      "--threads",
      "2",
      "--python-exit-code",
      "1",
      "--python",
      `${PROGRAMS}/worker.py`,
      "--",
      hello,
    ],
    workspace: folder,
    inside: INSIDE,
    readOnly: [],
    mounts: {
      ...mountsOf(program),
      [PROGRAMS]: programs,
      [SNAPSHOTS]: snapshots,
      ...(files ? { [FILES]: files } : {}),
    },
    env: ENVIRONMENT,
    limits: {
      ...{ wallMs: FOREVER_MS, cpuMs: FOREVER_MS, outputChars: 4_000 },
      ...{ memoryBytes, processes, diskBytes, fileBytes: diskBytes },
    },
  };
}

/** A name in the job's folder, and one among the snapshots, as the job sees them. */
export function pathsIn({ sandbox, snapshots }: BlenderPlace, folder: string) {
  const isBare = sandbox.kind === "none";
  return {
    own: (name: string) => `${isBare ? folder : INSIDE}/${name}`,
    snapshot: (name: string) => `${isBare ? snapshots : SNAPSHOTS}/${name}`,
  };
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
