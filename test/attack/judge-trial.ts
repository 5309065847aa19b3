// One program before its judges, as a run would have it judged: the tests, and the last look before it is done.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Finding } from "@loopwright/core";
import { openSandbox } from "@loopwright/sandbox";
import { checkChange, hardOnes, judge, projectCells, runTests } from "@loopwright/workspace";
import type { Stage } from "./judge-tricks.ts";

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

/** Has a program judged in place of the one that a stage begins with. */
export async function judgeProgram(stage: Stage, source: string): Promise<Judged> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-judge-")));
  const workspace = join(base, "workspace");
  mkdirSync(workspace);
  if (stage.name === "vitest") symlinkSync(modules, join(workspace, "node_modules"));
  writeFileSync(join(workspace, stage.program), stage.before);
  const sandbox = await openSandbox("bwrap", { readOnly: stage.name === "vitest" ? [modules] : [] });
  const signal = AbortSignal.timeout(120_000);
  const cell = await projectCells({ workspace, state: join(base, "state"), sandbox })({ snapshot: undefined, signal });
  try {
    await cell.writeTests([{ path: stage.test, content: stage.tests }]);
    await cell.writeFiles([{ path: stage.program, content: source }]);
    const at = await cell.snapshot();
    const report = await runTests(cell, { signal });
    const { verdict } = judge(report, []);
    await cell.restore(at);
    const isGreen = verdict.verdict === "pass";
    const findings = isGreen ? await checkChange(cell, signal) : [];
    return { isGreen, isDone: isGreen && hardOnes(findings).length === 0, findings, reason: verdict.reason };
  } finally {
    await cell.stop();
    rmSync(base, { recursive: true, force: true });
  }
}
