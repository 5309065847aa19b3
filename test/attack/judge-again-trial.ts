// One program of several files before its judges, as a run would have it judged, with what its commands leave behind.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Finding } from "@loopwright/core";
import { openSandbox } from "@loopwright/sandbox";
import { checkChange, hardOnes, judge, projectCells, runTests } from "@loopwright/workspace";

const modules = join(import.meta.dirname, "../../node_modules");

export interface Judged {
  /** Whether the tests alone pass. */
  isGreen: boolean;
  /** Whether a run would be done. */
  isDone: boolean;
  findings: readonly Finding[];
  /** Why it is not green. */
  reason: string;
}

/** What a user has, and what a model answers. */
export interface Scene {
  before: Readonly<Record<string, string>>;
  tests: Readonly<Record<string, string>>;
  answer: Readonly<Record<string, string>>;
  commands?: readonly string[];
  runner?: { command: string; junit: string };
  hasModules?: boolean;
}

const blocks = (files: Readonly<Record<string, string>>) =>
  Object.entries(files).map(([path, content]) => ({ path, content }));

/** Judges what a model has answered. Files that are refused are not there, as in a run. */
export async function judgeScene({ before, tests, answer, commands = [], runner, hasModules }: Scene): Promise<Judged> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-judge-")));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  if (hasModules) symlinkSync(modules, join(workspace, "node_modules"));
  for (const [path, content] of Object.entries(before)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  const sandbox = await openSandbox("bwrap", { readOnly: hasModules ? [modules] : [] });
  const signal = AbortSignal.timeout(120_000);
  const options = { workspace, state: join(base, "state"), sandbox, ...(runner && { runner }) };
  const cell = await projectCells(options)({ snapshot: undefined, signal });
  try {
    await cell.writeTests(blocks(tests));
    await cell.writeFiles(blocks(answer));
    await cell.runCommands(commands);
    const at = await cell.snapshot();
    const { verdict } = judge(await runTests(cell, { signal }), []);
    await cell.restore(at);
    const isGreen = verdict.verdict === "pass";
    const findings = isGreen ? await checkChange(cell, signal) : [];
    return { isGreen, isDone: isGreen && hardOnes(findings).length === 0, findings, reason: verdict.reason };
  } finally {
    await cell.stop();
    rmSync(base, { recursive: true, force: true });
  }
}
