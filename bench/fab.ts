// The fab loop: issues for cars and chairs, from the prompt to the library, in the profile draft by two workers on a real Blender.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject } from "@loopwright/core";
import { createIssues, drain, faultsOf } from "../test/crash/fab-drain.ts";

const ISSUES = 10;
const QUICK_ISSUES = 2;

/** Works through issues, and says how long each phase took in the mean. */
export async function run({ quick }: { quick: boolean }) {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-bench-fab-"));
  try {
    const ids = await createIssues(dir, quick ? QUICK_ISSUES : ISSUES);
    const begun = performance.now();
    const { code, stderr } = await drain(dir, [], ["-c", "fab.profile=draft"]);
    const minutes = (performance.now() - begun) / 60_000;
    const faults = await faultsOf(dir, ids);
    if (code !== 0 || faults.length > 0) throw new Error([`exit ${code}`, ...faults, stderr].join("\n"));
    await using project = await openProject({ dir });
    const runs = await project.list();
    const times: Record<string, number> = {};
    for (const { run: id } of runs)
      for (const [phase, ms] of Object.entries((await project.record(id)).phaseTimes))
        times[phase] = (times[phase] ?? 0) + ms / runs.length;
    return {
      issues: ids.length,
      runs: runs.length,
      issues_per_min: Math.round((100 * ids.length) / minutes) / 100,
      ms_by_phase: Object.fromEntries(Object.entries(times).map(([phase, ms]) => [phase, Math.round(ms)])),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
