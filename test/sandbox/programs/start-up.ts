// Prints what it costs to start and end a job: one after the other, and four at a time.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSandbox } from "@loopwright/sandbox";
import { LIMITS } from "../attempt.ts";

const JOBS = 200;

const openedAt = performance.now();
const sandbox = await openSandbox("bwrap");
console.log(`opening: ${(performance.now() - openedAt).toFixed(0)} ms`);

const workspaces = Array.from({ length: 4 }, () => mkdtempSync(join(tmpdir(), "loopwright-start-up-")));
const run = async (workspace: string, command: string[]) => {
  const startedAt = performance.now();
  await sandbox.run({
    command,
    workspace,
    readOnly: ["conftest.py"],
    limits: LIMITS,
    signal: new AbortController().signal,
  });
  return performance.now() - startedAt;
};

for (const command of [["true"], ["python3", "-c", "0"], ["node", "-e", "0"]]) {
  const times: number[] = [];
  for (let count = 0; count < JOBS / 2; count++) times.push(await run(workspaces[0]!, command));
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1);
  console.log(`${command[0]}: p10 ${at(0.1)} ms, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms`);
}

const startedAt = performance.now();
let open = JOBS;
await Promise.all(
  workspaces.map(async (workspace) => {
    while (open-- > 0) await run(workspace, ["true"]);
  }),
);
console.log(`four at a time: ${(JOBS / ((performance.now() - startedAt) / 1000)).toFixed(0)} jobs a second`);
for (const workspace of workspaces) rmSync(workspace, { recursive: true, force: true });
