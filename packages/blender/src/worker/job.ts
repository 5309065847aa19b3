// The job that a Blender is: its program, its folder, what it sees beside it, and the limits of a long life.

import { join } from "node:path";
import type { Sandbox, SandboxJob } from "@loopwright/sandbox";
import { type BlenderProgram, mountsOf } from "../program.ts";

/** Where the programs lie, as seen from the sources and from what is built of them alike. */
const programs = join(import.meta.dirname, "../../programs");
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

/** Blender takes the first Python on the PATH for its own: it is to be the system's. Nothing is drawn on a screen, nor by a
 * graphics card. */
const ENVIRONMENT = {
  PATH: "/usr/bin:/bin",
  EGL_PLATFORM: "surfaceless",
  LIBGL_ALWAYS_SOFTWARE: "1",
  MESA_SHADER_CACHE_DISABLE: "true",
};

/** A job in a folder; its first answer carries `hello`. */
export function blenderJob(place: BlenderPlace, folder: string, hello: string): Omit<SandboxJob, "signal" | "channel"> {
  const { program, snapshots, files } = place;
  const { memoryBytes, diskBytes, processes } = place.limits;
  const options = ["--background", "--factory-startup", "-noaudio", "--disable-autoexec", "--threads", "2"];
  return {
    command: [program.path, ...options, "--python-exit-code", "1", "--python", `${PROGRAMS}/worker.py`, "--", hello],
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
