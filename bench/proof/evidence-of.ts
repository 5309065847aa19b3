// The evidence of one change on one program, in the real sandbox, without a run.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Evidence, type Ground, gatherEvidence } from "@loopwright/code/proof";
import { openSandbox } from "@loopwright/sandbox";
import { projectCells } from "@loopwright/workspace";

type Texts = Readonly<Record<string, string>>;

export interface Program {
  /** A folder that it begins with, and the files that stand in it or in place of others. */
  folder?: string;
  files: Texts;
  task: string;
  /** The files of the tests that are for the change. */
  tests: readonly string[];
  /** How many times what the tests take the rest may take. */
  budget: number;
}

/** Makes the change in a copy of the program, and gathers what shows it. */
export async function evidenceOf({ folder, files, task, tests, budget }: Program, change: Texts): Promise<Evidence> {
  const place = mkdtempSync(join(tmpdir(), "loopwright-proof-"));
  const workspace = join(place, "program");
  mkdirSync(workspace);
  if (folder !== undefined) cpSync(folder, workspace, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  execFileSync("git", ["init", "-q", workspace]);
  const { signal } = new AbortController();
  const sandbox = await openSandbox("bwrap");
  const cell = await projectCells({ workspace, state: join(place, "state"), sandbox })({ snapshot: undefined, signal });
  try {
    const before = await cell.snapshot();
    await cell.writeFiles(Object.entries(change).map(([path, content]) => ({ path, content })));
    const at = { before, after: await cell.snapshot() };
    const ground: Ground = async (which, _, step) => {
      if (cell.at !== at[which]) await cell.restore(at[which]);
      return step(cell, signal);
    };
    return await gatherEvidence(ground, {
      ...{ suite: true, targets: [...tests], hasBefore: true, budget, planned: Object.keys(change), task },
      ...{ testFiles: tests, counted: (report) => report.tests },
    });
  } finally {
    await cell.stop();
    rmSync(place, { recursive: true, force: true });
  }
}
