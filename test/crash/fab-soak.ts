// `npm run soak -- fab [--issues 50]`: issues for cars and chairs in the profile draft, by two workers that are killed twice.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createIssues, drain, faultsOf, statuses } from "./fab-drain.ts";

const { values } = parseArgs({ options: { issues: { type: "string", default: "50" } } });
const total = Number(values.issues);
const dir = mkdtempSync(join(tmpdir(), "loopwright-fab-soak-"));
try {
  const begun = performance.now();
  const ids = await createIssues(dir, total);
  const kills = [Math.floor(total / 5), Math.floor(total / 2)];
  const { killed, code, stderr } = await drain(dir, kills, ["-c", "fab.profile=draft"]);
  const faults = await faultsOf(dir, ids);
  const minutes = (performance.now() - begun) / 60_000;
  for (const fault of faults) console.log(fault);
  console.log(JSON.stringify({ total, killed, code, ...(await statuses(dir)), faults: faults.length, minutes }));
  if (code !== 0) console.error(stderr);
  process.exitCode = faults.length === 0 && code === 0 && killed === kills.length ? 0 : 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
