// Limits in words, and as the shell commands that a job begins with: the kernel's own limits, on each process.
//
// Neither RLIMIT_AS nor RLIMIT_DATA can hold memory: Node reserves half a gigabyte for each isolate before it runs a
// line. The watch holds what a job uses in sum; RLIMIT_DATA only stops what no watch could see in time.

import type { Limits } from "../types.ts";

const BLOCK = 512;
const PROCESSES_SPARE = 16;
const MEMORY_SPARE_BYTES = 2 ** 26;
const DESCRIPTORS = 2_048;
const DATA_SPARE_BYTES = 16 * 2 ** 30;

/** How much a workspace may grow where a job does not say. */
export const DISK_BYTES = 2 ** 30;
/** How many files and folders a job may make. */
export const DISK_FILES = 200_000;

/** The shell script that sets limits for itself and becomes the program in its arguments, stderr joined to stdout. */
export function limitsToScript(limits: Limits, { countsProcesses }: { countsProcesses: boolean }): string {
  const cpuSeconds = Math.ceil(limits.cpuMs / 1000);
  const lines = [
    "ulimit -c 0",
    `{ ulimit -n ${DESCRIPTORS} || :; } 2>/dev/null`,
    `ulimit -S -t ${cpuSeconds + 1}`,
    `ulimit -H -t ${cpuSeconds + 2}`,
    `ulimit -f ${Math.ceil(limits.fileBytes / BLOCK)}`,
    `ulimit -d ${Math.ceil((limits.memoryBytes + DATA_SPARE_BYTES) / 1024)}`,
  ];
  const most = kernelLimits(limits).processes;
  // dash and ash call it -p, bash -u.
  if (countsProcesses) lines.push(`{ ulimit -u ${most} || ulimit -p ${most}; } 2>/dev/null`);
  return `${lines.join(" && ")} && exec "$@" 2>&1`;
}

/** What the kernel lets a job have in all: a little more than it may, so that the watch sees it first and says so. */
export function kernelLimits({ processes, memoryBytes }: Limits): { processes: number; memory: number } {
  return { processes: processes + PROCESSES_SPARE, memory: memoryBytes + MEMORY_SPARE_BYTES };
}

/** A limit that stopped a job, as people and models read it. */
export const stopWords = {
  wall: ({ wallMs }: Limits) => `it ran longer than ${seconds(wallMs)}`,
  cpu: ({ cpuMs }: Limits) => `it used more than ${seconds(cpuMs)} of CPU`,
  memory: ({ memoryBytes }: Limits) => `it used more than ${megabytes(memoryBytes)} of memory`,
  processes: ({ processes }: Limits) => `it had more than ${processes} processes and threads`,
  disk: ({ diskBytes = DISK_BYTES }: Limits) => `it made the workspace grow by more than ${megabytes(diskBytes)}`,
  files: () => `it made more than ${DISK_FILES} files`,
};

export type StopKind = keyof typeof stopWords;

const SIGXCPU_CODE = 128 + 24;
const SIGXFSZ_CODE = 128 + 25;

/** The limit of the kernel's that an exit code tells of. */
export function codeToStop(code: number | null, limits: Limits): string | undefined {
  if (code === SIGXCPU_CODE) return stopWords.cpu(limits);
  if (code === SIGXFSZ_CODE) return `it wrote a file larger than ${megabytes(limits.fileBytes)}`;
  return undefined;
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MB`;
}
