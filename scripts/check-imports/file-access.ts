// Who may touch files by their paths: in a folder that a job can write, a path may lead anywhere by the time it is used. Such
// folders are read and written through OpenFolder of the sandbox alone; whoever else imports node:fs says here what for.

import type { Finding, SourceFile, Tree } from "./tree.ts";

const watched = ["sandbox", "workspace", "blender", "code", "repair"].map((name) => `packages/${name}/`);

/** Files that may, each with what it touches, none of which a job can write. */
const allowed: Readonly<Record<string, string>> = {
  "packages/sandbox/src/folder/open-folder.ts": "is the way itself",
  "packages/sandbox/src/bwrap/bwrap.ts": "the workspace's own path, and /dev/null",
  "packages/sandbox/src/bwrap/devices.ts": "device nodes of ours",
  "packages/sandbox/src/bwrap/files.ts": "files without a name",
  "packages/sandbox/src/bwrap/process.ts": "/proc",
  "packages/sandbox/src/bwrap/system.ts": "the machine's programs",
  "packages/sandbox/src/descriptors.ts": "/proc",
  "packages/sandbox/src/limits/cgroup.ts": "/sys and /proc",
  "packages/sandbox/src/limits/disk.ts": "/proc",
  "packages/sandbox/src/limits/watch.ts": "/proc, and how much is free",
  "packages/sandbox/src/none.ts": "/proc, and the workspace's own path",
  "packages/sandbox/src/sandbox.ts": "an empty folder for the first job",
  "packages/workspace/src/checkout/branch.ts": "the run's state beside the checkout, and the user's folder",
  "packages/workspace/src/checkout/checkout.ts": "the run's state beside the checkout",
  "packages/workspace/src/checkout/dependencies.ts": "the user's folder",
  "packages/workspace/src/checkout/own-git.ts": "the user's repository, and a new one beside the checkout",
  "packages/workspace/src/checkout/writable.ts": "the rights of the user's folder",
  "packages/workspace/src/options.ts": "the user's folder",
  "packages/workspace/src/programs.ts": "programs of this package",
  "packages/workspace/src/runners/collect.ts": "a new folder, before its job",
  "packages/workspace/src/runners/copies.ts": "the user's tests and copies of them, before and after their job",
  "packages/workspace/src/runners/run.ts": "new folders, before their job",
  "packages/workspace/src/runners/choose.ts": "the user's folder",
  "packages/workspace/src/settings.ts": "the user's folder",
  "packages/workspace/src/snapshots/hashes.ts": "our git directory",
  "packages/workspace/src/snapshots/snapshots.ts": "our git directory",
  "packages/workspace/src/tests/files.ts": "tests where the user has them, and copies of ours",
  "packages/workspace/src/tests/test-set.ts": "the copies of tests, which no job can write",
  "packages/workspace/src/trials/copies.ts": "copies of ours, before their job",
  "packages/workspace/src/workspace-cell.ts": "the run's state, and the checkout's own path",
  "packages/blender/src/client/index.ts": "a new folder, before its job",
  "packages/blender/src/client/server.ts": "scenes of ours, and what a server has written for us",
  "packages/blender/src/mcp/server.ts": "this package's own package.json",
  "packages/blender/src/mcp/session.ts": "the user's output folder",
  "packages/blender/src/options.ts": "the user's folder, and a new one before its job",
  "packages/blender/src/program.ts": "the machine's programs",
  "packages/blender/src/render.ts": "a new folder, before its job",
  "packages/blender/src/snapshots.ts": "scenes of ours, which jobs only read",
  "packages/blender/src/worker/process.ts": "a new folder, before its job",
  "packages/code/src/commands/amendments.ts": "the user's task",
  "packages/code/src/commands/code.ts": "the user's folder",
  "packages/code/src/commands/task-source.ts": "the user's task",
  "packages/code/src/commands/usual-workspace.ts": "names in the user's folder, before any job",
  "packages/code/src/amending/task-file.ts": "the user's task",
  "packages/code/src/first-prompt.ts": "whether the user's folder is there, and a new one before any job",
  "packages/code/src/template.ts": "templates of this package",
  "packages/repair/src/commands/demo.ts": "a program of this package",
  "packages/repair/src/commands/repair.ts": "the user's folder",
};

/** Each import of node:fs that is not among these, and each of these that imports it no more. */
export function fileAccessFindings({ files }: Tree): Finding[] {
  const sources = files.filter(({ path, role }) => role === "source" && watched.some((each) => path.startsWith(each)));
  const fs = ({ imports }: SourceFile) => imports.find(({ target, kind }) => kind !== "type" && isFs(target));
  const strangers = sources.filter((file) => fs(file) && !(file.path in allowed));
  return [
    ...strangers.map((file) => ({
      place: `${file.path}:${fs(file)!.line}`,
      message:
        "node:fs follows links that a job may have planted; use OpenFolder of @loopwright/sandbox, or say in scripts/check-imports/file-access.ts what it touches",
    })),
    ...sources
      .filter((file) => file.path in allowed && !fs(file))
      .map(({ path }) => ({
        place: `${path}:1`,
        message: "needs no leave for node:fs; take it out of file-access.ts",
      })),
  ];
}

function isFs(target: string): boolean {
  return /^(?:node:)?fs(?:\/promises)?$/.test(target);
}
